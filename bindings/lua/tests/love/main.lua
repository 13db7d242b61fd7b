-- Plays the example with keys of its own for some frames and ends. It leaves two pictures: flips.png, all flips of some tiles
-- pixel for pixel, and game.png. The folder has the example as game.lua, the module, the library, the maps and the picture.
require("game")
local bitwall = require("bitwall")
local frame, keys = 0, {}
love.keyboard.isDown = function(...)
  for _, key in ipairs({ ... }) do
    if keys[key] then return true end
  end
  return false
end
local load, update = love.load, love.update

--- An error ends the test; LOVE's own handler waits for a key.
function love.errorhandler(text)
  print(debug.traceback(text, 2))
  os.exit(1)
end

function love.load()
  load()
  local level = bitwall.Level.read("flips.tmx", love.filesystem.read)
  local size = level:size()
  local canvas = love.graphics.newCanvas(size.width, size.height, { dpiscale = 1 })
  canvas:renderTo(bitwall.drawer(level))
  canvas:newImageData():encode("png", "flips.png")
end

function love.update()
  frame = frame + 1
  keys = { right = frame > 20, space = frame % 50 < 12 }
  update(1 / 60)
  if frame == 120 then love.graphics.captureScreenshot("game.png") end
  if frame == 125 then
    print(love.filesystem.getSaveDirectory())
    love.event.quit()
  end
end
