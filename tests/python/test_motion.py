"""Motions: the habits of solve_ivp, names beside them, and the numbers of the command line to the bit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vinculum as vn
from conftest import ROOT


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "vinculum", *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("name", vn.examples.names())
def test_the_command_line_has_the_same_bits(name: str) -> None:
    """The end of every example; what is not a motion ends in the same words."""
    path = str(ROOT / "examples" / f"{name}.toml")
    said = json.loads(program("run", path, "--json", "--no-verify").stdout)
    ours = vn.load(path).run(samples=1, on_failure="return").json
    for key in ("status", "time", "q", "v", "acceleration", "multipliers", "energy", "outputs", "evaluations", "events"):
        assert ours[key] == said[key], key


def test_times_states_and_names_lie_side_by_side(pendulum: vn.Model) -> None:
    sol = pendulum.run(until=3)
    assert sol.success and sol.status == "done"
    assert sol.y.shape == (4, len(sol.t)) and sol.q.shape == (2, len(sol.t))
    assert np.array_equal(sol.y[0], sol["x"]) and np.array_equal(sol.y[2], sol["x'"])
    assert sol["pull"] == pytest.approx(sol.force["rod"][1])
    assert sol.constraint_force == pytest.approx(sol.force["rod"])
    assert sol.force["rod"] == pytest.approx(2 * sol.q * sol.multipliers["rod"])
    assert sol.energy == pytest.approx(np.sum(sol.v**2, axis=0), abs=1e-12)
    assert sol.residuals["rod"][0] < 1e-14
    with pytest.raises(KeyError, match="did you mean 'pull'"):
        sol["pul"]


def test_asked_instants_and_dense_output_are_the_motion(pendulum: vn.Model) -> None:
    times = np.linspace(0, 3, 7)
    at = pendulum.run(t_eval=times, rtol=1e-12)
    assert at.t.tolist() == times.tolist()
    dense = pendulum.run(until=3, dense_output=True, rtol=1e-12)
    assert dense.sol(times) == pytest.approx(at.y, abs=1e-9)
    assert dense.sol(1.5).shape == (4,)
    with pytest.raises(vn.VinculumError, match="dense_output=True"):
        at.sol(1.0)
    with pytest.raises(vn.RefusedError):
        dense.sol(4.0)
    assert pendulum.run(t_eval=[0.5, 0.7]).t.tolist() == [0.5, 0.7]
    assert pendulum.run(t_eval=[0.0], until=1).t.tolist() == [0.0]


def test_events_have_times_and_states(pendulum: vn.Model) -> None:
    sol = pendulum.run(until=4, events={"left": {"at": "x + 1", "direction": "falling", "stop": True}})
    assert sol.status == "event" and sol.success
    assert sol.t_events["left"][0] == sol.t[-1] and sol["x"][-1] == pytest.approx(-1)
    assert sol.y_events["lowest"][0][0] == pytest.approx(0, abs=1e-12)
    assert sol.events[-1].name == "left"
    assert pendulum.run(until=4).status == "done"  # the model itself is as before


def test_methods_are_those_of_scipy_and_ours(pendulum: vn.Model) -> None:
    expected = pendulum.run(until=2, rtol=1e-12)["x"][-1]
    for method in ("DOP853", "RK45", "Radau", "taylor", "extrapolation", "auto"):
        assert pendulum.run(until=2, method=method, rtol=1e-9)["x"][-1] == pytest.approx(expected, abs=1e-6), method
    with pytest.raises(ValueError, match="method 'LSODA' is not known; methods are dop853"):
        pendulum.run(until=2, method="LSODA")


@pytest.mark.parametrize(("how", "words"), [
    ({"rtol": 0}, "rtol is 0"), ({"rtol": float("nan")}, "rtol is nan"), ({"atol": -1}, "atol is -1"),
    ({"step": -1}, "step is -1"), ({"samples": -1}, "samples is -1"), ({"t_eval": [1, 0.5]}, "t_eval must go"),
    ({"t_eval": [5.0]}, "t_eval goes from 5.0"), ({"t_eval": []}, "t_eval is empty"),
    ({"until": float("inf")}, "until is inf"), ({"on_failure": "ignore"}, "on_failure is"),
    ({"closure": 2}, "closure is 2"),
])
def test_wishes_that_cannot_be_are_refused_in_words(pendulum: vn.Model, how: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pendulum.run(**{"until": 2, **how})


def test_a_model_that_does_not_say_until_when(pendulum: vn.Model) -> None:
    with pytest.raises(ValueError, match="until when"):
        pendulum.run()
    pendulum.simulate(until=1)
    assert pendulum.run().t[-1] == 1


def test_a_motion_that_ends_early_is_an_exception_with_what_was_done() -> None:
    m = vn.Model()
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, -1 / x**3)  # falls into the centre
    with pytest.raises(vn.StepError) as caught:
        m.run(until=10)
    assert caught.value.motion is not None and caught.value.time == pytest.approx(1, abs=1e-3)
    assert not m.run(until=10, on_failure="return").success


def test_progress_is_told_and_may_end_a_run() -> None:
    m = vn.examples.double_pendulum()
    told: list[float] = []

    def tell(t: float, fraction: float, seconds_left: float, steps: int) -> bool:
        told.append(fraction)
        return len(told) < 3

    sol = m.run(until=1e6, progress=tell)
    assert sol.status == "cancelled" and not sol.success and len(told) == 3
    assert 0 < sol.t[-1] < 1e6

    def broken(*_: float) -> bool:
        raise LookupError("of its own")

    with pytest.raises(LookupError, match="of its own"):
        m.run(until=1e6, progress=broken)


def test_a_bar_shows_the_progress(capfd: pytest.CaptureFixture[str]) -> None:
    """To the end, and after Ctrl-C: it goes on, says where the motion is, and is cleared away."""
    pytest.importorskip("tqdm")
    system = vn.examples.double_pendulum().system()
    assert system.run(3000, samples=1, progress=True).success
    shown = [one.strip() for one in capfd.readouterr().err.split("\r") if one.strip()]
    reached = [int(one.split("%")[0]) for one in shown if "%" in one]
    assert len(reached) > 2 and reached == sorted(reached) and 0 < reached[-1] <= 100
    assert any("t = " in one for one in shown)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    assert system.run(1e7, samples=1, progress=True).status == "cancelled"
    assert not capfd.readouterr().err.split("\r")[-1].strip()


def test_ctrl_c_keeps_what_is_done() -> None:
    m = vn.examples.double_pendulum()
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    sol = m.run(until=1e7)
    assert sol.status == "cancelled" and 0 < sol.t[-1] < 1e7


def test_ctrl_c_inside_a_function_keeps_what_is_done() -> None:
    calls = 0

    def drag(v: float) -> float:
        nonlocal calls
        calls += 1
        if calls == 2000:
            raise KeyboardInterrupt
        return -v

    m = vn.Model()
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, m.function(drag, x))
    sol = m.run(until=1e5)
    assert sol.status == "cancelled" and 0 < sol.t[-1] < 1e5


def test_runs_of_daemon_threads_end_with_the_interpreter() -> None:
    said = subprocess.run([sys.executable, "-c", """
