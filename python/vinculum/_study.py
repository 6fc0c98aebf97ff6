"""Studies: many motions of one model, on all processors or wherever an executor computes."""

from __future__ import annotations

import concurrent.futures
import errno
import functools
import json
import operator
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import ArgumentError, VinculumError, cut, in_python, told
from ._expression import Expr
from ._motion import Motion, place_of
from ._system import Array, System, _how, _number, names_of, numbers

if TYPE_CHECKING:
    from ._model import Model

__all__ = ["Draw", "Member", "Study", "log_uniform", "normal", "uniform"]

#: The word of members that were not computed, as it is of motions.
CANCELLED = "cancelled"


#: What asks for a trajectory, and is its name: "x.samples".
SAMPLES = ".samples"


def trajectories_of(kept: list[str]) -> dict[str, tuple[list[int], Array]]:
    """Of "x@0", "x@0.1", .. the places, and the instants, by "x.samples"."""
    found: dict[str, tuple[list[int], list[float]]] = {}
    for place, name in enumerate(kept):
        of, mark, instant = name.rpartition("@")
        if mark:
            places, instants = found.setdefault(of + SAMPLES, ([], []))
            places.append(place)
            instants.append(float(instant))
    made = {}
    for name, (places, instants) in found.items():
        order = np.argsort(instants, kind="stable")
        made[name] = ([places[k] for k in order], np.array(instants)[order])
    return made


class Draw(NamedTuple):
    """What is drawn anew for each member of a study: made by `normal`, `uniform` and `log_uniform`.

    >>> vn.uniform(1, 2).kind
    'uniform'
    """

    kind: str
    a: float
    b: float

    def __repr__(self) -> str:
        return f"vn.{'log_uniform' if self.kind == 'log' else self.kind}({self.a:g}, {self.b:g})"


def normal(mean: float, deviation: float) -> Draw:
    """Drawn from a normal distribution.

    >>> vn.normal(1, 0.01)
    vn.normal(1, 0.01)
    """
    return Draw("normal", _number("mean", mean), _number("deviation", deviation))


def uniform(low: float, high: float) -> Draw:
    """Drawn between two numbers.

    >>> vn.uniform(0.1, 0.5)
    vn.uniform(0.1, 0.5)
    """
    return Draw("uniform", _number("low", low), _number("high", high))


def log_uniform(low: float, high: float) -> Draw:
    """Drawn between two positive numbers, with a logarithm that is uniform.

    >>> vn.log_uniform(1e-3, 1)
    vn.log_uniform(0.001, 1)
    """
    return Draw("log", _number("low", low), _number("high", high))


