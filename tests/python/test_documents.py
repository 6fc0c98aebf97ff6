"""Docstrings show what the package does."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import pkgutil
from typing import Any

import pytest

import vinculum
from conftest import ROOT


@pytest.mark.parametrize("name", [one.name for one in pkgutil.iter_modules(vinculum.__path__)
                                  if one.name not in ("__main__", "_core")] + [""])
def test_docstrings_run(name: str) -> None:
    module = importlib.import_module("vinculum" + ("." + name if name else ""))
    found = doctest.testmod(module, extraglobs={"vn": vinculum})
    assert found.failed == 0


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


@pytest.mark.parametrize(("page", "least"), [("docs/python.md", 40), ("README.md", 6)])
def test_pages_say_what_happens(page: str, least: int) -> None:
    text = blocks((ROOT / page).read_text())
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert len(examples.examples) > least
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples, out=said.append)
    assert runner.failures == 0, "".join(said)


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
