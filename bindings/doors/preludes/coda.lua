
--- The version of bitwall.
bitwall.version = ffi.string(C.bitwall_version())

--- Loads a level whose files the game reads: `read(path)` returns the bytes of a file, or nil. In LOVE,
--- `bitwall.Level.read("cave.tmx", love.filesystem.read)`. `options` is the text of a `bitwall.toml`, or nil.
function bitwall.Level.read(path, read, options)
  local files = bitwall.Files.new()
  local wanted = path
  while wanted ~= "" do
    local bytes = read(wanted)
    if bytes then files:put(wanted, bytes) elseif wanted == path then error(path .. ": it cannot be read", 2) end
    wanted = files:wanted(false)
  end
  return bitwall.Level.from_files(path, files, options)
end

--- The lines of a text, as of `level:areas()`.
function bitwall.lines(text)
  local all = {}
  for line in text:gmatch("[^\n]+") do table.insert(all, line) end
  return all
end

--- For LOVE: a function that draws the level's pictures, with their flips, turns and tints. `open(path)` gives the image
--- of a path; love.graphics.newImage unless given. Layers with a parallax factor are drawn as if it were 1.
function bitwall.drawer(level, open)
  local graphics = love.graphics
  local scene, images, batches, last = level:scene(), {}, {}, nil
  for number, path in ipairs(bitwall.lines(scene:pictures())) do
    images[number - 1] = (open or graphics.newImage)(path)
    images[number - 1]:setFilter("nearest", "nearest")
    images[number - 1]:setWrap("repeat", "repeat")
  end
  local white = love.image.newImageData(1, 1)
  white:setPixel(0, 0, 1, 1, 1, 1)
  images[-1] = graphics.newImage(white)
  local size = level:size()
  for _, it in ipairs(scene:all()) do
    local image = images[it.picture]
    if not last or last:getTexture() ~= image then
      last = graphics.newSpriteBatch(image)
      table.insert(batches, last)
    end
    local plain = it.picture < 0
    local w, h = plain and 1 or it.source_w, plain and 1 or it.source_h
    local scale_x, scale_y = it.w / w, it.h / h
    -- A picture that repeats covers the level and as much on both sides.
    local wide = it.repeat_x and w * (2 * math.ceil(1.5 * size.width / it.w) + 1) or w
    local high = it.repeat_y and h * (2 * math.ceil(1.5 * size.height / it.h) + 1) or h
    local quad = graphics.newQuad(it.source_x, it.source_y, wide, high, image:getDimensions())
    last:setColor(it.red, it.green, it.blue, it.alpha)
    last:add(quad, it.x, it.y, math.rad(it.degrees), it.flip_x and -scale_x or scale_x,
      it.flip_y and -scale_y or scale_y, wide / 2, high / 2)
  end
  return function()
    for _, batch in ipairs(batches) do graphics.draw(batch) end
  end
end

return bitwall