class _Columns(Mapping[str, Array]):
    """Columns of a table by name, a number for each member."""

    def __init__(self, names: list[str], table: Array):
        self._names = names
        self._table = table

    def __getitem__(self, name: str | Expr) -> Array:
        name = str(name) if isinstance(name, Expr) else name
        if not isinstance(name, str) or name not in self._names:
            raise KeyError(f"there is no {told(name)}; there are: {', '.join(self._names)}")
        return self._table[:, self._names.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"{{{', '.join(repr(name) for name in self._names)}}} of {len(self._table)} members"


class _Plan:
    """All that makes the members of a study, which can be pickled for other processes."""

    def __init__(self, model: Model, parameters: dict[str, Any], said: dict[str, Any], keep: list[str], how: dict[str, Any]):
        self.model = model
        self.parameters = parameters
        self.said = said
        self.keep = keep
        self.how = how
        self._members: _core.Members | None = None

    @property
    def members(self) -> _core.Members:
        if self._members is None:
            m = self.model
            functions = [(one.name, one.outputs(), one.values(), one.call) for one in m._functions]
            self._members = _core.Members(m.read(self.parameters), m._text_to_read(), m._includes, m.text, functions,
                                          self.said, self.keep, self.how)
        return self._members

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_members": None}

    @property
    def axes(self) -> list[tuple[str, Array]]:
        return list(self.said["axes"])

    @property
    def is_grid(self) -> bool:
        return bool(self.said["axes"]) and not self.said["draws"] and not self.said["table"][0]


#: What an executor hands back of some members: what is kept, how they ended, the reasons of the first that failed.
_Part = tuple[Array, NDArray[np.int8], list[tuple[int, str]]]


def _compute(members: _core.Members, first: int, last: int, threads: int, tell: Callable[..., Any] | None) -> _Part:
    kept = np.full((last - first, len(members.kept)), np.nan)
    codes = np.full(last - first, -1, dtype=np.int8)
    _, reasons = members.compute(first, last, threads, kept, codes, tell)
    return kept, codes, reasons


@functools.lru_cache(maxsize=4)
def _plan_again(pickled: bytes) -> _Plan:
    plan: _Plan = pickle.loads(pickled)
    plan.members  # compiled once
    return plan


def _part_of(pickled: bytes, first: int, last: int, threads: int) -> _Part:
    """Some members of a study in another process."""
    return _compute(_plan_again(pickled).members, first, last, threads, None)


class Member:
    """One member of a study: its number, what varies and what is kept of it, by name, and how it ended.

    >>> runs = vn.examples.pendulum().sweep(vary={"g": [1.6, 9.8]}, keep=["x.min"], until=1)
    >>> one = runs.member(1)
    >>> one.varied, one.status
    ({'g': 9.8}, 'done')
    """

    def __init__(self, study: Study, number: int):
        self._study = study
        self.number = number
        self._varied = {name: float(column[number]) for name, column in study.varied.items()}
        self._kept = {name: float(column[number]) for name, column in study.kept.items()}
        self.status: str = study._word(number)  #: "done", "event", or why it ended early; "cancelled" where it was not computed

    @property
    def varied(self) -> dict[str, float]:
        """Its values of what varies."""
        return dict(self._varied)

    @property
    def kept(self) -> dict[str, float]:
        """What is kept of it."""
        return dict(self._kept)

    @property
    def reason(self) -> str:
        """Why it did not reach its end, in a sentence; "" where it did. It is computed for that."""
        if self.status in ("done", "event"):
            return ""
        known = dict(self._study._reasons).get(self.number)
        return in_python(self._study._plan.members.reason_of(self.number) if known is None else known)

    def run(self, *, t_eval: ArrayLike | None = None, samples: int | None = None, dense_output: bool = False,
            progress: Any = False, on_failure: str = "raise") -> Motion:
        """Its motion, to the bit that of the study: what is recorded of it may be said, as in `Model.run`.

        >>> runs = vn.examples.pendulum().sweep(vary={"g": [1.6, 9.8]}, keep=["x"], until=1)
        >>> bool(runs.member(1).run()["x"][-1] == runs["x"][1])
        True
        """
        from ._motion import computed
        from ._system import require_ways

        require_ways(on_failure, {"dense_output": dense_output}, progress)
        plan = self._study._plan
        known = plan.model.read(plan.parameters)
        of_model = set(_core.parameters_among(known, list(self.varied)))
        values = {name: value for name, value in self.varied.items() if name in of_model}
        starts = [(name, value) for name, value in self.varied.items() if name not in of_model]
        # Its samples are those of what is kept.
        how = {key: value for key, value in plan.how.items() if key != "samples"}
        how["starts"] = [*how.get("starts", []), *starts]
        read, compiled, t, q, v, _ = _core.begun(plan.model.read({**plan.parameters, **values}), how)
        system = System(read, compiled)
        if plan.model._functions:
            system._model = plan.model.copy()
        # What the motion is told beside its model; `until` may be of the model, with these values.
        said = {key: value for key, value in how.items() if key not in ("starts", "assemble")}
        said.update(_how(system, said.get("until"), None, None, None, None, t_eval, samples, None))
        return computed(Motion, system, (q, v, t), said, progress, bool(dense_output), False, on_failure)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value:.6g}" for name, value in self.varied.items())
        return f"<vinculum.Member {self.number} ({values}): {self.status}>"


