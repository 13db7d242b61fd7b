
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

return bitwall
