#!/usr/bin/env bash
# Makes the npm package in bindings/js/dist: bash bindings/js/build.sh. It needs rustup's target
# wasm32-unknown-unknown. With `wasm-opt` on the PATH (npm: binaryen) the modules are a fifth smaller.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../c/target}
mkdir -p "$here/dist"
module() { # name, arguments of cargo
    local built=$target/wasm32-unknown-unknown/web/bitwall_c.wasm to=$here/dist/$1
    cargo build --manifest-path "$here/../c/Cargo.toml" --locked --quiet --lib --profile web \
        --target wasm32-unknown-unknown --target-dir "$target" "${@:2}"
    if command -v wasm-opt >/dev/null; then
        # What Rust's own target uses, and nothing newer.
        wasm-opt -Oz --enable-bulk-memory --enable-bulk-memory-opt --enable-sign-ext --enable-mutable-globals \
            --enable-nontrapping-float-to-int --enable-reference-types --enable-multivalue --strip-debug --strip-producers "$built" -o "$to.wasm"
    else
        cp "$built" "$to.wasm"
    fi
    printf 'export default "%s";\n' "$(gzip -9 -n -c "$to.wasm" | base64 --wrap=0)" >"$to.packed.js"
    printf '%s.wasm: %d KB, %d KB by gzip\n' "$1" $(($(wc -c <"$to.wasm") / 1000)) $(($(gzip -9 -c "$to.wasm" | wc -c) / 1000))
}
module core --no-default-features --features baked
module load
cp "$here"/{package.json,README.md,index.js,index.d.ts,load.js,load.d.ts,inflated.js,core.js,core.d.ts} "$here/dist"
# The readers have a module of their own, and so a second copy of what speaks to it.
cp "$here/core.js" "$here/dist/readers.js"
cp "$here/core.d.ts" "$here/dist/readers.d.ts"
