# Written by bindings/doors from bindings/facade; edit those.
"""Level collision for 2D games: Tiled maps and mask pictures as bits, exact swept box tests.

Positions are whole pixels of 32 bits, x to the right, y down. A box covers ``x <= p < x + w``: touching is
not overlapping. Widths, heights and radii are 0 or more. An argument of another kind is a ``TypeError``, a
number out of its range a ``ValueError``, a body that a world does not have a ``KeyError``, and a file that
gives no level an ``OSError``; each says what is allowed.
"""

from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, Literal, Protocol, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer, Self, disjoint_base

__version__: str

class _Rect(Protocol):
    """A ``pygame.Rect`` or ``pygame.FRect``, or what has such sides. Fractions are cut off downward."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def w(self) -> float: ...
    @property
    def h(self) -> float: ...

_Point = tuple[int, int]
_Bytes = Buffer | NDArray[Any]
_Rows = Buffer | NDArray[np.int32]
_Box = _Rect | tuple[int, int, int, int] | tuple[_Point, _Point]
_Dir = Literal["left", "right", "up", "down"]
_Side = Literal[None, "left", "right", "up", "down"]
_Kind = Literal["plain", "platformer", "top_down"]
_MovePath = Literal["x_then_y", "y_then_x", "straight", "straight_past_corners"]
_Response = Literal["stop", "slide", "bounce", "cross"]
_Stance = Literal["air", "ground", "wall_slide", "ledge", "ledge_climb", "ladder", "water"]
_Follow = Literal["go", "arrived", "no_way"]
_MarkerShape = Literal["rectangle", "point", "ellipse", "capsule", "polygon", "polyline"]
_EventKind = Literal["crushed", "buried", "hit", "begin", "stay", "end"]

@final
class Settings:
    """How a mover moves. Lengths are whole pixels from 0 to 256."""
    @property
    def path(self) -> _MovePath:
        """The way of a step along both axes."""
    @property
    def response(self) -> _Response:
        """What the body does at a solid."""
    @property
    def restitution(self) -> int:
        """The part of the speed that a bounce keeps, in percent: 0 to 100."""
    @property
    def floor(self) -> _Side:
        """The side of the body on which its floor is; none for a view from above."""
    @property
    def step_height(self) -> int:
        """The highest step that the body walks up."""
    @property
    def snap_distance(self) -> int:
        """The depth to which the body is kept on a floor that falls away."""
    @property
    def slope_rise(self) -> int:
        """The steepest slope that is a floor: so many pixels up, from 0 to 65535."""
    @property
    def slope_run(self) -> int:
        """On so many pixels aside; 0 makes every slope a floor."""
    @property
    def walks_along_slope(self) -> bool:
        """True if the speed of a walk counts along the slope, not along the axis."""
    @property
    def corner_left(self) -> int:
        """How far a body that moves left is moved aside to pass a corner."""
    @property
    def corner_right(self) -> int:
        """The same to the right."""
    @property
    def corner_up(self) -> int:
        """The same upward."""
    @property
    def corner_down(self) -> int:
        """The same downward."""
    @property
    def slides_around_corners(self) -> bool:
        """True if a body that stands against a corner glides around it."""
    @property
    def one_way_left(self) -> bool:
        """True if one-way cells stop a body that moves left."""
    @property
    def one_way_right(self) -> bool:
        """The same to the right."""
    @property
    def one_way_up(self) -> bool:
        """The same upward."""
    @property
    def one_way_down(self) -> bool:
        """The same downward."""
    def replace(
        self,
        *,
        path: _MovePath = ...,
        response: _Response = ...,
        restitution: int = ...,
        floor: _Side = ...,
        step_height: int = ...,
        snap_distance: int = ...,
        slope_rise: int = ...,
        slope_run: int = ...,
        walks_along_slope: bool = ...,
        corner_left: int = ...,
        corner_right: int = ...,
        corner_up: int = ...,
        corner_down: int = ...,
        slides_around_corners: bool = ...,
        one_way_left: bool = ...,
        one_way_right: bool = ...,
        one_way_up: bool = ...,
        one_way_down: bool = ...,
    ) -> Settings:
        """Returns a copy with some fields changed, as in `replace(response=...)`."""

@final
class Motion:
    """What a step did."""
    @property
    def moved(self) -> tuple[int, int]:
        """The whole pixels moved."""
    @property
    def velocity(self) -> tuple[float, float]:
        """The velocity that the step left: 0 after a solid."""
    @property
    def grounded(self) -> bool:
        """True if the body stands on its floor."""
    @property
    def was_grounded(self) -> bool:
        """True if the body stood on its floor before the step."""
    @property
    def hit_left(self) -> bool:
        """True if a solid stopped the body on its left."""
    @property
    def hit_right(self) -> bool:
        """True if a solid stopped the body on its right."""
    @property
    def hit_up(self) -> bool:
        """True if a solid stopped the body above."""
    @property
    def hit_down(self) -> bool:
        """True if a solid stopped the body below."""
    @property
    def started_solid(self) -> bool:
        """True if the body overlapped a solid before the step."""
    @property
    def stance(self) -> _Stance:
        """The stance; on the ground or in the air for a body without keys."""
    @property
    def facing(self) -> _Side:
        """The side to which a body with keys looks; none before its first key."""
    @property
    def jumped(self) -> bool:
        """True if a body with keys jumped in the step."""

@final
class Feel:
    """The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers
    are finite and at least 0, but for `carry`."""
    @property
    def floor(self) -> _Dir:
        """The direction in which the character falls."""
    @property
    def top_speed(self) -> float:
        """The highest speed of a run."""
    @property
    def acceleration(self) -> float:
        """The acceleration on a floor."""
    @property
    def friction(self) -> float:
        """The loss of speed on a floor without a key."""
    @property
    def air_acceleration(self) -> float:
        """The acceleration in the air."""
    @property
    def air_friction(self) -> float:
        """The loss of speed in the air without a key."""
    @property
    def jump_height(self) -> float:
        """The height of a jump with the key held."""
    @property
    def jump_time(self) -> float:
        """The time to the highest point of a jump."""
    @property
    def fall_scale(self) -> float:
        """The gravity of a fall, as a multiple of the gravity of a rise."""
    @property
    def fall_limit(self) -> float:
        """The highest speed of a fall."""
    @property
    def apex_speed(self) -> float:
        """Below this speed along y gravity is halved while the jump key is held."""
    @property
    def released_speed(self) -> float:
        """The highest speed of a rise after the jump key was released."""
    @property
    def coyote_time(self) -> float:
        """The time for a jump after leaving a floor (coyote time)."""
    @property
    def air_jumps(self) -> int:
        """The number of jumps in the air: 0 to 255."""
    @property
    def buffer_time(self) -> float:
        """The time for which a press of the jump key counts."""
    @property
    def wall_slide_speed(self) -> float:
        """The highest speed of a fall along a wall."""
    @property
    def wall_reach(self) -> int:
        """The distance to a wall below which it can be jumped from."""
    @property
    def wall_contact(self) -> float:
        """The part of the body's height that must touch a wall: 0 to 1."""
    @property
    def wall_jump_x(self) -> float:
        """The speed of a jump from a wall, away from it."""
    @property
    def wall_jump_y(self) -> float:
        """The speed of a jump from a wall, upward."""
    @property
    def wall_jump_time(self) -> float:
        """The time without steering after a jump from a wall."""
    @property
    def ledge_reach(self) -> int:
        """The distance from the body's top up to a ledge that it grabs."""
    @property
    def ledge_time(self) -> float:
        """The time of a climb onto a ledge."""
    @property
    def dash_speed(self) -> float:
        """The speed of a dash; 0 without dashes."""
    @property
    def dash_time(self) -> float:
        """The time of a dash."""
    @property
    def dash_wait(self) -> float:
        """The time after a dash without another."""
    @property
    def crouch_height(self) -> int:
        """The height of a crouching body; 0 without crouching."""
    @property
    def crouch_speed(self) -> float:
        """The highest speed while crouching."""
    @property
    def carry_x(self) -> float:
        """The velocity of wind or a stream, of either sign."""
    @property
    def carry_y(self) -> float:
        """The velocity of wind or a stream along y, of either sign."""
    @property
    def momentum_limit(self) -> float:
        """The highest speed that a jump takes over from a platform."""
    @property
    def momentum_time(self) -> float:
        """The time for which a jump still takes over a platform's speed."""
    @property
    def climb_speed(self) -> float:
        """The speed on a ladder."""
    @property
    def ladder_snap(self) -> int:
        """The distance by which a climbing body moves to the middle of its ladder."""
    @property
    def swim_speed(self) -> float:
        """The highest speed in water."""
    @property
    def swim_acceleration(self) -> float:
        """The acceleration in water."""
    @property
    def float_speed(self) -> float:
        """The speed at which a body in water rises by itself."""
    def __new__(
        cls,
        *,
        floor: _Dir = ...,
        top_speed: float = ...,
        acceleration: float = ...,
        friction: float = ...,
        air_acceleration: float = ...,
        air_friction: float = ...,
        jump_height: float = ...,
        jump_time: float = ...,
        fall_scale: float = ...,
        fall_limit: float = ...,
        apex_speed: float = ...,
        released_speed: float = ...,
        coyote_time: float = ...,
        air_jumps: int = ...,
        buffer_time: float = ...,
        wall_slide_speed: float = ...,
        wall_reach: int = ...,
        wall_contact: float = ...,
        wall_jump_x: float = ...,
        wall_jump_y: float = ...,
        wall_jump_time: float = ...,
        ledge_reach: int = ...,
        ledge_time: float = ...,
        dash_speed: float = ...,
        dash_time: float = ...,
        dash_wait: float = ...,
        crouch_height: int = ...,
        crouch_speed: float = ...,
        carry_x: float = ...,
        carry_y: float = ...,
        momentum_limit: float = ...,
        momentum_time: float = ...,
        climb_speed: float = ...,
        ladder_snap: int = ...,
        swim_speed: float = ...,
        swim_acceleration: float = ...,
        float_speed: float = ...,
    ) -> Feel:
        """Makes the usual feel, for tiles of 16 pixels, with some fields changed."""
    def replace(
        self,
        *,
        floor: _Dir = ...,
        top_speed: float = ...,
        acceleration: float = ...,
        friction: float = ...,
        air_acceleration: float = ...,
        air_friction: float = ...,
        jump_height: float = ...,
        jump_time: float = ...,
        fall_scale: float = ...,
        fall_limit: float = ...,
        apex_speed: float = ...,
        released_speed: float = ...,
        coyote_time: float = ...,
        air_jumps: int = ...,
        buffer_time: float = ...,
        wall_slide_speed: float = ...,
        wall_reach: int = ...,
        wall_contact: float = ...,
        wall_jump_x: float = ...,
        wall_jump_y: float = ...,
        wall_jump_time: float = ...,
        ledge_reach: int = ...,
        ledge_time: float = ...,
        dash_speed: float = ...,
        dash_time: float = ...,
        dash_wait: float = ...,
        crouch_height: int = ...,
        crouch_speed: float = ...,
        carry_x: float = ...,
        carry_y: float = ...,
        momentum_limit: float = ...,
        momentum_time: float = ...,
        climb_speed: float = ...,
        ladder_snap: int = ...,
        swim_speed: float = ...,
        swim_acceleration: float = ...,
        float_speed: float = ...,
    ) -> Feel:
        """Returns a copy with some fields changed, as in `replace(top_speed=...)`."""

