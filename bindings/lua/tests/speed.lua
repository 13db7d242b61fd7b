-- Nanoseconds a call, the best of many short rounds: luajit speed.lua level.tmx
package.path = arg[0]:gsub("tests/speed.lua$", "?.lua") .. ";" .. package.path
local bitwall = require("bitwall")
local ffi = require("ffi")
local level = bitwall.Level.load(arg[1])
local hero = bitwall.Platformer.new(40, 40, 12, 20, 60)
local C = ffi.load(BITWALL_LIBRARY or os.getenv("BITWALL_LIBRARY") or "./libbitwall_c.so")
local into, sum = {}, 0
local function measure(name, count, run)
  local best = 1e9
  for _ = 1, 300 do
    local start = os.clock()
    run(count)
    best = math.min(best, (os.clock() - start) * 1e9 / count)
  end
  print(("LuaJIT %-14s %7.1f ns"):format(name, best))
end
measure("nothing", 5e4, function(n) for _ = 1, n do sum = sum + C.bitwall_error_code() end end)
measure("can_move", 5e4, function(n)
  for i = 0, n - 1 do if level:can_move(40 + i % 256, 40 + i % 64, 12, 20, "right", 4) then sum = sum + 1 end end
end)
measure("sweep", 5e4, function(n)
  for i = 0, n - 1 do sum = sum + level:sweep(40 + i % 256, 40 + i % 64, 12, 20, "down", 200, into).moved end
end)
local questions, answers = ffi.new("int32_t[?]", 3e5), ffi.new("uint8_t[?]", 5e4)
for i = 0, 5e4 - 1 do
  local all = { 40 + i % 256, 40 + i % 64, 12, 20, 1, 4 }
  for j = 0, 5 do questions[6 * i + j] = all[j + 1] end
end
measure("can_move_all", 5e4, function(n) for _ = 1, n / 5e4 do level:can_move_all(questions, answers) end end)
measure("hero's step", 1e4, function(n)
  for i = 0, n - 1 do hero:step(level, math.floor(i / 300) % 2 * 2 - 1, 0, i % 64 < 9, false, into) end
end)
