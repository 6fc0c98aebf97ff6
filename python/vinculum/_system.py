"""Compiled models: an instant, many instants, a motion."""

from __future__ import annotations

import functools
import json
import numbers as numbers_
import operator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._check import Assembly, Check
from ._errors import ArgumentError, NotFiniteError, RefusedError, VinculumError, cut, in_python, told, unsolved
from ._expression import Expr

if TYPE_CHECKING:
    from ._model import Model
    from ._motion import Motion

__all__ = ["System", "Instant", "Certificate"]

Array = NDArray[np.float64]

_ndarray = np.ndarray  # found without asking a module for it: what a small system's acceleration takes is a microsecond

#: What `run` takes beside parameters: for those who slip.
RUN_WORDS = ("until", "q", "v", "t", "rtol", "atol", "method", "step", "t_eval", "samples", "closure", "dense_output",
             "assemble", "progress", "on_failure", "events", "parameters", "road")

ROADS = ("automatic", "fast", "robust", "lagrange", "gauss")

MOST_SAMPLES = 10_000_000  #: as in model files

#: Names of methods as SciPy has them, and ours.
METHODS = {"DOP853": "dop853", "RK45": "dopri5", "RADAU": "radau5", "RK4": "rk4", "TAYLOR": "taylor",
           "EXTRAPOLATION": "extrapolation", "AUTO": "auto"}


