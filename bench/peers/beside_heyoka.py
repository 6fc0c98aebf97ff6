"""heyoka beside the problems of `make precision`: Taylor series of equations from which somebody has eliminated the multipliers by
hand. It keeps no constraint, and compiles each integrator by LLVM first.

    pip install heyoka && python bench/peers/beside_heyoka.py [pendulum] [loop] [squeezer]

runs build/vinculum_precision behind it and prints both sides at equal errors.
"""

from __future__ import annotations

import math
import pathlib
import re
import subprocess
import sys
import time
from typing import Any, Callable

import heyoka as hy
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "bench" / "precision"
ERRORS = (1e-6, 1e-9, 1e-12)
Vector = list[Any]


def end_of(problem: str) -> np.ndarray:
    """Where it ends, from the header of the problem: one place for these digits."""
    text = (FOLDER / f"{problem}.hpp").read_text()
    digits = re.search(r"end\[n\] = \{(.*?)\}", text, re.S)
    assert digits
    return np.array([float(x) for x in digits[1].split(",")])


def dot(a: Vector, b: Vector) -> Any:
    return sum((x * y for x, y in zip(a[1:], b[1:])), a[0] * b[0])


def pendulum(q: Vector, v: Vector) -> Vector:
    w = (9.81 * q[1] - dot(v, v)) / dot(q, q)
    return [w * q[0], w * q[1] - 9.81, w * q[2]]


def corners(angles: tuple[int, ...]) -> list[list[float]]:
    at, places = [0.0, 0.0, 0.0], []
    for degrees in angles:
        at = [at[0] + math.cos(math.radians(degrees)), at[1] + math.sin(math.radians(degrees)), 0.0]
        places.append(at)
    return places


LOOP = corners((-75, -30, 5, 40, 62))


def loop(q: Vector, v: Vector) -> Vector:
    """Rows of neighbouring rods meet: elimination from both ends to the middle rod."""
    g = 9.81
    p = [q[3 * k:3 * k + 3] for k in range(4)]
    u = [v[3 * k:3 * k + 3] for k in range(4)]
    d = [p[0]] + [[b - a for a, b in zip(p[k], p[k + 1])] for k in range(3)] + [[c - a for a, c in zip(p[3], LOOP[4])]]
    r = [[b - a for a, b in zip(u[k], u[k + 1])] for k in range(3)]
    e = [g * d[0][1] - dot(u[0], u[0])] + [-dot(x, x) for x in r] + [-g * d[4][1] - dot(u[3], u[3])]
    s = [-dot(d[k], d[k + 1]) for k in range(4)]
    i0, i4 = 1.0 / dot(d[0], d[0]), 1.0 / dot(d[4], d[4])
    i1 = 1.0 / (2.0 * dot(d[1], d[1]) - s[0] * s[0] * i0)
    i3 = 1.0 / (2.0 * dot(d[3], d[3]) - s[3] * s[3] * i4)
    i2 = 1.0 / (2.0 * dot(d[2], d[2]) - s[1] * s[1] * i1 - s[2] * s[2] * i3)
    e1, e3 = e[1] - s[0] * i0 * e[0], e[3] - s[3] * i4 * e[4]
    x2 = (e[2] - s[1] * i1 * e1 - s[2] * i3 * e3) * i2
    x1, x3 = (e1 - s[1] * x2) * i1, (e3 - s[2] * x2) * i3
    x = [(e[0] - s[0] * x1) * i0, x1, x2, x3, (e[4] - s[3] * x3) * i4]
    a = [x[k] * d[k][i] - x[k + 1] * d[k + 1][i] for k in range(4) for i in range(3)]
    return [a[n] - g if n % 3 == 1 else a[n] for n in range(12)]


