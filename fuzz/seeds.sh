#!/bin/sh
# Makes seeds for the fuzz targets from small files:
#   seeds.sh              into corpus/, from the files of this repository, beside the unpacked archives
#   seeds.sh FOLDER...    into beside/, from the files of these folders, without spaces in paths; never committed
# Each seed is a byte of switches and a file, with the files that it needs after it.
set -eu
program=$(realpath "${BITWALL:-$(dirname "$0")/../target/release/bitwall}")
[ -x "$program" ] || { echo "build it first: cargo build --release" >&2; exit 1; }
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/hand" "$made/baked"
if [ $# = 0 ]; then
    cd "$(dirname "$0")"
    into=corpus
    from="$made/hand ../assets ../cli/tests/fixtures ../examples/browser/levels ../tests"
    for archive in corpus/*.tar.gz; do tar xzf "$archive" -C corpus; done
else
    from=$(realpath "$@")
    cd "$(dirname "$0")"
    into=beside
fi

# seed TARGET OCTAL FILE...: the files as one seed, named by its content.
seed() {
    target=$1
    mkdir -p "$into/$target"
    printf "\\$2" >"$made/seed"
    cat "$3" >>"$made/seed"
    shift 3
    for part; do
        printf '\n@@@\n' >>"$made/seed"
        cat "$part" >>"$made/seed"
    done
    cp "$made/seed" "$into/$target/$(sha1sum "$made/seed" | cut -c 1-16)"
}

# small KIB ENDING...: the files of at most so many KiB whose names end so.
small() {
    most=$1
    shift
    for ending; do
        find $from -type f -size -$((most + 1))k -name "*.$ending" -not -path '*/target/*'
    done
}

# The files that others refer to, and forms that no file of the repository has.
hand=$made/hand
fixtures=../cli/tests/fixtures
cat >"$hand/t.tsx" <<'END'
<tileset name="t" tilewidth="16" tileheight="16" tilecount="16" columns="4"><image source="a.png" width="64"
height="64"/><tile id="1" type="wall"><objectgroup><object x="2" y="3" width="9" height="4" rotation="30"><ellipse/>
</object></objectgroup></tile><tile id="2"><properties><property name="solid" type="bool" value="true"/>
</properties></tile></tileset>
END
cat >"$hand/t.tsj" <<'END'
{"name":"t","tilewidth":16,"tileheight":16,"tilecount":4,"columns":2,"image":"a.png","imagewidth":32,
"imageheight":32,"margin":0,"spacing":0,"tileoffset":{"x":1,"y":-2},"tiles":[{"id":1,"type":"wall",
"animation":[{"tileid":2,"duration":90}],"objectgroup":{"objects":[{"x":1,"y":2,"width":9,"height":4,
"ellipse":true},{"x":0,"y":0,"polygon":[{"x":0,"y":0},{"x":9,"y":3},{"x":4,"y":-8}]}]}},{"id":2,"properties":
[{"name":"solid","type":"bool","value":true}]}],"wangsets":[{"name":"w","wangtiles":[]}]}
END
cat >"$hand/t.tx" <<'END'
<template><tileset firstgid="1" source="t.tsx"/><object type="wall" gid="2" width="16" height="16"/></template>
END
cat >"$hand/t.tj" <<'END'
{"type":"template","tileset":{"firstgid":1,"source":"t.tsj"},"object":{"type":"wall","gid":2,"width":16,
"height":16,"properties":[{"name":"one_way","type":"string","value":"top left"}]}}
END
cat >"$hand/m.tmj" <<'END'
{"type":"map","version":"1.10","orientation":"orthogonal","width":2,"height":2,"tilewidth":16,"tileheight":16,
"infinite":false,"tilesets":[{"firstgid":1,"source":"t.tsj"}],"layers":[{"type":"tilelayer","name":"wall",
"width":2,"height":2,"data":[1,2,2147483651,0]},{"type":"tilelayer","name":"b","width":2,"height":2,
"encoding":"base64","compression":"zlib","data":"eNpjZGBgYAJiZgaGBiDFAAAC0ACH"},{"type":"group","name":"g",
"offsetx":3.5,"layers":[{"type":"objectgroup","name":"solid","objects":[{"id":1,"x":3,"y":5,"width":9,
"height":9},{"id":2,"x":9,"y":9,"template":"t.tx"},{"id":3,"x":20,"y":9,"polyline":[{"x":0,"y":0},{"x":9,
"y":3}],"rotation":30}]},{"type":"imagelayer","name":"i","image":"a.png"}]}],"properties":[{"name":"p",
"type":"class","value":{"q":1}}]}
END
cat >"$hand/infinite.tmj" <<'END'
{"type":"map","orientation":"staggered","staggeraxis":"y","staggerindex":"odd","width":2,"height":2,
"tilewidth":16,"tileheight":16,"infinite":true,"tilesets":[{"firstgid":1,"source":"t.tsj"}],"layers":[{"type":
"tilelayer","name":"wall","chunks":[{"x":-2,"y":0,"width":2,"height":2,"data":[1,2,3,0]},{"x":0,"y":4,"width":2,
"height":2,"data":[0,2,0,1]}]}]}
END
cat >"$hand/encoded.tmx" <<'END'
<map orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16"><tileset firstgid="1"
source="t.tsx"/><layer name="a" width="2" height="2"><data encoding="base64">AQAAAAIAAAADAACAAAAAAA==</data>
</layer><layer name="wall" width="2" height="2"><data encoding="base64" compression="zlib">
eNpjZGBgYAJiZgaGBiDFAAAC0ACH</data></layer><layer name="c" width="2" height="2"><data encoding="base64"
compression="gzip">H4sIAAAAAAACA2NkYGBgAmJmBoYGIMUAACrzgZEQAAAA</data></layer><layer name="d" width="2"
height="2"><data encoding="base64" compression="zstd">KLUv/SAQgQAAAQAAAAIAAAADAACAAAAAAA==</data></layer>
<layer name="e" width="2" height="2"><data><tile gid="1"/><tile/><tile gid="2"/><tile/></data></layer></map>
END
for shape in 'orthogonal" renderorder="left-up' isometric 'staggered" staggeraxis="x" staggerindex="even' \
    'hexagonal" hexsidelength="4" staggeraxis="y" staggerindex="odd' 'oblique" skewx="5" skewy="-3'; do
    cat >"$hand/${shape%%\"*}.tmx" <<END
<map orientation="$shape" width="3" height="2" tilewidth="16" tileheight="12" infinite="1"
backgroundcolor="#80ff0000"><tileset firstgid="1" source="t.tsx"/><tileset firstgid="20" name="u" tilewidth="8"
tileheight="8" tilecount="2" columns="0" objectalignment="center"><tileoffset x="2" y="-1"/><tile id="0">
<image source="a.png" width="8" height="8"/></tile></tileset><layer name="wall" width="3" height="2" offsetx="4"
tintcolor="#ff8000"><data encoding="csv"><chunk x="-4" y="0" width="2" height="2">1,2,3,20</chunk><chunk x="8"
y="2" width="2" height="2">0,2147483650,1073741826,536870914</chunk></data></layer><imagelayer name="i"
repeatx="1" opacity="0.5"><image source="a.png"/></imagelayer><objectgroup name="solid" draworder="index">
<object id="1" x="3" y="5" width="9" height="9"/><object id="2" x="9" y="5" width="9" height="3" rotation="30">
<ellipse/></object><object id="3" x="9" y="9" template="t.tx"/><object id="4" gid="2147483650" x="50" y="60"
width="20" height="9"/><object id="5" x="7" y="2"><polygon points="0,0 9,3 4,-8"/></object><object id="6" x="1"
y="1"><polyline points="0,0 20,3"/></object><object id="7" name="d" x="1" y="2"><point/></object><object id="8"
x="1" y="2" width="9" height="20"><capsule/></object><object id="9" type="one_way" x="1" y="2" width="40"
height="9"><text>t</text></object></objectgroup></map>
END
done
cat >"$hand/w.world" <<'END'
{"maps":[{"fileName":"a.tmx","x":0,"y":0,"width":32,"height":32}],"patterns":[{"regexp":"b(\\d)(\\d)\\.tmx",
"multiplierX":32,"multiplierY":16,"offsetX":-5,"offsetY":4}],"type":"world","onlyShowAdjacentMaps":false}
END
cat >"$hand/m.ldtk" <<'END'
{"__header__":{"fileType":"LDtk Project JSON"},"jsonVersion":"1.5.3","worldLayout":"Free","defs":{"layers":[{
"uid":1,"intGridValues":[{"value":1,"identifier":"wall"},{"value":2,"identifier":"ladder","groupUid":3}],
"intGridValuesGroups":[{"uid":3,"identifier":"climb"}]}],"tilesets":[{"uid":7,"identifier":"C","relPath":"a.png",
"pxWid":32,"pxHei":16,"tileGridSize":8,"spacing":0,"padding":0,"enumTags":[{"enumValueId":"Solid","tileIds":[2]}],
"customData":[{"tileId":3,"data":"s=1"}]}]},"levels":[{"identifier":"A","worldX":0,"worldY":0,"worldDepth":0,
"pxWid":32,"pxHei":16,"__bgColor":"#102030","bgRelPath":"a.png","__bgPos":{"topLeftPx":[0,0],"scale":[1,1],
"cropRect":[0,0,8,8]},"fieldInstances":[{"__identifier":"f","__type":"Int","__value":5}],"layerInstances":[{
"__identifier":"E","__type":"Entities","__cWid":4,"__cHei":2,"__gridSize":8,"layerDefUid":1,"entityInstances":[{
"__identifier":"P","__pivot":[0,1],"__tags":["wall"],"width":12,"height":20,"px":[4,9],"fieldInstances":[{
"__identifier":"q","__type":"Array<Point>","__value":[{"cx":1,"cy":2}]}]}]},{"__identifier":"I","__type":
"IntGrid","__cWid":4,"__cHei":2,"__gridSize":8,"__opacity":1,"__tilesetDefUid":7,"layerDefUid":1,"intGridCsv":[1,
0,2,1,0,0,3,1],"autoLayerTiles":[{"px":[0,0],"src":[8,8],"f":1,"t":3,"a":1}]},{"__identifier":"T","__type":
"Tiles","__cWid":4,"__cHei":2,"__gridSize":8,"__tilesetDefUid":7,"gridTiles":[{"px":[3,8],"f":3,"t":2,
"a":0.5}]}]},{"identifier":"B","worldX":40,"worldY":-8,"pxWid":32,"pxHei":16,"externalRelPath":"B.ldtkl"}]}
END
cat >"$hand/B.ldtkl" <<'END'
{"identifier":"B","pxWid":32,"pxHei":16,"layerInstances":[{"__identifier":"I","__type":"IntGrid","__cWid":2,
"__cHei":1,"__gridSize":16,"layerDefUid":1,"intGridCsv":[1,0]}]}
END
# Pictures of at most 2 x 2 pixels.
picture() { printf "$2" >"$hand/$1"; }
picture a.gif 'GIF89a\002\000\002\000\200\000\000\000\000\000\377\377\377,\000\000\000\000\002\000\002\000\000\002\003D\002\005\000;'
picture a.webp 'RIFF\032\000\000\000WEBPVP8L\015\000\000\000/\000\000\000\020\007\020\021\021\210\210\376\007\000'
picture 24.bmp 'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\377\377\000\000\377\377\377\000\000\000\000\000'
picture 8.bmp 'BM\106\000\000\000\000\000\000\000\076\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\010\000\001\000\000\000\010\000\000\000\000\000\000\000\000\000\000\000\002\000\000\000\002\000\000\000\000\000\000\000\377\377\377\000\002\001\000\000\002\000\000\001'
picture 8.tga '\000\000\003\000\000\000\000\000\000\000\000\000\002\000\002\000\010\000\000\377\000\377'
picture 24.tga '\000\000\012\000\000\000\000\000\000\000\000\000\002\000\002\000\030\040\201\000\000\377\201\377\377\377'

small 8 tmx tmj json | while read -r file; do
    for switches in 101 112 117; do
        seed map $switches "$file" "$hand/t.tsx" "$hand/t.tx"
    done
    seed render 001 "$file" $fixtures/rock.png "$hand/t.tsx"
    seed render 345 "$file" $fixtures/rock.png "$hand/t.tsx"
done
small 8 world | while read -r file; do
    seed map 141 "$file" "$hand/encoded.tmx" "$hand/oblique.tmx"
done
small 8 ldtk | while read -r file; do
    seed map 101 "$file" "$hand/t.tsx" "$hand/B.ldtkl"
    seed map 112 "$file" "$hand/t.tsx" "$hand/B.ldtkl"
    seed render 001 "$file" $fixtures/rock.png
    seed verify 001 "$file" $fixtures/every-rule.toml
done
small 64 ldtk | while read -r file; do
    for switches in 001 002 014 020; do
        seed ldtk $switches "$file" "$hand/B.ldtkl"
    done
done
small 8 tsx tsj | while read -r file; do
    seed tileset 111 "$file" "$hand/t.tx"
    seed tileset 162 "$file" "$hand/t.tx"
done
small 8 tx tj | while read -r file; do
    for switches in 101 111 076; do
        seed template $switches "$file" "$hand/t.tsx"
    done
done
small 8 tmx tmj world | while read -r file; do
    seed verify 001 "$file" $fixtures/every-rule.toml
done
small 3 png | while read -r file; do
    for switches in 000 010 100 240; do
        seed mask $switches "$file"
    done
    seed verify 021 "$file" $fixtures/every-rule.toml
done
small 3 png gif bmp webp tga | while read -r file; do
    seed render 021 "$hand/isometric.tmx" "$file" "$hand/t.tsx"
done

# The content of real baked levels, without the header.
number=0
for level in $(small 32 tmx) $(small 8 png); do
    number=$((number + 1))
    "$program" bake -o "$made/baked/$number.bwl" "$level" >/dev/null 2>&1 || continue
done
mkdir -p "$into/baked"
python3 - "$into/baked" "$made"/baked/*.bwl <<'END'
import hashlib, sys
for level in sys.argv[2:]:
    data = open(level, "rb").read()
    if len(data) > 65536:
        continue
    seed = data[20:]
    open(f"{sys.argv[1]}/{hashlib.sha1(seed).hexdigest()[:16]}", "wb").write(seed)
END

# Levels of random size with random edits, the first half with edits of mostly one kind.
if [ $# = 0 ]; then
    mkdir -p "$into/edits"
    python3 - "$into/edits" <<'END'
import hashlib, random, sys
rng = random.Random(1)
near = lambda: [rng.randrange(24, 256), rng.randrange(56, 220)]
far = lambda: [rng.choice([rng.randrange(8), rng.randrange(24), 200]), rng.randrange(256)]
for number in range(64):
    seed = [rng.randrange(256) for _ in range(12)]
    for _ in range(rng.randrange(4, 40)):
        kind = 14 if rng.random() < 0.2 else number % 16 if number < 32 else rng.randrange(16)
        seed += [rng.randrange(256), kind]
        for _ in range(8):
            seed += near() if rng.random() < 0.8 else far()
    name = hashlib.sha1(bytes(seed)).hexdigest()[:16]
    open(f"{sys.argv[1]}/{name}", "wb").write(bytes(seed))
END
fi

# The whole input is the text: each file, and the sections of the example with one line each.
mkdir -p "$into/config"
small 8 toml | while read -r file; do
    cp "$file" "$into/config/$(sha1sum "$file" | cut -c 1-16)"
done
example=../src/load/config/example.toml
cp $example "$into/config/example"
for line in $(seq 1 "$(wc -l <$example)"); do
    sed -n "/^\\[/p; ${line}p" $example | awk '!seen[$0]++' >"$into/config/line$line"
done
for target in "$into"/*/; do
    echo "$target: $(ls "$target" | wc -l) seeds"
done
