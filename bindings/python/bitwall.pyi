"""Level collision for 2D games: Tiled maps and mask pictures as bits, exact swept box tests.

Positions are whole pixels of 32 bits, x to the right, y down. A box covers ``x <= p < x + w``: touching is not
overlapping. Widths, heights and radii are 0 or more. An argument of another kind is a ``TypeError``, and a number out
of its range a ``ValueError``; both say what is allowed.
"""

import os
from typing import Any, Literal, Protocol, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self, disjoint_base

class _Rect(Protocol):
    """A ``pygame.Rect``, or what has its sides."""

    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def w(self) -> int: ...
    @property
    def h(self) -> int: ...

_Box = _Rect | tuple[int, int, int, int] | tuple[tuple[int, int], tuple[int, int]]
_Kind = Literal["plain", "platformer", "top_down"]

@final
class Sweep:
    """How far a box can move, and what stops it."""

    @property
    def moved(self) -> int:
        """The pixels moved."""
    @property
    def cell(self) -> tuple[int, int] | None:
        """The column and row of the cell that stops the box; ``None`` if nothing does."""
    @property
    def normal(self) -> tuple[int, int] | None:
        """The unit vector out of the solid, toward the box."""

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
    def shape(self) -> str:
        """``rectangle`` (also for a tile), ``point``, ``ellipse``, ``capsule``, ``polygon`` or ``polyline``."""
    @property
    def rect(self) -> tuple[int, int, int, int]:
        """The box x, y, w, h around the marker as it is drawn, in pixels."""
    @property
    def position(self) -> tuple[int, int]:
        """The pixel of a point, or the middle of the box."""
    @property
    def points(self) -> list[tuple[int, int]]:
        """The points of the shape as it is drawn, or the corners of its box."""
    @property
    def rotation(self) -> float:
        """The clockwise rotation in degrees, which ``rect`` and ``points`` include."""
    @property
    def tile(self) -> tuple[str, int] | None:
        """The tile that the marker shows: the name of its tileset, and its id."""
    @property
    def properties(self) -> dict[str, Any]:
        """The custom properties: bool, int, float, str, list or dict. A point of LDtk is a pixel (x, y)."""

