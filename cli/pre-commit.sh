#!/usr/bin/env bash
# The entry of the hook in .pre-commit-hooks.yaml: runs bitwall with its arguments, which end with `--` and the names
# of files. A tileset or a template is no level: the maps of the repository that name it take its place. BITWALL names
# a program that is there already; without it, program.sh fetches or builds one in pre-commit's own clone.
set -euo pipefail
package=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -z "${BITWALL:-}" ]; then
    url=$(git -C "$package" config --get remote.origin.url || true)
    case $url in https://github.com/*) url=${url%.git}/releases/download ;; *) url= ;; esac
    BITWALL=$("$package/program.sh" "$package/../target/hook" "$url")
fi

args=() files=() parts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do args+=("$1") && shift; done
for file in "${@:2}"; do
    case $file in *.[tT][sS][xXjJ] | *.[tT][xXjJ]) parts+=("$file") ;; *) files+=("$file") ;; esac
done
known=$'\n'
while [ ${#parts[@]} -gt 0 ]; do
    part=${parts[0]##*/} parts=(${parts[@]+"${parts[@]:1}"})
    while IFS= read -r -d '' file; do
        [[ $known != *$'\n'"$file"$'\n'* ]] || continue
        known+=$file$'\n'
        case $file in *.[tT][xXjJ]) parts+=("$file") ;; *) files+=("${file#./}") ;; esac
    done < <(grep -rlF --null --exclude-dir='.?*' --include='*.'{tmx,tmj,tx,tj} -e "$part" . || true)
done
[ ${#files[@]} -gt 0 ] || exit 0
# A commit may have files that the project leaves out.
exec "$BITWALL" ${args[@]+"${args[@]}"} --force-exclude -- "${files[@]}"
