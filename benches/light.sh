#!/usr/bin/env bash
# Measures how light bitwall is as a game's dependency: the crates beside it, and the processor seconds of a clean
# release build in cargo's own profile. Each library is the only dependency of an empty program outside this workspace:
#     bash benches/light.sh
# The peers are built in the same run. It takes six minutes on two cores.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
game=$(mktemp -d)
trap 'rm -rf "$game"' EXIT
cd "$game"
mkdir src
echo 'fn main() {}' >src/main.rs
TIMEFORMAT='%U'

# light NAME DEPENDENCY
light() {
    local crates seconds
    printf '[package]\nname = "game"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\n%s\n' "$2" >Cargo.toml
    rm -rf target Cargo.lock
    cargo fetch --quiet
    crates=$(cargo tree --edges normal --prefix none | sed 's/ (.*//' | sort -u | wc -l)
    seconds=$({ time cargo build --release --quiet; } 2>&1)
    # Without the game and the library itself.
    printf '| %s | %d | %.0f |\n' "$1" $((crates - 2)) "$seconds"
}

bitwall() {
    light "bitwall, $1" "bitwall = { path = \"$home\", default-features = false, features = [$2] }"
}

echo '| library | crates beside it | processor seconds |'
echo '|---|---:|---:|'
bitwall "no features" ''
bitwall '`tmx`, `mask`' '"tmx", "mask"'
bitwall 'default' '"default"'
light 'parry2d' 'parry2d = "0.31"'
light 'rapier2d' 'rapier2d = "0.36"'
light 'tiled' 'tiled = "0.16"'