@final
class Sprite:
    """A part of a picture at its place in the level. Turn it about its middle after it is mirrored."""
    @property
    def picture(self) -> int | None:
        """The number of the picture in `Scene.pictures`, from 0; None for a box of one colour."""
    @property
    def source(self) -> tuple[int, int, int, int]:
        """The left edge of the part in the picture. The top edge of the part. The width of the part.
        The height of the part."""
    @property
    def x(self) -> float:
        """The middle of the drawing, in pixels of the level (of the screen for an isometric map)."""
    @property
    def y(self) -> float:
        """The middle of the drawing along y."""
    @property
    def w(self) -> float:
        """The width to which the part is scaled."""
    @property
    def h(self) -> float:
        """The height to which the part is scaled."""
    @property
    def flip(self) -> tuple[bool, bool]:
        """True if the part is mirrored left to right. True if the part is mirrored top to bottom."""
    @property
    def degrees(self) -> float:
        """The clockwise rotation in degrees."""
    @property
    def repeat(self) -> tuple[bool, bool]:
        """True for a picture that repeats to the left and right without limit. True for a picture that
        repeats upward and downward without limit."""
    @property
    def red(self) -> float:
        """The red part of the tint, or of the one colour: 0 to 1."""
    @property
    def green(self) -> float:
        """The green part."""
    @property
    def blue(self) -> float:
        """The blue part."""
    @property
    def alpha(self) -> float:
        """The opacity: 0 (clear) to 1."""
    @property
    def layer(self) -> int:
        """The number of the layer in `Scene.layers`, from 0."""
    @property
    def parallax(self) -> tuple[float, float]:
        """How many pixels the layer moves for one of the camera; usually 1."""

