"""Models and systems on their way: copies, pickles, pools of processes."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vinculum as vn


def test_a_copy_is_a_model_of_its_own(pendulum: vn.Model) -> None:
    for again in (pendulum.copy(), copy.copy(pendulum), copy.deepcopy(pendulum), pickle.loads(pickle.dumps(pendulum))):
        assert again.text == pendulum.text
        again.force(again["x"], 5)
        assert "5" not in pendulum.document["forces"].get("x", "")
        assert again.system().solve().acceleration[0] != pendulum.system().solve().acceleration[0]


def test_a_system_in_another_process_is_the_same_to_the_bit(pendulum: vn.Model) -> None:
    for system in (pendulum.system(), pendulum.system({"L": 2.0}), pendulum.system(living=True),
                   pendulum.system().with_parameters(L=2.0), vn.examples.four_bar().system()):
        again = pickle.loads(pickle.dumps(system))
        assert again.parameters == system.parameters
        assert again.run(0.5).y.tolist() == system.run(0.5).y.tolist()
        assert copy.copy(system) is system and copy.deepcopy([system])[0] is system


def test_an_instant_is_pickled_by_its_state(pendulum: vn.Model) -> None:
    i = pendulum.system().solve([1.2, -1.6], [0.8, 0.6], 0.5, L=2.0)
    again = pickle.loads(pickle.dumps(i))
    assert again.json == i.json


def test_a_motion_says_what_to_hand_over(pendulum: vn.Model) -> None:
    with pytest.raises(TypeError, match="a motion stays in the process that computed it: hand over"):
        pickle.dumps(pendulum.run(until=1))


def test_what_a_model_includes_goes_along(tmp_path: Path) -> None:
    (tmp_path / "part.toml").write_text("[parameters]\nk = 3\n")
    (tmp_path / "model.toml").write_text("include = ['part.toml']\n[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-k*x'\n")
    m = vn.load(tmp_path / "model.toml")
    model, system = pickle.dumps(m), pickle.dumps(m.system())
    (tmp_path / "part.toml").unlink()
    for again in (pickle.loads(model).system(), pickle.loads(system)):
        assert again.solve().acceleration.tolist() == [-3.0]


def end(system: vn.System, length: float) -> float:
    return float(system.run(0.5, L=length, q=[0.6 * length, -0.8 * length])["x"][-1])


def test_a_pool_of_processes_computes_a_sweep(pendulum: vn.Model) -> None:
    system = pendulum.system()
    lengths = np.linspace(1, 3, 7).tolist()
    expected = [end(system, one) for one in lengths]
    spawned = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=spawned) as pool:
        assert list(pool.map(end, [system] * 7, lengths)) == expected


def test_dask_computes_a_sweep(pendulum: vn.Model) -> None:
    dask = pytest.importorskip("dask")
    system = pendulum.system()
    lengths = [1.0, 2.0, 3.0]
    work = [dask.delayed(end)(system, one) for one in lengths]
    assert list(dask.compute(*work, scheduler="processes", num_workers=2)) == [end(system, one) for one in lengths]


def test_a_hundred_pickles_are_compiled_once(pendulum: vn.Model) -> None:
    data = pickle.dumps(pendulum.system())
    first = pickle.loads(data)
    assert all(pickle.loads(data) is first for _ in range(3))


def test_pickles_are_read_by_a_new_interpreter(pendulum: vn.Model, tmp_path: Path) -> None:
    (tmp_path / "s.pickle").write_bytes(pickle.dumps(pendulum.system()))
    said = subprocess.run([sys.executable, "-c", f"import pickle; s = pickle.load(open({str(tmp_path / 's.pickle')!r}, 'rb'));"
                           "print(s.solve().acceleration.tolist())"], capture_output=True, text=True, check=True)
    assert said.stdout == f"{pendulum.system().solve().acceleration.tolist()}\n"


def test_importing_the_package_takes_less_than_a_tenth_of_a_second(tmp_path: Path) -> None:
    """Of processor time, beside NumPy's own: the machine may be busy. Of modules that were compiled, as installed ones are:
    the first of several imports does that."""
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    importing = "import numpy, time; began = time.process_time(); import vinculum; print(time.process_time() - began)"

    def said(code: str) -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout.strip()

    assert min(float(said(importing)) for _ in range(5)) < 0.1
    heavy = ("scipy", "sympy", "matplotlib", "pandas", "h5py", "tqdm", "ipywidgets")
    assert said(f"import sys, vinculum; print([one for one in {heavy} if one in sys.modules])") == "[]"
