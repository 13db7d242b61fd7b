#!/usr/bin/env bash
# Checks the levels of a folder in several processes, by GNU parallel or else by xargs, and puts their findings
# together:
#     many.sh FOLDER [PROCESSES] > findings.json
# One process uses all cores of a machine by itself, so that this is for several machines: give GNU parallel their
# names (`PARALLEL='--sshlogin a,b'`), or let each job of a CI matrix check a part (see README.md).
# The exit code is that of `bitwall verify`: 0 nothing found, or notes alone, 1 findings, 2 something could not be
# checked. What a bitwall.toml excludes is left out.
set -uo pipefail
folder=${1:?a folder is needed} processes=${2:-4}

# A map is as good as a mask here: what is named on the command line is checked, unless it is excluded.
list() {
    find "$folder" -type f \( -iname '*.tmx' -o -iname '*.tmj' -o -iname '*.world' -o -iname '*.ldtk' \
        -o -iname '*_mask.png' \) -print0
}

# One process for 100 files. It fails if it could not check them, or if their findings cannot be written.
part='out=$(bitwall verify --quiet --force-exclude --format json -- "$@"); [ $? -le 1 ] && printf "%s\n" "$out"'
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
if command -v parallel >/dev/null; then
    # It keeps the outputs apart.
    list | parallel --null --no-run-if-empty --quote --jobs "$processes" --max-args 100 --will-cite \
        sh -c "$part" sh {} > "$parts/all"
else
    list | xargs -0 -r -P "$processes" -n 100 sh -c "{ $part; } > \"\$(mktemp \"\$0/XXXXXX\")\"" "$parts"
fi
code=$?
cat "$parts"/* || code=2

if [ "$code" -ne 0 ] || ! grep -qs '"files_checked"' "$parts"/*; then exit 2; fi
! grep -Eqs '^  "(errors|warnings)": [1-9]' "$parts"/*
