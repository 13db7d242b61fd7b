-- Nanoseconds a call, the best of many short rounds, for ../../speed.sh: luajit speed.lua level.tmx
-- With bump.lua on LUA_PATH the same questions go to its world of the level's rectangles.
package.path = arg[0]:gsub("tests/speed.lua$", "?.lua") .. ";" .. package.path
local bitwall = require("bitwall")
local ffi = require("ffi")
local level = bitwall.Level.load(arg[1])
local hero = bitwall.Platformer.new(40, 40, 12, 20, 60)
local C = ffi.load(BITWALL_LIBRARY or os.getenv("BITWALL_LIBRARY") or "./libbitwall_c.so")
local into, sum = {}, 0
local function measure(who, name, count, run)
  local best = 1e9
  for _ = 1, 60 do
    local start = os.clock()
    run(count)
    best = math.min(best, (os.clock() - start) * 1e9 / count)
  end
  print(("%s\t%s\t%.1f"):format(who, name, best))
end
measure("LuaJIT", "nothing", 5e4, function(n) for _ = 1, n do sum = sum + C.bitwall_error_code() end end)
measure("LuaJIT", "can_move", 5e4, function(n)
  for i = 0, n - 1 do
    if level:can_move(40 + i % 256, 40 + i % 64, 12, 20, "right", 4) then sum = sum + 1 end
  end
end)
measure("LuaJIT", "sweep", 5e4, function(n)
  for i = 0, n - 1 do sum = sum + level:sweep(40 + i % 256, 40 + i % 64, 12, 20, "down", 200, into).moved end
end)
local questions, answers = ffi.new("int32_t[?]", 3e5), ffi.new("uint8_t[?]", 5e4)
for i = 0, 5e4 - 1 do
  local all = { 40 + i % 256, 40 + i % 64, 12, 20, 1, 4 }
  for j = 0, 5 do questions[6 * i + j] = all[j + 1] end
end
measure("LuaJIT", "can_move_all", 5e4, function() level:can_move_all(questions, answers) end)
measure("LuaJIT", "step", 1e4, function(n)
  for i = 0, n - 1 do hero:step(level, math.floor(i / 300) % 2 * 2 - 1, 0, i % 64 < 9, false, into) end
end)

local has_bump, bump = pcall(require, "bump")
if not has_bump then
  print("not measured: bump.lua is not on LUA_PATH")
  return
end
local world, body = bump.newWorld(64), {}
local solids = level:rectangles(0, 0, 1024, 288)
for at = 1, #solids, 4 do world:add({}, solids[at], solids[at + 1], solids[at + 2], solids[at + 3]) end
world:add(body, 40, 40, 12, 20)
local function touch() return "touch" end
local function moved(i, dx, dy)
  local x, y = 40 + i % 256, 40 + i % 64
  world:update(body, x, y)
  local at_x, at_y = world:check(body, x + dx, y + dy, touch)
  return at_x - x + at_y - y
end
for i = 0, 255 do
  local x, y = 40 + i % 256, 40 + i % 64
  assert((moved(i, 4, 0) == 4) == level:can_move(x, y, 12, 20, "right", 4))
  assert(moved(i, 0, 200) == level:sweep(x, y, 12, 20, "down", 200).moved)
end
measure("bump.lua, `world:check`", "can_move", 5e4, function(n)
  for i = 0, n - 1 do if moved(i, 4, 0) == 4 then sum = sum + 1 end end
end)
measure("bump.lua, `world:check`", "sweep", 2e3, function(n)
  for i = 0, n - 1 do sum = sum + moved(i, 0, 200) end
end)
