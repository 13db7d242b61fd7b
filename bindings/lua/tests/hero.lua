-- One hero, every door, one hash: the same script of keys as in the other languages. luajit hero.lua level.tmx
package.path = arg[0]:gsub("tests/hero.lua$", "?.lua") .. ";" .. package.path
local bitwall = require("bitwall")
local bit = require("bit")

local level = bitwall.Level.load(arg[1])
local world = bitwall.World.new(60)
local spawn = level:marker(level:find_marker("player"))
local left, top = spawn.at_x, spawn.at_y
local hero = world:add_character(left - 6, top - 20, 12, 20, "platformer")
local lift = world:add_platform(left + 40, top - 40, 48, 8, true)
local wheel = world:add_platform(left + 120, top - 60, 32, 8, false)
local crate = world:add_pushable(left + 24, top - 60, 14, 14, 2, 900)
world:set_path(lift, { left + 40, top - 40, left + 100, top - 80 }, 45, 0.5, false)
world:set_circle(wheel, left + 120, top - 60, 30, 4)
local all = -1ULL
world:set_categories(crate, 4, all, 0)
world:set_categories(hero, 2, all, 5)
local feel = bitwall.Feel.usual()
feel.jump_height, feel.air_jumps, feel.dash_speed = 56, 1, 240
world:set_player(hero, feel)

local keys, hash, events, x, jump, patch, kept = 1, 0ULL, 0, 0, false, nil, nil
for i = 0, 99999 do
  keys = keys * 16807 % 2147483647
  if i % 16 == 0 then x, jump = keys % 3 - 1, keys % 4 == 0 end
  world:set_input(hero, x, 0, jump, keys % 97 == 0)
  if i % 1000 == 500 then
    local box = world:bounds(hero)
    patch = level:patch(box.x - 32, box.y - 32, 96, 96)
    level:set_disc(box.x, box.y + 24, 12, false)
  end
  if i % 1000 == 999 then
    level:apply(patch)
    patch:free()
  end
  world:step(level)
  events = events + #world:events()
  if i == 50000 then kept = world:copy() end
  if i == 60000 then world:restore(kept) end
  if i % 100 == 0 then hash = bit.bxor(bit.rol(hash, 5), world:checksum(), level:checksum()) end
end
local box = world:bounds(hero)
print(("%s %d %d %d"):format(bit.tohex(hash), events, box.x, box.y))
