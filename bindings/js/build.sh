#!/usr/bin/env bash
# Makes the npm package in bindings/js/dist: bash bindings/js/build.sh. It needs rustup's target
# wasm32-unknown-unknown. With `wasm-opt` on the PATH (npm: binaryen) the modules are a sixth smaller, and with
# `zopfli` (Debian, Homebrew) what is inlined takes 4% less.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$here/../c/target}
# The messages of panics name source files, but no folder of this machine.
export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$root=bitwall --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
mkdir -p "$here/dist"
packed() { # a file, by gzip to the standard output
    if command -v zopfli >/dev/null; then zopfli -c "$1"; else gzip -9 -n -c "$1"; fi
}
module() { # name, features
    local built=$target/wasm32-unknown-unknown/web/bitwall_c.wasm to=$here/dist/$1 strip=symbols
    if command -v wasm-opt >/dev/null; then strip=debuginfo; fi
    # Beside an `rlib` cargo links without the optimisation of all crates together, which takes 8% more.
    cargo rustc --manifest-path "$here/../c/Cargo.toml" --locked --quiet --lib --profile web --crate-type cdylib \
        --config "profile.web.strip='$strip'" --target wasm32-unknown-unknown --target-dir "$target" \
        --no-default-features --features "$2"
    if command -v wasm-opt >/dev/null; then
        # What Rust's own target uses, and nothing newer. Functions that are next to those with like names take
        # 4% less by gzip, so the names stay until the end.
        local features=(--enable-bulk-memory --enable-bulk-memory-opt --enable-sign-ext --enable-mutable-globals
            --enable-nontrapping-float-to-int --enable-reference-types --enable-multivalue)
        wasm-opt -Oz --converge --low-memory-unused --reorder-functions-by-name --debuginfo \
            "${features[@]}" "$built" -o "$to.named"
        wasm-opt --strip-debug --strip-producers "${features[@]}" "$to.named" -o "$to.wasm"
        rm "$to.named"
    else
        cp "$built" "$to.wasm"
    fi
    printf 'export default "%s";\n' "$(packed "$to.wasm" | base64 --wrap=0)" >"$to.packed.js"
    printf '%s.wasm: %d KB, %d KB by gzip\n' "$1" \
        $(($(wc -c <"$to.wasm") / 1000)) $(($(packed "$to.wasm" | wc -c) / 1000))
}
module core baked,play
module load load
module ldtk ldtk
cp "$here"/{package.json,README.md,inflated.js,{index,load,core,readers}.{js,d.ts},ldtk.d.ts} "$here/dist"
# Each module of readers has its own copy of what speaks to it.
cp "$here/readers.js" "$here/dist/ldtk_readers.js"
sed 's/readers\.js/ldtk_readers.js/; s/load\.packed/ldtk.packed/' "$here/load.js" >"$here/dist/ldtk.js"
