-- bump.lua on the work of tiles: luajit bump.lua FOLDER, with bump.lua on LUA_PATH.
-- Prints the nanoseconds a question, and a line of answers. bump's own cell size, and boxes of merged cells.
local found, bump = pcall(require, "bump")
if not found then
  print("bump.lua is not on LUA_PATH")
  os.exit(3)
end
local folder = arg[1]
local world = bump.newWorld(64)
for line in io.lines(folder .. "/boxes") do
  local x, y, w, h = line:match("(%S+) (%S+) (%S+) (%S+)")
  world:add({}, tonumber(x), tonumber(y), tonumber(w), tonumber(h))
end
local questions, width, height = {}, 0, 0
for line in io.lines(folder .. "/questions") do
  local x, y, w, h, dx, dy = line:match("(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)")
  width, height = tonumber(w), tonumber(h)
  questions[#questions + 1] = { tonumber(x), tonumber(y), tonumber(dx), tonumber(dy) }
end
local body = {}
world:add(body, 0, 0, width, height)
local touch = function() return "touch" end
local function ask(question)
  world:update(body, question[1], question[2])
  local goal_x, goal_y = question[1] + question[3], question[2] + question[4]
  local x, y = world:check(body, goal_x, goal_y, touch)
  return x == goal_x and y == goal_y
end
local best = math.huge
for _ = 1, 3 do
  local start = os.clock()
  for at = 1, #questions do ask(questions[at]) end
  best = math.min(best, os.clock() - start)
end
local answers = {}
for at = 1, #questions do answers[at] = ask(questions[at]) and "1" or "0" end
print(string.format("%.3f", best * 1e9 / #questions))
print(table.concat(answers))