@final
class Sweep:
    """How far a box can move, and what stops it."""
    @property
    def moved(self) -> int:
        """The pixels that the box moves."""
    @property
    def hit(self) -> bool:
        """True if something stops the box; if not, the other numbers say nothing."""
    @property
    def cell(self) -> tuple[int, int] | None:
        """The column of the cell that stops the box. The row of the cell that stops the box."""
    @property
    def normal(self) -> tuple[int, int] | None:
        """The normal: out of the solid, toward the box."""
    @property
    def body(self) -> int | None:
        """The body of a world that stops the box; None for a cell."""

@final
class Ray:
    """The first solid on a straight line."""
    @property
    def hit(self) -> bool:
        """True if there is a solid; if not, the other numbers say nothing."""
    @property
    def pixel(self) -> tuple[int, int] | None:
        """The solid pixel that the line enters first."""
    @property
    def cell(self) -> tuple[int, int] | None:
        """The column of the pixel's cell. The row of the pixel's cell."""
    @property
    def normal(self) -> tuple[int, int] | None:
        """The normal of the side through which the line enters; 0 and 0 if the line starts in a solid.
        The normal along y."""
    @property
    def body(self) -> int | None:
        """The body of a world that the line hits; None for a cell."""
    @property
    def fraction(self) -> float:
        """The part of the line before the hit, from 0 to 1."""

@final
class Event:
    """An event of a step."""
    @property
    def kind(self) -> _EventKind:
        """What happened."""
    @property
    def body(self) -> int | None:
        """The body to which it happened, or which watches; None for a body that was removed before the
        step."""
    @property
    def other(self) -> int | None:
        """The other body; None for a cell."""
    @property
    def side(self) -> _Side:
        """The side of the body that the other one touches; none if they overlap."""
    @property
    def cell(self) -> tuple[int, int]:
        """The column of the cell that was hit. The row of the cell that was hit."""
    @property
    def normal(self) -> tuple[float, float]:
        """The normal of a hit: out of the solid, of length 1."""

@final
class Drawn:
    """Where to draw a body."""
    @property
    def body(self) -> int:
        """The body."""
    @property
    def x(self) -> float:
        """The left edge."""
    @property
    def y(self) -> float:
        """The top edge."""
    @property
    def w(self) -> float:
        """The width."""
    @property
    def h(self) -> float:
        """The height."""

