"""Docstrings show what the package does."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import vinculum


@pytest.mark.parametrize("name", [one.name for one in pkgutil.iter_modules(vinculum.__path__)
                                  if one.name not in ("__main__", "_core")] + [""])
def test_docstrings_run(name: str) -> None:
    module = importlib.import_module("vinculum" + ("." + name if name else ""))
    found = doctest.testmod(module, extraglobs={"vn": vinculum})
    assert found.failed == 0
