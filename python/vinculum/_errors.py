"""What can go wrong, each with what it is about: names, times, places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from ._motion import Motion

__all__ = [
    "VinculumError", "ModelError", "Fault", "ExpressionError", "MotionError", "ContradictionError", "StartError",
    "StepError", "NotFiniteError", "SingularError", "RefusedError", "ArgumentError",
]


class VinculumError(Exception):
    """Every error of this package is one of these."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a model's text, and where; line 0 where it has no place."""

    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    source: str = ""  #: that line of the model

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return place + self.text + (f"\n    {self.source.strip()}" if self.source.strip() else "")


class ModelError(VinculumError, ValueError):
    """A model that cannot be: all its faults at once."""

    def __init__(self, faults: Sequence[Fault]):
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


    def __reduce__(self) -> Any:
        return type(self), (self.faults,)


class ExpressionError(VinculumError, TypeError):
    """An expression that cannot be written as it was asked for."""


class RefusedError(VinculumError, ValueError):
    """What the engine cannot do as it was asked: a value no parameter can have, a time the motion does not cover."""


class ArgumentError(VinculumError, TypeError):
    """A call with a name that nothing has, or with something else than what is asked for."""


class MotionError(VinculumError):
    """An instant without an answer, or a motion that ended early.

    `status` is the word of `vinculum run --json`; `names` are those of the constraints or coordinates it is about;
    `motion` is what was computed until `time`, where there is any of it.
    """

    def __init__(self, reason: str, *, status: str = "", names: Sequence[str] = (), time: float = float("nan")):
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.names = tuple(names)
        self.time = time
        self.motion: Motion | None = None

    def __reduce__(self) -> Any:  # the motion stays where it is
        return unsolved, (self.status, self.reason, self.names, self.time)


class ContradictionError(MotionError):
    """Constraints that cannot hold together: `constraints` is a smallest set of them."""

    @property
    def constraints(self) -> tuple[str, ...]:
        return self.names


class StartError(MotionError):
    """A start that breaks its constraints; `Model.assemble()` finds the nearest one that does not."""


class StepError(MotionError):
    """The tolerance cannot be met: a singularity, or a constraint that cannot be kept."""


class NotFiniteError(MotionError):
    """A force, a mass or a constraint is not a finite number."""


class SingularError(MotionError):
    """Masses and constraints do not determine the acceleration of the coordinates in `names`."""


_OF_STATUS: dict[str, type[MotionError]] = {
    "contradiction": ContradictionError,
    "start": StartError,
    "step": StepError,
    "not_finite": NotFiniteError,
    "singular": SingularError,
}


def unsolved(status: str, reason: str, names: Sequence[str], time: float) -> MotionError:
    return _OF_STATUS.get(status, MotionError)(reason, status=status, names=names, time=time)


def refused(text: str, file: str, line: int, column: int) -> VinculumError:
    return ModelError([Fault(text, file, line, column)]) if line else RefusedError(text)
