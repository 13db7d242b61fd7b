#!/usr/bin/env bash
# Prints the path of the program bitwall, in the version of this copy of the repository:
#     program.sh FOLDER [URL]
# It is the program in FOLDER, if there is one; else that of a release under URL, which has for a system
# `bitwall-VERSION-TARGET.tar.gz` and a line in `SHA256SUMS`; else it is compiled. It stays in FOLDER.
#
# The checksum lies beside the archive: it finds a broken download, but whoever can replace the one can replace the
# other. Who made the archive is said by the attestation that the workflow `release` leaves with GitHub. It is asked
# for wherever `gh` is there and logged in (GH_TOKEN, in an action).
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
        curl --proto '=https' --tlsv1.2 --fail --silent --location --max-time 120 "$url/v$version/$file" \
            -o "$folder/$file" || return 1
    done
    (cd "$folder" && grep -F "  $name" SHA256SUMS > sum && { sha256sum -c sum || shasum -a 256 -c sum; }) \
        > /dev/null 2>&1 || return 1
    attested "$folder/$name" "v$version" || return 1
    tar xzf "$folder/$name" -C "$folder" "$program" 2> /dev/null
}

# attested FILE TAG: succeeds if the workflow `release` of the URL's repository made FILE at TAG. Succeeds too, and
# says so, if nobody can be asked.
attested() {
    local repository=${url#https://github.com/} result
    repository=${repository%/releases/download}
    if [ "https://github.com/$repository/releases/download" != "$url" ] ||
        ! { gh attestation verify --help && gh auth status --hostname github.com; } > /dev/null 2>&1; then
        echo "bitwall: the archive has the checksum of its release; who made it is not known, as there is no \`gh\`" \
            "here that is logged in to github.com and can verify attestations" >&2
        return
    fi
    result=$(gh attestation verify "$1" --repo "$repository" --deny-self-hosted-runners --format json \
        --cert-identity "https://github.com/$repository/.github/workflows/release.yml@refs/tags/$2") || return 1
    # Before 2.67, gh succeeded with an empty answer where there was no attestation (CVE-2025-25204).
    grep -q '"verificationResult"' <<< "$result"
}

mkdir -p "$folder"
if [ ! -x "$folder/bitwall" ] && ! { [ -n "$url" ] && fetched; }; then
    echo "bitwall is compiled: no archive of a release was found for this system with the right checksum and" \
        "attestation" >&2
    # The code of other people that runs here has no use for it.
    unset GH_TOKEN GITHUB_TOKEN
    cargo install --locked --quiet --path "$package" --root "$folder/built" >&2
    mv "$folder/built/bin/"bitwall* "$folder/"
fi
echo "$folder/bitwall"
