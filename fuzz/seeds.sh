#!/bin/sh
# Makes the corpora of the fuzz targets from real files: seeds.sh [folder with corpus, badinput and pngsuite].
# Each seed is a byte of switches and a small file, with a tileset and a template after it.
set -eu
cd "$(dirname "$0")"
shared=${1:-../../shared}
mkdir -p corpus/map corpus/tileset corpus/template corpus/mask corpus/config corpus/render corpus/verify

# seed TARGET OCTAL FILE...: the files as one seed, named by its content.
seed() {
    target=$1 switches=$2
    shift 2
    made=corpus/$target/.new
    printf "\\$switches" >"$made"
    cat "$1" >>"$made"
    shift
    for part; do
        printf '\n@@@\n' >>"$made"
        cat "$part" >>"$made"
    done
    mv "$made" "corpus/$target/$(sha1sum "$made" | cut -c 1-16)"
}

# The small files below the shared folder whose name ends so.
small() {
    find "$shared/corpus" "$shared/badinput" "$shared/pngsuite" -type f -size -"$1"k -name "*.$2"
}

tileset=$(mktemp)
template=$(mktemp)
trap 'rm -f "$tileset" "$template"' EXIT
cat >"$tileset" <<'END'
<tileset name="t" tilewidth="16" tileheight="16" tilecount="16" columns="4"><tile id="1" type="wall">
<objectgroup><object x="2" y="3" width="9" height="4" rotation="30"><ellipse/></object></objectgroup></tile>
<tile id="2"><properties><property name="solid" type="bool" value="true"/></properties></tile></tileset>
END
cat >"$template" <<'END'
<template><tileset firstgid="1" source="t.tsx"/><object type="wall" gid="2" width="16" height="16"/></template>
END

for ending in tmx tmj json; do
    small 9 "$ending" | while read -r file; do
        seed map 101 "$file" "$tileset" "$template"
        seed map 112 "$file" "$tileset" "$template"
        seed map 117 "$file" "$tileset" "$template"
    done
done
small 4 png | head -n 40 | while read -r picture; do
    seed render 021 "$shared/badinput/tmx/00_valid.tmx" "$picture" "$tileset"
done
for ending in tmx tmj; do
    small 9 "$ending" | while read -r file; do
        seed render 001 "$file" ../cli/tests/fixtures/rock.png "$tileset"
        seed render 345 "$file" ../cli/tests/fixtures/rock.png "$tileset"
    done
done
for ending in tmx tmj world; do
    small 9 "$ending" | while read -r file; do
        seed verify 001 "$file" ../cli/tests/fixtures/every-rule.toml
    done
done
for ending in png gif bmp webp; do
    small 4 "$ending" | while read -r file; do
        seed verify 021 "$file" ../cli/tests/fixtures/every-rule.toml
    done
done
small 9 world | while read -r file; do
    seed map 141 "$file" "$shared/badinput/tmx/00_valid.tmx" "$shared/badinput/tmx/inf_ok.tmx"
done
for ending in tsx tsj; do
    small 9 "$ending" | while read -r file; do
        seed tileset 111 "$file" "$template"
        seed tileset 162 "$file" "$template"
    done
done
for ending in tx tj; do
    small 9 "$ending" | while read -r file; do
        seed template 101 "$file" "$tileset"
        seed template 076 "$file" "$tileset"
    done
done
seed template 111 "$template" "$tileset"
for ending in png gif bmp webp tga; do
    small 4 "$ending" | while read -r file; do
        seed mask 010 "$file"
        seed mask 240 "$file"
    done
done
# Of the other formats there are few small files: one picture of each by hand.
picture=$(mktemp)
trap 'rm -f "$tileset" "$template" "$picture"' EXIT
for bytes in \
    'GIF89a\002\000\002\000\200\000\000\000\000\000\377\377\377,\000\000\000\000\002\000\002\000\000\002\003D\002\005\000;' \
    'RIFF\032\000\000\000WEBPVP8L\015\000\000\000/\000\000\000\020\007\020\021\021\210\210\376\007\000' \
    'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\377\377\000\000\377\377\377\000\000\000\000\000' \
    'BM\106\000\000\000\000\000\000\000\076\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\010\000\001\000\000\000\010\000\000\000\000\000\000\000\000\000\000\000\002\000\000\000\002\000\000\000\000\000\000\000\377\377\377\000\002\001\000\000\002\000\000\001' \
    '\000\000\003\000\000\000\000\000\000\000\000\000\002\000\002\000\010\000\000\377\000\377' \
    '\000\000\012\000\000\000\000\000\000\000\000\000\002\000\002\000\030\040\201\000\000\377\201\377\377\377'; do
    printf "$bytes" >"$picture"
    for switches in 000 010 100 240; do
        seed mask "$switches" "$picture"
    done
done
# The sections of real baked levels, after their number and lengths.
mkdir -p corpus/baked
program=${BITWALL:-../target/release/bitwall}
[ -x "$program" ] || { echo "build it first: cargo build --release" >&2; exit 1; }
baked=$(mktemp -d)
trap 'rm -rf "$tileset" "$template" "$picture" "$baked"' EXIT
number=0
for level in $(small 33 tmx) $(small 9 png) ../assets/*.tmx ../assets/*mask.png; do
    number=$((number + 1))
    "$program" bake -o "$baked/$number.bwl" "$level" >/dev/null 2>&1 || continue
    "$program" bake --provenance -o "$baked/$number-causes.bwl" "$level" >/dev/null 2>&1 || continue
done
python3 - corpus/baked "$baked"/*.bwl <<'END'
import hashlib, sys
for level in sys.argv[2:]:
    data = open(level, "rb").read()
    count = data[12]
    lengths = [int.from_bytes(data[48 + 24 * i : 56 + 24 * i], "little") // 8 for i in range(count)]
    if len(data) > 65536 or max(lengths) > 65535:
        continue
    head = bytes([count]) + b"".join(length.to_bytes(2, "little") for length in lengths)
    seed = head + data[40 + 24 * count :]
    open(f"{sys.argv[1]}/{hashlib.sha1(seed).hexdigest()[:16]}", "wb").write(seed)
END
cp ../src/load/config/example.toml corpus/config/example
for line in $(seq 1 40); do
    sed -n "/^\\[/p; ${line}p" ../src/load/config/example.toml | awk '!seen[$0]++' >"corpus/config/line$line"
done
ls corpus | while read -r target; do
    echo "$target: $(ls "corpus/$target" | wc -l) seeds"
done
