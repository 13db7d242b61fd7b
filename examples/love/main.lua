-- A hero in a level that is drawn: arrows or A and D walk, up, W or space jump. Escape ends.
local bitwall = require("bitwall")

local SCALE, STEP = 2, 1 / 60
local level, world, hero, lift, draw, drawn, time

function love.load()
  level = bitwall.Level.read("hills.tmx", love.filesystem.read)
  draw = bitwall.drawer(level)
  world, time = bitwall.World.new(60), 0

  local spawn = level:marker(level:find_marker("player"))
  hero = world:add_character(spawn.at_x - 6, spawn.at_y - 20, 12, 20, "platformer")
  local feel = bitwall.Feel.usual()
  feel.jump_height = 52
  world:set_player(hero, feel)

  lift = world:add_platform(spawn.at_x + 60, spawn.at_y - 16, 40, 8, true)
  world:set_path(lift, { spawn.at_x + 60, spawn.at_y - 16, spawn.at_x + 60, spawn.at_y - 90 }, 40, 0.5, false)
  drawn = world:drawn(level)
end

function love.update(seconds)
  local down = love.keyboard.isDown
  local x = (down("right", "d") and 1 or 0) - (down("left", "a") and 1 or 0)
  world:set_input(hero, x, down("down", "s") and 1 or 0, down("up", "w", "space"), false)
  time = math.min(time + seconds, 5 * STEP)
  while time >= STEP do
    world:step(level)
    time = time - STEP
  end
  drawn = world:drawn(level)
end

function love.draw()
  local size, eye = level:size(), drawn[1]
  local width, height = love.graphics.getWidth() / SCALE, love.graphics.getHeight() / SCALE
  local left = math.max(0, math.min(size.width - width, eye.x - width / 2))
  local top = math.max(0, math.min(size.height - height, eye.y - height / 2))
  love.graphics.clear(0.6, 0.83, 0.94)
  love.graphics.scale(SCALE)
  love.graphics.translate(-math.floor(left * SCALE) / SCALE, -math.floor(top * SCALE) / SCALE)
  draw()
  for _, it in ipairs(drawn) do
    love.graphics.setColor(it.body == hero and { 0.85, 0.25, 0.3 } or { 0.35, 0.3, 0.45 })
    love.graphics.rectangle("fill", it.x, it.y, it.w, it.h)
  end
  love.graphics.setColor(1, 1, 1)
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
end
