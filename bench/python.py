"""What the Python package costs, beside C++ (build/vinculum_bench, where it is built) and beside SciPy on a right side written by
hand (compiled by numba where that is installed).

    make python bench && build-python/environment/bin/python bench/python.py [--write]

With --write the table goes into docs/speed.md.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

import numpy as np

import vinculum as vn


def best(f: Callable[[], Any], repeats: int = 7, calls: int = 1) -> float:
    """Seconds of processor time of one call: the least of several rounds."""
    least = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        for _ in range(calls):
            f()
        least = min(least, (time.process_time() - began) / calls)
    return least


ROOT = pathlib.Path(__file__).resolve().parents[1]
lines: list[str] = []


def row(what: str, value: str, asked: str = "") -> None:
    lines.append(f"| {what} | {value} | {asked} |")
    print(lines[-1], flush=True)


def in_cpp(name: str) -> float | None:
    """Nanoseconds of a benchmark of the engine."""
    program = ROOT / "build" / "vinculum_bench"
    if not program.exists():
        return None
    with tempfile.NamedTemporaryFile() as said:
        subprocess.run([program, f"--benchmark_filter=^{name}$", f"--benchmark_out={said.name}", "--benchmark_out_format=json",
                        "--benchmark_repetitions=7"], capture_output=True, check=True)
        found = json.load(said)["benchmarks"]
    times = [one["cpu_time"] for one in found if one["run_type"] == "iteration"]
    return min(times) if times else None


def beside(value: float | None, unit: str = "ns", times: float = 1.0) -> str:
    return "" if value is None else f"; in C++ {value * times:.1f} {unit}"


def write() -> None:
    page = ROOT / "docs" / "speed.md"
    text = page.read_text()
    head, rest = text.split("## What Python costs", 1)
    made = re.sub(r"(?m)^\| what \|.*\n(?:\|.*\n)*", lambda _: "\n".join(lines) + "\n", rest, count=1)
    page.write_text(head + "## What Python costs" + made)


def rods(n: int) -> vn.Model:
    m = vn.Model()
    before: tuple[Any, Any] = (0, 0)
    for k in range(n):
        x, y = m.coordinate(f"x{k}", start=k + 1), m.coordinate(f"y{k}")
        m.mass(x, 1)
        m.mass(y, 1)
        m.force(y, -9.81)
        m.constrain(f"rod{k}", (x - before[0])**2 + (y - before[1])**2, 1)
        before = (x, y)
    return m


def by_hand(t: float, state: Any) -> Any:
    """The spherical pendulum with its multiplier eliminated: m = 2, g = 9.81 along y."""
    q, v = state[:3], state[3:]
    g = np.array([0.0, 9.81, 0.0])
    factor = -(v @ v + q @ g) / (q @ q)
    return np.concatenate((v, g + factor * q))


def main() -> None:
    for line in ("| what | | asked |", "|---|---|---|"):
        lines.append(line)
        print(line)
    importing = "import numpy, time; t = time.process_time(); import vinculum; print(time.process_time() - t)"
    row("`import vinculum`, NumPy imported before",
        f"{min(float(subprocess.run([sys.executable, '-c', importing], capture_output=True, text=True).stdout) for _ in range(5)) * 1e3:.0f} ms", "100 ms")
    wheels = sorted((ROOT / "build-python" / "wheel").glob("*.whl"))
    if wheels:
        row("the wheel", f"{wheels[-1].stat().st_size / 1e6:.1f} MB", "8 MB")
    model = vn.examples.spherical_pendulum()
    s = model.system()
    t, q, v = s.start
    out = np.empty(3)
    row("`s.acceleration(q, v, t, out)`, spherical pendulum", f"{best(lambda: s.acceleration(q, v, 0.0, out), 15, 20_000) * 1e6:.2f} us"
        + beside(in_cpp("spherical/vinculum/1")), "1 us above C++")
    count = 100_000
    many_q, many_v, into = np.tile(q, (count, 1)), np.tile(v, (count, 1)), np.empty((count, 3))
    row("`s.accelerations(q, v, 0, out)`, a state of 100,000", f"{best(lambda: s.accelerations(many_q, many_v, 0.0, into), 15) / count * 1e9:.1f} ns"
        + beside(in_cpp("spherical/vinculum/100000"), times=1 / count), "1.1 of C++")
    living = s.with_parameters(**s.parameters)
    hundred, own = np.repeat(np.linspace(1, 2, 100), count // 100), np.linspace(1, 2, count)
    row("the same with 100 values of a parameter", f"{best(lambda: living.accelerations(many_q, many_v, 0.0, into, g=hundred)) / count * 1e9:.1f} ns")
    row("the same with a value for each state", f"{best(lambda: living.accelerations(many_q, many_v, 0.0, into, g=own)) / count * 1e9:.0f} ns")
    row("a model of 1000 rods stated", f"{best(lambda: rods(1000).text, 5) * 1e3:.0f} ms", "200 ms")
    row("the same read and compiled", f"{best(lambda: rods(1000).system(), 3) * 1e3:.0f} ms")
    row("spherical pendulum, 10 s to 1e-9, compiled before", f"{best(lambda: s.run(10, samples=1)) * 1e3:.2f} ms")
    row("the same, read and compiled each time", f"{best(lambda: vn.examples.spherical_pendulum().run(10, samples=1)) * 1e3:.2f} ms")
    from scipy.integrate import solve_ivp

    y0 = np.concatenate([q, v])
    row("SciPy's DOP853 to 1e-9, right side in NumPy", f"{best(lambda: solve_ivp(by_hand, (0, 10), y0, method='DOP853', rtol=1e-9, atol=1e-9), 5) * 1e3:.1f} ms")
    row("SciPy's DOP853 to 1e-9, right side `s.rhs`", f"{best(lambda: solve_ivp(s.rhs, (0, 10), y0, method='DOP853', rtol=1e-9, atol=1e-9), 5) * 1e3:.1f} ms")
    try:
        import numba
    except ImportError:
        return
    compiled = numba.njit(by_hand)
    compiled(0.0, y0)
    row("SciPy's DOP853 to 1e-9, right side by numba", f"{best(lambda: solve_ivp(compiled, (0, 10), y0, method='DOP853', rtol=1e-9, atol=1e-9), 5) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
    if "--write" in sys.argv:
        write()
