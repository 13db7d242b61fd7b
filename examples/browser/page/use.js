// What a game writes to use the level of the page: six lines for each engine and language.

/** Each entry: its name, its page in the repository, and its lines for a level and the hero's box there. */
export const ENGINES = [
  {
    name: 'Rust',
    page: '#in-a-game',
    lines: (path, box) => `let level = Level::load("${path}")?;
let body = Aabb::from_xywh(${box}); // or at level.marker("player")
let mut hero = Mover::new(body, MoverSettings::platformer());
let mut player = Platformer::new(Rate::per_second(60));
let input = Input::from_keys(left, right, up, down, jump);
player.step(&level, &mut hero, input, &Feel::default()); // each 60th of a second`,
  },
  {
    name: 'JavaScript',
    page: '/tree/main/bindings/js#readme',
    lines: (path, box) => `import { loadLevel } from 'bitwall/load';
import { Platformer } from 'bitwall';
const level = await loadLevel('${path}');
const hero = Platformer.new(${box}, 60); // or at level.marker(level.findMarker('player'))
hero.step(level, right - left, down - up, jump, dash); // each 60th of a second
const { x, y } = hero.drawn(level);`,
  },
  {
    name: 'C#: Unity, Godot, MonoGame',
    page: '/tree/main/bindings/csharp#readme',
    lines: (path, box) => `var level = Level.Load("${path}");
var hero = Platformer.New(${box}, 60); // or at level.Marker(level.FindMarker("player"))
hero.Step(level, stickX, stickY, jump, dash); // in FixedUpdate
var at = hero.Drawn(level);
// Unity's y points up:
var unityY = level.Size().Height - at.Y - hero.Bounds().H;`,
  },
  {
    name: 'LÖVE',
    page: '/tree/main/bindings/lua#readme',
    lines: (path, box) => `local bitwall = require("bitwall")
local level = bitwall.Level.read("${path}", love.filesystem.read)
local hero = bitwall.Platformer.new(${box}, 60) -- or at level:marker(level:find_marker("player"))
local draw = bitwall.drawer(level) -- draw() in love.draw
hero:step(level, stick_x, stick_y, jump, dash) -- each 60th of a second
local at = hero:drawn(level)`,
  },
  {
    name: 'Python',
    page: '/tree/main/bindings/python#readme',
    lines: (path, box) => `import bitwall, pygame
level = bitwall.Level.load("${path}")
hero = bitwall.Platformer((${box}), fps=60)  # or at level.marker("player").position
hero.step(level, x=right - left, y=down - up, jump=jump)  # each 60th of a second
level.draw(window, camera=(0, 0))  # the art of the map
pygame.draw.rect(window, "red", hero.bounds)`,
  },
  {
    name: 'C, C++',
    page: '/tree/main/bindings/c#readme',
    lines: (path, box) => `bitwall_level *level = bitwall_level_load("${path}", "");
if (!level) return puts(bitwall_error_text());
bitwall_platformer *hero = bitwall_platformer_new(${box}, 60);
bitwall_motion motion; bitwall_point at;
bitwall_platformer_step(hero, level, stick_x, stick_y, jump, dash, &motion); // each 60th of a second
bitwall_platformer_drawn(hero, level, &at);`,
  },
  {
    name: 'Bevy',
    page: '/tree/main/examples/bevy#readme',
    lines: (path, box) => `app.add_plugins((DefaultPlugins, BitwallPlugin::default()));
let level = server.load::<LevelAsset>("${path}");
let mover = bitwall::Mover::new(Aabb::from_xywh(${box}), MoverSettings::platformer());
commands.spawn((InLevel(level), Mover(mover), Platformer::default(), sprite));
// each frame, on the hero's Keys: what is held
keys.hold(Vec2::new(x, y), jump, dash);`,
  },
  {
    name: 'macroquad',
    page: '/tree/main/examples/macroquad#readme',
    lines: (path, box) => `let level = Level::load("${path}")?; // in a browser: Level::decode, with its files
let mut hero = Mover::new(Aabb::from_xywh(${box}), MoverSettings::platformer());
let mut player = Platformer::new(Rate::per_second(60));
let input = Input::from_keys(left, right, up, down, is_key_down(KeyCode::Space));
player.step(&level, &mut hero, input, &Feel::default()); // each 60th of a second
let at = hero.position(); // where to draw it`,
  },
];
