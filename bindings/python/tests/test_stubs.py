"""The stubs, under mypy's strict rules: right calls pass, and wrong calls are errors."""

import pytest

mypy = pytest.importorskip("mypy.api")

USE = """
import numpy as np
import pygame

import bitwall

level = bitwall.Level.load("a")
free: bool = level.can_move(pygame.Rect(0, 0, 1, 1), 1, 0) and level.can_move(1, 2, 3, 4, 1, 0)
moved: int = level.sweep((1, 2, 3, 4), 0, 1).moved
cell: tuple[int, int] | None = level.sweep(((1, 2), (3, 4)), 0, 1).cell
speed: float = bitwall.Mover(pygame.Rect(0, 0, 1, 1), "top_down").step(level, 1.0, 2.0).velocity[0]
all_free = level.can_move_all(np.zeros((1, 6), np.int32))[0]
common: tuple[int, int] | None = bitwall.Mask((3, 4), fill=True).overlap(level.to_mask(), (0, 0))
bitwall.Mover((0, 0, 1, 1), "flier")  # type: ignore[arg-type]
level.can_move("a", 1, 2)  # type: ignore[call-overload]
bitwall.World().add_platform((0, 0, 1, 1), True)  # type: ignore[call-arg]
"""


def test_the_stubs_are_strict(tmp_path):
    # An ignored line that is no error is an error itself.
    (tmp_path / "use.py").write_text(USE)
    out, err, code = mypy.run(["--strict", "--cache-dir", str(tmp_path / "cache"), str(tmp_path / "use.py")])
    assert code == 0, out + err
