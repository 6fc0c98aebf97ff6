"""What the Python package costs, beside SciPy on a right side written by hand (and compiled by numba where that is installed).

    make python && build-python/environment/bin/python bench/python.py
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any, Callable

import numpy as np

import vinculum as vn


def best(f: Callable[[], Any], repeats: int = 7, calls: int = 1) -> float:
    """Seconds of one call: the least of several rounds."""
    least = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(calls):
            f()
        least = min(least, (time.perf_counter() - began) / calls)
    return least


def row(what: str, value: str) -> None:
    print(f"| {what} | {value} |")


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
    print("| what | |\n|---|---|")
    importing = "import numpy, time; t = time.perf_counter(); import vinculum; print(time.perf_counter() - t)"
    row("`import vinculum`, NumPy imported before",
        f"{min(float(subprocess.run([sys.executable, '-c', importing], capture_output=True, text=True).stdout) for _ in range(5)) * 1e3:.0f} ms")
    model = vn.examples.spherical_pendulum()
    s = model.system()
    t, q, v = s.start
    out = np.empty(3)
    row("`s.acceleration(q, v, t, out)`, spherical pendulum", f"{best(lambda: s.acceleration(q, v, 0.0, out), 15, 20_000) * 1e6:.2f} us")
    count = 100_000
    many_q, many_v, into = np.tile(q, (count, 1)), np.tile(v, (count, 1)), np.empty((count, 3))
    row("`s.accelerations(q, v, 0, out)`, a state of 100,000", f"{best(lambda: s.accelerations(many_q, many_v, 0.0, into)) / count * 1e9:.1f} ns")
    row("a model of 1000 rods stated", f"{best(lambda: rods(1000).text, 5) * 1e3:.0f} ms")
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
