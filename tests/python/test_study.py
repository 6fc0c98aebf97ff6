"""Studies: members as those of `vinculum sweep`, to the bit, wherever they are computed."""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import vinculum as vn
from conftest import ROOT

G = [1.6, 9.8, 3.3]
NAN = float("nan")


@pytest.fixture
def m() -> vn.Model:
    return vn.examples.pendulum()


def by_the_program(model: Path, out: Path, *options: str) -> dict[str, Any]:
    program = Path(os.environ.get("VINCULUM_PROGRAM", ROOT / "build" / "vinculum"))
    if not program.exists():
        pytest.skip(f"{program} is not built: it computes the study to compare with")
    said = subprocess.run([program, "sweep", model, "--quiet", "--json", "--out", out, *options], capture_output=True, text=True)
    if not out.exists():
        pytest.skip(said.stderr)
    summary: dict[str, Any] = json.loads(said.stdout)
    return summary


def drawn(m: vn.Model, **more: Any) -> vn.Study:
    return m.sweep({"g": G}, {"m": vn.normal(1, 0.01)}, count=5, seed=7, keep=["x.min", "energy", "x"], until=1, **more)


def the_same(a: vn.Study, b: vn.Study) -> bool:
    return (np.array_equal(a._kept, b._kept, equal_nan=True) and a.status.tolist() == b.status.tolist()
            and all((a.varied[name] == b.varied[name]).all() for name in a.varied) and a.summary == b.summary and str(a) == str(b))


