-- luajit test.lua bitwall.h library level yes moved x y: the answers of Rust, then nanoseconds a call.
local ffi = require("ffi")
local text = assert(io.open(arg[1])):read("*a")
-- The header without its preprocessor lines and its `extern "C"`.
text = text:gsub("/%*.-%*/", ""):gsub("#[^\n]*", ""):gsub('extern "C" {', ""):gsub("}%s*$", "")
ffi.cdef(text)
local bitwall = ffi.load(arg[2])
local function failed() return ffi.string(bitwall.bitwall_error_text()) end
local level = bitwall.bitwall_level_load(arg[3])
assert(level ~= nil, failed())
level = ffi.gc(level, bitwall.bitwall_level_free)

local yes, moved = 0, 0
for i = 0, 9999 do
  local x, y = i * 7919 % 1000, i * 104729 % 280
  yes = yes + bitwall.bitwall_can_move(level, x, y, 12, 20, i % 4, 1 + i % 8)
  moved = moved + bitwall.bitwall_sweep(level, x, y, 12, 20, i % 4, i % 100, nil)
end
assert(yes == tonumber(arg[4]) and moved == tonumber(arg[5]), "queries")

local at, body, velocity = ffi.new("int32_t[2]"), ffi.new("int32_t[4]"), ffi.new("float[2]")
assert(bitwall.bitwall_level_marker(level, "player", at) == 1)
local mover = bitwall.bitwall_mover_new(at[0] - 6, at[1] - 20, 12, 20, bitwall.BITWALL_PLATFORMER)
for _ = 1, 120 do
  assert(bitwall.bitwall_mover_step(mover, level, 1.75, velocity[1] + 0.25) >= 0, failed())
  bitwall.bitwall_mover_velocity(mover, velocity)
end
bitwall.bitwall_mover_box(mover, body)
assert(body[0] == tonumber(arg[6]) and body[1] == tonumber(arg[7]), "mover")
assert(bitwall.bitwall_level_load("no-such-level.tmx") == nil and failed():find("no%-such%-level.tmx"))

local calls = 1000000
local function measure(name, call)
  local best = 1e9
  for _ = 1, 9 do
    local start, sum = os.clock(), 0
    for i = 1, calls do sum = sum + call(i) end
    best = math.min(best, (os.clock() - start) * 1e9 / calls)
  end
  print(("%-22s %7.1f ns a call"):format(name, best))
end
measure("bitwall_can_move", function(i)
  return bitwall.bitwall_can_move(level, i * 7919 % 1000, i * 104729 % 280, 12, 20, i % 4, 1 + i % 8)
end)
measure("bitwall_overlaps", function(i) return bitwall.bitwall_overlaps(level, i * 7919 % 1000, i * 104729 % 280, 12, 20) end)
measure("bitwall_sweep", function(i)
  return bitwall.bitwall_sweep(level, i * 7919 % 1000, i * 104729 % 280, 12, 20, i % 4, 1 + i % 100, nil)
end)
measure("bitwall_is_solid", function(i) return bitwall.bitwall_is_solid(level, i * 7919 % 1000, i * 104729 % 280) end)
local questions, answers = ffi.new("int32_t[?]", calls * 6), ffi.new("uint8_t[?]", calls)
for i = 0, calls - 1 do
  questions[i * 6], questions[i * 6 + 1], questions[i * 6 + 2], questions[i * 6 + 3] = i * 7919 % 1000, i * 104729 % 280, 12, 20
  questions[i * 6 + 4], questions[i * 6 + 5] = i % 4, 1 + i % 8
end
local best = 1e9
for _ = 1, 9 do
  local start = os.clock()
  bitwall.bitwall_can_move_all(level, questions, calls, answers)
  best = math.min(best, (os.clock() - start) * 1e9 / calls)
end
print(("%-22s %7.1f ns a question"):format("bitwall_can_move_all", best))
bitwall.bitwall_mover_place(mover, at[0] - 6, at[1] - 20)
measure("bitwall_mover_step", function(i) return bitwall.bitwall_mover_step(mover, level, i % 200 < 100 and 1.5 or -1.5, 0.5) end)
bitwall.bitwall_mover_free(mover)
print("LuaJIT: the answers of Rust")
