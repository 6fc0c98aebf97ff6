"""What is known before a motion begins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._errors import in_python

if TYPE_CHECKING:
    from ._system import System

__all__ = ["Check", "Assembly"]


class Check:
    """Degrees of freedom, redundancy and contradiction by name, the nature of every constraint, the start.

    `fine` says whether the motion can begin, `reason` why not, `json` is the object of `vinculum check --json`.

    >>> c = vn.examples.pendulum().check()
    >>> c.degrees_of_freedom, c.fine
    (1, True)
    >>> print(str(c).splitlines()[0][:8])
    1 degree
    """

    def __init__(self, said: str, page: str, fine: bool, reason: str):
        self.json: dict[str, Any] = json.loads(said)  #: the object of `vinculum check --json`
        self._page = in_python(page)
        self.fine = fine  #: whether the motion can begin
        self.reason = in_python(reason)  #: why not

    @property
    def degrees_of_freedom(self) -> int:
        """How many directions the system can move in."""
        return int(self.json["degrees_of_freedom"])

    @property
    def rank(self) -> int:
        """How many rows are independent."""
        return int(self.json["rank"])

    @property
    def redundant(self) -> list[str]:
        """Constraints that follow from others as a whole, by name."""
        return list(self.json["redundant"])

    @property
    def redundant_rows(self) -> list[str]:
        """Rows that follow from others, by name: of whole constraints, and of others."""
        return list(self.json["redundant_rows"])

    @property
    def contradicting(self) -> list[str]:
        """Constraints that cannot hold together, by name."""
        return list(self.json["contradicting"])

    @property
    def constraints(self) -> list[dict[str, Any]]:
        """What each constraint is, by the keys of `vinculum check --json`.

        >>> vn.examples.pendulum().check().constraints[0]["name"]
        'rod'
        """
        return list(self.json["constraints"])

    def __str__(self) -> str:
        return self._page

    def __repr__(self) -> str:
        return f"<vinculum.Check: {self.degrees_of_freedom} degrees of freedom, fine: {self.fine}>"


class Assembly:
    """The state that satisfies the constraints, nearest to the one given: `q`, `v`, and by name.

    `consistent` says that the given one did already, `repaired` that q and v do now; `changes` are those by name, `text` is a
    sentence, and `fighting` names constraints that contradict each other for certain.

    >>> a = vn.examples.pendulum().system().assemble([2, 0], [0, 0])
    >>> a.repaired, a["x"], a.changes["x"]
    (True, 1.0, -1.0)
    """

    def __init__(self, system: System, said: dict[str, Any]):
        self.consistent: bool = said["consistent"]  #: the state as given does already
        self.repaired: bool = said["repaired"]  #: `q` and `v` do
        self.text: str = in_python(said["text"])
        self.fighting: list[str] = said["fighting"]
        self.changes: dict[str, float] = said["changes"]
        self.q: NDArray[np.float64] = said["q"]
        self.v: NDArray[np.float64] = said["v"]
        self._system = system

    def __getitem__(self, name: str) -> float:
        for names, values in ((self._system.coordinate_names, self.q), (self._system.velocity_names, self.v)):
            if isinstance(name, str) and name in names:
                return float(values[names.index(name)])
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"<vinculum.Assembly, repaired: {self.repaired}>"