def numbers(what: str, value: ArrayLike, shape: tuple[int | None, ...], finite: bool = True) -> Array:
    """An array of this shape in one piece, or what is wrong with it. Whether its numbers are finite may be looked at later."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ArgumentError(f"{what} has masked numbers, and must have them all: {what.split()[-1]}.filled(..) fills them")
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":
            array = _of_objects(array)
        if array.dtype.kind not in "fiu":
            raise ValueError
        array = np.asarray(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{what} must be real numbers, not {told(value)}") from None
    wanted = tuple("any" if n is None else n for n in shape)
    if array.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, array.shape)):
        raise ArgumentError(f"{what} has the shape {array.shape}; it should be ({', '.join(map(str, wanted))})")
    if finite and not _core.all_finite(array.reshape(-1)):
        place = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise ArgumentError(f"{what}{list(place) if place else ''} is {array[place]}, and must be finite")
    return array


def _of_objects(array: np.ndarray[Any, Any]) -> Array:
    """Fractions, decimals, long integers."""
    if any(isinstance(one, (bool, np.bool_)) or not isinstance(one, (numbers_.Real, Decimal)) for one in array.flat):
        raise ValueError
    return array.astype(np.float64)


def names_of(what: str, names: Any) -> list[str]:
    """Names, or what has one: a text alone is none of several."""
    if isinstance(names, (str, Mapping)) or not isinstance(names, Iterable) or getattr(names, "ndim", 1) == 0:
        raise ArgumentError(f"{what} must be a list of names, not {told(names)}")
    listed = list(names)
    for one in listed:
        if not isinstance(one, (str, Expr)):
            raise ArgumentError(f"{what} must be a list of names, and {told(one)} is none")
    return [str(one) for one in listed]


def _require_out(out: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64 \
            or not out.flags.c_contiguous or not out.flags.writeable or not out.flags.aligned:
        wanted = f"{shape[0]}" if len(shape) == 1 else f"({', '.join(map(str, shape))})"
        raise ArgumentError(f"out must be a writeable array of {wanted} float64 in one piece, not {_shaped(out)}")


def _is_single(value: Any) -> bool:
    try:
        return np.ndim(value) == 0
    except ValueError:  # lists of several lengths
        return False


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _shaped(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return told(value)
    flags = value.flags
    return f"one of {value.shape} {value.dtype}" + ("" if flags.c_contiguous else ", in pieces") + (
        "" if flags.writeable else ", not writeable")


def _number(what: str, value: Any) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0 and not np.ma.is_masked(value):
        value = value.item()
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers_.Real, Decimal)):
        raise ArgumentError(f"{what} must be a number, not {told(value)}")
    try:
        return float(value)
    except (OverflowError, ValueError):
        raise ArgumentError(f"{what} must be a number, and {told(value)} has no place in 64 bits") from None


def _time(value: Any) -> float:
    time = _number("t", value)
    if not np.isfinite(time):
        raise ArgumentError(f"t is {time}, and must be finite")
    return time


def merged(parameters: Any, named: Mapping[str, Any], words: Sequence[str] = ()) -> dict[str, Any]:
    """Parameters given as a table and by name; `words` are names of options, which are no parameters."""
    if parameters is None:
        return dict(named)
    if not isinstance(parameters, Mapping):
        raise ArgumentError(f"parameters are given by name, {{'L': 2}}, not as {told(parameters)}")
    given: dict[str, Any] = {}
    for name, value in parameters.items():
        if not isinstance(name, (str, Expr)):
            raise ArgumentError(f"parameters are given by name, {{'L': 2}}, and {told(name)} is none")
        given[str(name)] = value
    for name in given:
        if name in named and name not in words:
            raise ArgumentError(f"parameter '{name}' is given twice: {name}={named[name]!r}, and {given[name]!r} in parameters")
    return {**given, **{name: value for name, value in named.items() if name not in words}}


class Certificate(Mapping[str, float]):
    """The checks of an instant by name, each a relative number: all are rounding where the answer is right.

    >>> c = vn.examples.pendulum().system().solve().certificate
    >>> max(c.values()) < 1e-14
    True
    """

    def __init__(self, checks: Mapping[str, float]):
        self._checks = dict(checks)

    def __getitem__(self, name: str) -> float:
        return self._checks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._checks)

    def __len__(self) -> int:
        return len(self._checks)

    def __repr__(self) -> str:
        return "Certificate(" + ", ".join(f"{k}={v:.1e}" for k, v in self._checks.items() if v is not None) + ")"


class Instant:
    """Everything the theory says about one state. Vectors are over velocities, or over rows, in the order of the system.

    >>> i = vn.examples.pendulum().system().solve([1, 0], [0, 2])
    >>> i.acceleration, i.multipliers, i.force["rod"]
    (array([-4.  , -9.81]), {'rod': -2.0}, array([-4.,  0.]))
    """

    def __init__(self, system: System, moment: _core.Moment, at: tuple[Array, Array, float, str]):
        self._system = system
        self._moment = moment
        self._at = at  # q, v, t, road
        self._said: dict[str, Any] | None = None

    def __reduce__(self) -> Any:
        return _solved, (self._system, *self._at)

    @property
    def json(self) -> dict[str, Any]:
        """The object of `vinculum explain --json`."""
        said: dict[str, Any] = json.loads(self._moment.json())
        return said

    @property
    def _told(self) -> dict[str, Any]:
        if self._said is None:
            self._said = self.json
        return self._said

    def _vector(self, key: str) -> Array:
        return np.array([np.nan if x is None else x for x in self._told[key]], dtype=float)

    def _matrix(self, key: str) -> Any:
        said = self._told[key]
        if isinstance(said, dict):  # large: entries that may differ from zero
            try:
                from scipy.sparse import coo_matrix
            except ImportError:
                raise VinculumError(f"{key} is too large for a full matrix; install scipy for a sparse one") from None
            return coo_matrix((said["value"], (said["row"], said["column"])), shape=(said["rows"], said["columns"]))
        width = len(self._system.velocity_names)
        return np.array(said, dtype=float).reshape(-1, width)

    @property
    def status(self) -> str:
        """"done": an instant without an answer is an exception."""
        return self._moment.status

    @property
    def acceleration(self) -> Array:
        """q'': nearest to the free one, in the norm of M, of all that satisfy the rows."""
        return self._vector("acceleration")

    @property
    def free_acceleration(self) -> Array:
        """a = M^-1 Q: the acceleration without constraints."""
        return self._vector("free_acceleration")

    @property
    def deviation(self) -> Array:
        """q'' - a: what the constraints change."""
        return self._vector("deviation")

    @property
    def dissatisfaction(self) -> Array:
        """e = b - A a: how far the free acceleration misses each row."""
        return self._vector("dissatisfaction")

    @property
    def constraint_force(self) -> Array:
        """The ideal force of all constraints, A^T lambda."""
        return self._vector("constraint_force")

    @property
    def nonideal_force(self) -> Array:
        """What of C gets through the constraints, friction included."""
        return self._vector("nonideal_force")

    @property
    def multipliers(self) -> dict[str, float]:
        """lambda by the names of rows; of least norm where they are not unique."""
        return dict(self._told["multipliers"]["values"])

    @property
    def multipliers_unique(self) -> bool:
        """Whether no row follows from others."""
        return bool(self._told["multipliers"]["unique"])

    @property
    def force(self) -> _Forces:
        """The ideal force of each constraint, by name: over velocities."""
        return _Forces(self._system, self._moment.force_of)

    @property
    def outputs(self) -> dict[str, float]:
        """The outputs of the model by name."""
        return dict(zip(self._system.output_names, self._moment.outputs().tolist()))

    @property
    def rank(self) -> int:
        """Of A: how many rows are independent."""
        return int(self._told["rank"])

    @property
    def gaussian(self) -> float:
        """Gauss's function (q'' - a)^T M (q'' - a), which the motion makes least."""
        return _or_nan(self._told["gaussian"])

    @property
    def energy(self) -> float:
        """Kinetic and potential energy together."""
        return _or_nan(self._told["energy"])

    @property
    def certificate(self) -> Certificate:
        """How well the answer satisfies what defines it."""
        return Certificate(self._told["certificate"])

    @property
    def M(self) -> Any:
        """The mass matrix; a sparse one of SciPy where it is large."""
        return self._matrix("mass")

    @property
    def Q(self) -> Array:
        """The impressed forces."""
        return self._vector("force")

    @property
    def A(self) -> Any:
        """The rows of the constraints, A q'' = b; a sparse matrix of SciPy where it is large."""
        return self._matrix("A")

    @property
    def b(self) -> Array:
        """The right side of the rows."""
        return self._vector("b")

    def explain(self) -> str:
        """The same as a page to read."""
        return in_python(self._moment.page())

    def __repr__(self) -> str:
        return f"<vinculum.Instant at t = {self._told['time']}, rank {self.rank}>"


