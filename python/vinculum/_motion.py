"""Motions: what was recorded along them, what happened on the way, and why they ended."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import ArgumentError, MotionError, VinculumError, in_python, told, unsolved
from ._expression import Expr
from ._system import Array, System, _Forces, _is_single, numbers

__all__ = ["Motion", "Event"]


class Event(NamedTuple):
    """A zero of an event: its name, its time, whether the expression rises there, and the state.

    >>> m = vn.Model()
    >>> y = m.coordinate("y", start=5)
    >>> m.mass(y, 1); m.force(y, -10)
    >>> m.event("ground", y)
    >>> e = m.run(until=2).events[0]
    >>> e.name, round(e.time, 12), e.rising
    ('ground', 1.0, False)
    """

    name: str
    time: float
    rising: bool
    q: Array
    v: Array


class _ByName(Mapping[str, Array]):
    """Columns of a table by name."""

    def __init__(self, names: list[str], table: Array):
        self._names = names
        self._table = table

    def __getitem__(self, name: str) -> Array:
        if not isinstance(name, str) or name not in self._names:
            raise KeyError(f"there is no '{name}'; there are: {', '.join(self._names) or 'none'}")
        return self._table[:, self._names.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"{{{', '.join(repr(name) for name in self._names)}}} over {len(self._table)} instants"


class Motion:
    """A computed motion, with the habits of SciPy's `solve_ivp` and names beside them.

    `t` are the recorded times, `y[i]` is the i-th of (q, v) along them; `sol["x"]` is a coordinate, velocity, output or
    multiplier by its name. `status` is "done", "event", "cancelled" or why it ended early, `message` says it in a sentence,
    `notes` tell every fallback, and `nfev`, `steps`, `rejected` what it took.

    >>> sol = vn.examples.pendulum().run(until=1, samples=5)
    >>> sol.t
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> sol["x"].shape, sol.y.shape
    ((5,), (4, 5))
    """

    def __init__(self, system: System, motion: _core.Motion, dense: bool, from_start: bool = True):
        self.system = system
        self._motion = motion
        self._dense = dense
        self._first = 0 if from_start else 1  # the start is recorded, and may not have been asked for
        self._tables: dict[str, Array] = {}
        self.status: str = motion.stop  #: "done", "event", or why it ended early
        self.success: bool = self.status in ("done", "event")
        self.message: str = in_python(motion.reason) or "the end was reached"
        self.t: Array = _fixed(motion.times[self._first:])
        self.notes: list[str] = [in_python(one) for one in motion.notes]  #: every fallback, and every change made to what was asked
        self.nfev: int = motion.evaluations
        self.steps: int = motion.steps
        self.rejected: int = motion.rejected

    def __reduce__(self) -> Any:
        raise TypeError("a motion stays in the process that computed it: hand over what is needed of it, sol.y, "
                        "sol['x'] or sol.to_pandas()")

    def __repr__(self) -> str:
        reached = f"t = {self.t[-1]:g}" if len(self.t) else "nothing"
        return f"<vinculum.Motion {self.status}: {reached}, {len(self.t)} instants>"

    def _table(self, name: str) -> Array:
        if name not in self._tables:
            self._tables[name] = _fixed(self._motion.table(name)[self._first:])
        return self._tables[name]

    # --- along it
    @property
    def q(self) -> Array:
        """Coordinates: q[i] along t."""
        return self._table("q").T

    @property
    def v(self) -> Array:
        """Velocities: v[i] along t."""
        return self._table("v").T

    @property
    def y(self) -> Array:
        """Coordinates and velocities, as in `solve_ivp`."""
        return np.concatenate([self.q, self.v])

    @property
    def acceleration(self) -> Array:
        """Accelerations, one for each velocity."""
        return self._table("acceleration").T

    @property
    def constraint_force(self) -> Array:
        """The ideal force of all constraints, on each velocity."""
        return self._table("constraint_force").T

    @property
    def nonideal_force(self) -> Array:
        """What of C got through the constraints, friction included, on each velocity."""
        return self._table("nonideal_force").T

    @property
    def multipliers(self) -> Mapping[str, Array]:
        """lambda of every row along t, by name."""
        return _ByName(self.system.row_names, self._table("multipliers"))

    @property
    def outputs(self) -> Mapping[str, Array]:
        """Outputs along t, by name."""
        return _ByName(self.system.output_names, self._table("outputs"))

    @property
    def force(self) -> _Forces:
        """The ideal force of each constraint by name: force["rod"][i] on velocity i, along t.

        >>> sol = vn.examples.pendulum().run(until=1, samples=3)
        >>> sol.force["rod"].shape
        (2, 3)
        """
        return _Forces(self.system, lambda k: self._motion.force_of(k)[self._first:].T)

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy along t."""
        return self._motion.energies[self._first:]

    @property
    def rank(self) -> NDArray[np.int_]:
        """Of A along t; -1 where it was not looked at."""
        return np.array(self._motion.ranks[self._first:], dtype=int)

    @property
    def residuals(self) -> dict[str, tuple[float, float, float]]:
        """The worst miss of every constraint: of position, velocity and acceleration.

        >>> vn.examples.pendulum().run(until=1).residuals["rod"][0] < 1e-14
        True
        """
        return self._motion.residuals

    def names(self) -> list[str]:
        """Everything that sol[name] knows; of one name for several things a coordinate comes first, then a velocity, an
        output, a row: `sol.outputs[name]` and its like tell them apart.

        >>> vn.examples.pendulum().run(until=1).names()[:4]
        ['t', 'energy', 'x', 'y']
        """
        s = self.system
        return ["t", "energy", *s.coordinate_names, *s.velocity_names, *s.output_names, *_vectors(s.output_names),
                *s.row_names]

    def keys(self) -> list[str]:
        """The same as `names`: a motion is a table of its quantities, `"x" in sol`, `for name in sol`, `dict(sol)`.

        >>> sol = vn.examples.pendulum().run(until=1, samples=3)
        >>> "x" in sol, "z" in sol, sorted(dict(sol))[:2]
        (True, False, ['energy', 'rod'])
        """
        return self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self.names()))

    def __len__(self) -> int:
        return len(set(self.names()))

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    def __getitem__(self, name: str) -> Array:
        s = self.system
        name = str(name) if isinstance(name, Expr) else name
        if not isinstance(name, str):
            raise KeyError(f"quantities are found by name, sol['x'], not by {name!r}; sol.y[0] is the first of y")
        if name == "t":
            return self.t
        if name == "energy":
            return self.energy
        for names, table in ((s.coordinate_names, "q"), (s.velocity_names, "v"), (s.output_names, "outputs"),
                             (s.row_names, "multipliers")):
            if name in names:
                return self._table(table)[:, names.index(name)]
        for names, table in ((s.coordinate_names, "q"), (s.output_names, "outputs")):
            places = [names.index(f"{name}.{k}") for k in "xyz" if f"{name}.{k}" in names]
            if len(places) == 3:
                return self._table(table)[:, places]
        if name.endswith("''") and name[:-1] in s.velocity_names:
            return self._table("acceleration")[:, s.velocity_names.index(name[:-1])]
        import difflib

        near = difflib.get_close_matches(name, self.names(), 1)
        raise KeyError(f"the motion has no '{name}'" + (f" (did you mean '{near[0]}'?)" if near else ""))

    def sol(self, t: ArrayLike) -> Array:
        """(q, v) at any time it covers; for many times an array of (numbers, times).

        >>> motion = vn.examples.pendulum().run(until=1, dense_output=True)
        >>> motion.sol(0.3).shape, motion.sol([0.3, 0.4, 0.5]).shape
        ((4,), (4, 3))
        """
        if not self._dense:
            raise VinculumError("between its steps a motion is known with run(.., dense_output=True)")
        times = numbers("t", t, () if _is_single(t) else (None,))
        found: Array = self._motion.at(times.reshape(-1)).T
        return found[:, 0] if times.ndim == 0 else found

    @property
    def events(self) -> list[Event]:
        """In order of time, the stopping one included: see `Event`."""
        return [Event(*one) for one in self._motion.events]

    @property
    def t_events(self) -> dict[str, Array]:
        """The times of every event, by its name.

        >>> vn.examples.pendulum().run(until=3, events={"side": "x"}).t_events["side"].size
        3
        """
        found: dict[str, list[float]] = {name: [] for name in self.system.event_names}
        for event in self.events:
            found.setdefault(event.name, []).append(event.time)
        return {name: np.array(times) for name, times in found.items()}

    @property
    def y_events(self) -> dict[str, Array]:
        """The states (q, v) of every event, by its name, one a row."""
        found: dict[str, list[Array]] = {name: [] for name in self.system.event_names}
        for event in self.events:
            found.setdefault(event.name, []).append(np.concatenate([event.q, event.v]))
        return {name: np.array(states) for name, states in found.items()}

    # --- what is said of it
    @property
    def json(self) -> dict[str, Any]:
        """The object of `vinculum run --json`."""
        said: dict[str, Any] = json.loads(self._motion.json())
        return said

    def summary(self) -> str:
        """What `vinculum run` prints.

        >>> print(vn.examples.pendulum().run(until=1).summary().splitlines()[0])
        Done: t = 1 was reached
        """
        return in_python(self._motion.summary())

    def verify(self, thorough: bool = True) -> dict[str, Any]:
        """Computes it a second time, another way: on how many digits both agree.

        >>> vn.examples.pendulum().run(until=1).verify()["digits"]["x"] >= 8
        True
        """
        self._motion.verify(bool(thorough))
        said: dict[str, Any] = self.json["verification"]
        return said

    # --- to other places
    def _columns(self) -> dict[str, Array]:
        columns: dict[str, Array] = {"t": self.t}
        s = self.system
        columns["energy"] = self.energy
        for names, table, told in ((s.coordinate_names, "q", "{}"), (s.velocity_names, "v", "{}"),
                                   (s.output_names, "outputs", "{}"), (s.row_names, "multipliers", "multiplier({})")):
            for k, name in enumerate(names):
                column = told.format(name)
                if column in columns:  # one name for two things
                    column = f"{table[:-1] if len(table) > 1 else table}({name})"
                columns[column] = self._table(table)[:, k]
        return columns

    def to_pandas(self) -> Any:
        """A DataFrame over t.

        >>> list(vn.examples.pendulum().run(until=1).to_pandas().columns)[:3]
        ['energy', 'x', 'y']
        """
        import pandas

        columns = self._columns()
        return pandas.DataFrame({k: v for k, v in columns.items() if k != "t"}, index=pandas.Index(columns["t"], name="t"))

    def to_xarray(self) -> Any:
        """A Dataset over t.

        >>> vn.examples.pendulum().run(until=1, samples=5).to_xarray()["x"].dims
        ('t',)
        """
        import xarray

        columns = self._columns()
        return xarray.Dataset({k: ("t", v) for k, v in columns.items() if k != "t"}, coords={"t": columns["t"]})

    def save(self, path: str | os.PathLike[str]) -> None:
        """The recorded instants: `.csv` or `.h5` (needs h5py) as `vinculum run --out` writes them, or `.npz`.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/run.npz"
        >>> vn.examples.pendulum().run(until=1, samples=5).save(path)
        >>> np.load(path)["t"]
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
        """
        place = place_of("path", path)
        kind = place.suffix.lower()
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(place.parent))
        if kind == ".csv":
            self._motion.write_csv(str(place), self._first)
        elif kind in (".h5", ".hdf5"):
            self._save_hdf5(place)
        elif kind == ".npz":
            _write_npz(place, self._columns())
        else:
            raise ArgumentError(f"'{place}': files of results end with .csv, .h5 or .npz")

    def _save_hdf5(self, place: Path) -> None:
        from ._hdf5 import write

        write(place, self._motion, self._first, self.t)

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page of `vinculum run --report`; written to `path` where it is given.

        >>> vn.examples.pendulum().run(until=1).report()[:15].lower()
        '<!doctype html>'
        """
        page = self._motion.report()
        if path is not None:
            place_of("path", path).write_text(page, encoding="utf-8")
        return page

    def picture(self, path: str | os.PathLike[str] | None = None) -> str:
        """A small moving picture (SVG).

        >>> vn.examples.pendulum().run(until=1).picture()[:4]
        '<svg'
        """
        made = self._motion.picture()
        if path is not None:
            place_of("path", path).write_text(made, encoding="utf-8")
        return made

    def plot(self, *names: str, against: str = "t", ax: Any = None) -> Any:
        """Plots quantities by name with matplotlib; returns the axes.

        >>> import matplotlib; matplotlib.use("Agg")
        >>> vn.examples.pendulum().run(until=1).plot("x", "y").get_xlabel()
        't'
        """
        from matplotlib import pyplot

        if ax is None:
            ax = pyplot.gca()
        for name in names or tuple(self.system.coordinate_names):
            ax.plot(self[against], self[name], label=name)
        ax.set_xlabel(against)
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        from ._notebook import motion_html

        return motion_html(self)


def place_of(what: str, path: Any) -> Path:
    """Of a file."""
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"{what} is the place of a file, not {told(path)}")
    return Path(path)


def _write_npz(place: Path, columns: Mapping[str, Array]) -> None:
    """As `numpy.savez` does, which has names that no column may have, and an ending of its own."""
    import zipfile

    with zipfile.ZipFile(place, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, column in columns.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.ascontiguousarray(column), allow_pickle=False)


def _fixed(table: Array) -> Array:
    """What was computed is not changed through one of its views."""
    table.flags.writeable = False
    return table


def _vectors(names: list[str]) -> list[str]:
    return [name[:-2] for name in names if name.endswith(".x") and name[:-1] + "y" in names]


def computed(made: type[Motion], system: System, start: tuple[Any, Any, Any], how: dict[str, Any], progress: Any,
             dense: bool, assemble: bool, on_failure: str) -> Motion:
    """The motion, or the error that it ended with."""
    compiled = system._compiled
    if all(one is None for one in start):
        compiled = system._start()[0]
        if compiled is not system._compiled:
            system = System(system._read, compiled)
            system._begun = (compiled, *compiled.start())
    q, v, t = system._state(*start)
    if assemble:
        nearest = system.assemble(q, v, t)
        if not nearest.repaired:
            raise unsolved("start", nearest.text, nearest.fighting, t)
        q, v = nearest.q, nearest.v
    from_start = True
    if "instants" in how:
        from_start = how["instants"][0] == t
        how = {**how, "instants": _instants(how, t)}
        if not how["instants"]:
            how["until"] = t
    with _told(progress) as tell:
        motion = made(system, _core.Motion(compiled, t, q, v, how, tell, dense), dense, from_start)
    if motion.success or motion.status == "cancelled" or on_failure == "return":
        return motion
    raw = motion._motion
    error: MotionError = unsolved(motion.status, motion.message, raw.names, raw.last[0])
    error.motion = motion
    raise error


def _instants(how: dict[str, Any], t: float) -> list[float]:
    """In the order of the motion; the start is always recorded."""
    direction = 1 if how["until"] >= t else -1
    times = list(how["instants"])
    along = [direction * one for one in times]
    if any(b <= a for a, b in zip(along, along[1:])):
        raise ArgumentError("t_eval must go from the start to the end, each instant behind the one before")
    if along[0] < direction * t or along[-1] > direction * how["until"]:
        raise ArgumentError(f"t_eval goes from {times[0]} to {times[-1]}; the motion from {t} to {how['until']}")
    return times[1:] if times[0] == t else times


class _told:
    """What hears of the progress: nobody, a bar, or a function."""

    def __init__(self, progress: Any):
        self._progress = progress
        self._bar: Any = None

    def __enter__(self) -> Callable[..., Any] | None:
        if callable(self._progress):
            tell: Callable[..., Any] = self._progress
            return tell
        if not self._progress:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise VinculumError("progress=True needs tqdm: pip install tqdm; or give a function") from None
        self._bar = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}", leave=False)

        def tell_bar(t: float, fraction: float, seconds_left: float, steps: int) -> bool:
            self._bar.n = min(1.0, fraction)
            self._bar.set_postfix_str(f"t = {t:.4g}", refresh=False)
            self._bar.refresh()
            return True

        return tell_bar

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()