@final
class Mover:
    """One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its
    velocity."""
    def __new__(cls, box: _Box, kind: _Kind = "platformer", **settings: Any) -> Mover:
        """Makes a mover with the settings of its kind, of which some may be changed, as in
        `step_height=8`."""
    @property
    def settings(self) -> Settings:
        """Returns the settings, for a change of some of them."""
    @settings.setter
    def settings(self, value: Settings) -> None: ...
    def place(self, x: int, y: int) -> None:
        """Puts the top-left corner at a pixel, through all solids."""
    def step(self, level: Level, velocity_x: float, velocity_y: float) -> Motion:
        """Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels."""
    def resize(self, level: Level, w: int, h: int, anchor: _Side) -> bool:
        """Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if
        there is no room."""
    def drop_through(self, level: Level) -> bool:
        """Drops through the one-way floor on which the body stands. False if it stands on none."""
    def unstick(self, level: Level, radius: int) -> tuple[int, int] | None:
        """Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away.
        Returns that move, or none if there is no such place."""
    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Returns the box in whole pixels."""
    @property
    def position(self) -> tuple[float, float]:
        """Returns the exact place of the top-left corner."""
    def drawn(self, level: Level) -> tuple[float, float]:
        """Returns where to draw the top-left corner, which also glides along slopes."""
    def checksum(self) -> int:
        """Returns a number that is equal for equal movers, on every platform."""

@final
class Platformer:
    """A character that runs, jumps, climbs and swims by its keys, in a level without other bodies."""
    def __new__(cls, box: _Box, *, fps: int = 60, **feel: Any) -> Platformer:
        """Makes a character at rest in the air, for a game with `fps` steps a second, with the usual
        feel, of which some fields may be changed, as in `jump_height=56`."""
    @property
    def feel(self) -> Feel:
        """Returns the feel, for a change of some of it."""
    @feel.setter
    def feel(self, value: Feel) -> None: ...
    def set_areas(self, ladder: str, water: str) -> None:
        """Names the areas that are ladders and water, as in the level; empty for none."""
    @property
    def settings(self) -> Settings:
        """Returns the settings of the motion."""
    @settings.setter
    def settings(self, value: Settings) -> None: ...
    def step(self, level: Level, x: float = 0.0, y: float = 0.0, *, jump: bool = False, dash: bool = False) -> Motion:
        """Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1
        (up) to 1 (down)."""
    @property
    def motion(self) -> Motion:
        """Returns what the last step did, also that of a follower, with the velocity as it is now.
        Nothing moved before the first step."""
    def place(self, x: int, y: int) -> None:
        """Puts the top-left corner at a pixel, through all solids."""
    def set_velocity(self, velocity_x: float, velocity_y: float) -> None:
        """Sets the velocity in pixels a second, as for a spring."""
    def force(self, velocity_x: float, velocity_y: float, seconds: float) -> None:
        """Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity
        changes it."""
    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Returns the box in whole pixels."""
    @property
    def position(self) -> tuple[float, float]:
        """Returns the exact place of the top-left corner."""
    def drawn(self, level: Level) -> tuple[float, float]:
        """Returns where to draw the top-left corner."""
    def checksum(self) -> int:
        """Returns a number that is equal for equal characters, on every platform."""

@final
class Scene:
    """What a level's maps draw, in the order of drawing."""
    def pictures(self) -> list[str]:
        """Returns the paths of the pictures, by their numbers from 0."""
    def layers(self) -> list[str]:
        """Returns the names of the layers that draw, by their numbers from 0. A name can be there
        twice."""
    def all(self) -> list[Sprite]:
        """Returns everything, from the back to the front."""
    def seen(self, box: _Box) -> list[Sprite]:
        """Returns what may be seen in a box of pixels, from the back to the front. O(all)."""

@final
class JumpWays:
    """The ways of a body that runs and jumps: every link was played by a real platformer. Not every
    way is found, but none is false."""
    def __new__(cls, level: Level, w: int, h: int, feel: Feel, *, fps: int = 60) -> JumpWays:
        """Finds the ways of a body of this size with this feel, in a game with `fps` steps a second.
        It takes from some milliseconds to a second."""
    def edited(self, box: _Box) -> None:
        """Tells the ways that the cells of a box were edited: no link is offered that the edit may
        have changed."""
    def update(self, level: Level, budget: int) -> bool:
        """Finds the changed links after edits, for at most about `budget` steps of play. True if all
        are found."""
    def may_reach(self, start: _Point, end: _Point) -> bool:
        """True if a way may lead from one place of the body's top-left corner to another; false if
        none is known."""
    def path(self, start: _Point, end: _Point) -> list[tuple[int, int, int, int]]:
        """Returns the jumps and falls of a way: x and y of the start and of the end of each. Between
        them the body walks. Empty without a way, and for a walk."""

@final
class Follower:
    """The way of one body along jump ways."""
    def __new__(cls) -> Follower:
        """Makes a follower for one body."""
    def step(self, ways: JumpWays, level: Level, character: Platformer, end: _Point) -> _Follow:
        """Moves a character by one step toward a place, by the keys of the way. It must have the size
        and the feel of the ways."""
    def steer(self, ways: JumpWays, level: Level, world: World, body: int, end: _Point) -> _Follow:
        """Sets the keys that a player of a world holds in the next step of the world, by the way
        toward a place. The player must have the size and the feel of the ways, which know neither
        lifts nor crates."""

