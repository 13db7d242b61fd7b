#!/usr/bin/env bash
# Nanoseconds a call behind each door, beside those of its peers, as a table: bash bindings/speed.sh [ROUNDS]
# The doors run in turn, five times; a number is the least of them. A language or a peer that is not there is
# left out in words. Node takes the package of js/build.sh, or $BITWALL_PACKAGE; Python is $BITWALL_PYTHON, or
# python3; the folder $BITWALL_PEERS has bump.lua, and what `npm install phaser jsdom` made.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/c/target} map=../assets/hills.tmx
built=$target/release package=${BITWALL_PACKAGE:-js/dist} peers=${BITWALL_PEERS:-.}
export LD_LIBRARY_PATH=$built BITWALL_LIBRARY=$built/libbitwall_c.so LUA_PATH="$peers/?.lua;;" SDL_VIDEODRIVER=dummy
cargo rustc --manifest-path c/Cargo.toml --locked --quiet --release --lib --crate-type cdylib --target-dir "$target"
cargo build --manifest-path facade/Cargo.toml --locked --quiet --release --example speed --target-dir "$target"
gcc -O2 -I c/include c/tests/speed.c -L"$built" -lbitwall_c -o "$built/speed"
if command -v mcs >/dev/null; then
    mcs -langversion:7 -unsafe csharp/Bitwall.cs csharp/tests/Speed.cs -out:"$built/Speed.exe"
fi

measured=$(mktemp)
trap 'rm "$measured"' EXIT
door() {
    "$@" >>"$measured" 2>/dev/null || echo "not measured: $1 ${2-}" >>"$measured"
}
for ((round = 0; round < ${1:-5}; round++)); do
    door "$built/examples/speed" "$map"
    door "$built/speed" "$map"
    door luajit lua/tests/speed.lua "$map"
    door mono "$built/Speed.exe" "$map"
    door node js/tests/speed.mjs "$package" "$map" "$peers"
    door "${BITWALL_PYTHON:-python3}" python/tests/speed.py "$map"
done
grep "^not measured" "$measured" | sort -u || true
awk -F '\t' '
    NF == 3 && !($1 in seen) { seen[$1]; order[++rows] = $1 }
    NF == 3 && (!(($1, $2) in least) || $3 < least[$1, $2]) { least[$1, $2] = $3 }
    function cell(who, name) { return (who, name) in least ? sprintf("%.0f", least[who, name]) : "-" }
    END {
        print "| | nothing | `can_move` | to Rust | of a batch | `sweep` | a hero'\''s step |\n|---|---|---|---|---|---|---|"
        for (row = 1; row <= rows; row++) {
            who = order[row]
            printf "| %s | %s | %s | %.1f | %s | %s | %s |\n", who, cell(who, "nothing"), cell(who, "can_move"),
                least[who, "can_move"] / least["Rust", "can_move"], cell(who, "can_move_all"), cell(who, "sweep"),
                cell(who, "step")
        }
    }' "$measured"
