#!/usr/bin/env bash
# Runs the extension in a real Tiled on a map with planted faults, without a display, and compares what the
# Issues view gets, and where clicks on it lead. Needs Tiled and Xvfb (Debian: tiled, xvfb); without them it
# says so, and is no failure. BITWALL is the program [default: target/debug/bitwall].
#
# `test.sh shot.png` also takes a picture of the window (needs xdotool and ImageMagick).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bitwall=${BITWALL:-$here/../../target/debug/bitwall}
for tool in tiled Xvfb; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed"
        exit 0
    fi
done
room=$(mktemp -d)
trap 'kill "${tiled:-}" "${xvfb:-}" 2>/dev/null || true; rm -rf "$room"' EXIT
# A home of its own: the settings of the person who runs this stay as they are.
export HOME=$room XDG_CONFIG_HOME=$room/config XDG_RUNTIME_DIR=$room
export BITWALL_TEST_LOG=$room/log.txt
mkdir -p "$room/config/tiled/extensions/bitwall" "$room/a project/maps"
cp "$here/bitwall.js" "$room/config/tiled/extensions/bitwall/"
cp "$here/test.js" "$room/config/tiled/extensions/a_test.js"
printf '{"program": "%s", "options": "", "onSave": true}\n' "$(realpath "$bitwall")" \
    >"$room/config/tiled/bitwall.json"
cp "$here"/../../assets/{cave.tsx,cave_tiles.png} "$room/a project/maps/"
cat >"$room/a project/bitwall.toml" <<'TOML'
[[verify.body]]
name = "hero"
size = "12x20"

[[verify.marker]]
name = "player"
role = "spawn"

[[verify.marker]]
name = "exit"
role = "goal"
TOML
# A wall from top to bottom closes the way to the exit, and a flag of a layer is a text.
awk -F, -v OFS=, '
    /<layer/ { is_wall = /"Collision"|"Rock"/; rows = 0 }
    /<objectgroup/ { print; print "  <properties><property name=\"solid\" value=\"false\"/></properties>"; next }
    NF > 40 && is_wall { $34 = 212 }
    { print }' "$here/../../assets/cave.tmx" >"$room/a project/maps/the cave.tmx"
cp "$room/a project/maps/the cave.tmx" "$room/before.tmx"
Xvfb -displayfd 3 -screen 0 1400x900x24 3>"$room/display" 2>/dev/null &
xvfb=$!
until [ -s "$room/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$room/display")
export DISPLAY
tiled --new-instance "$room/a project/maps/the cave.tmx" 2>/dev/null &
tiled=$!
for _ in $(seq 300); do
    if grep -qs '^done' "$BITWALL_TEST_LOG"; then break; fi
    sleep 0.1
done
if [ -n "${1:-}" ]; then
    "$here/shot.sh" "$1"
fi
cat "$BITWALL_TEST_LOG"
grep -q '^done' "$BITWALL_TEST_LOG"