class Study:
    """The members of a study, and what is kept of them: `runs["L"]` and `runs["pull.max"]` are arrays over all members.

    `varied` and `kept` have them apart, `status` how each ended, `failed` the numbers of those that did not reach their end,
    `summary` counts, means and deviations. `print(runs)` is the page of `vinculum sweep`.

    >>> m = vn.examples.pendulum()
    >>> runs = m.sweep(vary={"g": [1.6, 3.7, 9.8]}, keep=["x", "energy"], until=1)
    >>> runs["g"], runs["x"].round(3)
    (array([1.6, 3.7, 9.8]), array([-0.708,  0.098,  0.986]))
    >>> len(runs), runs.failed.size, runs.complete
    (3, 0, True)
    """

    def __init__(self, plan: _Plan, kept: Array, codes: NDArray[np.int8], reasons: list[tuple[int, str]]):
        self._plan = plan
        self._trajectories = trajectories_of(plan.members.kept)
        self._kept = _fixed(kept)
        self._codes = _fixed(codes)
        self._reasons = reasons
        self._words: list[str] = [*_core.member_words(), CANCELLED]
        members = plan.members
        self._varied = _fixed(members.values(0, members.count))
        self.varied: Mapping[str, Array] = _Columns(members.names, self._varied)  #: what varies, by name
        self.kept: Mapping[str, Array] = _Columns(members.kept, self._kept)  #: what is kept, by name; nan where the end was not reached

    def __len__(self) -> int:
        return len(self._codes)

    def __repr__(self) -> str:
        told_ = [f"{len(self)} members"]
        if not self.complete:
            told_.append(f"{int((self._codes >= 0).sum())} computed")
        told_.append(f"{self.failed.size} failed" if self.failed.size else "all reached their end" if self.complete else "none failed")
        return f"<vinculum.Study {', '.join(told_)}>"

    def __str__(self) -> str:
        return in_python(self._told[1])

    # --- columns
    def names(self) -> list[str]:
        """Everything that runs[name] knows: what varies, then what is kept.

        >>> vn.examples.pendulum().sweep(vary={"g": [1, 2]}, keep=["x.max"], until=1).names()
        ['g', 'x.max']
        """
        return list(dict.fromkeys([*self.varied, *self.kept]))

    def keys(self) -> list[str]:
        """The same as `names`: `dict(runs)` has all columns."""
        return self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, (str, Expr)) and str(name) in self.names()

    def __getitem__(self, name: str | Expr) -> Array:
        name = str(name) if isinstance(name, Expr) else name
        if not isinstance(name, str):
            raise KeyError(f"columns are found by name, runs['L'], not by {told(name)}; runs.member(3) is a member")
        if name in self.varied and name in self.kept:
            raise KeyError(f"'{name}' varies, and is kept: runs.varied['{name}'] or runs.kept['{name}']")
        for columns in (self.varied, self.kept):
            if name in columns:
                return columns[name]
        if name in self._trajectories:
            return self._kept[:, self._trajectories[name][0]]
        import difflib

        near = difflib.get_close_matches(name, self.names(), 1)
        raise KeyError(f"the study has no '{cut(name)}'" + (f" (did you mean '{near[0]}'?)" if near else ""))

    def instants(self, name: str | Expr) -> Array:
        """The instants of a trajectory, of which `runs["x.samples"]` has a row for each member.

        >>> runs = vn.examples.pendulum().sweep(vary={"g": [1.6, 9.8]}, keep=["x.samples"], until=1, samples=5)
        >>> runs.instants("x"), runs["x.samples"].shape
        (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), (2, 5))
        """
        name = str(name).removesuffix(SAMPLES)
        if name + SAMPLES not in self._trajectories:
            there = ", ".join(known.removesuffix(SAMPLES) for known in self._trajectories)
            raise KeyError(f"no trajectory of '{cut(name)}' is kept" + (f"; there are those of {there}" if there else f": keep='{cut(name)}{SAMPLES}'"))
        return self._trajectories[name + SAMPLES][1].copy()

    # --- how members ended
    def _word(self, number: int) -> str:
        return self._words[int(self._codes[number])]

    @property
    def status(self) -> NDArray[np.str_]:
        """How each member ended: "done", "event", or why it ended early; "model" where no model has its values.

        >>> vn.examples.pendulum().sweep(vary={"g": [1, 2]}, until=1).status
        array(['done', 'done'], dtype='<U13')
        """
        return np.array(self._words)[self._codes]

    @property
    def failed(self) -> NDArray[np.int_]:
        """The numbers of the members that did not reach their end.

        >>> runs = vn.examples.pendulum().sweep(vary={"y": [0.5, 1.5]}, until=1)
        >>> runs.failed, runs.member(1).status
        (array([1]), 'model')
        """
        reached = [self._words.index(word) for word in ("done", "event")]
        return np.flatnonzero((self._codes >= 0) & ~np.isin(self._codes, reached))

    @property
    def complete(self) -> bool:
        """Whether all members were computed: Ctrl-C keeps those that were."""
        return bool((self._codes >= 0).all())

    @functools.cached_property
    def _told(self) -> tuple[str, str]:
        return self._plan.members.summary(self._kept, self._codes, self._reasons)

    @property
    def summary(self) -> dict[str, Any]:
        """The object of `vinculum sweep --json`: counts, what varies, means and deviations, the first that failed.

        >>> runs = vn.examples.pendulum().sweep(vary={"g": [1, 2, 3]}, keep=["energy"], until=1)
        >>> runs.summary["reached"], sorted(runs.summary["kept"]["energy"])
        (3, ['count', 'deviation', 'max', 'mean', 'min'])
        """
        said: dict[str, Any] = json.loads(self._told[0])
        return said

    # --- one of them
    def member(self, number: int) -> Member:
        """One member, counted from 0: its values, how it ended, its motion.

        >>> vn.examples.pendulum().sweep(vary={"g": [1.6, 9.8]}, until=1).member(0)
        <vinculum.Member 0 (g = 1.6): done>
        """
        if isinstance(number, (bool, np.bool_, np.ndarray)) or not hasattr(number, "__index__"):
            raise ArgumentError(f"a member has a number, and {told(number)} is none")
        place = operator.index(number)
        if not 0 <= place < len(self):
            raise ArgumentError(f"the study has members 0 to {len(self) - 1}, and no {cut(str(place), 40)}")
        return Member(self, place)

    def motion(self, number: int, **how: Any) -> Motion:
        """The motion of a member, to the bit that of the study: see `Member.run`.

        >>> runs = vn.examples.pendulum().sweep(vary={"g": [1.6, 9.8]}, keep=["x"], until=1)
        >>> runs.motion(1, samples=5).t
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
        """
        unknown = set(how) - {"t_eval", "samples", "dense_output", "progress", "on_failure"}
        if unknown:
            raise ArgumentError(f"a member's motion has no option {sorted(unknown)[0]!r}: t_eval, samples, dense_output, progress "
                                "and on_failure can be said; the rest is said of the study")
        return self.member(number).run(**how)

    # --- to other places
    def _columns(self) -> dict[str, Array]:
        """Of one name for two things it is that which varies."""
        columns = dict(self.varied)
        for name, column in self.kept.items():
            columns[f"kept({name})" if name in columns else name] = column
        return columns

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each member.

        >>> list(vn.examples.pendulum().sweep(vary={"g": [1, 2]}, keep=["x"], until=1).to_pandas().columns)
        ['g', 'x', 'status']
        """
        import pandas

        table = pandas.DataFrame(self._columns(), index=pandas.RangeIndex(len(self), name="member"))
        return table.assign(status=pandas.Categorical.from_codes(self._codes % len(self._words), self._words))

    def to_xarray(self) -> Any:
        """A Dataset: of a grid over what varies, else over members; trajectories over time, too.

        >>> runs = vn.examples.pendulum().sweep(vary={"g": [1, 2], "L": [1, 1.5, 2]}, keep=["energy"], until=1, assemble=True)
        >>> runs.to_xarray()["energy"].dims
        ('g', 'L')
        """
        import xarray

        columns: dict[str, Any] = {name: column for name, column in self._columns().items() if "@" not in name}
        axes = dict(self._plan.axes) if self._plan.is_grid else {"member": np.arange(len(self))}
        shape = tuple(len(values) for values in axes.values())
        made: dict[str, Any] = {name: (tuple(axes), column.reshape(shape))
                                for name, column in {**columns, "status": self.status}.items() if name not in axes}
        coords: dict[str, Any] = dict(axes)
        word = "instant" if "time" in columns else "time"
        shared: list[Array] = []  # instants: trajectories with the same have one dimension
        for name, (places, instants) in self._trajectories.items():
            number = next((k for k, known in enumerate(shared) if np.array_equal(known, instants)), len(shared))
            if number == len(shared):
                shared.append(instants)
            time = word if number == 0 else f"{word}{number + 1}"
            coords[time] = instants
            made[name] = ((*axes, time), self._kept[:, places].reshape(*shape, len(instants)))
        return xarray.Dataset(made, coords=coords)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file of `vinculum sweep --out`: by its ending CSV or HDF5 (needs h5py), of which `vinculum run MODEL
        --member K --of FILE.h5` shows a member.

        >>> import tempfile
        >>> runs = vn.examples.pendulum().sweep(vary={"g": [1, 2]}, keep=["x"], until=1)
        >>> path = tempfile.mkdtemp() + "/runs.csv"
        >>> runs.save(path)
        >>> open(path).readline()
        'member,g,x,status\\n'
        """
        place = place_of("path", path)
        kind = place.suffix.lower()
        if kind not in (".csv", ".h5", ".hdf5"):
            raise ArgumentError(f"'{place}': files of studies end with .csv or .h5")
        if not self.complete:
            raise VinculumError(f"{int((self._codes >= 0).sum())} of {len(self)} members were computed, and files have them all; "
                                "runs.to_pandas() has those")
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(place.parent))
        if kind == ".csv":
            self._plan.members.write_csv(str(place), self._kept, self._codes)
            return
        from ._hdf5 import write_study

        write_study(place, self._plan.members.record, self._told[0], self.varied, self.kept,
                    self._codes, _core.member_words())

    def plot(self, x: str, y: str, color: str | None = None, *, ax: Any = None, **how: Any) -> Any:
        """One column over another with matplotlib, coloured by a third; returns the axes. Where both are known of members that
        failed, crosses are these. What else is said goes to `scatter`.

        >>> import matplotlib; matplotlib.use("Agg")
        >>> runs = vn.examples.pendulum().sweep(random={"g": vn.uniform(1, 9)}, count=10, keep=["x.min"], until=1)
        >>> runs.plot("g", "x.min", color="g").get_ylabel()
        'x.min'
        """
        from matplotlib import pyplot

        across, up = self[x], self[y]
        shades = None if color is None else self[color]
        if ax is None:
            ax = pyplot.gca()
        fine = np.ones(len(self), dtype=bool)
        fine[self.failed] = False
        how.setdefault("s", 12)
        drawn = ax.scatter(across[fine], up[fine], c=None if shades is None else shades[fine], **how)
        if self.failed.size and np.isfinite(up[~fine]).any() and np.isfinite(across[~fine]).any():
            ax.scatter(across[~fine], up[~fine], marker="x", color="tab:red", s=20, label="failed")
            ax.legend()
        if shades is not None:
            ax.figure.colorbar(drawn, ax=ax, label=str(color))
        ax.set_xlabel(str(x))
        ax.set_ylabel(str(y))
        return ax