@final
class Level:
    """A level: walls as bits."""

    def __new__(cls, columns: int, rows: int, cell: tuple[int, int] = ...) -> Level:
        """An empty level of ``columns`` x ``rows`` cells, each ``cell`` pixels wide and high, 1 x 1 unless given."""
    @staticmethod
    def load(path: str | os.PathLike[str]) -> Level:
        """Loads a Tiled map, a world, an LDtk project or a mask in PNG. ``OSError`` tells the file, the place, the
        cause and a remedy."""
    @staticmethod
    def decode(name: str, data: bytes) -> Level:
        """As `load`, from the bytes of a file that refers to no other file."""
    @staticmethod
    def from_mask(mask: Mask) -> Level:
        """A level of pixels that are solid where the mask is set."""
    def to_mask(self) -> Mask:
        """The solid pixels as a mask. O(pixels)."""
    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""
    @property
    def cell_size(self) -> tuple[int, int]:
        """The width and height of a cell in pixels."""
    def marker(self, name: str) -> tuple[int, int] | None:
        """The position of the first marker of this name, such as a spawn."""
    def markers(self) -> list[Marker]:
        """All markers, in the order of the file: what the map's maker placed and that stops nobody."""
    def is_solid(self, x: int, y: int) -> bool:
        """Whether a pixel is solid."""
    def overlaps(self, body: _Box) -> bool:
        """Whether a box overlaps a solid."""
    @overload
    def can_move(self, x: int, y: int, w: int, h: int, dx: int, dy: int, /) -> bool: ...
    @overload
    def can_move(self, body: _Box, dx: int, dy: int, /) -> bool:
        """Whether a box can move by ``dx`` or ``dy`` pixels; one of them is 0. The whole way counts."""
    @overload
    def sweep(self, x: int, y: int, w: int, h: int, dx: int, dy: int, /) -> Sweep: ...
    @overload
    def sweep(self, body: _Box, dx: int, dy: int, /) -> Sweep:
        """The largest part of the way that a box can move, and what stops it."""
    def can_move_all(self, questions: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Answers each row ``x, y, w, h, dx, dy``; the rows lie one after the other in memory (``ValueError`` for a
        slice, a transpose or Fortran order: pass ``questions.copy()``). The interpreter is free meanwhile: other
        threads may ask the level, but an edit is a ``RuntimeError``, and nobody may write to ``questions``."""
    def sweep_all(self, questions: NDArray[np.int32]) -> NDArray[np.uint32]:
        """The pixels moved for each row ``x, y, w, h, dx, dy``, as `can_move_all`."""
    def set_box(self, body: _Box, solid: bool = True) -> bool:
        """Makes the cells that touch a box solid or passable; true if one changed. ``RuntimeError`` while
        `can_move_all` or `sweep_all` of another thread runs."""
    def set_disc(self, center: tuple[int, int], radius: int, solid: bool = True) -> bool:
        """Makes the cells with a pixel in a disc solid or passable; true if one changed. ``RuntimeError`` as for
        `set_box`."""

@final
class Move:
    """The result of a step."""

    @property
    def moved(self) -> tuple[int, int]:
        """The whole pixels moved."""
    @property
    def velocity(self) -> tuple[float, float]:
        """The velocity that is left: 0 along an axis on which a solid stopped the body."""
    @property
    def grounded(self) -> bool: ...
    @property
    def started_solid(self) -> bool:
        """Whether the body overlapped a solid before the step."""
    @property
    def hit_left(self) -> bool: ...
    @property
    def hit_right(self) -> bool: ...
    @property
    def hit_up(self) -> bool: ...
    @property
    def hit_down(self) -> bool: ...

@final
class Mover:
    """One body that slides, climbs steps and keeps fractions of a pixel."""

    def __new__(
        cls, body: _Box, kind: _Kind = "platformer", *, step_height: int | None = None, snap_distance: int | None = None
    ) -> Mover:
        """``step_height`` and ``snap_distance`` are 0 to 256 pixels; those of ``kind`` unless given."""
    @property
    def rect(self) -> tuple[int, int, int, int]:
        """x, y, w and h in whole pixels."""
    @property
    def position(self) -> tuple[float, float]:
        """The exact top-left corner, for drawing."""
    def place(self, x: int, y: int) -> None:
        """Puts the top-left corner at a pixel, through all solids."""
    def step(self, level: Level, vx: float, vy: float, /) -> Move:
        """Moves by a velocity in pixels a step, finite and below 2^31, as far as the level allows: at most 4096 px."""

@final
class Platformer:
    """A character that runs, jumps, climbs and swims, with coyote time and a jump buffer."""

    def __new__(
        cls, body: _Box, *, fps: int = 60, jump_height: float = 44.0, jump_seconds: float = 0.35
    ) -> Platformer:
        """``fps`` is 1 to 65535, the others 0 to 65535."""
    @property
    def rect(self) -> tuple[int, int, int, int]: ...
    @property
    def position(self) -> tuple[float, float]: ...
    @property
    def stance(self) -> str:
        """``ground``, ``air``, ``wall``, ``ledge``, ``ladder`` or ``water``."""
    @property
    def velocity(self) -> tuple[float, float]: ...
    def step(
        self,
        level: Level,
        *,
        left: bool = False,
        right: bool = False,
        up: bool = False,
        down: bool = False,
        jump: bool = False,
    ) -> Move:
        """Moves by one step; the arguments are the keys that are held."""

@final
class World:
    """Many bodies that carry and push each other, in pixels and seconds, with `fps` steps a second. A body is known by
    a number, which is never used again."""

    def __new__(cls, *, fps: int = 60) -> World: ...
    def add_character(self, body: _Box, kind: _Kind = "platformer") -> int: ...
    def add_platform(self, body: _Box, *, one_way: bool = False) -> int: ...
    def add_pushable(self, body: _Box, mass: int = 0, gravity: float = 900.0) -> int:
        """A crate that falls, carries what stands on it, and is pushed by platforms. Gravity is in pixels a second
        squared."""
    def remove(self, body: int) -> None: ...
    def set_velocity(self, body: int, vx: float, vy: float) -> None: ...
    def velocity(self, body: int) -> tuple[float, float]: ...
    def rect(self, body: int) -> tuple[int, int, int, int]: ...
    def position(self, body: int) -> tuple[float, float]: ...
    def standing_on(self, body: int) -> int | None: ...
    def step(self, level: Level) -> None: ...
    def __len__(self) -> int: ...

@disjoint_base
class Mask:
    """A mask of bits with the methods and the answers of ``pygame.mask.Mask``. `from_array` and `to_array` are
    (width, height), as in ``pygame.surfarray``. A size or offset beyond 32 bits, or NaN, is a ``TypeError``, and a mask
    of more than 512 MiB a ``ValueError``, also where pygame makes another number of it."""

    def __new__(cls, size: tuple[int, int], fill: bool = False) -> Mask: ...
    @staticmethod
    def from_array(array: NDArray[np.bool_]) -> Mask: ...
    @staticmethod
    def from_surface(surface: Any, threshold: int = 127) -> Mask: ...
    @staticmethod
    def from_threshold(
        surface: Any,
        color: Any,
        threshold: Any = ...,
        othersurface: Any | None = None,
        palette_colors: int = 1,
    ) -> Mask: ...
    def to_array(self) -> NDArray[np.bool_]: ...
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
        """Pygame itself draws it; `from_threshold` too is pygame's."""
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...
    def get_size(self) -> tuple[int, int]: ...
    def get_rect(self, **attributes: Any) -> Any: ...
    def get_at(self, pos: tuple[int, int]) -> int: ...
    def set_at(self, pos: tuple[int, int], value: int = 1) -> None: ...
    def overlap(self, other: Mask, offset: tuple[int, int]) -> tuple[int, int] | None: ...
    def overlap_area(self, other: Mask, offset: tuple[int, int]) -> int: ...
    def overlap_mask(self, other: Mask, offset: tuple[int, int]) -> Mask: ...
    def fill(self) -> None: ...
    def clear(self) -> None: ...
    def invert(self) -> None: ...
    def scale(self, scale: tuple[int, int]) -> Mask: ...
    def draw(self, other: Mask, offset: tuple[int, int]) -> None: ...
    def erase(self, other: Mask, offset: tuple[int, int]) -> None: ...
    def count(self) -> int: ...
    def centroid(self) -> tuple[int, int]: ...
    def angle(self) -> float: ...
    def outline(self, every: int = 1) -> list[tuple[int, int]]: ...
    def convolve(self, other: Mask, output: Mask | None = None, offset: tuple[int, int] = ...) -> Mask: ...
    def connected_component(self, pos: tuple[int, int] | None = None) -> Mask: ...
    def connected_components(self, minimum: int = 0) -> list[Mask]: ...
    def get_bounding_rects(self) -> list[Any]: ...
