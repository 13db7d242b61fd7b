"""The stubs, under mypy's strict rules: right calls pass, wrong calls are errors, and they have what the module has."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import bitwall

STUBS = Path(__file__).parents[1] / "bitwall.pyi"
USE = """
import numpy as np
import pygame

import bitwall

level = bitwall.Level.load("a", options="[rules]")
free: bool = level.can_move(pygame.Rect(0, 0, 1, 1), 1, 0) and level.can_move(1, 2, 3, 4, 1, 0)
named: bool = level.can_move(box=pygame.FRect(0, 0, 1, 1), dx=1, dy=0)
moved: int = level.sweep((1, 2, 3, 4), 0, 1).moved
cell: tuple[int, int] | None = level.sweep(((1, 2), (3, 4)), 0, 1).cell
speed: float = bitwall.Mover(pygame.Rect(0, 0, 1, 1), "top_down").step(level, 1.0, 2.0).velocity[0]
all_free = level.can_move_all(np.zeros((1, 6), np.int32))[0]
common: tuple[int, int] | None = bitwall.Mask((3, 4), fill=True).overlap(level.to_mask(), (0, 0))
hero = bitwall.Platformer((0, 0, 1, 1), fps=50, jump_height=56)
hero.feel = hero.feel.replace(top_speed=120)
bitwall.Mover((0, 0, 1, 1), "flier")  # type: ignore[arg-type]
level.can_move("a", 1, 2)  # type: ignore[call-overload]
bitwall.World().add_platform((0, 0, 1, 1), True)  # type: ignore[call-arg]
bitwall.Feel(jump=3)  # type: ignore[call-arg]
"""


def test_the_stubs_are_strict(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    # An ignored line that is no error is an error itself.
    (tmp_path / "use.py").write_text(USE)
    out, err, code = mypy.run(["--strict", "--cache-dir", str(tmp_path / "cache"), str(tmp_path / "use.py")])
    assert code == 0, out + err


def test_the_stubs_have_the_members_and_the_names_of_the_module(tmp_path):
    pytest.importorskip("mypy.stubtest")
    command = [sys.executable, "-m", "mypy.stubtest", "bitwall", "--ignore-missing-stub", "--allowlist"]
    # PyO3 cannot write the two forms of a question.
    (tmp_path / "allowed").write_text("bitwall\\.Level\\.(can_move|sweep)\n")
    run = subprocess.run([*command, str(tmp_path / "allowed")], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


def members():
    for name, of in vars(bitwall).items():
        if isinstance(of, type):
            yield name, of
            yield from ((f"{name}.{member}", getattr(of, member)) for member in vars(of) if member[0] != "_")


def test_every_member_has_a_docstring_of_the_stubs_and_named_arguments():
    stubs = {}
    for of in ast.parse(STUBS.read_text()).body:
        if isinstance(of, ast.ClassDef):
            stubs[of.name] = ast.get_docstring(of)
            for member in (it for it in of.body if isinstance(it, ast.FunctionDef)):
                name = f"{of.name}.{member.name}"
                stubs[name] = ast.get_docstring(member) or stubs.get(name)
    found = dict(members())
    assert len(found) > 280
    for name, member in found.items():
        doc = (inspect.getdoc(member) or "").split()
        assert len(doc) > 1, f"{name} has no docstring"
        said = (stubs[name] or "").split()
        assert said and said == doc[: len(said)], f"{name}: {doc} but in the stubs {said}"
        if callable(member) and not isinstance(member, type):
            assert all(it.kind is not it.POSITIONAL_ONLY or it.name == "self" for it in parameters(member)), name


def parameters(member):
    return inspect.signature(member).parameters.values()
