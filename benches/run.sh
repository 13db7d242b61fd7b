#!/usr/bin/env bash
# Measures the figures of benches/README.md, one after another, in 40 minutes on a quiet machine:
#     bash benches/run.sh [FOLDER]
# What each command printed is in FOLDER/NAME.txt (target/figures). The table of motions in README.md, the curves,
# the picture of worlds and the counts of instructions are written where they stay. Real maps are in ../shared.
set -uo pipefail
cd "$(dirname "$0")/.."
folder=$(mkdir -p "${1:-target/figures}" && cd "${1:-target/figures}" && pwd)
failed=()

# The load average would count the measurement before, so this asks for the programs that run now; `cut` is one.
quiet() {
    local running
    running=$(cut -d ' ' -f 4 /proc/loadavg 2>/dev/null || echo 1)
    [ "${running%/*}" -le 1 ] || echo "the machine is not quiet: other programs run" >&2
}

# measure NAME COMMAND...
measure() {
    local name=$1 start=$SECONDS
    shift
    quiet
    "$@" >"$folder/$name.txt" 2>"$folder/$name.log" || failed+=("$name")
    echo "$folder/$name.txt: $((SECONDS - start)) s"
}

peers() {
    cargo run --manifest-path benches/peers/Cargo.toml --release --locked --quiet "$@"
}

# Compiled first, and with the same features for all, so that no measurement waits for a compiler.
cargo bench --locked --workspace --all-features --no-run
for bench in queries loading masks steps rays spaces sparse baked outlines pairs worlds reach jumps; do
    measure "$bench" cargo bench --locked --package bitwall --all-features --bench "$bench"
done
measure loading-ldtk cargo bench --locked --package bitwall --all-features --bench loading -- --ldtk
for bench in render verify; do
    measure "$bench" cargo bench --locked --package bitwall-cli --bench "$bench"
done
measure motions peers --features engines -- --readme
measure curves peers --features engines -- --curves benches/curves
measure peers-worlds peers --features engines --bin worlds -- benches/worlds.svg
measure peers-sensors peers --features engines --bin worlds -- sensors
measure ways peers --features ways --bin ways
measure shapes peers --features outlines --bin outlines
measure instructions peers --bin instructions -- --update

measure light bash benches/light.sh

# The bytes of a module for the web.
modules() {
    local features built=$folder/modules
    for features in "" baked load; do
        cargo build --manifest-path benches/wasm/Cargo.toml --locked --quiet --release --lib \
            --target wasm32-unknown-unknown --features "$features" --target-dir "$built"
        echo "WebAssembly, features: ${features:-none}"
        wc -c <"$(echo "$built"/wasm32-unknown-unknown/release/*.wasm)"
        gzip -9 <"$(echo "$built"/wasm32-unknown-unknown/release/*.wasm)" | wc -c
    done
    rm -rf "$built"
}
measure modules modules

[ ${#failed[@]} -eq 0 ] || { echo "failed, see their .log: ${failed[*]}" >&2; exit 1; }
