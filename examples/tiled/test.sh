#!/usr/bin/env bash
# Runs the extension in a real Tiled, without a display, on a map with planted faults. Compares what the Issues
# view gets, where clicks on it lead, and what stays after a repair. Needs Tiled and Xvfb (Debian: tiled, xvfb);
# without them it says so, and is no failure. BITWALL is the program [default: target/debug/bitwall].
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
    /<objectgroup/ { $0 = $0 "<properties><property name=\"solid\" value=\"false\"/></properties>" }
    NF > 40 && is_wall { $34 = 212 }
    { print }' "$here/../../assets/cave.tmx" >"$room/a project/maps/the cave.tmx"
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
# The words of the findings may change; their codes, places and order may not.
words='s/^(error|warn): bitwall ([A-Z]+[0-9]+): .* \(the cave\.tmx, ([^)]*)\).*/\1 \2 \3/'
found=$(sed -E "$words; /^Tiled/d; /^done/q" "$BITWALL_TEST_LOG")
diff - <(echo "$found") <<'LOG' && echo "the extension works in $(head -1 "$BITWALL_TEST_LOG")"
error NAV401 layer Markers, object 2, column 39, row 25
warn TMX111 layer Markers
click: objects [exit], layers [Markers], modified false
click: objects [], layers [Markers], modified false
preview: layers [Background,Rock,Collision,Markers], modified false
step: a fault is repaired
step: loaded again
error NAV401 layer Markers, object 2, column 39, row 25
step: the program is gone
error: bitwall: there is no program `/no such folder/bitwall`. Double-click here to say where it is (Map > bitwall: Settings); `cargo install bitwall-cli` installs it.
done
LOG