_Numbers = TypeVar("_Numbers", bound="np.ndarray[Any, Any]")


def _fixed(table: _Numbers) -> _Numbers:
    """What was computed is not changed through one of its views."""
    table.flags.writeable = False
    return table


# --- what is said of a study
def _by_name(what: str, said: Any, example: str) -> dict[str, Any]:
    if said is None:
        return {}
    if not isinstance(said, Mapping):
        raise ArgumentError(f"{what} is said by name, {example}, not as {told(said)}")
    for name in said:
        if not isinstance(name, (str, Expr)):
            raise ArgumentError(f"{what} is said by name, {example}, and {told(name)} is none")
    return {str(name): value for name, value in said.items()}


def _whole(what: str, value: Any, least: int, most: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_, np.ndarray)) or not hasattr(value, "__index__"):
        raise ArgumentError(f"{what} must be a whole number, not {told(value)}")
    number = operator.index(value)
    if not least <= number <= most:
        raise ArgumentError(f"{what} is {cut(str(number), 40)}; it must lie between {least} and {most}")
    return number


def _table(table: Any, columns: list[str]) -> tuple[list[str], Array]:
    """Names and values row by row, of a file, a DataFrame, a dictionary, an array with names."""
    if table is None:
        return [], np.empty(0)
    if isinstance(table, (str, os.PathLike)):
        return _table_of_file(place_of("table", table), columns)
    names = getattr(getattr(table, "dtype", None), "names", None) or getattr(table, "columns", None)
    if names is None and isinstance(table, Mapping):
        names = list(table)
    if names is None or not hasattr(table, "__getitem__"):
        raise ArgumentError(f"table is a file, a DataFrame or columns by name, {{'L': [1, 2]}}, not {told(table)}")
    known = {str(name): name for name in names}
    unknown = [name for name in columns if name not in known]
    if unknown:
        raise ArgumentError(f"the table has no column '{unknown[0]}'; its columns are {cut(', '.join(known))}")
    chosen = columns or list(known)
    made = [numbers(f"column '{name}' of the table", table[known[name]], (None,)) for name in chosen]
    if not made:
        raise ArgumentError("the table has no columns")
    for name, column in zip(chosen, made):
        if len(column) != len(made[0]):
            raise ArgumentError(f"column '{name}' of the table has {len(column)} numbers, and '{chosen[0]}' has {len(made[0])}")
    return chosen, np.stack(made, axis=1).reshape(-1)