def squeezer(q: Vector, v: Vector) -> Vector:
    """As bench/precision/squeezer.hpp has it, without its crank: seven angles, six loop equations, L D L^T."""
    m1, m2, m3, m4, m5, m6, m7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
    i1, i2, i3, i4, i5, i6, i7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
    xb, yb, xc, yc = -0.03635, 0.03273, 0.014, 0.072
    d, da, e, ea, rr, ra, l0, ss = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.07785, 0.035
    sa, sb_, sc, sd, ta, tb, u, ua, ub = 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916, 0.04, 0.01228, 0.00449
    zf, zt, fa, c0, drive = 0.02, 0.04, 0.01421, 4530.0, 0.033
    (b, t, g, p, dl, o, ep), (vb, vt, vg, vp, vd, vo, ve) = q, v
    sin, cos = hy.sin, hy.cos
    sb, cb, sbt, cbt = sin(b), cos(b), sin(b + t), cos(b + t)
    sg, cg, sd_, cd_ = sin(g), cos(g), sin(dl), cos(dl)
    spd, cpd, se, ce, soe, coe = sin(p + dl), cos(p + dl), sin(ep), cos(ep), sin(o + ep), cos(o + ep)
    k12, k45, k67 = m2 * da * rr, m4 * zt * (e - ea), m6 * u * (zf - fa)
    m22, m44, m66 = m2 * da * da + i2, m4 * (e - ea)**2 + i4, m6 * (zf - fa)**2 + i6
    ct, sp, so = cos(t), sin(p), sin(o)
    m11 = m1 * ra * ra + m2 * (rr * rr + da * da) + i1 + i2 - 2.0 * k12 * ct
    m21 = m22 - k12 * ct
    m54 = m44 + k45 * sp
    m55 = m44 + m4 * zt * zt + m5 * (ta * ta + tb * tb) + i5 + 2.0 * k45 * sp
    m76 = m66 - k67 * so
    m77 = m66 + m6 * u * u + m7 * (ua * ua + ub * ub) + i7 - 2.0 * k67 * so
    m33 = m3 * (sa * sa + sb_ * sb_) + i3
    ib, ip, io = 1.0 / (m11 * m22 - m21 * m21), 1.0 / (m44 * m55 - m54 * m54), 1.0 / (m66 * m77 - m76 * m76)
    zero = 0.0
    x0, y0 = [d * sbt - rr * sb, d * sbt], [rr * cb - d * cbt, -d * cbt]
    rows = [
        x0 + [-ss * cg, zero, zero, zero, zero], y0 + [-ss * sg, zero, zero, zero, zero],
        x0 + [zero, -e * cpd, -e * cpd + zt * sd_, zero, zero], y0 + [zero, -e * spd, -e * spd - zt * cd_, zero, zero],
        x0 + [zero, zero, zero, zf * soe, zf * soe - u * ce], y0 + [zero, zero, zero, -zf * coe, -zf * coe - u * se],
    ]
    bt2, pd2, oe2 = (vb + vt)**2, (vp + vd)**2, (vo + ve)**2
    x, y = rr * cb * vb**2 - d * cbt * bt2, rr * sb * vb**2 - d * sbt * bt2
    right = [x - ss * sg * vg**2, y + ss * cg * vg**2, x - e * spd * pd2 - zt * cd_ * vd**2, y + e * cpd * pd2 - zt * sd_ * vd**2,
             x - zf * coe * oe2 - u * se * ve**2, y - zf * soe * oe2 + u * ce * ve**2]
    dx, dy = sd * cg + sc * sg + xb - xc, sd * sg - sc * cg + yb - yc
    length = hy.sqrt(dx * dx + dy * dy)
    pull = -c0 * (length - l0) / length
    st, cp, co = sin(t), cos(p), cos(o)
    f = [drive - k12 * vt * (vt + 2.0 * vb) * st, k12 * vb * vb * st, pull * (dx * (sc * cg - sd * sg) + dy * (sd * cg + sc * sg)),
         k45 * vd * vd * cp, -k45 * vp * (vp + 2.0 * vd) * cp, -k67 * ve * ve * co, k67 * vo * (vo + 2.0 * ve) * co]

    def free(w: Vector) -> Vector:
        return [(m22 * w[0] - m21 * w[1]) * ib, (m11 * w[1] - m21 * w[0]) * ib, w[2] / m33, (m55 * w[3] - m54 * w[4]) * ip,
                (m44 * w[4] - m54 * w[3]) * ip, (m77 * w[5] - m76 * w[6]) * io, (m66 * w[6] - m76 * w[5]) * io]

    def times(row: Vector, w: Vector) -> Any:
        return sum((r * z for r, z in list(zip(row, w))[1:] if not isinstance(r, float)), row[0] * w[0])

    def nothing(z: Any) -> bool:
        return isinstance(z, float) and z == 0.0

    a = free(f)
    columns = [free(row) for row in rows]
    L = [[times(rows[i], columns[j]) for j in range(6)] for i in range(6)]
    inverse: Vector = []
    for j in range(6):
        for c in range(j):
            L[j][j] = L[j][j] - L[j][c] * L[j][c] / inverse[c]
        inverse.append(1.0 / L[j][j])
        for i in range(j + 1, 6):
            for c in range(j):
                L[i][j] = L[i][j] - L[i][c] * L[j][c] / inverse[c]
            L[i][j] = L[i][j] * inverse[j]
    lam = [times(rows[i], a) - right[i] for i in range(6)]
    for i in range(6):
        for j in range(i):
            lam[i] = lam[i] - L[i][j] * lam[j]
    lam = [z * w for z, w in zip(lam, inverse)]
    for i in reversed(range(6)):
        for j in range(i + 1, 6):
            lam[i] = lam[i] - L[j][i] * lam[j]
    for i in range(6):
        a = [z if nothing(w) else z - w * lam[i] for z, w in zip(a, columns[i])]
    return a