@final
class Level:
    """A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y
    down. It can be copied and pickled; a pickled level has the cells, areas and markers, and no art
    and no reasons."""
    @staticmethod
    def read(
        path: str | PathLike[str], read: Callable[[str], _Bytes | None], options: str = ""
    ) -> Level:
        """Loads a level whose files the game reads: `read(path)` returns the bytes of a file, or
        `None`. `options` is the text of a `bitwall.toml`."""
    @staticmethod
    def from_mask(mask: Mask) -> Level:
        """Makes a level of pixels that are solid where the mask is set."""
    def to_mask(self) -> Mask:
        """Returns the solid pixels as a mask. O(pixels)."""
    @property
    def size(self) -> tuple[int, int]:
        """The width and the height of the level in pixels."""
    @property
    def cell_size(self) -> tuple[int, int]:
        """The width and the height of a cell in pixels."""
    def marker(self, name: str) -> Marker | None:
        """Returns the first marker with this name, such as a spawn; None without one."""
    def markers(self) -> list[Marker]:
        """Returns all markers, in the order of the file: what the map's maker placed and what stops
        nobody."""
    @overload
    def can_move(self, x: int, y: int, w: int, h: int, dx: int, dy: int) -> bool: ...
    @overload
    def can_move(self, box: _Box, dx: int, dy: int) -> bool:
        """True if a box can move by `dx` or `dy` pixels; one of them is 0. The whole way counts, so no
        thin wall is skipped. Pass x, y, w, h, dx, dy (the fastest) or box, dx, dy."""
    @overload
    def sweep(self, x: int, y: int, w: int, h: int, dx: int, dy: int) -> Sweep: ...
    @overload
    def sweep(self, box: _Box, dx: int, dy: int) -> Sweep:
        """Returns how far a box can move by `dx` or `dy` pixels, and the cell that stops it. Pass x,
        y, w, h, dx, dy or box, dx, dy."""
    def can_move_all(self, questions: _Rows) -> memoryview[bool]:
        """Answers each row x, y, w, h, dx, dy of an array of int32 with two axes, as of numpy. Returns
        a `memoryview` of truth values, which `np.asarray` takes without a copy. Other threads run
        meanwhile."""
    def sweep_all(self, questions: _Rows) -> memoryview[int]:
        """Returns the pixels moved for each row x, y, w, h, dx, dy, as `can_move_all`: a `memoryview`
        of int32."""
    def draw(self, surface: Any, camera: _Point = (0, 0)) -> None:
        """Draws the art of the level's maps on a surface of pygame, with the pixel `camera` of the
        level at the top left. A level without maps shows its solids. The art is drawn once and
        kept; edits do not change it, and layers with a parallax factor stand still."""
    def __copy__(self) -> Level: ...
    def __deepcopy__(self, _memo: Any, /) -> Level: ...
    def __new__(cls, columns: int, rows: int, cell: _Point = (1, 1)) -> Level:
        """Makes an empty level of `columns` x `rows` cells, each `cell` pixels."""
    @staticmethod
    def from_cells(columns: int, rows: int, cells: _Bytes, cell: _Point = (1, 1)) -> Level:
        """Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a
        byte for each cell."""
    @staticmethod
    def from_text(text: str, cell: _Point = (1, 1)) -> Level:
        """Makes a level of rows of `#` (solid) and `.` (passable)."""
    @staticmethod
    def from_baked(data: _Bytes) -> Level:
        """Makes a level of a baked one. It has the cells, areas and markers of its source, and no
        pictures."""
    def bake(self) -> bytes:
        """Returns the level as the bytes of a baked one."""
    def copy(self) -> Level:
        """Returns a copy of the level."""
    def in_pixels(self) -> Level:
        """Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel."""
    def open_side(self, side: _Dir, open: bool) -> None:
        """Makes the outside of the level passable or solid on one side. It is solid before."""
    def prepare(self, w: int, h: int) -> bool:
        """Makes questions about boxes of this size faster, and keeps them so after edits. False if the
        memory for it is used up."""
    def is_solid(self, x: int, y: int) -> bool:
        """True if the pixel is solid."""
    def overlaps(self, box: _Box) -> bool:
        """True if the box overlaps a solid."""
    def ray(self, start: _Point, end: _Point, *, corners: bool = False) -> Ray:
        """Returns the first solid on the line between the middles of two pixels. `corners` is true for
        a line that may pass between two solid cells that touch at a corner."""
    def line_of_sight(self, start: _Point, end: _Point, *, corners: bool = False) -> bool:
        """True if no solid is on the line between the middles of two pixels; the answer is the same
        both ways."""
    def footprint_overlaps(self, footprint: Footprint, x: int, y: int) -> bool:
        """True if the footprint with its top-left corner at a pixel overlaps a solid."""
    def footprint_sweep(self, footprint: Footprint, x: int, y: int, dx: int, dy: int) -> Sweep:
        """Returns how far the footprint can move, at most `step` pixels, and the cell that stops it."""
    def set_cell(self, column: int, row: int, solid: bool = True) -> bool:
        """Makes a cell solid or passable. True if it changed."""
    def set_box(self, box: _Box, solid: bool = True) -> bool:
        """Makes each cell that touches the box solid or passable. True if one changed."""
    def set_disc(self, center: _Point, radius: int, solid: bool = True) -> bool:
        """Makes each cell that contains a pixel of the disc solid or passable. True if one changed."""
    def set_footprint(self, footprint: Footprint, x: int, y: int, solid: bool = True) -> bool:
        """Makes each cell that contains a pixel of the footprint solid or passable. True if one
        changed."""
    def place(self, other: Level, x: int, y: int) -> bool:
        """Puts the cells, areas and markers of another level into this one, with the other's top-left
        corner at a pixel that is a corner of a cell. True if a cell changed."""
    def patch(self, box: _Box) -> Patch:
        """Returns the cells of the box as they are now, so that `apply` undoes later edits of it."""
    def apply(self, patch: Patch) -> bool:
        """Puts the cells of the patch back. True if one changed."""
    def checksum(self) -> int:
        """Returns a number that is equal for equal levels, on every platform."""
    def areas(self) -> list[str]:
        """Returns the names of the areas."""
    def area_overlaps(self, name: str, box: _Box) -> bool:
        """True if the box overlaps the named area; false if the level has no such area."""
    def area_category(self, name: str) -> int:
        """Returns the categories for which the named area is solid, as bits; 0 if it stops nobody."""
    def set_area_category(self, name: str, category: int) -> bool:
        """Makes the named area solid for bodies that collide with one of these categories. False if
        the level has no such area."""
    def cells(self) -> bytes:
        """Returns the cells row by row: a byte for each, 1 for a solid one."""
    def rectangles(self, box: _Box) -> list[tuple[int, int, int, int]]:
        """Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each."""
    def outlines(self) -> list[list[tuple[int, int]]]:
        """Returns the outlines of the solids as loops: of each the number of its points, then x and y
        of each point. The solid is on the right; a loop around a hole runs the other way."""
    def chains(self, box: _Box) -> list[list[tuple[int, int]]]:
        """Returns the surfaces of the solids in a box as chains for a physics engine: of each the
        number of its points, then x and y of each point."""
    @staticmethod
    def load(path: str | PathLike[str], options: str = '') -> Level:
        """Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows
        of # and . from the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest
        `bitwall.toml` counts."""
    @staticmethod
    def decode(name: str, data: _Bytes, options: str = '') -> Level:
        """Makes a level from the bytes of a file that refers to no other file. `name` is its path, for
        the format and for errors; `options` is the text of a `bitwall.toml`, or empty."""
    @staticmethod
    def from_files(path: str | PathLike[str], files: Files, options: str = '') -> Level:
        """Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`,
        or empty."""
    def files(self) -> list[str]:
        """Returns the files that the level was made of: if one of them changes, load again."""
    def warnings(self) -> list[str]:
        """Returns what is suspicious in the files."""
    def why(self, column: int, row: int) -> str:
        """Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing
        of a file did."""
    def scene(self) -> Scene:
        """Returns what the level's maps draw. A level without maps draws nothing."""