def _table_of_file(place: Any, columns: list[str]) -> tuple[list[str], Array]:
    if not place.exists():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(place))
    if place.suffix.lower() in (".h5", ".hdf5"):
        from ._hdf5 import read_columns

        return _table(read_columns(place), columns)
    names, values = _core.read_table(str(place), columns)
    return names, values


def _said(vary: Any, random: Any, table: Any, columns: list[str]) -> dict[str, Any]:
    drawn = _by_name("random", random, "{'L': vn.normal(1, 0.01)}")
    for name, draw in drawn.items():
        if not isinstance(draw, Draw):
            raise ArgumentError(f"random '{cut(name)}' is vn.normal(mean, deviation), vn.uniform(low, high) or "
                                f"vn.log_uniform(low, high), not {told(draw)}")
    axes = _by_name("vary", vary, "{'m': [1, 2, 5]}")
    return {"table": _table(table, columns),
            "axes": [(name, numbers(f"vary '{cut(name)}'", values, (None,))) for name, values in axes.items()],
            "draws": [(name, *draw) for name, draw in drawn.items()]}


def _truth(what: str, value: Any) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise ArgumentError(f"{what} is True or False, not {told(value)}")


#: Names of options, for those that are nearly said.
WORDS = ("vary", "random", "table", "columns", "count", "seed", "sobol", "keep", "until", "rtol", "atol", "method", "step",
         "closure", "assemble", "start", "events", "parameters", "threads", "executor", "part", "progress",
         "samples")


