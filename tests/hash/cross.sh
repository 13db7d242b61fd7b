#!/usr/bin/env bash
# Compares the golden hash of answers (tests/golden/hash.txt) on every platform that this machine can run.
#
# bash tests/hash/cross.sh [TARGET...]   all targets if none is named
#
# It installs nothing. A target whose compiler, linker or emulator is missing is named, and fails the run. On
# Debian: apt-get install gcc-multilib qemu-user gcc-aarch64-linux-gnu gcc-s390x-linux-gnu nodejs
#
# QEMU 7.2 (Debian 12) emulates s390x wrongly: by the instruction MDEBR, the floats 3 and 5 multiply to 160.
# QEMU 10 is right (apt-get install -t bookworm-backports qemu-user); 8 and 9 were not tried.
set -uo pipefail
cd "$(dirname "$0")"

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(x86_64-unknown-linux-gnu i686-unknown-linux-gnu aarch64-unknown-linux-gnu
        s390x-unknown-linux-gnu wasm32-wasip1 wasm32-unknown-unknown)
fi
golden=$(cat ../golden/hash.txt)
out=${CARGO_TARGET_DIR:-$PWD/target}
failed=0

# The first of some programs that exists, or nothing.
first() { for name in "$@"; do command -v "$name" && return; done; return 1; }

missing() { printf '%-28s not run: %s is missing\n' "$1" "$2"; failed=1; }

for target in "${targets[@]}"; do
    run=()
    flags=()
    case $target in
    aarch64-* | s390x-*)
        cpu=${target%%-*}
        linker=$(first "$cpu-linux-gnu-gcc" "$cpu-linux-gnu-gcc-"{14,13,12,11}) ||
            { missing "$target" "the linker $cpu-linux-gnu-gcc"; continue; }
        qemu=$(first "qemu-$cpu" "qemu-$cpu-static") ||
            { missing "$target" "the emulator qemu-$cpu"; continue; }
        version=$("$qemu" --version | sed -n '1s/.*version \([0-9]*\).*/\1/p')
        if [ "$cpu" = s390x ] && [ "${version:-0}" -lt 8 ]; then
            missing "$target" "an emulator newer than QEMU 7 (this is ${version:-unknown})"
            continue
        fi
        flags=(--config "target.$target.linker='$linker'")
        run=("$qemu" -L "/usr/$cpu-linux-gnu")
        ;;
    i686-*)
        echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o /dev/null 2>/dev/null ||
            { missing "$target" "a linker for 32 bits (gcc-multilib)"; continue; }
        ;;
    wasm32-*)
        command -v node >/dev/null || { missing "$target" node; continue; }
        run=(node --no-warnings wasm.mjs)
        ;;
    esac
    if [ ! -d "$(rustc --print target-libdir --target "$target")" ]; then
        missing "$target" "the standard library (rustup target add $target)"
        continue
    fi
    start=$SECONDS
    if ! cargo build --quiet --locked --release --target "$target" ${flags[@]+"${flags[@]}"}; then
        printf '%-28s does not compile\n' "$target"
        failed=1
        continue
    fi
    built=$SECONDS
    case $target in
    wasm32-unknown-unknown) run+=("$out/$target/release/answers.wasm") ;;
    wasm32-*) run+=(--wasi "$out/$target/release/bitwall-hash.wasm") ;;
    *) run+=("$out/$target/release/bitwall-hash") ;;
    esac
    hash=$("${run[@]}")
    verdict=same
    [ "$hash" = "$golden" ] || { verdict="not $golden"; failed=1; }
    printf '%-28s %s %s (built in %s s, run in %s s)\n' "$target" "$hash" "$verdict" \
        $((built - start)) $((SECONDS - built))
done
exit $failed