@final
class Patch:
    """The cells of a box of a level before an edit, to undo the edit."""

@final
class Footprint:
    """A body or a brush that is no box: the pixels of a small picture."""
    def __new__(cls, width: int, height: int, pixels: _Bytes) -> Footprint:
        """Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not
        0. Row by row, a byte for each pixel."""
    @staticmethod
    def circle(diameter: int) -> Footprint:
        """Makes a disc with this diameter in pixels."""
    @staticmethod
    def capsule(width: int, height: int) -> Footprint:
        """Makes a box with round ends, of `width` x `height` pixels."""

@final
class Files:
    """The files of a level that is not loaded from the disk: from an archive, an engine's resources or
    the network. Put the level's own file first, then ask for those that are wanted until there is
    none."""
    def __new__(cls) -> Files:
        """Makes an empty collection of files."""
    def put(self, path: str | PathLike[str], data: _Bytes) -> None:
        """Puts the bytes of a file, under the path by which it was wanted."""
    def wanted(self, *, pictures: bool = False) -> str:
        """Returns the path of a file to which the files so far refer, each once; empty if there is
        none. A file that cannot be had is not put. `pictures` is true if the pictures for drawing
        are wanted too: a load reads one only if a map uses tiles beyond those that its tileset
        states. Maps that a world finds by a pattern are not named."""

@final
class Ways:
    """The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes
    only its part."""
    def __new__(cls, w: int, h: int) -> Ways:
        """Makes the ways of boxes of this size in pixels."""
    def path(self, level: Level, start: _Point, end: _Point, *, smooth: bool = False) -> list[tuple[int, int]]:
        """Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its
        points. Empty if there is none. `smooth` leaves out the points that a straight line can
        skip."""
    def path_toward(self, level: Level, start: _Point, end: _Point) -> list[tuple[int, int]]:
        """Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself
        cannot be reached."""
    def field(self, level: Level, goals: Iterable[_Point]) -> Field:
        """Returns the field of the ways to the nearest of some goals: `goals` is x and y of each."""

@final
class Field:
    """The way of every free place to the nearest of some goals, for a crowd. An edit of the level does
    not change it."""
    def step(self, x: int, y: int) -> tuple[int, int] | None:
        """Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no
        goal can be reached."""
    def distance(self, x: int, y: int) -> int | None:
        """Returns the length of the way to the nearest goal in pixels, of which a diagonal step has
        two; None where no goal can be reached."""