def sweep(model: Model, vary: Any, random: Any, table: Any, columns: Any, count: Any, seed: Any, sobol: Any, keep: Any,
          motion: dict[str, Any], samples: Any, assemble: Any, start: Any, parameters: dict[str, Any], threads: Any, executor: Any,
          part: Any, progress: Any) -> Study:
    _truth("assemble", assemble)
    if sobol is not None:
        _truth("sobol", sobol)
    if not (progress is None or isinstance(progress, (bool, np.bool_)) or callable(progress)):
        raise ArgumentError(f"progress is True, False or a function, not {told(progress)}")
    for name in map(str, parameters):
        if name not in model.read().parameters:
            import difflib

            near = difflib.get_close_matches(name, [*model.parameters, *WORDS], 1)
            raise ArgumentError(f"there is no parameter and no option '{cut(name)}'" + (f" (did you mean '{near[0]}'?)" if near else ""))
    read = model.read(parameters)
    chosen = [] if columns is None else names_of("columns", columns)
    said = _said(vary, random, table, chosen)
    draws, seed = _whole("count", count, 1, 2**53), _whole("seed", seed, 0, 2**53)
    said = _core.study_with(read, said, draws, seed, None if sobol is None else bool(sobol), chosen if table is None else [])
    if not (said["table"][0] or said["axes"] or said["draws"]):
        raise ArgumentError("nothing varies: say what, as in vary={'m': [1, 2, 5]} or random={'m': vn.uniform(1, 2)}")
    for name, given in (("count", draws not in (None, 1)), ("seed", seed is not None), ("sobol", bool(sobol))):
        if given and not said["draws"]:
            raise ArgumentError(f"{name}: nothing is drawn: say what, as in random={{'m': vn.uniform(1, 2)}}")
    varies = {*said["table"][0], *(one[0] for one in said["axes"]), *(one[0] for one in said["draws"])}
    starts = _by_name("start", start, "{'x': 1}")
    for name in [*parameters, *starts]:
        if str(name) in varies:
            raise ArgumentError(f"'{name}' varies, and is given one value")
    how = _how(None, **motion, t_eval=None, samples=samples)
    if how.get("samples") == 0:
        raise ArgumentError("samples is 0; a trajectory has 1 or more")
    if "until" not in how and read.settings["until"] is None:
        raise ArgumentError("the model does not say until when: sweep(until=..)")
    if starts:
        how["starts"] = [(name, float(numbers(f"start '{cut(name)}'", value, ()))) for name, value in starts.items()]
    if assemble:
        how["assemble"] = True
    plan = _Plan(model.copy(), parameters, said, [] if keep is None else names_of("keep", keep), how)
    if keep is not None and not plan.keep:
        raise ArgumentError("keep is empty: name what is kept, or leave it out for the outputs")
    most = _whole("threads", threads, 1, 65536)
    size = _whole("part", part, 1, 2**53)
    return _computed(plan, most, executor, size, progress)


