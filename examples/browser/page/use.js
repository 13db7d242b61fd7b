// What a game writes to use the level of the page: six lines for each engine and language.

/** Each entry: its name, its page in the repository, and its lines for a level and a body. */
export const ENGINES = [
  {
    name: 'Rust',
    page: '#in-a-game',
    lines: (path, [w, h]) => `let level = Level::load("${path}")?;
let spawn = level.marker("player").ok_or("no spawn")?.position();
let body = Aabb::from_xywh(spawn.x - ${w >> 1}, spawn.y - ${h}, ${w}, ${h});
let mut hero = Mover::new(body, MoverSettings::platformer());
let mut player = Platformer::new(Rate::per_second(60));
player.step(&level, &mut hero, Input::from_keys(left, right, up, down, jump), &Feel::default());`,
  },
  {
    name: 'JavaScript',
    page: '/tree/main/bindings/js#readme',
    lines: (path, [w, h]) => `import { loadLevel } from 'bitwall/load';
import { Platformer } from 'bitwall';
const level = await loadLevel('${path}');
const spawn = level.marker(level.findMarker('player'));
const hero = Platformer.new(spawn.atX - ${w >> 1}, spawn.atY - ${h}, ${w}, ${h}, 60);
hero.step(level, right - left, down - up, jump, dash); // each 60th of a second`,
  },
  {
    name: 'C#: Unity, Godot, MonoGame',
    page: '/tree/main/bindings/csharp#readme',
    lines: (path, [w, h]) => `var level = Level.Load("${path}");
var spawn = level.Marker(level.FindMarker("player"));
var hero = Platformer.New(spawn.AtX - ${w >> 1}, spawn.AtY - ${h}, ${w}, ${h}, 60);
hero.Step(level, stickX, stickY, jump, dash); // in FixedUpdate
var box = hero.Bounds();
// Unity's y points up: unityY = level.Size().Height - box.Y - box.H`,
  },
  {
    name: 'LÖVE',
    page: '/tree/main/bindings/lua#readme',
    lines: (path, [w, h]) => `local bitwall = require("bitwall")
local level = bitwall.Level.read("${path}", love.filesystem.read)
local spawn = level:marker(level:find_marker("player"))
local hero = bitwall.Platformer.new(spawn.at_x - ${w >> 1}, spawn.at_y - ${h}, ${w}, ${h}, 60)
local draw = bitwall.drawer(level) -- draw() in love.draw
hero:step(level, stick_x, stick_y, jump, dash) -- each 60th of a second`,
  },
  {
    name: 'Python',
    page: '/tree/main/bindings/python#readme',
    lines: (path, [w, h]) => `import bitwall
level = bitwall.Level.load("${path}")
x, y = level.marker("player").position
hero = bitwall.Platformer((x - ${w >> 1}, y - ${h}, ${w}, ${h}), fps=60)
hero.step(level, x=right - left, y=down - up, jump=jump)  # each 60th of a second
level.draw(window, camera=(0, 0))  # pygame: the art of the map`,
  },
  {
    name: 'C, C++',
    page: '/tree/main/bindings/c#readme',
    lines: (path, [w, h]) => `bitwall_level *level = bitwall_level_load("${path}", "");
if (!level) return puts(bitwall_error_text());
if (bitwall_level_can_move(level, x, y, ${w}, ${h}, BITWALL_DIR_RIGHT, 4)) x += 4;
bitwall_platformer *hero = bitwall_platformer_new(x, y, ${w}, ${h}, 60);
bitwall_motion motion;
bitwall_platformer_step(hero, level, stick_x, stick_y, jump, dash, &motion);`,
  },
  {
    name: 'Bevy',
    page: '/tree/main/examples/bevy#readme',
    lines: (path, [w, h]) => `app.add_plugins((DefaultPlugins, BitwallPlugin::default()));
let level = server.load::<LevelAsset>("${path}");
let mover = bitwall::Mover::new(Aabb::from_xywh(50, 192, ${w}, ${h}), MoverSettings::platformer());
commands.spawn((InLevel(level), Mover(mover), Platformer::default(), sprite));
// in a system: the `Keys` that are held
keys.hold(Input::from_keys(left, right, up, down, jump));`,
  },
  {
    name: 'macroquad',
    page: '/tree/main/examples/macroquad#readme',
    lines: (path, [w, h]) => `let level = Level::decode("${path}", &load_file("${path}").await?, (), &LoadOptions::default())?;
let spawn = level.marker("player").ok_or("no spawn")?.position();
let body = Aabb::from_xywh(spawn.x - ${w >> 1}, spawn.y - ${h}, ${w}, ${h});
let mut hero = Mover::new(body, MoverSettings::platformer());
let mut player = Platformer::new(Rate::per_second(60));
player.step(&level, &mut hero, Input::from_keys(left, right, up, down, jump), &Feel::default());`,
  },
];