import threading, time, vinculum as vn
s = vn.examples.double_pendulum().system()
threading.Thread(target=lambda: s.run(1e7), daemon=True).start()
time.sleep(0.3)
"""], capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")


def test_what_was_computed_stays_as_it_is(pendulum: vn.Model) -> None:
    sol = pendulum.run(until=1)
    x = sol["x"]
    with pytest.raises(ValueError, match="read-only"):
        x -= 5


def test_one_name_for_two_things_is_told_apart() -> None:
    m = vn.Model()
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.output("x", 10 * x)
    m.output("energy", x + 5)
    sol = m.run(until=1, samples=2)
    assert sol["x"][0] == 1 and sol.outputs["x"][0] == 10
    columns = sol._columns()
    assert columns["x"][0] == 1 and columns["output(x)"][0] == 10 and columns["output(energy)"][0] == 6


def test_other_threads_go_on_meanwhile() -> None:
    s = vn.examples.double_pendulum().system()
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.perf_counter()
    s.run(2000, samples=2)
    took = time.perf_counter() - began
    stop.set()
    thread.join()
    assert took > 0.05
    assert counted > 0.1 * took / 0.001


def test_results_go_to_tables_and_files(pendulum: vn.Model, tmp_path: Path) -> None:
    sol = pendulum.run(until=1, samples=11)
    sol.save(tmp_path / "run.csv")
    assert "x" in (tmp_path / "run.csv").read_text()
    sol.save(tmp_path / "run.npz")
    assert np.load(tmp_path / "run.npz")["x"].tolist() == sol["x"].tolist()
    with pytest.raises(ValueError, match=".csv, .h5 or .npz"):
        sol.save(tmp_path / "run.xlsx")
    pandas = pytest.importorskip("pandas")
    table = sol.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table["pull"].iloc[-1] == sol["pull"][-1]
    xarray = pytest.importorskip("xarray")
    assert isinstance(sol.to_xarray(), xarray.Dataset)
    h5py = pytest.importorskip("h5py")
    sol.save(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        assert file["q"][:, 0].tolist() == sol["x"].tolist()
        assert file.attrs["status"] == "done"


def test_a_notebook_shows_equations_and_motion(pendulum: vn.Model, tmp_path: Path) -> None:
    assert "$$" in pendulum._repr_html_() and "ddot" in pendulum._repr_html_()
    sol = pendulum.run(until=1)
    assert "<iframe srcdoc=" in sol._repr_html_()
    assert sol.report(tmp_path / "page.html").lower().startswith("<!doctype html>")
    assert (tmp_path / "page.html").read_text() == sol.report()
    assert "<svg" in sol.picture()


def test_verification_counts_digits(pendulum: vn.Model) -> None:
    assert min(pendulum.run(until=1).verify()["digits"].values()) >= 7


def test_joints_start_where_they_say() -> None:
    m = vn.Model()
    m.gravity([0, 0, -9.81])
    rod = m.body("rod", mass=1, inertia=[0.01, 0.1, 0.1], position=[0.5, 0, 0])
    hinge = m.joint("hinge", "ground", rod, type="revolute", point=[0, 0, 0], axis=[0, -1, 0], start=0.5, rate=0.25)
    m.output("angle", hinge.angle)
    sol = m.run(until=0, samples=1)
    assert sol["rod.x"][-1] == pytest.approx(0.5 * np.cos(0.5)) and sol["angle"][-1] == pytest.approx(0.5)


def test_the_program_is_inside() -> None:
    assert program("--version").stdout == f"vinculum {vn.__version__}\n"
    assert program("run", "nothing.toml").returncode == 2


def test_ctrl_c_in_a_function_is_raised_where_no_motion_is_computed() -> None:
    def stopped(_: float) -> float:
        raise KeyboardInterrupt

    m = vn.Model()
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, m.function(stopped, x))
    s = m.system()
    for ask in (lambda: s.solve([1], [0]), lambda: s.acceleration([1.0], [0.0]), lambda: s.rhs(0.0, s.y0),
                lambda: s.accelerations([[1.0], [2.0]], [[0.0], [0.0]])):
        with pytest.raises(KeyboardInterrupt):
            ask()


def test_a_motion_is_a_table_of_its_quantities(pendulum: vn.Model) -> None:
    sol = pendulum.run(until=1, samples=5)
    assert "x" in sol and "x'" in sol and "x''" in sol and "pull" in sol and "zz" not in sol and 0 not in sol
    assert list(sol) == sol.keys() == sol.names() and len(sol) == len(list(sol))
    table = dict(sol)
    assert table["x"].tolist() == sol["x"].tolist() and set(table) == set(sol)


def test_endings_of_files_may_be_large_and_columns_have_any_name(tmp_path: Path) -> None:
    m = vn.Model()
    for name in ("file", "x"):
        m.coordinate(name, start=1)
        m.mass(name, 1)
    sol = m.run(until=1, samples=3)
    for name in ("a.CSV", "a.NPZ", "a.npz", "a.H5"):
        sol.save(tmp_path / name)
        assert (tmp_path / name).exists()
    assert np.load(tmp_path / "a.NPZ")["file"].tolist() == [1, 1, 1]
    assert len(list(tmp_path.iterdir())) == 4
    for name in ("a.csv", "a.h5", "a.npz"):
        with pytest.raises(FileNotFoundError, match="there is no such folder"):
            sol.save(tmp_path / "nowhere" / name)


def test_of_one_name_for_several_things_a_coordinate_comes_first() -> None:
    m = vn.Model()
    p = m.particle("p", velocity=[1, 2, 3])
    m.output("p", 2 * p.position)
    motion = m.run(1)
    assert motion["p"][-1].tolist() == [motion[f"p.{k}"][-1] for k in "xyz"] == pytest.approx([1, 2, 3])
