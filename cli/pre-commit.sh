#!/usr/bin/env bash
# The entry of the hook in .pre-commit-hooks.yaml: runs bitwall with its arguments. The program is built once, in
# pre-commit's own clone of this repository; BITWALL names one that is there already.
set -euo pipefail
package=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -z "${BITWALL:-}" ]; then
    BITWALL=$package/../target/release/bitwall
    cargo build --release --locked --quiet --manifest-path "$package/Cargo.toml" \
        --target-dir "$package/../target" >&2
fi
exec "$BITWALL" "$@"