class _Forces(Mapping[str, Array]):
    """Forces of constraints by their names."""

    def __init__(self, system: System, of: Any):
        self._numbers = {name: k for k, name in enumerate(system.constraint_names)}
        self._of = of

    def __getitem__(self, name: str) -> Array:
        if not isinstance(name, str) or name not in self._numbers:
            raise KeyError(f"there is no constraint '{name}'; constraints are: {', '.join(self._numbers) or 'none'}")
        made: Array = self._of(self._numbers[name])
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


#: What Model.run takes, and a system, which is compiled, does not.
_OF_MODELS = {"events": "it is compiled with those of its model; m.event('hit', x) before m.system(), or Model.run(events=..)"}


class System:
    """A compiled model. Constant, and safe to be used by many threads at once, or pickled for other processes.

    >>> s = vn.examples.pendulum().system()
    >>> s.coordinate_names
    ['x', 'y']
    >>> s.solve([1, 0], [0, 2]).acceleration
    array([-4.  , -9.81])
    """

    def __init__(self, read: _core.ReadModel, compiled: _core.Compiled):
        self._read = read
        self._compiled = compiled
        # Many share a system: what it gives away are copies.
        self._coordinates, self._velocities = tuple(compiled.coordinate_names), tuple(compiled.velocity_names)
        self._rows, self._outputs, self._events = tuple(compiled.row_names), tuple(compiled.output_names), tuple(compiled.event_names)
        self._constraints = tuple(one[0] for one in compiled.constraints)
        self._nq = len(self._coordinates)
        self._nv = len(self._velocities)
        self._quaternions = compiled.quaternions
        self._living: _core.Compiled | None = None
        self._begun: tuple[_core.Compiled, float, Array, Array] | None = None
        self._acceleration = compiled.acceleration
        self._model: Model | None = None  # where it has functions written in Python

    def __copy__(self) -> System:
        return self  # nothing changes it

    def __deepcopy__(self, memo: Any) -> System:
        return self

    def __reduce__(self) -> Any:
        """What makes the same system in another process: the text it was read from, and values of parameters."""
        values, overrides = self._compiled.parameters, tuple(self._read.overrides)
        if self._model is not None:
            return _of_model, (self._model, overrides, values)
        return _of_text, (self._read.text, self._read.path, overrides, values)

    def __repr__(self) -> str:
        return f"<vinculum.System of {self._nv} velocities and {len(self._rows)} rows>"

    @property
    def coordinate_names(self) -> list[str]:
        """The names of its coordinates, q, in their order."""
        return list(self._coordinates)

    @property
    def velocity_names(self) -> list[str]:
        """The names of its velocities, v, in their order."""
        return list(self._velocities)

    @property
    def row_names(self) -> list[str]:
        """The names of its rows of the constraints, and of their multipliers, in their order."""
        return list(self._rows)

    @property
    def output_names(self) -> list[str]:
        """The names of its outputs, in their order."""
        return list(self._outputs)

    @property
    def event_names(self) -> list[str]:
        """The names of its events, in their order."""
        return list(self._events)

    @property
    def constraint_names(self) -> list[str]:
        """The names of its constraints, in their order."""
        return list(self._constraints)

    # --- parameters
    @property
    def parameters(self) -> dict[str, float]:
        """The values of all parameters by name, of those that are made of others too."""
        return self._compiled.all_parameters

    def with_parameters(self, parameters: Mapping[str, float] | None = None, /, **named: float) -> System:
        """The same system with other values of parameters, as a table or by name. Nothing is compiled but for the first time.

        >>> s = vn.examples.pendulum().system()
        >>> s.with_parameters(g=1.62).solve([1, 0], [0, 0]).acceleration
        array([ 0.  , -1.62])
        """
        now = self._compiled.parameters
        values = merged(parameters, named)
        self._require_parameters(values)
        base, changed = self._compiled, dict(values)
        if not all(name in now for name in values):
            if self._living is None:
                self._living = _core.compile(self._read, self._read.parameter_names)
            base, changed = self._living, {**now, **values}
        made = System(self._read, base.with_values([(name, _number(name, value)) for name, value in changed.items()]))
        made._living = self._living
        return made

    def _require_parameters(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            if name not in self._read.parameter_names:
                if name in _OF_MODELS:
                    raise ArgumentError(f"a system has no '{name}': {_OF_MODELS[name]}")
                if name in self._read.parameters:
                    raise ArgumentError(f"parameter '{name}' is made of others, which can be changed; Model.run(parameters="
                                        f"{{'{name}': ..}}) states it anew")
                known = [*self._read.parameter_names, *RUN_WORDS]
                import difflib

                near = difflib.get_close_matches(name, known, 1)
                raise ArgumentError(f"there is no parameter and no option '{name}'"
                                    + (f" (did you mean '{near[0]}'?)" if near else f"; parameters are: "
                                       f"{', '.join(self._read.parameter_names) or 'none'}"))
            try:
                finite = np.isfinite(_number(name, value))
            except ArgumentError:
                finite = False
            if not finite:
                raise ArgumentError(f"parameter '{name}' is {told(value)}, and must be a finite number")

    def _for(self, parameters: Mapping[str, float]) -> System:
        return self.with_parameters(parameters) if parameters else self

    # --- states
    @property
    def start(self) -> tuple[float, Array, Array]:
        """t, q, v of the start: as stated, with joints moved to where they say they start.

        >>> t, q, v = vn.examples.pendulum().system().start
        """
        _, time, q, v = self._start()
        return time, q.copy(), v.copy()

    def _start(self) -> tuple[_core.Compiled, float, Array, Array]:
        """The same, with the system whose motion tells what is in the way where joints cannot be moved there."""
        if self._begun is None:
            time, q, v = self._compiled.start()
            in_joints = _core.started_in_joints(self._compiled)
            self._begun = (self._compiled, time, q, v) if in_joints is None else (in_joints[0], time, *in_joints[1:3])
        return self._begun

    @property
    def y0(self) -> Array:
        """(q, v) of the start: for solvers of differential equations.

        >>> vn.examples.pendulum().system().y0.shape
        (4,)
        """
        _, q, v = self.start
        return np.concatenate([q, v])

    def _require_unit_quaternions(self, q: Array) -> None:
        """What is computed of a state is of the state as it is: one that is far from any turn has no meaning."""
        for first in self._quaternions:
            length = float(np.linalg.norm(q[first:first + 4]))
            if not abs(length - 1) <= 0.01:
                body = self._coordinates[first].removesuffix(".qw")
                raise ArgumentError(f"the quaternion of '{body}', q[{first}:{first + 4}], has the length {length:.6g}, and turns by "
                                    "one of length 1: divide it by its length")

    def _state(self, q: ArrayLike | None, v: ArrayLike | None, t: float | None) -> tuple[Array, Array, float]:
        if q is None or v is None or t is None:
            time, start_q, start_v = self.start
            q = start_q if q is None else q
            v = start_v if v is None else v
            t = time if t is None else t
        return numbers("q", q, (self._nq,)), numbers("v", v, (self._nv,)), _time(t)

    # --- one instant
    def solve(self, q: ArrayLike | None = None, v: ArrayLike | None = None, t: float | None = None, *,
              road: str = "automatic", parameters: Mapping[str, float] | None = None, **named: float) -> Instant:
        """Everything about a state: the start's, where it is not said. Parameters may have other values, L=2 or
        parameters={"L": 2}.

        `road` is "automatic", or one of "fast", "robust", "lagrange" and "gauss", which lead to the same.

        >>> s = vn.examples.pendulum().system()
        >>> s.solve([1, 0], [0, 2], g=0, road="gauss").acceleration.round(12).tolist()
        [-4.0, 0.0]
        """
        if not isinstance(road, str):
            raise ArgumentError(f"road must be a word, not {told(road)}")
        if road not in ROADS:
            raise ArgumentError(f"road '{road}': roads are {', '.join(ROADS[:-1])} and {ROADS[-1]}")
        system = self._for(merged(parameters, named))
        at_q, at_v, at_t = system._state(q, v, t)
        self._require_unit_quaternions(at_q)
        moment = _core.Moment(system._compiled, at_q, at_v, at_t, road)
        if moment.status != "done":
            raise unsolved(moment.status, moment.reason, moment.names, at_t)
        return Instant(system, moment, (at_q, at_v, at_t, road))

    def acceleration(self, q: Any, v: Any, t: float = 0.0, out: Array | None = None) -> Array:
        """q'' alone, as fast as it can be had; into `out` where it is given.

        >>> s = vn.examples.pendulum().system()
        >>> out = np.empty(2)
        >>> s.acceleration(np.array([1.0, 0.0]), np.array([0.0, 2.0]), 0.0, out) is out
        True
        >>> out
        array([-4.  , -9.81])
        """
        if out is None:
            out = np.empty(self._nv)
        # What is of another kind, masked or no number takes the longer way, on which what is wrong with it is told.
        if type(q) is _ndarray and type(v) is _ndarray:
            try:
                self._acceleration(q, v, t, out)
                return out
            except RefusedError:  # which says what is wrong
                raise
            except (TypeError, NotFiniteError):
                pass
        _require_out(out, (self._nv,))
        self._acceleration(*self._state(q, v, t), out)
        return out

    def accelerations(self, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, out: Array | None = None,
                      parameters: Mapping[str, ArrayLike] | None = None, **named: ArrayLike) -> Array:
        """q'' of many states: a state a row. Eight at a time, and other threads go on meanwhile.

        Parameters may have one value, or one for each state; states with equal values are computed together.

        >>> s = vn.examples.pendulum().system()
        >>> q, v = np.tile([1.0, 0.0], (3, 1)), np.zeros((3, 2))
        >>> s.accelerations(q, v, g=[9.81, 1.62, 3.71])
        array([[ 0.  , -9.81],
               [ 0.  , -1.62],
               [ 0.  , -3.71]])
        """
        states = numbers("q", q, (None, self._nq), finite=False)
        velocities = numbers("v", v, (len(states), self._nv), finite=False)
        times = numbers("t", t, () if _is_single(t) else (None,))
        if times.ndim == 0:
            times = times.reshape(1)
        elif len(times) != len(states):
            raise ArgumentError(f"t has the shape {times.shape}; it should be one number, or ({len(states)})")
        if out is None:
            out = np.empty((len(states), self._nv))
        else:
            _require_out(out, (len(states), self._nv))
        into = np.empty_like(out) if any(np.may_share_memory(out, one) for one in (states, velocities, times)) else out
        given = merged(parameters, named)
        single = {name: value for name, value in given.items() if _is_single(value)}
        many = {name: numbers(f"parameter '{name}'", value, (len(states),)) for name, value in given.items()
                if name not in single}
        system = self._for(single)
        try:
            if many:
                system._accelerations_of(states, velocities, times, many, into)
            else:
                system._compiled.accelerations(states, velocities, times, into)
        except VinculumError:  # which may come from numbers that are not finite
            numbers("q", states, (None, self._nq))
            numbers("v", velocities, (len(states), self._nv))
            raise
        if into is not out:
            out[:] = into
        return out

    def _accelerations_of(self, q: Array, v: Array, t: Array, parameters: dict[str, Array], out: Array) -> None:
        if len(q) == 0:
            return
        system = self.with_parameters({name: float(values[0]) for name, values in parameters.items()})
        table = np.stack(list(parameters.values()), axis=1)
        order = np.lexsort(table.T[::-1]).astype(np.int64)
        if bool(np.all(order[1:] > order[:-1])):  # they stand side by side already
            system._compiled.accelerations_of(q, v, t, list(parameters), table, order, out)
            return
        found = np.empty_like(out)
        system._compiled.accelerations_of(q.take(order, axis=0), v.take(order, axis=0), t if len(t) == 1 else t[order],
                                          list(parameters), table.take(order, axis=0), order, found)
        out[order] = found

    def rhs(self, t: float, y: Any) -> Array:
        """y' of y = (q, v), for solvers of differential equations.

        A solver leaves the constraints by its own error, and rows that depend on others contradict them there: of systems
        with such rows y' is that of the nearest state on the constraints.

        >>> from scipy.integrate import solve_ivp
        >>> s = vn.examples.pendulum().system()
        >>> solve_ivp(s.rhs, (0, 1), s.y0).success
        True
        """
        out = np.empty(self._nq + self._nv)
        if type(y) is _ndarray:
            try:
                self._compiled.rhs(t, y, out)
                return out
            except RefusedError:  # which says what is wrong
                raise
            except (TypeError, NotFiniteError):
                pass
        self._compiled.rhs(_time(t), numbers("y", y, (self._nq + self._nv,)), out)
        return out

    def energy(self, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> float:
        """Kinetic and potential energy of a state.

        >>> float(vn.examples.pendulum().system().energy([1, 0], [0, 2]))
        2.0
        """
        at_q, at_v, at_t = self._state(q, v, t)
        return self._compiled.energy(at_q, at_v, at_t)

    def residuals(self, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> tuple[Array, Array]:
        """How far a state misses its equations, row by row: of positions, and of velocities.

        >>> position, velocity = vn.examples.pendulum().system().residuals([1.1, 0], [0, 2])
        >>> float(position[0].round(12))
        0.21
        """
        at_q, at_v, at_t = self._state(q, v, t)
        position, velocity = self._compiled.residuals(at_q, at_v, at_t)
        return position, velocity

    # --- the start
    def assemble(self, q: ArrayLike | None = None, v: ArrayLike | None = None, t: float | None = None,
                 fixed: Sequence[str] = ()) -> Assembly:
        """The nearest state that satisfies the constraints; `fixed` are coordinates and velocities that stay.

        >>> vn.examples.pendulum().system().assemble([2, 0], [0, 0]).q
        array([1., 0.])
        """
        return Assembly(self, self._compiled.assemble(*self._state(q, v, t), names_of("fixed", fixed)))

    def check(self, q: ArrayLike | None = None, v: ArrayLike | None = None, t: float | None = None) -> Check:
        """Degrees of freedom, redundancy and contradiction by name, of a state, or of the start.

        >>> vn.examples.pendulum().system().check().fine
        True
        """
        compiled = self._start()[0] if q is None and v is None and t is None else self._compiled
        state = self._state(q, v, t)
        self._require_unit_quaternions(state[0])
        return Check(*compiled.check(*state))

    # --- the motion
    def run(self, until: float | None = None, *, q: ArrayLike | None = None, v: ArrayLike | None = None,
            t: float | None = None, rtol: float | None = None, atol: float | None = None, method: str | None = None,
            step: float | None = None, t_eval: ArrayLike | None = None, samples: int | None = None,
            closure: float | None = None, dense_output: bool = False, assemble: bool = False, progress: Any = False,
            on_failure: str = "raise", parameters: Mapping[str, float] | None = None, **named: float) -> Motion:
        """The motion from the start (or from q, v, t) to `until`.

        rtol, atol: the error asked for, relative to the size of the motion, and one that does no harm whatever that is.
        method: "auto", or one of `vinculum.integrators()`; SciPy's DOP853, RK45 and Radau are understood.
        t_eval: instants to record (and where an event stops the run); `samples` of them, equally spaced; else every step
        is. Without `until` the run ends at the last of them.
        dense_output: `sol.sol(t)` gives the state at any time.
        assemble: the start is moved onto its constraints first.
        progress: True for a bar, or a function of (t, fraction, seconds_left, steps) that returns False to end the run.
        parameters: values by name, {"L": 2}; or L=2, where no option is called so.
        on_failure: "raise" a MotionError where the motion ends early (its `motion` is what was computed), or "return".
        Ctrl-C ends a run and keeps what is done: `sol.status` is "cancelled".

        >>> s = vn.examples.pendulum().system()
        >>> s.run(1, t_eval=[0, 0.5, 1]).t
        array([0. , 0.5, 1. ])
        """
        from ._motion import Motion, computed

        require_ways(on_failure, {"dense_output": dense_output, "assemble": assemble}, progress)
        system = self._for(merged(parameters, named))
        how = _how(system, until, rtol, atol, method, step, t_eval, samples, closure)
        return computed(Motion, system, (q, v, t), how, progress, bool(dense_output), bool(assemble), on_failure)


@functools.lru_cache(maxsize=8)
def _compiled_again(text: str, path: str, overrides: tuple[tuple[str, str], ...], living: tuple[str, ...]) -> System:
    from ._model import loads

    return loads(text, path).system(dict(overrides), living=living)


def _of_text(text: str, path: str, overrides: tuple[tuple[str, str], ...], values: dict[str, float]) -> System:
    """A system that was pickled. Those that come again and again are compiled once."""
    system = _compiled_again(text, path, overrides, tuple(values))
    return system.with_parameters(values) if values else system


def _of_model(model: Model, overrides: tuple[tuple[str, str], ...], values: dict[str, float]) -> System:
    system = model.system(dict(overrides), living=tuple(values))
    return system.with_parameters(values) if values else system


def _solved(system: System, q: Array, v: Array, t: float, road: str) -> Instant:
    return system.solve(q, v, t, road=road)


def require_ways(on_failure: Any, truths: Mapping[str, Any], progress: Any) -> None:
    if not isinstance(on_failure, str) or on_failure not in ("raise", "return"):
        raise ArgumentError(f"on_failure is 'raise' or 'return', not {on_failure!r}")
    for name, value in truths.items():
        if not isinstance(value, (bool, np.bool_)):
            raise ArgumentError(f"{name} is True or False, not {told(value)}")
    if not (progress is None or isinstance(progress, (bool, np.bool_)) or callable(progress)):
        raise ArgumentError(f"progress is True, False or a function, not {told(progress)}")


def _how(system: System | None, until: float | None, rtol: float | None, atol: float | None, method: str | None,
         step: float | None, t_eval: ArrayLike | None, samples: int | None, closure: float | None) -> dict[str, Any]:
    how: dict[str, Any] = {}
    for word, name, value, low, high in (("rtol", "tolerance", rtol, 0, 1), ("atol", "absolute_tolerance", atol, 0, np.inf),
                                         ("step", "step", step, 0, np.inf)):
        if value is None:
            continue
        number = _number(word, value)
        if not low < number < high:
            raise ArgumentError(f"{word} is {number:g}; it must lie between {low} and {high}")
        how[name] = number
    if closure is not None:
        number = _number("closure", closure)
        if not 0 <= number < 1:
            raise ArgumentError(f"closure is {number:g}; it must lie between 0 and 1")
        how["closure"] = number
    if samples is not None:
        if isinstance(samples, (bool, np.bool_, np.ndarray)) or not hasattr(samples, "__index__"):
            raise ArgumentError(f"samples must be a whole number, not {told(samples)}")
        count = operator.index(samples)
        if not 0 <= count <= MOST_SAMPLES:
            raise ArgumentError(f"samples is {cut(str(samples), 40)}; it must lie between 0 (every step) and {MOST_SAMPLES}")
        how["samples"] = count
    if method is not None:
        word = METHODS.get(str(method).upper(), str(method)) if isinstance(method, str) else ""
        if word not in _core.integrators():
            raise ArgumentError(f"method {method!r} is not known; methods are {', '.join(_core.integrators())}")
        how["integrator"] = word
    if t_eval is not None:
        times = numbers("t_eval", t_eval, (None,))
        if len(times) == 0:
            raise ArgumentError("t_eval is empty")
        if until is None:
            until = float(times[-1])
        how["instants"] = times.tolist()
    if until is None and system is None:
        return how
    if until is None and system is not None:
        until = system._compiled.settings["until"]
        if until is None:
            raise ArgumentError("the model does not say until when: run(until=..)")
    end = _number("until", until)
    if not np.isfinite(end):
        raise ArgumentError(f"until is {end}; it must be a finite time")
    how["until"] = end
    return how