SQUEEZER = [-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
            0.48736497954384255022559895353, -0.222668390165885884674473185609, 1.23054744454982119249735015568]
PROBLEMS: dict[str, tuple[Callable[[Vector, Vector], Vector], list[float], float]] = {
    "pendulum": (pendulum, [1, 0, 0, 0, 0, 2], 10.0),
    "loop": (loop, [x for corner in LOOP[:4] for x in corner] + [0.0] * 12, 10.0),
    "squeezer": (squeezer, SQUEEZER + [0.0] * 7, 0.03),
}


def points(name: str) -> list[tuple[float, float]]:
    """(time, error) over tolerances."""
    acceleration, start, until = PROBLEMS[name]
    n = len(start) // 2
    q, v = ([hy.make_vars(f"{letter}{i}") for i in range(n)] for letter in "qv")
    equations = list(zip(q, v)) + list(zip(v, acceleration(q, v)))
    end, found = end_of(name), []
    for half in range(6, 31, 2):
        ta = hy.taylor_adaptive(equations, start, tol=10**(-half / 2))
        least = math.inf
        for _ in range(30):
            ta.state[:], ta.time = start, 0.0
            began = time.process_time()
            ta.propagate_until(until)
            least = min(least, time.process_time() - began)
        found.append((least, float(np.max(np.abs(ta.state[:n] - end)))))
    return found


def time_at(found: list[tuple[float, float]], error: float) -> float | None:
    """On straight lines in logarithms between the points that no cheaper one beats, as bench/precision/measure.cpp."""
    best: list[tuple[float, float]] = []
    for seconds, missed in sorted(found):
        if not best or missed < best[-1][1]:
            best.append((seconds, missed))
    for (t0, e0), (t1, e1) in zip([(best[0][0], math.inf)] + best, best):
        if e1 <= error:
            if not math.isfinite(e0) or e1 <= 0:
                return t1
            return t0 * (t1 / t0)**(math.log(error / e0) / math.log(e1 / e0))
    return None


def ours(name: str) -> list[str]:
    """The fastest of ours and of code by hand, from the same run of the program."""
    program = ROOT / "build" / "vinculum_precision"
    if not program.exists():
        return []
    said = subprocess.run([program, name], capture_output=True, text=True, check=True).stdout
    return [line for line in said.splitlines() if re.match(r"\| [^|]+ \| 1e-\d+ \|", line)]


def main() -> None:
    asked = [a for a in sys.argv[1:] if not a.startswith("-")]
    names = [a for a in asked if a in PROBLEMS] if asked else list(PROBLEMS)
    if not names:
        return
    print("| problem | error | heyoka | vinculum | by hand |\n|---|---|---|---|---|")
    for name in names:
        found = points(name)
        rows = ours(name)
        for k, error in enumerate(ERRORS):
            at = time_at(found, error)
            theirs = "not reached" if at is None else f"{at * 1e3:.3g} ms"
            cells = [c.strip() for c in rows[k].split("|")][3:5] if k < len(rows) else ["", ""]
            print(f"| {name} | {error:.0e} | {theirs} | {cells[0]} | {cells[1]} |", flush=True)


if __name__ == "__main__":
    main()
