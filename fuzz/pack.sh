#!/bin/sh
# Minimises the corpora, and packs each as corpus/TARGET.tar.gz, the same bytes from the same inputs:
#   pack.sh [TARGET...]
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- baked config map mask render template tileset verify
for target; do
    cargo +nightly fuzz cmin "$target"
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        -C corpus -cf - "$target" | gzip -n9 >"corpus/$target.tar.gz"
done
ls -l corpus/*.tar.gz
