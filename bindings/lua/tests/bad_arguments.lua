-- The rows of bad_arguments.tsv through LuaJIT: luajit bad_arguments.lua bad_arguments.tsv
-- A row for C counts, and a row for Python or JavaScript whose value no integer of C can have. Lua has words and truth
-- values where C has numbers, and refuses a number that is no whole one of 32 bits before its own bounds.
package.path = arg[0]:gsub("tests/bad_arguments.lua$", "?.lua") .. ";" .. package.path
local bitwall = require("bitwall")
local level, mover = bitwall.Level.new(40, 20, 16, 8), bitwall.Mover.new(8, 8, 8, 8, "platformer")

local world = bitwall.World.new(60)
local body = world:add_character(8, 8, 8, 8, "platformer")
local box, moves = { "x", "y", "w", "h" }, { "x", "y", "w", "h", "dir", "step" }
local good = { x = 0, y = 0, w = 8, h = 8, dir = "right", step = 3, side = "right", open = true, column = 1, row = 1,
  solid = true, radius = 3, kind = "platformer", columns = 4, rows = 4, cell_width = 8, cell_height = 8,
  step_height = 4, snap_distance = 4 }
local function method(object, name) return function(...) return object[name](object, ...) end end
local functions = {
  level_new = { { "columns", "rows", "cell_width", "cell_height" }, bitwall.Level.new },
  set_velocity = { { "velocity" }, function(velocity) world:set_velocity(body, 0, velocity) end },
  add_pushable = { { "gravity" }, function(gravity) world:add_pushable(0, 0, 8, 8, 1, gravity) end },
  add_character = { { "kind" }, function(kind) world:add_character(0, 0, 8, 8, kind) end },
  world_rect = { { "body" }, method(world, "bounds") },
  platformer = { { "fps", "jump_height", "jump_time" }, function(fps, jump_height, jump_time)
    local hero, feel = bitwall.Platformer.new(8, 8, 8, 8, fps), bitwall.Feel.usual()
    feel.jump_height, feel.jump_time = jump_height, jump_time
    hero:set_feel(feel)
  end },
  is_solid = { { "x", "y" }, method(level, "is_solid") },
  overlaps = { box, method(level, "overlaps") },
  area_overlaps = { box, function(...) return level:area_overlaps("water", ...) end },
  can_move = { moves, method(level, "can_move") },
  can_move_all = { moves, function(x, y, w, h, dir, step)
    return level:can_move_all({ x, y, w, h, dir == "right" and 1 or dir, step }, { 0 })
  end },
  sweep = { moves, method(level, "sweep") },
  open_side = { { "side", "open" }, method(level, "open_side") },
  set_cell = { { "column", "row", "solid" }, method(level, "set_cell") },
  set_box = { { "x", "y", "w", "h", "solid" }, method(level, "set_box") },
  set_disc = { { "x", "y", "radius", "solid" }, method(level, "set_disc") },
  mover_new = { { "x", "y", "w", "h", "kind" }, bitwall.Mover.new },
  mover_steps = { { "step_height", "snap_distance" }, function(step_height, snap_distance)
    local settings = mover:settings()
    settings.step_height, settings.snap_distance = step_height, snap_distance
    mover:set_settings(settings)
  end },
  mover_place = { { "x", "y" }, method(mover, "place") },
  mover_step = { { "velocity" }, function(velocity) return mover:step(level, velocity, 0) end },
}
good.velocity, good.gravity, good.body, good.fps, good.jump_height, good.jump_time = 1, 1, body, 60, 50, 0.4
local values = { NaN = 0 / 0, inf = math.huge, null = false, ["[]"] = {}, ["true"] = true }
local words = { dir = "no text; pass left, right, up or down", side = "no text; pass left, right, up or down",
  kind = "no text; pass plain, platformer or top_down", solid = "no truth value; pass true or false",
  open = "no truth value; pass true or false" }

local tried = 0
for line in io.lines(arg[1]) do
  local cells = {}
  for cell in (line .. "\t"):gmatch("([^\t]*)\t") do table.insert(cells, cell) end
  local name, argument, value, c, sentence = cells[1], cells[2], cells[3], cells[5], cells[8] or ""
  local known = functions[name]
  local elsewhere = cells[6] == "=" or cells[7] == "="
  local number = value and tonumber(value)
  if number == nil then number = values[value or 0] end
  if (value or ""):match('^"') then number = value:sub(2, -2) end
  local has = false
  for _, each in ipairs(known and known[1] or {}) do has = has or each == argument end
  if has and (c ~= "-" or elsewhere) and number ~= nil and not line:match("^#") then
    local said = c ~= "-" and c:gsub("=", (sentence:gsub("%%", "%%%%"))) or sentence
    if type(number) ~= "number" or number ~= require("bit").tobit(number) then
      said = said:gsub(" from .*", "")
    end
    if words[argument] and type(number) == "number" and name ~= "can_move_all" then
      said = "`" .. argument .. "` is " .. words[argument]
    end
    local all = {}
    for i, each in ipairs(known[1]) do
      all[i] = good[each]
      if each == argument then all[i] = number end
      if each == argument and value == "null" then all[i] = nil end
    end
    local passed, answer = pcall(known[2], unpack(all, 1, #known[1]))
    assert(not passed, line .. "\nis not refused: " .. tostring(answer))
    assert(tostring(answer):find(said, 1, true), line .. "\n" .. said .. "\n" .. tostring(answer))
    tried = tried + 1
  end
end

-- What is freed, and what is no handle.
local gone = bitwall.Level.new(1, 1, 1, 1)
gone:free()
gone:free()
for _, wrong in ipairs({
  { "it is freed", function() gone:is_solid(0, 0) end },
  { "`level` is no Level; pass a Level", function() mover:step(mover, 0, 0) end },
  { "`velocity_x` is no number; pass a number", function() mover:step(level, nil, 0) end },
  { "`path` is no text; pass a string", function() bitwall.Level.load(7) end },
  { "`top_speed` is NaN; pass a finite number of at least 0", function()
    local player = bitwall.Platformer.new(0, 0, 8, 8, 60)
    local feel = player:feel()
    feel.top_speed = 0 / 0
    player:set_feel(feel)
  end },
}) do
  local passed, answer = pcall(wrong[2])
  assert(not passed and tostring(answer):find(wrong[1], 1, true), wrong[1] .. "\n" .. tostring(answer))
end
assert(tried > 110, tried)
print("LuaJIT: " .. tried .. " bad arguments in the words of the table")
