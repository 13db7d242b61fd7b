#!/usr/bin/env bash
# Builds a wheel for each system into `target/wheels`, from any of them; zig links (`pip install "maturin[zig]"`). One
# wheel is for Python 3.11 and newer. `bash wheels.sh [target..]` builds some alone.
set -euo pipefail
cd "$(dirname "$0")"
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl
        x86_64-apple-darwin aarch64-apple-darwin x86_64-pc-windows-gnu)
fi
for target in "${targets[@]}"; do
    rustup target add "$target"
    case $target in
        *-linux-gnu) linux="--compatibility manylinux2014" ;;
        *-linux-musl) linux="--compatibility musllinux_1_2" ;;
        *) linux="" ;;
    esac
    # shellcheck disable=SC2086
    maturin build --release --locked --zig $linux --target "$target" --out target/wheels
done
ls target/wheels