class _Results:
    """Arrays for all members, filled as these come."""

    def __init__(self, members: _core.Members):
        count, width = members.count, len(members.kept)
        try:
            self.kept = np.full((count, width), np.nan)
            self.codes = np.full(count, -1, dtype=np.int8)
        except (MemoryError, ValueError):
            raise ArgumentError(f"{count} members with {width} numbers each do not fit into the memory: 'python -m vinculum sweep' "
                                "writes them to a file") from None
        self.reasons: list[tuple[int, str]] = []
        self.done = self.failed = 0

    def take(self, first: int, part: _Part) -> None:
        kept, codes, reasons = part
        self.kept[first:first + len(codes)] = kept
        self.codes[first:first + len(codes)] = codes
        self.reasons += reasons
        self.done += int((codes >= 0).sum())
        self.failed += int((codes > 1).sum())


def _computed(plan: _Plan, threads: int | None, executor: Any, size: int | None, progress: Any) -> Study:
    if executor is None:
        if size is not None:
            raise ArgumentError("part: how many members an executor is given at once, and no executor is given")
    elif not callable(getattr(executor, "submit", None)):
        raise ArgumentError(f"executor has submit(function, ..), as those of concurrent.futures, and {told(executor)} has not")
    elif plan.model._functions and not _has_our_memory(executor):
        raise ArgumentError("functions written in Python stay in this process: "
                            + ", ".join(one.called for one in plan.model._functions)
                            + "; without an executor, or with a ThreadPoolExecutor, the model can be computed")
    members = plan.members
    results = _Results(members)
    with _Bar(progress, members.count) as tell:
        if executor is None:
            _, results.reasons = members.compute(0, members.count, threads or 0, results.kept, results.codes, tell)
        else:
            _Distributed(plan, executor, threads or 1, size, results, tell).run()
    return Study(plan, results.kept, results.codes, results.reasons)


def _has_our_memory(executor: Any) -> bool:
    """Threads, and not those of interpreters of their own."""
    return isinstance(executor, concurrent.futures.ThreadPoolExecutor) and "Interpreter" not in type(executor).__name__


