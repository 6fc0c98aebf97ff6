"""Results in HDF5: the file of `vinculum run --out run.h5`, written by h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import VinculumError
from ._system import Array

__all__ = ["read_columns", "write", "write_study"]

FORMAT = 1  #: of the names and shapes in the file

#: What has a unit of its own: forces on x are not in the unit of x.
WITH_UNITS = ("q", "v", "outputs", "energy")


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise VinculumError("HDF5 files need h5py: pip install 'vinculum[hdf5]'") from None
    return h5py


def _written(place: Path, fill: Callable[[_Writer], None]) -> None:
    """Whole or not at all: beside the place, then renamed over it."""
    h5py = _h5py()
    partial = place.with_name(place.name + ".partial")
    try:
        with h5py.File(partial, "w", track_order=True) as file:
            fill(_Writer(h5py, file))
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)


def write(place: Path, motion: _core.Motion, first: int, times: Array) -> None:
    _written(place, lambda writer: writer.run(motion, first, times))


def write_study(place: Path, about: dict[str, Any], summary: str, varied: Mapping[str, Array], kept: Mapping[str, Array],
                codes: NDArray[np.int8], words: list[str]) -> None:
    """The file of `vinculum sweep --out runs.h5`."""
    _written(place, lambda writer: writer.study(about, summary, varied, kept, codes, words))


def read_columns(place: Path) -> dict[str, Array]:
    """Lists of the root, or of /varied, as `vinculum sweep` writes them."""
    h5py = _h5py()
    with h5py.File(place) as file:
        where = file["varied"] if isinstance(file.get("varied"), h5py.Group) else file
        names = where.attrs.get("names") if where is not file else None
        found = {name: where[name] for name in (where if names is None else list(names))}
        return {name: one[()] for name, one in found.items() if isinstance(one, h5py.Dataset) and one.ndim == 1}


class _Writer:
    def __init__(self, h5py: Any, file: Any):
        self.file = file
        self.text = h5py.string_dtype()

    def set(self, on: Any, name: str, value: str | int | Sequence[str]) -> None:
        """An attribute: a text, a number, or a list of texts."""
        if isinstance(value, int):
            on.attrs.create(name, value, dtype=np.int32)
        elif isinstance(value, str):
            on.attrs.create(name, value, dtype=self.text)
        else:
            on.attrs.create(name, np.array(value, dtype=object), shape=(len(value),), dtype=self.text)

    def list(self, where: Any, name: str, values: Sequence[Any], dtype: Any) -> None:
        where.create_dataset(name, data=np.array(values, dtype=object if dtype is self.text else dtype),
                             shape=(len(values),), dtype=dtype, track_order=True)

    def run(self, motion: _core.Motion, first: int, times: Array) -> None:
        self.record(motion)
        self.samples(motion, first, times)
        events = self.file.create_group("events")
        self.list(events, "names", [one[0] for one in motion.events], self.text)
        self.list(events, "times", [one[1] for one in motion.events], float)
        if motion.grip_changes:
            self.columns("grip_changes", ("times", "sticks", "constraints"), (float, np.int32, self.text),
                         motion.grip_changes)
        self.columns("rank_changes", ("times", "before", "at", "after", "constraints"),
                     (float, np.int32, np.int32, np.int32, self.text), motion.rank_changes)
        self.list(self.file, "notes", motion.notes, self.text)

    def study(self, about: dict[str, Any], summary: str, varied: Mapping[str, Array], kept: Mapping[str, Array],
              codes: NDArray[np.int8], words: Sequence[str]) -> None:
        self.origin(about)
        self.set(self.file, "format", FORMAT)
        self.set(self.file, "complete", 1)
        self.set(self.file, "summary", summary)
        self.set(self.file, "identity", "")  # of a study that is gone on with, which this one is not
        self.set(self.file, "names", ["member", *varied, *kept, "status"])
        self.settings(about)
        group = self.file.create_group("varied", track_order=True)
        self.set(group, "names", list(varied))
        for name, column in varied.items():
            group.create_dataset(name, data=column, track_order=True)
        self.kept(kept)
        status = self.file.create_dataset("status", data=codes.astype(np.int32), track_order=True)
        self.set(status, "names", words)

    def kept(self, kept: Mapping[str, Array]) -> None:
        """Numbers of members, and behind them trajectories: members x instants."""
        from ._study import trajectories_of

        names = list(kept)
        trajectories = trajectories_of(names)
        plain = [name for name in names if "@" not in name]
        group = self.file.create_group("kept", track_order=True)
        self.set(group, "names", [*plain, *trajectories])
        for name in plain:
            group.create_dataset(name, data=kept[name], track_order=True)
        for name, (places, instants) in trajectories.items():
            table = group.create_dataset(name, data=np.stack([kept[names[place]] for place in places], axis=1), track_order=True)
            table.attrs.create("instants", instants)

    def origin(self, about: dict[str, Any]) -> None:
        for name in ("title", "description", "model_path", "model", "version"):
            self.set(self.file, name, about[name])

    def settings(self, about: dict[str, Any]) -> None:
        settings = self.file.create_group("settings")
        for name, value in dict(about["settings"]).items():  # the last one holds
            self.set(settings, name, value)

    def record(self, motion: _core.Motion) -> None:
        """What the file says of itself."""
        about = motion.record
        self.origin(about)
        self.set(self.file, "format", FORMAT)
        self.set(self.file, "status", motion.stop)
        self.set(self.file, "reason", motion.reason)
        self.set(self.file, "names", motion.names)
        self.set(self.file, "complete", int(about["complete"]))
        self.set(self.file, "units", "at the data sets, as the model tells them; the others do not say theirs"
                 if about["units_told"] else "those of the model's numbers, which do not say them")
        self.settings(about)

    def samples(self, motion: _core.Motion, first: int, times: Array) -> None:
        """One row for each instant, one column for each name."""
        time = self.file.create_dataset("time", data=times, track_order=True)
        self.set(time, "names", ["t"])
        if unit := motion.record["time_unit"]:
            self.set(time, "units", [unit])
        for name, names, axis, units in motion.quantities:
            table = self.file.create_dataset(name, data=motion.table(name)[first:], track_order=True)
            self.set(table, "names", names)
            if name in WITH_UNITS and any(units):
                self.set(table, "units", units)
            self.set(table, "axis", ["time", axis])
        rank = self.file.create_dataset("rank", data=np.array(motion.ranks[first:], dtype=np.int32), track_order=True)
        self.set(rank, "names", ["rank"])
        self.set(rank, "axis", ["time"])
        self.set(rank, "unknown", -1)  # where the rank was not looked at

    def columns(self, name: str, names: Sequence[str], types: Sequence[Any], rows: Sequence[Sequence[Any]]) -> None:
        group = self.file.create_group(name)
        for k, (column, dtype) in enumerate(zip(names, types)):
            self.list(group, column, [row[k] for row in rows], dtype)
