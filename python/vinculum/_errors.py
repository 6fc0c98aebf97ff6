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
    """Every error about a model, a system or a motion is one of these; what is wrong with an argument alone, its shape or its
    kind, is a `ValueError` or a `TypeError` as elsewhere in Python.

    >>> try:
    ...     vn.loads("nonsense")
    ... except vn.VinculumError as error:
    ...     print(type(error).__name__)
    ModelError
    """


@dataclass(frozen=True)
class Fault:
    """What is wrong with a model's text, and where; line 0 where it has no place.

    >>> try:
    ...     vn.loads("[mas]")
    ... except vn.ModelError as error:
    ...     fault = error.faults[-1]
    >>> fault.line, fault.column
    (1, 2)
    """

    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    source: str = ""  #: that line of the model

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return place + self.text + (f"\n    {self.source.strip()}" if self.source.strip() else "")


class ModelError(VinculumError, ValueError):
    r"""A model that cannot be: all its faults at once.

    >>> try:
    ...     vn.loads("[mas]\n[coordinate]")
    ... except vn.ModelError as error:
    ...     print(len(error.faults))
    2
    """

    def __init__(self, faults: Sequence[Fault]):
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> Any:
        return type(self), (self.faults,)


class ExpressionError(VinculumError, TypeError):
    """An expression that cannot be written as it was asked for.

    >>> try:
    ...     np.arange(3)[vn.Expr("x") < 1]
    ... except vn.ExpressionError as error:
    ...     print("vn.where" in str(error))
    ... except IndexError:
    ...     print(True)
    True
    """


class RefusedError(VinculumError, ValueError):
    """What the engine cannot do as it was asked: a value no parameter can have, a time the motion does not cover.

    >>> try:
    ...     vn.examples.pendulum().run(until=1, dense_output=True).sol(2)
    ... except vn.RefusedError as error:
    ...     print("error")
    error
    """


class ArgumentError(VinculumError, TypeError):
    """A call with a name that nothing has, or with something else than what is asked for.

    >>> try:
    ...     vn.examples.pendulum().run(untl=1)
    ... except vn.ArgumentError as error:
    ...     print(error)
    there is no parameter and no option 'untl' (did you mean 'until'?)
    """


class MotionError(VinculumError):
    """An instant without an answer, or a motion that ended early.

    `reason` is a sentence, `status` the word of `vinculum run --json`; `names` are those of the constraints or coordinates it
    is about; `motion` is what was computed until `time`, where there is any of it.

    >>> m = vn.Model()
    >>> x = m.coordinate("x", start=1)
    >>> m.mass(x, 1); m.force(x, -1 / x**3)
    >>> try:
    ...     m.run(until=10)
    ... except vn.MotionError as error:
    ...     print(error.status, round(error.time, 2), error.motion.success)
    step 1.0 False
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
    """Constraints that cannot hold together: `constraints` is a smallest set of them.

    >>> m = vn.examples.pendulum()
    >>> m.constrain("longer", "x^2 + y^2 = 4")
    >>> try:
    ...     m.run(until=1)
    ... except vn.ContradictionError as error:
    ...     print(error.constraints)
    ('rod', 'longer')
    """

    @property
    def constraints(self) -> tuple[str, ...]:
        """The names of a smallest set of constraints that cannot hold together."""
        return self.names


class StartError(MotionError):
    """A start that breaks its constraints; `Model.assemble()` finds the nearest one that does not.

    >>> try:
    ...     vn.examples.pendulum().system().run(1, q=[2, 0], v=[0, 0])
    ... except vn.StartError as error:
    ...     print(error.names)
    ('rod',)
    """


class StepError(MotionError):
    """The tolerance cannot be met: a singularity, or a constraint that cannot be kept.

    >>> issubclass(vn.StepError, vn.MotionError)
    True
    """


class NotFiniteError(MotionError):
    """A force, a mass or a constraint is not a finite number.

    >>> m = vn.Model()
    >>> x = m.coordinate("x", start=-1)
    >>> m.mass(x, 1); m.force(x, np.log(x))
    >>> try:
    ...     m.system().solve()
    ... except vn.NotFiniteError as error:
    ...     print(error.status)
    not_finite
    """


class SingularError(MotionError):
    """Masses and constraints do not determine the acceleration of the coordinates in `names`.

    >>> m = vn.Model()
    >>> x = m.coordinate("x")
    >>> m.mass(x, 0)
    >>> try:
    ...     m.system().solve()
    ... except vn.SingularError as error:
    ...     print(error.names)
    ('x',)
    """


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