class _CtrlC:
    """Ctrl-C, noted where it would be raised in the middle of what an executor does: there it could leave the lock of a future
    closed, and who waits for that future waits for ever. Pressed again it is raised."""

    def __init__(self) -> None:
        self.pressed = False
        self._before: Any = None

    def __enter__(self) -> _CtrlC:
        is_ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_ours:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_: Any) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class _Distributed:
    """Parts of a study, handed to an executor and put together as they come back."""

    def __init__(self, plan: _Plan, executor: Any, threads: int, size: int | None, results: _Results, tell: Callable[..., Any] | None):
        self.members = plan.members
        self.plan = plan
        self.executor = executor
        self.threads = threads
        count = self.members.count
        self.size = size or max(1, -(-count // (16 * _workers(executor))))
        self.results = results
        self.tell = tell
        self.stopped = threading.Event()
        self.began = time.monotonic()

    def run(self) -> None:
        pending: dict[Any, int] = {}
        with _CtrlC() as ctrl_c:
            try:
                if not self._is_done(pending, ctrl_c):
                    self._stop(pending)
                    self._take_left(pending)
            except KeyboardInterrupt:  # of somebody's own, or pressed twice
                self._stop(pending)
                self._take_left(pending)
            except BaseException:
                self._stop(pending)
                raise

    def _is_done(self, pending: dict[Any, int], ctrl_c: _CtrlC) -> bool:
        """All of it; not where somebody has ended it before."""
        for first in range(0, self.members.count, self.size):
            if ctrl_c.pressed:
                return False
            pending[self._submit(first, min(first + self.size, self.members.count))] = first
        while pending:
            self._take_done(pending)
            if ctrl_c.pressed or not self._goes_on():
                return False
        return True

    def _submit(self, first: int, last: int) -> Any:
        try:
            if _has_our_memory(self.executor):
                return self.executor.submit(_compute, self.members, first, last, self.threads, lambda *_: not self.stopped.is_set())
            return self.executor.submit(_part_of, self._pickled, first, last, self.threads)
        except RuntimeError as error:
            raise ArgumentError(f"the executor takes nothing: {error}") from None

    @functools.cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps(self.plan)

    def _take_done(self, pending: dict[Any, int]) -> None:
        if all(isinstance(one, concurrent.futures.Future) for one in pending):
            concurrent.futures.wait(pending, timeout=0.1, return_when=concurrent.futures.FIRST_COMPLETED)
        elif not any(one.done() for one in pending):
            time.sleep(0.02)
        for one in [one for one in pending if one.done()]:
            self.results.take(pending[one], one.result())
            del pending[one]

    def _goes_on(self) -> bool:
        if self.tell is None:
            return True
        r = self.results
        left = (time.monotonic() - self.began) / max(1, r.done) * (self.members.count - r.done)
        goes_on = self.tell(r.done, r.failed, left)
        return goes_on is None or bool(goes_on)

    def _stop(self, pending: Iterable[Any]) -> None:
        """What was not begun is not begun any more."""
        self.stopped.set()
        for one in pending:
            one.cancel()

    def _take_left(self, pending: dict[Any, int]) -> None:
        """What was begun is waited for, and kept; a process that Ctrl-C has ended has nothing to give."""
        for one, first in pending.items():
            if not one.cancelled():
                try:
                    self.results.take(first, one.result())
                except (Exception, concurrent.futures.CancelledError, KeyboardInterrupt):
                    pass


def _workers(executor: Any) -> int:
    for name in ("num_workers", "_max_workers"):
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1


class _Bar:
    """Who hears of the progress: nobody, a bar, or a function of (done, count, failed, seconds_left)."""

    def __init__(self, progress: Any, count: int):
        self._progress = progress
        self._count = count
        self._bar: Any = None

    def __enter__(self) -> Callable[..., Any] | None:
        if callable(self._progress):
            return lambda done, failed, seconds_left: self._progress(done, self._count, failed, seconds_left)
        if not self._progress:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise VinculumError("progress=True needs tqdm: pip install tqdm; or give a function") from None
        self._bar = tqdm(total=self._count, leave=False)

        def tell_bar(done: int, failed: int, seconds_left: float) -> bool:
            self._bar.n = done
            if failed:
                self._bar.set_postfix_str(f"{failed} failed", refresh=False)
            self._bar.refresh()
            return True

        return tell_bar

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()
