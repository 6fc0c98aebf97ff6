"""Files of results: what the command line writes, with h5py alone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vinculum as vn
from conftest import ROOT

h5py = pytest.importorskip("h5py")


def contents(path: Path) -> dict[str, Any]:
    """Every data set and every attribute, with type, shape and numbers; texts as they read."""
    found: dict[str, Any] = {}

    def note(name: str, one: Any) -> None:
        if isinstance(one, h5py.Dataset):
            text = h5py.check_string_dtype(one.dtype)
            found[name] = (str(one.dtype), one.shape, (one.asstr()[()] if text else one[()]).tolist())
        for key, value in one.attrs.items():
            kind = one.attrs.get_id(key)
            found[f"{name}@{key}"] = (str(kind.dtype), kind.shape, np.asarray(value).tolist())

    with h5py.File(path) as file:
        note("/", file)
        file.visititems(note)
    return found


def written_by_the_program(model: Path, out: Path, *options: str) -> Path:
    program = Path(os.environ.get("VINCULUM_PROGRAM", ROOT / "build" / "vinculum"))
    if not program.exists():
        pytest.skip(f"{program} is not built: it writes the file to compare with")
    subprocess.run([program, "run", model, "--no-verify", "--out", out, *options], capture_output=True)
    if not out.exists():
        pytest.skip(f"{program} was built without HDF5")
    return out


@pytest.mark.parametrize("name", ["pendulum", "four_bar", "rough_slope", "skate_vakonomic", "servo_arm", "slider_crank"])
def test_the_file_is_that_of_the_command_line(name: str, tmp_path: Path) -> None:
    model = ROOT / "examples" / f"{name}.toml"
    if not model.exists():
        pytest.skip(f"there is no example {name}")
    theirs = contents(written_by_the_program(model, tmp_path / "theirs.h5"))
    vn.load(str(model)).run(on_failure="return").save(tmp_path / "ours.h5")
    ours = contents(tmp_path / "ours.h5")
    assert ours.keys() == theirs.keys()
    for key in theirs:
        assert ours[key] == theirs[key], key


def test_what_was_asked_of_the_run_stands_in_the_file(pendulum: vn.Model, tmp_path: Path) -> None:
    model = tmp_path / "model.toml"
    pendulum.document["units"] = {"x": "m", "t": "s"}
    pendulum.save(model)
    theirs = contents(written_by_the_program(model, tmp_path / "theirs.h5", "--until", "2", "--tolerance", "1e-7", "--samples", "5",
                                             "--set", "L=2"))
    vn.load(str(model)).run(until=2, rtol=1e-7, samples=5, parameters={"L": 2}).save(tmp_path / "ours.h5")
    ours = contents(tmp_path / "ours.h5")
    assert ours == theirs
    assert ours["settings@until"][2] == "2" and ours["settings@set L"][2] == "2" and ours["q@units"][2] == ["m", ""]
    pendulum.run(until=2, L=2.0).save(tmp_path / "living.h5")
    assert contents(tmp_path / "living.h5")["settings@set L"][2] == "2"


def test_only_instants_that_were_asked_for_are_in_files(pendulum: vn.Model, tmp_path: Path) -> None:
    sol = pendulum.run(t_eval=[0.5, 1.0])
    sol.save(tmp_path / "run.h5")
    sol.save(tmp_path / "run.csv")
    with h5py.File(tmp_path / "run.h5") as file:
        assert file["time"][()].tolist() == [0.5, 1.0] and file["rank"].shape == (2,)
    rows = [line for line in (tmp_path / "run.csv").read_text().splitlines() if not line.startswith("#")]
    assert [float(row.split(",")[0]) for row in rows[1:]] == [0.5, 1.0]


def test_a_file_is_whole_or_as_it_was(pendulum: vn.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "run.h5"
    pendulum.run(until=1).save(place)
    before = place.read_bytes()

    def broken(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("vinculum._hdf5._Writer.samples", broken)
    with pytest.raises(OSError, match="the disk is full"):
        pendulum.run(until=2).save(place)
    assert place.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["run.h5"]
