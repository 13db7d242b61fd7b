-- bitwall: level collision for 2D games, for LuaJIT and LOVE. `local bitwall = require("bitwall")`, with the library
-- (libbitwall_c.so, .dylib or bitwall_c.dll) beside the game, in the system's folders, or at the path BITWALL_LIBRARY.
--
-- Positions are whole pixels, x to the right, y down; a box covers x <= p < x + w. A wrong argument is an error with a
-- sentence that says what is allowed. Records are tables: a function that gives one can write to the table `into`, so
-- that a loop makes no garbage. Arrays are tables of numbers, or arrays of the FFI of the right type without a copy.
local ffi = require("ffi")
local bit = require("bit")
local tobit = bit.tobit

ffi.cdef([[
const char *bitwall_version(void);
int32_t bitwall_error_code(void);
const char *bitwall_error_text(void);
@CDEF@
]])

--- The library: at BITWALL_LIBRARY (a global or of the environment), beside the game, or where the system looks.
local function library()
  local ending = ffi.os == "Windows" and "bitwall_c.dll" or ffi.os == "OSX" and "libbitwall_c.dylib" or "libbitwall_c.so"
  local places = { BITWALL_LIBRARY or os.getenv("BITWALL_LIBRARY") or "./" .. ending }
  local love = rawget(_G, "love")
  if love and love.filesystem then
    table.insert(places, love.filesystem.getSourceBaseDirectory() .. "/" .. ending)
    table.insert(places, love.filesystem.getSource() .. "/" .. ending)
  end
  table.insert(places, "bitwall_c")
  local reasons = {}
  for _, place in ipairs(places) do
    local found, loaded = pcall(ffi.load, place)
    if found then return loaded end
    table.insert(reasons, tostring(loaded))
  end
  error("the library of bitwall is not there; put " .. ending .. " beside the game\n" .. table.concat(reasons, "\n"), 3)
end
local C = library()

local count = ffi.new("size_t[1]")
local out_double = ffi.new("double[1]")

local function fail() error(ffi.string(C.bitwall_error_text()), 3) end
local function check(answer)
  if answer < -1 then fail() end
  return answer
end
local function given(pointer)
  if pointer == nil then fail() end
  return pointer
end
local function made(pointer, free, class)
  if pointer == nil then fail() end
  return setmetatable({ at = ffi.gc(pointer, free), free_at = free }, class)
end
local function freed() error("it is freed, or no object of bitwall: call its functions with a colon", 3) end
local function free(self)
  if self.at then self.free_at(ffi.gc(self.at, nil)) end
  self.at = nil
end

--- A value as the sentences of bitwall write it.
local function shown(value)
  if value ~= value then return "NaN" end
  if value == math.huge then return "inf" end
  if value == -math.huge then return "-inf" end
  return (("%.14g"):format(value):gsub("e%+?", "e"))
end
local function refuse(name, value, kind, allowed)
  local what = type(value) == "number" and kind == "no number" and shown(value) or kind
  error(("`%s` is %s; pass %s"):format(name, what, allowed), 4)
end
local function int(value, name)
  if type(value) == "number" and tobit(value) == value then return value end
  refuse(name, value, "no number", "a whole number from -2147483648 to 2147483647")
end
local function real(value, name)
  if type(value) == "number" then return value end
  refuse(name, value, "no number", "a number")
end
local function word(value, name)
  if type(value) == "number" and value >= 0 and value < 2 ^ 53 and value % 1 == 0 then return value end
  if ffi.istype("uint64_t", value) then return value end
  refuse(name, value, "no number", "a whole number of at least 0, as a number or as in 5ULL")
end
local function flag(value, name)
  if value == true then return 1 end
  if value == false then return 0 end
  refuse(name, value, "no truth value", "true or false")
end
local function text(value, name)
  if type(value) == "string" then return value end
  refuse(name, value, "no text", "a string")
end
local function none(names, value, name)
  local words = { names[0] }
  for i = 1, #names do words[i + 1] = names[i] end
  local last = table.remove(words)
  local what = type(value) == "string" and value or "no text"
  error(("`%s` is %s; pass %s or %s"):format(name, what, table.concat(words, ", "), last), 3)
end
local function handle(value, class, name, class_name)
  if type(value) ~= "table" or getmetatable(value) ~= class then refuse(name, value, "no " .. class_name, "a " .. class_name) end
  return value.at or freed()
end

--- The array of an argument and its length: of an FFI array itself, of a table or a string a copy.
local function array(value, name, of)
  if of == "uint8_t" and type(value) == "string" then return ffi.cast("const uint8_t *", value), #value end
  if type(value) == "cdata" and ffi.istype(of .. "[?]", value) then
    return value, ffi.sizeof(value) / ffi.sizeof(of)
  end
  if type(value) ~= "table" then refuse(name, value, "no array", "a table of numbers") end
  local copy = ffi.new(of .. "[?]", #value)
  for i = 1, #value do copy[i - 1] = int(value[i], name) end
  return copy, #value
end
local function give_back(value, from, length)
  if type(value) == "table" then
    for i = 1, length do value[i] = from[i - 1] end
  end
end
local function numbers(list)
  local all = {}
  for i = 1, tonumber(count[0]) do all[i] = list[i - 1] end
  return all
end
local function records(list, to)
  local all = {}
  for i = 1, tonumber(count[0]) do all[i] = to(list[i - 1]) end
  return all
end
local function numbered(names)
  local by_name = {}
  for number, name in pairs(names) do by_name[name] = number end
  return by_name
end
