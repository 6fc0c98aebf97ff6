"""The stub of the engine tells the truth about it."""

from __future__ import annotations

import ast
from pathlib import Path

import vinculum
from vinculum import _core


def test_the_stub_names_what_there_is() -> None:
    tree = ast.parse((Path(vinculum.__file__).parent / "_core.pyi").read_text())
    stated = {one.name: one for one in tree.body if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
    there = {name for name in dir(_core) if not name.startswith("_")}
    assert set(stated) | {"version"} == there
    for name, one in stated.items():
        if isinstance(one, ast.ClassDef):
            members = {m.name for m in one.body if isinstance(m, ast.FunctionDef)} - {"__init__"}
            assert members == {m for m in vars(getattr(_core, name)) if not m.startswith("_")}, name
