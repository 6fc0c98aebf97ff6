"""The gallery of examples by name: ``vinculum.examples.jansen_leg()`` is a model; ``dir(examples)`` lists them."""

from __future__ import annotations

from typing import Any, Callable

from ._errors import ArgumentError, told
from ._model import Model, loads

__all__ = ["names", "text"]


def _folder() -> Any:
    from importlib import resources  # an import that costs a tenth of the package's

    return resources.files("vinculum") / "models"


def names() -> list[str]:
    """The names of all examples.

    >>> "pendulum" in vn.examples.names()
    True
    """
    return sorted(one.name[:-5] for one in _folder().iterdir() if one.name.endswith(".toml"))


def text(name: str) -> str:
    """The model file of an example.

    >>> vn.examples.text("pendulum").count("[constraints]")
    1
    """
    if not isinstance(name, str):
        raise ArgumentError(f"an example is found by its name, not by {told(name)}")
    if name not in names():
        import difflib

        near = difflib.get_close_matches(name, names(), 1)
        raise ArgumentError(f"there is no example '{name}'" + (f" (did you mean '{near[0]}'?)" if near else ""))
    read: str = (_folder() / f"{name}.toml").read_text(encoding="utf-8")
    return read


def __getattr__(name: str) -> Callable[[], Model]:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        said = text(name)
    except ArgumentError as error:
        raise AttributeError(str(error)) from None
    return lambda: loads(said, f"{name}.toml")


def __dir__() -> list[str]:
    return [*__all__, *names()]
