#!/usr/bin/env bash
# Prints the path of the program bitwall, in the version of this copy of the repository:
#     program.sh FOLDER [URL]
# It is the program in FOLDER, if there is one; else that of a release under URL, which has for a system
# `bitwall-VERSION-TARGET.tar.gz` and a line in `SHA256SUMS`; else it is compiled. It stays in FOLDER.
set -euo pipefail
package=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1 url=${2:-}

fetched() {
    local version target name program=bitwall
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$package/Cargo.toml" | head -n 1)
    case $(uname -s)-$(uname -m) in
        Linux-x86_64) target=x86_64-unknown-linux-musl ;;
        Linux-aarch64) target=aarch64-unknown-linux-musl ;;
        Darwin-arm64) target=aarch64-apple-darwin ;;
        Darwin-x86_64) target=x86_64-apple-darwin ;;
        MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-gnu program=bitwall.exe ;;
        *) return 1 ;;
    esac
    name=bitwall-$version-$target.tar.gz
    for file in "$name" SHA256SUMS; do
        curl --fail --silent --location --max-time 120 "$url/v$version/$file" -o "$folder/$file" || return 1
    done
    # The archive is unpacked only if its checksum is that of the release.
    (cd "$folder" && grep -F "  $name" SHA256SUMS > sum && { sha256sum -c sum || shasum -a 256 -c sum; } &&
        tar xzf "$name" "$program") > /dev/null 2>&1
}

mkdir -p "$folder"
if [ ! -x "$folder/bitwall" ] && ! { [ -n "$url" ] && fetched; }; then
    echo "bitwall is compiled: no archive of a release was found for this system with the right checksum" >&2
    cargo install --locked --quiet --profile dist --path "$package" --root "$folder/built" >&2
    mv "$folder/built/bin/"bitwall* "$folder/"
fi
echo "$folder/bitwall"
