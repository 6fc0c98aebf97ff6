"""Docstrings show what the package does."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from typing import Any, Iterator

import numpy
import pytest

import vinculum
from conftest import ROOT


@pytest.mark.parametrize("name", [one.name for one in pkgutil.iter_modules(vinculum.__path__)
                                  if one.name not in ("__main__", "_core")] + [""])
def test_docstrings_run(name: str) -> None:
    module = importlib.import_module("vinculum" + ("." + name if name else ""))
    found = doctest.testmod(module, extraglobs={"vn": vinculum, "np": numpy})
    assert found.failed == 0


def public() -> Iterator[tuple[str, Any]]:
    """Every public name, and those of the members of public classes."""
    for name in vinculum.__all__:
        thing = getattr(vinculum, name)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


def test_every_public_name_is_told_and_every_class_and_function_shown() -> None:
    for name, thing in public():
        if name in ("t", "pi"):
            continue
        text = inspect.getdoc(thing) or ""
        assert text, name
        if "." not in name and name != "examples":
            assert ">>>" in text, name


def test_the_reference_is_that_of_the_docstrings() -> None:
    made = subprocess.run([sys.executable, ROOT / "tools" / "make_python_reference", "--check"])
    assert made.returncode == 0, "tools/make_python_reference writes it anew"


def blocks(text: str) -> str:
    """What stands in the pycon blocks of a page, one after the other."""
    inside = False
    lines = []
    for line in text.split("\n"):
        if line.startswith("```"):
            inside = line == "```pycon"
            lines.append("")
        elif inside:
            lines.append(line)
    return "\n".join(lines)


def said_by(text: str, page: str, names: dict[str, Any]) -> int:
    """Runs the examples of a text; what they should have printed and did not is a failure. How many there were."""
    examples = doctest.DocTestParser().get_doctest(blocks(text), names, page, page, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples, out=said.append, clear_globs=False)
    names.update(examples.globs)
    assert runner.failures == 0, "".join(said)
    return len(examples.examples)


@pytest.mark.parametrize(("page", "least"), [("docs/python.md", 40), ("README.md", 6)])
def test_pages_say_what_happens(page: str, least: int) -> None:
    assert said_by((ROOT / page).read_text(), page, {}) > least


@pytest.mark.parametrize(("heading", "needed"), [
    ("SciPy", "scipy"), ("SymPy", "sympy"), ("MuJoCo", "mujoco"), ("Pinocchio", "pinocchio"), ("Modelica", "vinculum")])
def test_what_others_write_has_our_numbers(heading: str, needed: str) -> None:
    pytest.importorskip(needed, minversion="4" if needed == "pinocchio" else None)
    pytest.importorskip("scipy")
    page = "docs/coming-from.md"
    first, *sections = re.split(r"^## From ", (ROOT / page).read_text(), flags=re.M)
    texts = {one.split("\n", 1)[0]: one for one in sections}
    names: dict[str, Any] = {}
    said_by(first, page, names)
    if heading == "Pinocchio":
        said_by("```pycon\n>>> from scipy.integrate import solve_ivp\n```", page, names)
    assert said_by(texts[heading], page, names) > 4


def test_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell, as a notebook does; what a cell shows at its end is shown."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    notebook = json.loads((ROOT / "docs" / "tutorial.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 10
    names: dict[str, Any] = {}
    for cell in cells:
        tree = ast.parse(cell)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "tutorial.ipynb", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "tutorial.ipynb", "eval"), names)
            show = getattr(shown, "_repr_html_", None)
            assert show is None or "<" in show()