@final
class World:
    """Bodies in a level that move together, step by step."""
    def __len__(self) -> int: ...
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: Any, /) -> World: ...
    def __new__(cls, *, fps: int = 60) -> World:
        """Makes a world without bodies, for a game with `fps` steps a second."""
    def add_character(self, box: _Box, kind: _Kind = 'platformer') -> int:
        """Adds a character, and returns its number. It moves by its velocity, or by keys as a player."""
    def add_platform(self, box: _Box, *, one_way: bool = False) -> int:
        """Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way
        platform is solid only from above."""
    def add_piece(self, x: int, y: int, piece: Level) -> int:
        """Adds a platform in the shape of a level's solid cells."""
    def add_pushable(self, box: _Box, mass: int = 0, gravity: float = 900.0) -> int:
        """Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a
        second squared."""
    def add_ball(self, x: int, y: int, diameter: int, mass: int = 0) -> int:
        """Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it."""
    def add_bullet(self, box: _Box) -> int:
        """Adds a bullet, which flies straight until something stops it."""
    def add_sensor(self, box: _Box) -> int:
        """Adds a sensor, which is not solid and only watches."""
    def remove(self, body: int) -> None:
        """Removes a body."""
    def bodies(self) -> list[int]:
        """Returns the numbers of all bodies, in the order in which they were added."""
    def bounds(self, body: int) -> tuple[int, int, int, int]:
        """Returns the box of a body in whole pixels."""
    def position(self, body: int) -> tuple[float, float]:
        """Returns the exact place of the top-left corner of a body."""
    def place(self, body: int, x: int, y: int) -> None:
        """Puts the top-left corner of a body at a pixel, through all solids."""
    def resize(self, level: Level, body: int, w: int, h: int, anchor: _Side) -> bool:
        """Changes the size of a character; the side `anchor` stays. False, and nothing changes, if
        there is no room."""
    def velocity(self, body: int) -> tuple[float, float]:
        """Returns the velocity of a body in pixels a second."""
    def set_velocity(self, body: int, velocity_x: float, velocity_y: float) -> None:
        """Sets the velocity of a body in pixels a second."""
    def set_acceleration(self, body: int, x: float, y: float) -> None:
        """Sets the acceleration of a body, such as its gravity, in pixels a second squared."""
    def set_categories(self, body: int, category: int, collides_with: int, watches: int) -> None:
        """Sets what a body is, what it collides with, and what it watches for events: categories as
        bits."""
    def settings(self, body: int) -> Settings:
        """Returns the settings of a character's motion."""
    def set_settings(self, body: int, settings: Settings) -> None:
        """Sets the settings of a character's motion."""
    def set_path(self, body: int, stops: Iterable[_Point], speed: float, wait: float = 0.0, *, round: bool = False) -> None:
        """Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second,
        `wait` in seconds at each. `round` goes from the last straight to the first; else it goes
        back the same way. Empty `stops` end the path."""
    def set_circle(self, body: int, center: _Point, radius: int, seconds: float) -> None:
        """Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are
        negative."""
    def set_player(self, body: int, feel: Feel) -> None:
        """Makes a character a player, which moves by keys with this feel; or changes the feel of a
        player."""
    def feel(self, body: int) -> Feel:
        """Returns the feel of a player."""
    def set_areas(self, body: int, ladder: str, water: str) -> None:
        """Names the areas that are ladders and water for a player, as in the level; empty for none."""
    def set_input(self, body: int, x: float = 0.0, y: float = 0.0, *, jump: bool = False, dash: bool = False) -> None:
        """Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y`
        from -1 (up) to 1 (down)."""
    def force(self, body: int, x: float, y: float, seconds: float) -> None:
        """Gives a player a velocity and keeps it for some seconds, as for a knockback."""
    def motion(self, body: int) -> Motion:
        """Returns what the last step did to a character; nothing before its first step."""
    def step(self, level: Level) -> None:
        """Moves all bodies by one step: platforms on their paths, players by their keys, the others by
        their velocity."""
    def events(self) -> list[Event]:
        """Returns the events of the last step."""
    def drawn(self, level: Level) -> list[Drawn]:
        """Returns where to draw each body, in the order in which they were added."""
    def standing_on(self, body: int) -> int | None:
        """Returns the platform on which a body stands; None without one."""
    def drop_through(self, level: Level, body: int) -> bool:
        """Drops a character through the one-way floor on which it stands. False if it stands on none."""
    def unstick(self, level: Level, body: int, radius: int) -> tuple[int, int] | None:
        """Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels
        away."""
    def overlapping(self, box: _Box, categories: int = 18446744073709551615) -> list[int]:
        """Returns the bodies of some categories that overlap a box."""
    def nearest(self, center: _Point, radius: int, categories: int = 18446744073709551615) -> int | None:
        """Returns the body of some categories that is nearest to a pixel, at most `radius` pixels
        away; None without one."""
    def sweep(self, level: Level, box: _Box, dx: int, dy: int, categories: int = 18446744073709551615) -> Sweep:
        """Returns how far a box can move in the level and among the bodies of some categories."""
    def ray(self, level: Level, start: _Point, end: _Point, categories: int = 18446744073709551615) -> Ray:
        """Returns the first solid, or the first body of some categories, on the line between the
        middles of two pixels."""
    def copy(self) -> World:
        """Returns a copy of the world with its players and paths, to go back to."""
    def restore(self, other: World) -> None:
        """Makes this world what another one is, as for going back to a copy."""
    def checksum(self) -> int:
        """Returns a number that is equal for worlds with equal bodies and players, on every platform."""

