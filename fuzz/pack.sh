#!/bin/sh
# Minimises the corpora, and packs each as corpus/TARGET.tar.gz, the same bytes from the same inputs:
#   pack.sh [TARGET...]
# An input stays if it runs a branch that no smaller one runs; how often it runs does not count.
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- baked config edits ldtk map mask render template tileset verify
for target; do
    cargo +nightly fuzz cmin "$target" -- -use_counters=0 -max_len=16384 -timeout=10 -rss_limit_mb=1536
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        -C corpus -cf - "$target" | gzip -n9 >"corpus/$target.tar.gz"
done
ls -l corpus/*.tar.gz
