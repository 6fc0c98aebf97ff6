"""What can go wrong, each with what it is about: names, times, places."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from ._motion import Motion

__all__ = [
    "VinculumError", "ModelError", "Fault", "ExpressionError", "MotionError", "ContradictionError", "StartError",
    "StepError", "NotFiniteError", "SingularError", "RefusedError", "ArgumentError",
]


class VinculumError(Exception):
    """Every error of the package is one of these, but for those that Python has everywhere: a `KeyError` for a name that
    nothing has in `sol["name"]`, an `AttributeError` for `vn.examples.nme`, an `OSError` for a file.

    What is wrong with an argument is an `ArgumentError`, which is a `ValueError` and a `TypeError`; with a model a
    `ModelError`; with an instant or a motion a `MotionError`.

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
        return place + cut(self.text, 1000) + (f"\n    {self._line()}" if self.source.strip() else "")

    def _line(self) -> str:
        """What stands around the place, of a long line."""
        half = MOST_SHOWN // 2
        at = max(0, min(self.column - 1 - half, len(self.source) - MOST_SHOWN))
        shown = self.source[at:at + MOST_SHOWN]
        return ("" if at == 0 else "..") + shown.strip() + ("" if at + MOST_SHOWN >= len(self.source) else "..")


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


class ArgumentError(VinculumError, ValueError, TypeError):
    """What is wrong with an argument: a value out of range, a shape or a kind that is not asked for, a name nothing has.

    It is a `ValueError` and a `TypeError`, so that either catches it. The message tells which argument, what it is, and
    what is accepted.

    >>> try:
    ...     vn.examples.pendulum().run(untl=1)
    ... except vn.ArgumentError as error:
    ...     print(error)
    there is no parameter and no option 'untl' (did you mean 'until'?)
    """


class ExpressionError(ArgumentError):
    """An expression that cannot be written as it was asked for.

    >>> try:
    ...     bool(vn.Expr("x") < 1)
    ... except vn.ExpressionError as error:
    ...     print("vn.where" in str(error))
    True
    """


class RefusedError(ArgumentError):
    """What the engine refuses: a value no parameter can have, a time the motion does not cover.

    >>> try:
    ...     vn.examples.pendulum().run(until=1, dense_output=True).sol(2)
    ... except vn.RefusedError as error:
    ...     print("error")
    error
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


#: How the command line says something, and how Python does.
_IN_PYTHON: list[tuple[re.Pattern[str], str]] = [(re.compile(said), meant) for said, meant in (
    (r"\(--assemble applies it\)", "(assemble=True applies it)"),
    (r": --assemble (closes|goes)", r": run(assemble=True) \1"),
    (r"\(--closure\)", "(closure=..)"),
    (r"--closure 0\b", "closure=0"),
    (r"give it (one )?by --set ([\w.]+)=\.\.", r"give it \1by parameters={'\2': ..}"),
    (r"--set ([\w.]+) is given twice", r"parameter '\1' is given twice"),
    (r"--set ([\w.]+)=(\S*)", r"parameters={'\1': \2}"),
    (r"--json (ha[sv]e? )", r".json \1"),
    (r"\bsee --json", "see .json"),
    (r"the file is empty; 'vinculum new' writes a model to start from",
     "the model states nothing: m.coordinate('x'), m.mass('x', 1) would be a beginning, and vn.examples has whole ones"),
    (r"only 'derive' does without one", "only equations() and derive() do without one"),
    (r"[wW]ritten in C\+\+", "written in Python"),
    (r"'vinculum (\w+) ", r"'python -m vinculum \1 "),
)]

MOST_SHOWN = 200  #: characters of a value or of a line in a message


def in_python(text: str) -> str:
    """What the engine says, with the words of Python for those of the command line."""
    if "--" in text or "C++" in text or "vinculum" in text or "'derive'" in text:
        for said, meant in _IN_PYTHON:
            text = said.sub(meant, text)
    return text


def cut(text: str, most: int = MOST_SHOWN) -> str:
    """A text in a message: its beginning and its end where it is long."""
    return text if len(text) <= most else f"{text[:most * 2 // 3]} .. {text[-most // 3:]}"


def told(value: Any) -> str:
    """What a value is, for a message."""
    try:
        if hasattr(value, "__array_interface__") and value.ndim > 0:
            return f"an array of {value.dtype}"
        return f"{type(value).__name__} {cut(repr(value), 80)}"
    except Exception:  # what cannot tell what it is, or is too deep to
        return f"a {type(value).__name__}"


class _Returned(threading.local):
    """What functions of Python's have returned last in this thread that is no finite number."""

    def __init__(self) -> None:
        self.by: dict[str, str] = {}


returned = _Returned()


def unsolved(status: str, reason: str, names: Sequence[str], time: float) -> MotionError:
    reason = in_python(reason)
    if status == "not_finite" and returned.by:
        reason += "; " + "; ".join(returned.by.values())
        returned.by.clear()
    return _OF_STATUS.get(status, MotionError)(reason, status=status, names=names, time=time)


def refused(text: str, file: str, line: int, column: int) -> VinculumError:
    text = in_python(text)
    return ModelError([Fault(text, file, line, column)]) if line else RefusedError(text)
