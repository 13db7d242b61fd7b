#!/usr/bin/env bash
# Makes the files of a release in FOLDER: an archive for each target, and SHA256SUMS.
#     archives.sh FOLDER [TARGET...]
# It needs cargo-zigbuild, zig and the targets of rustup. Each archive has the program, its manual pages, the
# completions of shells and the licences.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- x86_64-unknown-linux-gnu.2.17 x86_64-unknown-linux-musl \
    aarch64-unknown-linux-musl x86_64-pc-windows-gnu x86_64-apple-darwin aarch64-apple-darwin
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' cli/Cargo.toml | head -n 1)
built=${CARGO_TARGET_DIR:-target}
# Rust's own libraries need no newer macOS; zig would ask for its own choice, 15.
export MACOSX_DEPLOYMENT_TARGET=11.0

cargo run --locked --quiet --package bitwall-cli --example release_files -- "$folder/pages"
for target in "$@"; do
    cargo zigbuild --locked --release --package bitwall-cli --target "$target"
    # Zig links with the glibc that follows the name of the target, which is no part of the archive's name.
    target=${target%.[0-9]*.[0-9]*}
    stage=$(mktemp -d)
    cp "$built/$target/release/"bitwall "$stage" 2>/dev/null || cp "$built/$target/release/bitwall.exe" "$stage"
    cp -r "$folder/pages" LICENSE-* "$stage"
    tar czf "$folder/bitwall-$version-$target.tar.gz" -C "$stage" $(ls "$stage")
    rm -r "$stage"
done
rm -r "$folder/pages"
(cd "$folder" && sha256sum bitwall-*.tar.gz > SHA256SUMS)