@final
class Marker:
    """A thing that the map's maker placed and that stops nobody: a spawn, a door, a path."""

    @property
    def name(self) -> str:
        """The name, which may be empty."""
    @property
    def class_name(self) -> str:
        """The class (Tiled also calls it type), which may be empty."""
    @property
    def layer(self) -> str:
        """The layer of the object, with the names of its groups."""
    @property
    def object(self) -> int:
        """The id of the object in the map."""
    @property
    def map(self) -> int:
        """The index of the map in its world; 0 without a world."""
    @property
    def shape(self) -> _MarkerShape:
        """rectangle (also for a tile), point, ellipse, capsule, polygon or polyline."""
    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """The box x, y, w, h around the marker as it is drawn, in pixels."""
    @property
    def position(self) -> tuple[int, int]:
        """The pixel of a point, or the middle of the box."""
    @property
    def points(self) -> list[tuple[int, int]]:
        """The points of the shape as it is drawn, or the corners of its box."""
    @property
    def rotation(self) -> float:
        """The clockwise rotation in degrees, which `bounds` and `points` include."""
    @property
    def tile(self) -> tuple[str, int, bool, bool] | None:
        """The tile that the marker shows: the name of its tileset, its id, and whether it is mirrored
        along x and y."""
    @property
    def properties(self) -> dict[str, Any]:
        """The custom properties: bool, int, float, str, list or dict. A point of LDtk is a pixel (x,
        y)."""

@disjoint_base
class Mask:
    """A mask of bits with the methods and the answers of `pygame.mask.Mask`. `from_array` and
    `to_array` are (width, height), as in `pygame.surfarray`. A size or offset beyond 32 bits, or
    NaN, is a `TypeError`, and a mask of more than 512 MiB a `ValueError`, also where pygame makes
    another number of it."""

    def __new__(cls, size: tuple[int, int], fill: bool = False) -> Mask:
        """Makes a mask of `size`, with all pixels set if `fill`."""
    @staticmethod
    def from_array(array: NDArray[np.bool_]) -> Mask:
        """Makes a mask of an array of bool of (width, height), as in `pygame.surfarray`."""
    @staticmethod
    def from_surface(surface: Any, threshold: int = 127) -> Mask:
        """Makes a mask of the pixels of a pygame surface with an alpha above `threshold`; with a
        colour key, those of other colours."""
    @staticmethod
    def from_threshold(
        surface: Any,
        color: Any,
        threshold: Any = ...,
        othersurface: Any | None = None,
        palette_colors: int = 1,
    ) -> Mask:
        """Makes a mask of the pixels whose colours are near a colour, or near those of another
        surface: the arguments of `pygame.mask.from_threshold`, which finds them."""
    def to_array(self) -> NDArray[np.bool_]:
        """Returns an array of numpy, of bool and (width, height), as in `pygame.surfarray`."""
    def to_surface(
        self,
        surface: Any | None = None,
        setsurface: Any | None = None,
        unsetsurface: Any | None = None,
        setcolor: Any | None = ...,
        unsetcolor: Any | None = ...,
        dest: Any = ...,
        area: Any | None = None,
    ) -> Any:
        """Draws the mask on a surface: the arguments of pygame's `to_surface`, which draws it."""
    def copy(self) -> Self:
        """Returns a copy of the same class, which may be a subclass."""
    def __copy__(self) -> Self: ...
    def get_size(self) -> tuple[int, int]:
        """Returns the width and the height."""
    def get_rect(self, **attributes: Any) -> Any:
        """Returns a `pygame.Rect` of the size of the mask; its attributes may be given by their names."""
    def get_at(self, pos: tuple[int, int]) -> int:
        """Returns 1 for a set pixel and 0 for another one; `IndexError` outside."""
    def set_at(self, pos: tuple[int, int], value: int = 1) -> None:
        """Sets a pixel, or clears it if `value` is 0; `IndexError` outside."""
    def overlap(self, other: Mask, offset: tuple[int, int]) -> tuple[int, int] | None:
        """Returns the first common pixel with another mask at an offset, in pygame's order; None
        without one."""
    def overlap_area(self, other: Mask, offset: tuple[int, int]) -> int:
        """Returns the number of common pixels with another mask at an offset."""
    def overlap_mask(self, other: Mask, offset: tuple[int, int]) -> Mask:
        """Returns the common pixels with another mask at an offset, in a mask of the size of this one."""
    def fill(self) -> None:
        """Sets all pixels."""
    def clear(self) -> None:
        """Clears all pixels."""
    def invert(self) -> None:
        """Sets the clear pixels and clears the set ones."""
    def scale(self, scale: tuple[int, int]) -> Mask:
        """Returns the mask scaled to a size."""
    def draw(self, other: Mask, offset: tuple[int, int]) -> None:
        """Sets the pixels of another mask at an offset."""
    def erase(self, other: Mask, offset: tuple[int, int]) -> None:
        """Clears the pixels of another mask at an offset."""
    def count(self) -> int:
        """Returns the number of set pixels."""
    def centroid(self) -> tuple[int, int]:
        """Returns the middle of the set pixels; (0, 0) without one."""
    def angle(self) -> float:
        """Returns the direction in degrees in which the set pixels extend, from -90 to 90."""
    def outline(self, every: int = 1) -> list[tuple[int, int]]:
        """Returns the outline of the first component: every `every`-th point of its border."""
    def convolve(self, other: Mask, output: Mask | None = None, offset: tuple[int, int] = ...) -> Mask:
        """Returns the convolution with another mask, in `output` if it is given: where the other one,
        mirrored, overlaps this one."""
    def connected_component(self, pos: tuple[int, int] | None = None) -> Mask:
        """Returns the component of a pixel, or the largest one without a pixel. Pixels that touch at a
        corner are connected."""
    def connected_components(self, minimum: int = 0) -> list[Mask]:
        """Returns the components of at least `minimum` pixels."""
    def get_bounding_rects(self) -> list[Any]:
        """Returns a `pygame.Rect` around each component."""
