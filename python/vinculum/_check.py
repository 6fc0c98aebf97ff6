"""What is known before a motion begins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._system import System

__all__ = ["Check", "Assembly"]


class Check:
    """Degrees of freedom, redundancy and contradiction by name, the nature of every constraint, the start.

    >>> import vinculum as vn
    >>> c = vn.examples.pendulum().check()
    >>> c.degrees_of_freedom, c.fine
    (1, True)
    """

    def __init__(self, said: str, page: str, fine: bool, reason: str):
        self.json: dict[str, Any] = json.loads(said)  #: the object of `vinculum check --json`
        self._page = page
        self.fine = fine  #: whether the motion can begin
        self.reason = reason  #: why not

    @property
    def degrees_of_freedom(self) -> int:
        return int(self.json["degrees_of_freedom"])

    @property
    def rank(self) -> int:
        return int(self.json["rank"])

    @property
    def redundant(self) -> list[str]:
        return list(self.json["redundant"])

    @property
    def contradicting(self) -> list[str]:
        return list(self.json["contradicting"])

    @property
    def constraints(self) -> list[dict[str, Any]]:
        return list(self.json["constraints"])

    def __str__(self) -> str:
        return self._page

    def __repr__(self) -> str:
        return f"<vinculum.Check: {self.degrees_of_freedom} degrees of freedom, fine: {self.fine}>"


class Assembly:
    """The state that satisfies the constraints, nearest to the one given."""

    def __init__(self, system: System, said: dict[str, Any]):
        self.consistent: bool = said["consistent"]  #: the state as given does already
        self.repaired: bool = said["repaired"]  #: `q` and `v` do
        self.text: str = said["text"]
        self.fighting: list[str] = said["fighting"]
        self.changes: dict[str, float] = said["changes"]
        self.q: NDArray[np.float64] = said["q"]
        self.v: NDArray[np.float64] = said["v"]
        self._system = system

    def __getitem__(self, name: str) -> float:
        for names, values in ((self._system.coordinate_names, self.q), (self._system.velocity_names, self.v)):
            if name in names:
                return float(values[names.index(name)])
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"<vinculum.Assembly, repaired: {self.repaired}>"