# --- as the command line
def test_the_table_is_that_of_the_command_line(m: vn.Model, tmp_path: Path) -> None:
    m.save(tmp_path / "m.toml")
    theirs = by_the_program(tmp_path / "m.toml", tmp_path / "theirs.csv", "--vary", "g=1.6,9.8,3.3", "--random", "m=normal(1,0.01)",
                            "L=uniform(-0.1,2)", "--count", "5", "--seed", "7", "--keep", "x.min", "energy", "x", "--until", "1",
                            "--start", "x=0.5", "--sobol", "--tolerance", "1e-8")
    ours = vn.load(tmp_path / "m.toml").sweep(
        {"g": G}, {"m": vn.normal(1, 0.01), "L": vn.uniform(-0.1, 2)}, count=5, seed=7, sobol=True, keep=["x.min", "energy", "x"],
        until=1, start={"x": 0.5}, rtol=1e-8)
    ours.save(tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_text() == (tmp_path / "theirs.csv").read_text()
    assert ours.summary == theirs
    assert 0 < ours.failed.size < 15 and ours.status[ours.failed[0]] == "model"


def test_what_a_model_states_is_its_study(tmp_path: Path) -> None:
    model = ROOT / "docs" / "tutorial" / "pendulum_study.toml"
    if not model.exists():
        pytest.skip("there is no such model")
    theirs = by_the_program(model, tmp_path / "theirs.csv", "--count", "20")
    ours = vn.load(model).sweep(count=20)
    ours.save(tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_text() == (tmp_path / "theirs.csv").read_text()
    assert ours.summary == theirs
    assert ours.names() == ["L", "angle", "pull.max", "lowest.time"]


def test_trajectories_are_those_of_the_command_line_and_of_runs(m: vn.Model, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    m.save(tmp_path / "m.toml")
    said = ("--vary", "g=1.6,9.8,3.3", "--keep", "x.samples", "energy", "y@0.3", "--samples", "6", "--until", "1")
    ours = m.sweep({"g": G}, keep=["x.samples", "energy", "y@0.3"], samples=6, until=1)
    for kind in ("csv", "h5"):
        by_the_program(tmp_path / "m.toml", tmp_path / f"theirs.{kind}", *said)
        ours.save(tmp_path / f"ours.{kind}")
    assert (tmp_path / "ours.csv").read_text() == (tmp_path / "theirs.csv").read_text()
    with h5py.File(tmp_path / "ours.h5") as a, h5py.File(tmp_path / "theirs.h5") as b:
        assert list(a["kept"].attrs["names"]) == list(b["kept"].attrs["names"]) == ["energy", "x.samples", "y.samples"]
        for name in ("energy", "x.samples", "y.samples"):
            assert np.array_equal(a["kept"][name][()], b["kept"][name][()])
        for name in ("x.samples", "y.samples"):
            assert a["kept"][name].attrs["instants"].tolist() == b["kept"][name].attrs["instants"].tolist()
    assert ours["x.samples"].shape == (3, 6) and ours.instants("x").tolist() == [0, 0.2, 0.4, 0.6, 0.8, 1]
    for k in range(3):
        run = ours.motion(k, samples=6)
        assert run.t.tolist() == ours.instants("x").tolist()
        assert run["x"].tolist() == ours["x.samples"][k].tolist()
    assert ours["y@0.3"].tolist() == ours["y.samples"][:, 0].tolist() and ours.instants("y.samples").tolist() == [0.3]
    assert len(ours.motion(0).t) == len(m.run(g=G[0], until=1).t)  # samples are of the study, not of its motions


def test_trajectories_elsewhere(m: vn.Model) -> None:
    pytest.importorskip("xarray")
    runs = m.sweep({"g": G, "m": [1, 2]}, keep=["x.samples", "y.samples", "x@0.3", "energy"], samples=4, until=1)
    data = runs.to_xarray()
    assert data["x.samples"].dims == ("g", "m", "time2") or data["x.samples"].dims == ("g", "m", "time")
    assert data["y.samples"].sizes == {"g": 3, "m": 2, data["y.samples"].dims[2]: 4}
    assert data["y.samples"].sel(g=9.8, m=2).values.tolist() == runs["y.samples"][3].tolist()
    assert data["energy"].dims == ("g", "m")
    assert "x@0.3" in runs.to_pandas().columns
    plain = m.sweep(random={"g": vn.uniform(1, 2)}, count=3, keep=["x.samples"], samples=5, until=1).to_xarray()
    assert plain["x.samples"].dims == ("member", "time") and plain["time"].values.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_wrong_trajectories(m: vn.Model) -> None:
    with pytest.raises(vn.ArgumentError, match="samples is 0"):
        m.sweep({"g": G}, keep=["x.samples"], samples=0, until=1)
    with pytest.raises(vn.VinculumError, match="there is no 'z.samples'"):
        m.sweep({"g": G}, keep=["z.samples"], until=1)
    with pytest.raises(vn.VinculumError, match="7 samples are asked for, and no trajectory is kept"):
        m.sweep({"g": G}, keep=["x"], samples=7, until=1)
    with pytest.raises(vn.ArgumentError, match="seed"):
        m.sweep(random={"g": vn.uniform(1, 2)}, seed=2**53 + 1, keep=["x"], until=1)
    late = m.sweep({"g": G}, keep=["x@0.75", "x@.5", "x.samples", "x@5e-1"], samples=3, until=1)
    assert late.instants("x").tolist() == [0, 0.5, 0.75, 1]
    assert late["x.samples"][1].tolist() == [late[name][1] for name in ("x@0", "x@0.5", "x@0.75", "x@1")]
    runs = m.sweep({"g": G}, keep=["x.samples", "x"], until=1)
    assert runs["x.samples"].shape == (3, 401)  # as many as the model says
    with pytest.raises(KeyError, match="no trajectory of 'y' is kept; there are those of x"):
        runs.instants("y")
    with pytest.raises(KeyError, match="keep='x.samples'"):
        m.sweep({"g": G}, keep=["x"], until=1).instants("x")


def test_the_file_is_that_of_the_command_line_and_shows_its_members(m: vn.Model, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    from test_files import contents

    m.save(tmp_path / "m.toml")
    by_the_program(tmp_path / "m.toml", tmp_path / "theirs.h5", "--vary", "g=1.6,9.8", "--keep", "x.min", "--until", "1", "--set", "m=2")
    runs = vn.load(tmp_path / "m.toml").sweep({"g": [1.6, 9.8]}, keep=["x.min"], until=1, m=2)
    runs.save(tmp_path / "ours.h5")
    theirs, ours = contents(tmp_path / "theirs.h5"), contents(tmp_path / "ours.h5")
    for one in (theirs, ours):
        for key in [key for key in one if "identity" in key]:
            del one[key]
    assert ours == theirs
    again = vn.load(tmp_path / "m.toml").sweep(table=tmp_path / "ours.h5", columns=["g"], keep=["x.min"], until=1, m=2)
    assert (again["x.min"] == runs["x.min"]).all()


def test_a_member_is_the_motion_of_run_to_the_bit(m: vn.Model) -> None:
    m.parameter("twice", "2*m")
    m.output("y_up", "-y*twice")
    runs = m.sweep(random={"g": vn.uniform(1, 10), "m": vn.normal(1, 0.1)}, count=6, keep=["x", "y_up", "x.max"], until=2)
    for k in range(len(runs)):
        g, mass = float(runs["g"][k]), float(runs["m"][k])
        for motion in (runs.motion(k), m.run(2, g=g, m=mass), m.run(2, parameters={"g": g, "m": mass}), m.run(2, g=g, parameters={"m": mass})):
            assert motion["x"][-1] == runs["x"][k] and motion["y_up"][-1] == runs["y_up"][k]


def test_starts_vary_and_members_begin_there(m: vn.Model) -> None:
    runs = m.sweep({"x": [0.1, 0.5, 0.9]}, keep=["x", "t"], until=1)
    assert runs.varied["x"].tolist() == [0.1, 0.5, 0.9]
    for k in range(3):
        sol = runs.motion(k)
        assert sol["x"][0] == runs.varied["x"][k] and sol["x"][-1] == runs.kept["x"][k]
    with pytest.raises(KeyError, match="'x' varies, and is kept"):
        runs["x"]
    assert list(runs.to_pandas().columns) == ["x", "kept(x)", "t", "status"]


def test_joints_start_where_members_say() -> None:
    m = vn.Model()
    m.gravity([0, 0, -9.81])
    rod = m.body("rod", mass=1, inertia=[0.01, 0.1, 0.1], position=[0.5, 0, 0])
    hinge = m.joint("hinge", "ground", rod, type="revolute", point=[0, 0, 0], axis=[0, 1, 0])
    m.output("angle", hinge.angle)
    runs = m.sweep({"hinge.angle": [0.1, 0.7]}, keep=["angle", "angle.max"], until=0.5)
    assert "is read and compiled by itself, because 'hinge.angle' is where a joint starts" in runs.summary["notes"][0]
    for k in range(2):
        assert abs(runs.motion(k)["angle"][0] - runs["hinge.angle"][k]) < 1e-12
        assert runs.motion(k)["angle"][-1] == runs["angle"][k]


def test_parameters_of_zero_and_those_that_state_the_end(m: vn.Model) -> None:
    m.parameter("T", 1.0)
    m.parameter("drag", 0.1)
    m.force("x", "-drag*x'")
    m.simulate(until="T")
    runs = m.sweep({"T": [0.5, 2], "drag": [0.0, 0.3]}, keep=["t", "x"])
    assert runs["t"].tolist() == [0.5, 0.5, 2, 2]
    for k in range(4):
        values = runs.member(k).varied
        assert runs.motion(k)["x"][-1] == m.run(**values)["x"][-1] == m.run(parameters=values)["x"][-1] == runs["x"][k]


# --- where they are computed
def test_any_number_of_threads_and_any_executor_give_the_same_bits(m: vn.Model) -> None:
    expected = drawn(m, threads=1)
    assert the_same(drawn(m, threads=3), expected)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert the_same(drawn(m, executor=pool), expected)
        assert the_same(drawn(m, executor=pool, part=4), expected)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for part in (None, 1, 100):
            assert the_same(drawn(m, executor=pool, part=part), expected)


def test_failures_from_other_processes_are_told_alike(m: vn.Model) -> None:
    how: dict[str, Any] = {"vary": {"y": [0.5, 1.5] * 10}, "keep": ["x"], "until": 0.1}
    expected = m.sweep(**how)
    assert expected.failed.tolist() == list(range(1, 20, 2)) and np.isnan(expected["x"][expected.failed]).all()
    assert len(expected.summary["failed"][0]["first"]) == 3
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert the_same(m.sweep(**how, executor=pool, part=2), expected)
    first, last = expected.member(expected.failed[0]), expected.member(expected.failed[-1])
    assert first.reason == expected.summary["failed"][0]["first"][0]["reason"] and last.reason
    with pytest.raises(vn.VinculumError):
        last.run()


def test_a_table_and_included_files_go_along(tmp_path: Path) -> None:
    (tmp_path / "part.toml").write_text("[parameters]\nk = 3\n")
    (tmp_path / "model.toml").write_text("include = ['part.toml']\n[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-k*x'\n")
    m = vn.load(tmp_path / "model.toml")
    expected = m.sweep(table={"k": [1, 2, 3], "x": [0.5, 1, 2]}, keep=["energy"], until=1)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert the_same(m.sweep(table={"k": [1, 2, 3], "x": [0.5, 1, 2]}, keep=["energy"], until=1, executor=pool, part=1), expected)


def test_dask_computes_a_study(m: vn.Model) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.Client(n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        assert the_same(drawn(m, executor=client.get_executor()), drawn(m))
        assert the_same(drawn(m, executor=client), drawn(m))


def test_mpi_computes_a_study(m: vn.Model) -> None:
    futures = pytest.importorskip("mpi4py.futures")
    with futures.MPIPoolExecutor(1) as pool:
        assert the_same(drawn(m, executor=pool), drawn(m))


class Later:
    """What executors beside concurrent.futures hand back."""

    def __init__(self, compute: Callable[[], Any]):
        self.compute = compute
        self.asked = 0

    def done(self) -> bool:
        self.asked += 1
        return self.asked > 2

    def result(self) -> Any:
        return self.compute()

    def cancel(self) -> None:
        pass


class Lazy:
    def submit(self, f: Callable[..., Any], *given: Any) -> Later:
        return Later(lambda: f(*pickle.loads(pickle.dumps(given))))


def test_whatever_has_submit_computes_a_study(m: vn.Model) -> None:
    assert the_same(drawn(m, executor=Lazy(), part=4), drawn(m))


def test_functions_written_in_python_stay_in_this_process(m: vn.Model) -> None:
    from threading import get_ident

    seen = set()

    def push(x: float) -> float:
        seen.add(get_ident())
        return -0.1 * x

    m.force("x", m.function(push, "x"))
    runs = m.sweep({"g": G, "L": [1, 1.5]}, keep=["x"], until=0.5, assemble=True, threads=2)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert the_same(m.sweep({"g": G, "L": [1, 1.5]}, keep=["x"], until=0.5, assemble=True, executor=pool), runs)
    assert runs.motion(1)["x"][-1] == runs["x"][1] and len(seen) > 1
    with concurrent.futures.ProcessPoolExecutor(1) as others:
        with pytest.raises(vn.ArgumentError, match="functions written in Python stay in this process: push; without an executor"):
            m.sweep({"g": G}, until=0.5, executor=others)


def test_what_a_function_raises_goes_through(m: vn.Model) -> None:
    def push(x: float) -> float:
        if x < 0:
            raise LookupError("nothing there")
        return 0.0

    m.force("x", m.function(push, "x"))
    with pytest.raises(LookupError, match="nothing there"):
        m.sweep({"g": G}, until=5)


# --- ended early
def test_progress_is_told_and_may_end_it(m: vn.Model) -> None:
    heard: list[tuple[int, int, int, float]] = []

    def tell(done: int, count: int, failed: int, seconds_left: float) -> bool:
        heard.append((done, count, failed, seconds_left))
        return done < 20

    for executor in (None, concurrent.futures.ThreadPoolExecutor(1)):
        heard.clear()
        runs = m.sweep(random={"g": vn.uniform(1, 9)}, count=20_000, until=20, keep=["x"], progress=tell, threads=1, executor=executor,
                       part=None if executor is None else 10)
        assert heard[-1][0] >= 20 and heard[-1][1] == 20_000
        assert not runs.complete and runs.status[-1] == "cancelled" and np.isnan(runs["x"][-1]) and runs.failed.size == 0
        assert 20 <= runs.summary["computed"] < 20_000 and not runs.summary["complete"]
        assert f"{runs.summary['computed']} computed" in repr(runs)
        with pytest.raises(vn.VinculumError, match="of 20000 members were computed, and files have them all"):
            runs.save("runs.csv")

    def broken(*_: Any) -> bool:
        raise LookupError("of the progress")

    with pytest.raises(LookupError, match="of the progress"):
        m.sweep(random={"g": vn.uniform(1, 9)}, count=20_000, until=20, progress=broken)


@pytest.mark.parametrize("pool", [False, True])
def test_ctrl_c_keeps_what_is_done(m: vn.Model, pool: bool) -> None:
    executor = concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) if pool else None
    expected = m.sweep({"g": G}, until=1, executor=executor)  # what is slow the first time
    assert len(expected) == 3

    def interrupt() -> None:
        time.sleep(0.7)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    began = time.monotonic()
    runs = m.sweep(random={"g": vn.uniform(1, 9)}, count=200_000, until=20, keep=["x"], executor=executor, part=100 if pool else None)
    assert time.monotonic() - began < 30
    assert not runs.complete and 0 < runs.summary["computed"] < 200_000
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if executor is not None:
        executor.shutdown()


class Interrupting(concurrent.futures.ThreadPoolExecutor):
    """Ctrl-C arrives while the executor holds a lock of its own."""

    lock = threading.Lock()

    def submit(self, *args: Any, **kwargs: Any) -> Any:
        self.lock.acquire()
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)  # where a handler runs
        self.lock.release()
        return super().submit(*args, **kwargs)


def test_ctrl_c_leaves_no_lock_of_an_executor_closed(m: vn.Model) -> None:
    with Interrupting(1) as executor:
        runs = m.sweep(random={"g": vn.uniform(1, 9)}, count=1000, until=20, keep=["x"], executor=executor, part=10)
        assert not runs.complete and not executor.lock.locked()


# --- what comes of it
def test_a_grid_has_its_dimensions(m: vn.Model) -> None:
    pytest.importorskip("xarray")
    runs = m.sweep({"g": [1, 2], "m": [1.0, 1.5, 2]}, keep=["energy"], until=0.1)
    grid = runs.to_xarray()
    assert grid["energy"].dims == ("g", "m") and grid["energy"].shape == (2, 3)
    assert float(grid["energy"].sel(g=2, m=1.5)) == runs["energy"][4]
    assert drawn(m).to_xarray()["x"].dims == ("member",)


def test_tables_are_whatever_has_columns(m: vn.Model, tmp_path: Path) -> None:
    columns = {"g": [1.0, 2.0], "m": [1.5, 2.5]}
    expected = m.sweep(table=columns, keep=["energy"], until=0.1)
    assert expected["m"].tolist() == [1.5, 2.5]
    (tmp_path / "t.csv").write_text("g,other,m\n1,a,1.5\n2,b,2.5\n")
    tables: list[tuple[Any, Any]] = [
        (np.array([(1, 1.5), (2, 2.5)], dtype=[("g", float), ("m", float)]), None), (tmp_path / "t.csv", ["g", "m"]),
        ({**columns, "other": [0, 0]}, ["g", "m"])]
    try:
        import pandas

        tables.append((pandas.DataFrame(columns), None))
    except ImportError:
        pass
    for table, chosen in tables:
        assert the_same(m.sweep(table=table, columns=chosen, keep=["energy"], until=0.1), expected)


def test_a_study_is_pickled(m: vn.Model) -> None:
    runs = drawn(m)
    again = pickle.loads(pickle.dumps(runs))
    assert the_same(again, runs) and again.motion(2)["x"][-1] == runs["x"][2]


def test_a_study_is_of_the_model_as_it_was(m: vn.Model) -> None:
    runs = drawn(m)
    m.force("x", 5)
    assert runs.motion(0)["x"][-1] == runs["x"][0]


def test_plots(m: vn.Model) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    runs = m.sweep({"y": [0.5, 1.5]}, {"g": vn.uniform(1, 9)}, count=10, keep=["x"], until=0.1)
    assert runs.plot("g", "y", color="x", ax=pyplot.figure().gca()).get_legend() is not None
    assert runs.plot("g", "x", ax=pyplot.figure().gca()).get_legend() is None


# --- what cannot be
@pytest.mark.parametrize(("how", "words"), [
    ({}, "nothing varies: say what, as in vary"),
    ({"vary": {"g": 1}}, r"vary 'g' has the shape \(\)"),
    ({"vary": {"g": []}}, "'g' varies and has no values"),
    ({"vary": {"g": [1, NAN]}}, r"vary 'g'\[1\] is nan"),
    ({"vary": [1]}, r"vary is said by name, \{'m': \[1, 2, 5\]\}, not as list"),
    ({"vary": {"gg": [1]}}, "'gg' cannot vary: there is no such parameter .did you mean 'g'"),
    ({"random": {"g": (1, 2)}}, r"random 'g' is vn.normal\(mean, deviation\).* not tuple \(1, 2\)"),
    ({"random": {"g": vn.uniform(2, 1)}}, "'g' is drawn with 2 and 1; the smaller one comes first"),
    ({"vary": {"g": [1]}, "random": {"g": vn.uniform(1, 2)}}, "'g' varies twice"),
    ({"vary": {"g": [1]}, "g": 2}, "'g' varies, and is given one value"),
    ({"vary": {"x": [1]}, "start": {"x": 2}}, "'x' varies, and is given one value"),
    ({"vary": {"g": [1]}, "count": 5}, "count: nothing is drawn"),
    ({"vary": {"g": [1]}, "seed": 5}, "seed: nothing is drawn"),
    ({"vary": {"g": [1]}, "sobol": True}, "sobol: nothing is drawn"),
    ({"vary": {"g": [1]}, "sobol": 1}, "sobol is True or False, not int 1"),
    ({"random": {"g": vn.uniform(1, 2)}, "count": 0}, "count is 0; it must lie between 1"),
    ({"random": {"g": vn.uniform(1, 2)}, "count": 2.5}, "count must be a whole number, not float 2.5"),
    ({"random": {"g": vn.uniform(1, 2)}, "count": 10**15}, "1000000000000000 members with 1 numbers each do not fit into the memory"),
    ({"random": {"g": vn.uniform(1, 2)}, "seed": -1}, "seed is -1"),
    ({"vary": {"g": [1]}, "keep": "x"}, "keep must be a list of names, not str 'x'"),
    ({"vary": {"g": [1]}, "keep": []}, "keep is empty"),
    ({"vary": {"g": [1]}, "keep": ["energi"]}, "'energi'"),
    ({"vary": {"g": [1]}, "threads": 0}, "threads is 0; it must lie between 1"),
    ({"vary": {"g": [1]}, "part": 3}, "part: how many members an executor is given at once"),
    ({"vary": {"g": [1]}, "executor": 3}, "executor has submit"),
    ({"vary": {"g": [1]}, "progress": 3}, "progress is True, False or a function, not int 3"),
    ({"vary": {"g": [1]}, "rtol": 2}, "rtol is 2; it must lie between 0 and 1"),
    ({"vary": {"g": [1]}, "method": "rk4"}, "'rk4' has a fixed step: say which, by step="),
    ({"vary": {"g": [1]}, "method": "zz"}, "method 'zz' is not known"),
    ({"vary": {"g": [1]}, "start": {"x": "a"}}, "start 'x' must be real numbers"),
    ({"vary": {"g": [1]}, "start": {"zz": 1}}, "zz"),
    ({"vary": {"g": [1]}, "cuont": 1}, r"there is no parameter and no option 'cuont' \(did you mean 'count'"),
    ({"table": 3}, "table is a file, a DataFrame or columns by name"),
    ({"table": {"g": [1], "m": [1, 2]}}, "column 'm' of the table has 2 numbers, and 'g' has 1"),
    ({"table": {"g": [1]}, "columns": ["h"]}, "the table has no column 'h'; its columns are g"),
    ({"table": {}}, "the table has no columns"),
    ({"table": {"g": []}}, "has no rows"),
])
def test_what_cannot_be_meant_is_told(m: vn.Model, how: dict[str, Any], words: str) -> None:
    with pytest.raises(vn.ArgumentError, match=words):
        m.sweep(**{"until": 0.1, "keep": ["x"], **how})


def test_what_is_no_member_and_no_column(m: vn.Model) -> None:
    runs = m.sweep({"g": G}, keep=["x"], until=0.1)
    for number, words in ((3, "members 0 to 2, and no 3"), (-1, "and no -1"), (1.5, "float 1.5 is none"), ("a", "str 'a' is none")):
        with pytest.raises(vn.ArgumentError, match=words):
            runs.member(number)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="the study has no 'y'"):
        runs["y"]
    with pytest.raises(vn.ArgumentError, match="files of studies end with .csv or .h5"):
        runs.save("runs.txt")
    with pytest.raises(vn.ArgumentError, match="a member's motion has no option 'rtol'"):
        runs.motion(0, rtol=1e-3)
    with pytest.raises(vn.ArgumentError, match="executor takes nothing"):
        pool = concurrent.futures.ThreadPoolExecutor(1)
        pool.shutdown()
        m.sweep({"g": G}, until=0.1, executor=pool)
    with pytest.raises(FileNotFoundError):
        m.sweep(table="nothing.csv", until=1)


def test_the_model_must_say_until_when() -> None:
    m = vn.Model()
    x = m.coordinate("x", start=1)
    k = m.parameter("k", 1.0)
    m.mass(x, 1)
    m.force(x, -k * x)
    with pytest.raises(vn.ArgumentError, match=r"until when: sweep\(until=..\)"):
        m.sweep({"k": [1, 2]})
    runs = m.sweep({k: [1, 4]}, events={"through": x}, keep=["through.time", x], until=2)
    assert runs["through.time"].round(9).tolist() == [round(np.pi / 2, 9), round(np.pi / 4, 9)]
    assert k in runs and runs[x].shape == (2,)


def test_the_end_of_the_interpreter_waits_for_members() -> None:
    code = ("import threading, vinculum as vn\n"
            "m = vn.examples.pendulum()\n"
            "threading.Thread(target=lambda: m.sweep(random={'g': vn.uniform(1, 9)}, count=10**6, until=50), daemon=True).start()\n"
            "import time; time.sleep(0.3)")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0, said.stderr
