#!/usr/bin/env bash
# Makes the WebAssembly of the JavaScript module: bash bindings/js/build.sh. It needs rustup's target
# wasm32-unknown-unknown; with `wasm-opt` (npm: binaryen) on the PATH the modules are smaller.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../c/target}
built=$target/wasm32-unknown-unknown/web/bitwall_c.wasm
module() { # name, arguments of cargo
    cargo build --manifest-path "$here/../c/Cargo.toml" --locked --quiet --lib --profile web \
        --target wasm32-unknown-unknown --target-dir "$target" "${@:2}"
    if command -v wasm-opt >/dev/null; then
        wasm-opt -Oz --all-features --strip-debug --strip-producers "$built" -o "$here/$1.wasm"
    else
        cp "$built" "$here/$1.wasm"
    fi
    printf '%s.wasm: %d KB, %d KB by gzip\n' "$1" $(($(wc -c <"$here/$1.wasm") / 1000)) $(($(gzip -9 -c "$here/$1.wasm" | wc -c) / 1000))
}
# The core with baked levels, and all readers.
module core --no-default-features --features baked
module bitwall
