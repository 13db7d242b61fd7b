"""Level collision for 2D games: Tiled maps and mask pictures as bits, exact swept box tests.

Positions are whole pixels of 32 bits, x to the right, y down. A box covers ``x <= p < x + w``: touching is not
overlapping. Widths, heights and radii are 0 or more. An argument of another kind is a ``TypeError``, a number out of its
range a ``ValueError``, a body that a world does not have a ``KeyError``, and a file that gives no level an ``OSError``;
each says what is allowed.
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
# In Level:
    @staticmethod
    def read(
        path: str | PathLike[str], read: Callable[[str], _Bytes | None], options: str = ""
    ) -> Level:
        """Loads a level whose files the game reads: `read(path)` returns the bytes of a file, or `None`. `options` is
        the text of a `bitwall.toml`."""
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
        """Returns all markers, in the order of the file: what the map's maker placed and what stops nobody."""
    @overload
    def can_move(self, x: int, y: int, w: int, h: int, dx: int, dy: int) -> bool: ...
    @overload
    def can_move(self, box: _Box, dx: int, dy: int) -> bool:
        """True if a box can move by `dx` or `dy` pixels; one of them is 0. The whole way counts, so no thin wall is
        skipped. Pass x, y, w, h, dx, dy (the fastest) or box, dx, dy."""
    @overload
    def sweep(self, x: int, y: int, w: int, h: int, dx: int, dy: int) -> Sweep: ...
    @overload
    def sweep(self, box: _Box, dx: int, dy: int) -> Sweep:
        """Returns how far a box can move by `dx` or `dy` pixels, and the cell that stops it. Pass x, y, w, h, dx, dy or
        box, dx, dy."""
    def can_move_all(self, questions: _Rows) -> memoryview[bool]:
        """Answers each row x, y, w, h, dx, dy of an array of int32 with two axes, as of numpy. Returns a `memoryview`
        of truth values, which `np.asarray` takes without a copy. Other threads run meanwhile."""
    def sweep_all(self, questions: _Rows) -> memoryview[int]:
        """Returns the pixels moved for each row x, y, w, h, dx, dy, as `can_move_all`: a `memoryview` of int32."""
    def draw(self, surface: Any, camera: _Point = (0, 0)) -> None:
        """Draws the art of the level's maps on a surface of pygame, with the pixel `camera` of the level at the top
        left. A level without maps shows its solids. The art is drawn once and kept; edits do not change it, and layers
        with a parallax factor stand still."""
    def __copy__(self) -> Level: ...
    def __deepcopy__(self, _memo: Any, /) -> Level: ...
# In Feel:
    def __new__(
        cls,
        *,
        @FIELDS@,
    ) -> Feel:
        """Makes the usual feel, for tiles of 16 pixels, with some fields changed."""
# In Mover:
    def __new__(cls, box: _Box, kind: _Kind = "platformer", **settings: Any) -> Mover:
        """Makes a mover with the settings of its kind, of which some may be changed, as in `step_height=8`."""
# In Platformer:
    def __new__(cls, box: _Box, *, fps: int = 60, **feel: Any) -> Platformer:
        """Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel, of which
        some fields may be changed, as in `jump_height=56`."""
# In World:
    def __len__(self) -> int: ...
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: Any, /) -> World: ...
# In the module:
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
        """The tile that the marker shows: the name of its tileset, its id, and whether it is mirrored along x and y."""
    @property
    def properties(self) -> dict[str, Any]:
        """The custom properties: bool, int, float, str, list or dict. A point of LDtk is a pixel (x, y)."""

@disjoint_base
class Mask:
    """A mask of bits with the methods and the answers of `pygame.mask.Mask`. `from_array` and `to_array` are (width,
    height), as in `pygame.surfarray`. A size or offset beyond 32 bits, or NaN, is a `TypeError`, and a mask of more than
    512 MiB a `ValueError`, also where pygame makes another number of it."""

    def __new__(cls, size: tuple[int, int], fill: bool = False) -> Mask:
        """Makes a mask of `size`, with all pixels set if `fill`."""
    @staticmethod
    def from_array(array: NDArray[np.bool_]) -> Mask:
        """Makes a mask of an array of bool of (width, height), as in `pygame.surfarray`."""
    @staticmethod
    def from_surface(surface: Any, threshold: int = 127) -> Mask:
        """Makes a mask of the pixels of a pygame surface with an alpha above `threshold`; with a colour key,
        those of other colours."""
    @staticmethod
    def from_threshold(
        surface: Any,
        color: Any,
        threshold: Any = ...,
        othersurface: Any | None = None,
        palette_colors: int = 1,
    ) -> Mask:
        """Makes a mask of the pixels whose colours are near a colour, or near those of another surface: the
        arguments of `pygame.mask.from_threshold`, which finds them."""
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
        """Returns the first common pixel with another mask at an offset, in pygame's order; None without one."""
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
        """Returns the component of a pixel, or the largest one without a pixel. Pixels that touch at a corner
        are connected."""
    def connected_components(self, minimum: int = 0) -> list[Mask]:
        """Returns the components of at least `minimum` pixels."""
    def get_bounding_rects(self) -> list[Any]:
        """Returns a `pygame.Rect` around each component."""
