"""Docstrings show what the package does."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

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
