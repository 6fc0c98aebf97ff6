"""Anything in every argument: what cannot be is refused by an error of the package, and not by what happens to break inside."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import vinculum as vn

#: Beside errors of the package those that Python has everywhere: a key that is not there, a file that is not.
FINE = (vn.VinculumError, KeyError, OSError)

WILD: list[Any] = [
    None, "", "x", b"x", 1, -1, 0, 1.5, float("nan"), float("inf"), True, 1j, [], {}, (), set(), object(), lambda: 0, np.array([]),
    np.zeros(2), np.zeros((2, 2)), np.array("a"), np.ma.masked, vn.Expr("x"), vn.Particle("p"), vn.Joint("j"), 10**400,
    Decimal("nan"), Fraction(1, 3), np.datetime64("2020"), range(3), np, type, "\ud800", "\0", np.float32(1), [[1], [1, 2]],
    {"a": 1}, vn.Expr("x") < 1]

Q, V = np.array([1.0, 0.0]), np.array([0.0, 2.0])


def broken(call: Callable[[Any], Any]) -> list[str]:
    found = []
    for value in WILD:
        try:
            call(value)
        except FINE as error:
            if len(str(error)) > 1000:
                found.append(f"{value!r:.40}: a message of {len(str(error))} characters")
        except Exception as error:
            found.append(f"{value!r:.40}: {type(error).__name__} {error!s:.100}")
    return found


PENDULUM = vn.examples.pendulum()
S = PENDULUM.system()
SOL = S.run(0.1, dense_output=True)
RUNS = PENDULUM.sweep({"g": [1, 2]}, keep=["x"], until=0.01)



def at(name: str, place: int) -> Callable[[Any], Any]:
    def call(w: Any) -> Any:
        state: list[Any] = [Q, V, 0.0]
        state[place] = w
        return getattr(S, name)(*state)

    return call


def running(of: Any, word: str) -> Callable[[Any], Any]:
    return lambda w: of.run(**{"until": 0.01, word: w})


def sweeping(word: str) -> Callable[[Any], Any]:
    return lambda w: PENDULUM.sweep(**{"random": {"g": vn.uniform(1, 2)}, "until": 0.01, word: w})


ASKED: dict[str, Callable[[Any], Any]] = {
    **{f"{name} {'qvt'[place]}": at(name, place)
       for name in ("solve", "acceleration", "energy", "residuals", "assemble", "check") for place in range(3)},
    **{f"run {word}": running(S, word) for word in (
        "until", "q", "v", "t", "rtol", "atol", "method", "step", "t_eval", "samples", "closure", "dense_output", "assemble",
        "on_failure", "parameters", "L", "zzz", "events", "args")},
    **{f"Model.run {word}": running(PENDULUM, word) for word in ("t_eval", "parameters", "L", "zzz", "events", "args")},
    "rhs t": lambda w: S.rhs(w, np.ones(4)), "rhs y": lambda w: S.rhs(0.0, w),
    "batch q": lambda w: S.accelerations(w, [V]), "batch v": lambda w: S.accelerations([Q], w),
    "batch t": lambda w: S.accelerations([Q], [V], w), "batch out": lambda w: S.accelerations([Q], [V], 0.0, w),
    "batch L": lambda w: S.accelerations([Q], [V], L=w), "out": lambda w: S.acceleration(Q, V, 0.0, w),
    "road": lambda w: S.solve(Q, V, road=w), "L": lambda w: S.solve(Q, V, L=w), "fixed": lambda w: S.assemble(Q, V, fixed=w),
    "with_parameters": lambda w: S.with_parameters(w), "living": lambda w: PENDULUM.system(living=w),
    "system": lambda w: PENDULUM.system(w), "expand": lambda w: PENDULUM.expand(w), "derive": lambda w: PENDULUM.derive(w),
    "sol[]": lambda w: SOL[w], "in sol": lambda w: w in SOL, "sol": SOL.sol, "force": lambda w: SOL.force[w],
    "multipliers": lambda w: SOL.multipliers[w], "m[]": lambda w: PENDULUM[w], "in m": lambda w: w in PENDULUM,
    "assembly": lambda w: S.assemble(Q, V)[w], "loads": vn.loads, "from_sympy": vn.from_sympy, "load": vn.load,
    "loads path": lambda w: vn.loads("[coordinates]\nx=1\n[mass]\nx=1", w), "Model": vn.Model, "example": vn.examples.text,
    **{f"sweep {word}": sweeping(word) for word in (
        "vary", "random", "table", "columns", "count", "seed", "sobol", "keep", "until", "rtol", "atol", "method", "step", "closure",
        "assemble", "start", "events", "parameters", "threads", "executor", "part", "progress", "L", "zzz")},
    "vary": lambda w: PENDULUM.sweep({"g": w}, until=0.01), "random": lambda w: PENDULUM.sweep(random={"g": w}, until=0.01),
    "table": lambda w: PENDULUM.sweep(table={"g": w}, until=0.01), "starts": lambda w: PENDULUM.sweep({"g": [1]}, start={"x": w}, until=0.01),
    "normal": lambda w: vn.normal(1, w), "uniform": lambda w: vn.uniform(w, 1), "log_uniform": lambda w: vn.log_uniform(1, w),
    "member": lambda w: RUNS.member(w), "runs[]": lambda w: RUNS[w], "in runs": lambda w: w in RUNS, "kept[]": lambda w: RUNS.kept[w],
    "runs.motion": lambda w: RUNS.motion(0, samples=w), "runs.save": lambda w: RUNS.save(w), "plot": lambda w: RUNS.plot("g", w),
    "interact": lambda w: vn.interact(w, L=(1, 2)), "interact show": lambda w: vn.interact(PENDULUM, w, M=(1, 2)),
    "interact L": lambda w: vn.interact(PENDULUM, until=0.01, L=w),
}

B, P, J = vn.Body("b0"), vn.Particle("p0"), vn.Joint("j0")

STATED: dict[str, Callable[[vn.Model, Any], Any]] = {
    "parameter": lambda m, w: m.parameter("a", w), "parameter name": lambda m, w: m.parameter(w, 1),
    "define": lambda m, w: m.define("a", w), "define name": lambda m, w: m.define(w, 1),
    "coordinate": lambda m, w: m.coordinate("a", w), "coordinate name": lambda m, w: m.coordinate(w),
    "particle mass": lambda m, w: m.particle("a", w), "particle position": lambda m, w: m.particle("a", 1, w),
    "body mass": lambda m, w: m.body("a", mass=w, inertia=[1, 1, 1]), "body inertia": lambda m, w: m.body("a", mass=1, inertia=w),
    "body shape": lambda m, w: m.body("a", mass=1, shape=w), "body zz": lambda m, w: m.body("a", mass=1, zz=w),
    "mass of": lambda m, w: m.mass(w, 1), "mass": lambda m, w: m.mass("x0", "x0", w),
    "force on": lambda m, w: m.force(w, 1), "force": lambda m, w: m.force("x0", w), "force on p": lambda m, w: m.force(P, w),
    "nonideal": lambda m, w: m.nonideal("x0", w), "torque on": lambda m, w: m.torque(w, [0, 0, 1]),
    "torque": lambda m, w: m.torque(B, w), "gravity": lambda m, w: m.gravity(w),
    "spring end": lambda m, w: m.spring("s", "ground", w, stiffness=1), "spring": lambda m, w: m.spring("s", "ground", P, stiffness=w),
    "spring name": lambda m, w: m.spring(w, "ground", P, stiffness=1), "spring joint": lambda m, w: m.spring("s", joint=w, stiffness=1),
    "bushing": lambda m, w: m.bushing("s", "ground", "b0", point=w, stiffness=[1, 1, 1]), "potential": lambda m, w: m.potential(w),
    "kinetic": lambda m, w: m.kinetic(w), "lagrangian": lambda m, w: m.lagrangian(w),
    "constrain name": lambda m, w: m.constrain(w, "x0", 1), "constrain": lambda m, w: m.constrain("c", w),
    "constrain to": lambda m, w: m.constrain("c", "x0", w), "constrain p": lambda m, w: m.constrain("c", P, w),
    "joint end": lambda m, w: m.joint("j", w, "b0", type="weld"), "joint type": lambda m, w: m.joint("j", "ground", "b0", type=w),
    "joint axis": lambda m, w: m.joint("j", "ground", "b0", type="revolute", axis=w), "gear": lambda m, w: m.gear("g", w, "j0", 1),
    "rack": lambda m, w: m.rack("r", "j0", "j0", w), "series": lambda m, w: m.series("s", "ground", "b0", w),
    "series of": lambda m, w: m.series("s", "ground", "b0", [w]), "friction of": lambda m, w: m.friction(w, 1),
    "friction": lambda m, w: m.friction("c0", w), "servo of": lambda m, w: m.servo(w), "servo": lambda m, w: m.servo("c0", frequency=w),
    "mechanics": lambda m, w: m.set_mechanics(w), "multiplier": lambda m, w: m.output("o", m.multiplier(w)),
    "row": lambda m, w: m.output("o", m.multiplier("c0", w)), "reaction": lambda m, w: m.output("o", m.reaction(w, "x0")),
    "reaction on": lambda m, w: m.output("o", m.reaction("c0", w)),
    "reaction torque": lambda m, w: m.output("o", m.reaction_torque("j0", w)),
    "output": lambda m, w: m.output("o", w), "output name": lambda m, w: m.output(w, 1), "event": lambda m, w: m.event("e", w),
    "event direction": lambda m, w: m.event("e", "x0", w), "event stop": lambda m, w: m.event("e", "x0", "both", w),
    "simulate": lambda m, w: m.simulate(until=w), "view": lambda m, w: m.view(points=w), "component": lambda m, w: m.component("c", w),
    "component of": lambda m, w: m.component("c", {"coordinates": w}), "part": lambda m, w: m.part("p", w),
    "function": lambda m, w: m.force("x0", m.function(w, "x0")), "function of": lambda m, w: m.force("x0", m.function(abs, w)),
    "returned": lambda m, w: m.force("x0", m.function(lambda x: w, "x0")),
    "returned vector": lambda m, w: m.force(P, m.function(lambda x: w, "x0", vector=True)),
    "document": lambda m, w: m.document.update(zz=w), "tables": lambda m, w: m.document.update(coordinates=w),
    "point": lambda m, w: m.output("o", B.point(w)), "where": lambda m, w: m.output("o", vn.where(w, 1, 2)),
    "norm": lambda m, w: m.output("o", vn.norm(w)), "dot": lambda m, w: m.output("o", vn.dot(w, [1, 2, 3])),
    "sin": lambda m, w: m.output("o", vn.sin(w)), "hypot": lambda m, w: m.output("o", np.hypot(vn.Expr("x0"), w)),
    "sum of vectors": lambda m, w: m.output("o", P + w), "multiple": lambda m, w: m.output("o", P * w),
    "np.dot": lambda m, w: m.output("o", np.dot(P, w)), "np.cross": lambda m, w: m.output("o", np.cross(P, w)),
    "@": lambda m, w: m.output("o", P @ w), "&": lambda m, w: m.output("o", vn.where((vn.Expr("x0") < 1) & w, 1, 2)),
}


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors", "ignore:Warning. converting a masked element")
@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert broken(ASKED[name]) == []


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize("name", STATED)
def test_what_is_stated(name: str) -> None:
    def stated(w: Any) -> None:
        m = vn.Model()
        x = m.coordinate("x0", start=1)
        m.mass(x, 1)
        m.particle("p0")
        m.body("b0", mass=1, inertia=[1, 1, 1])
        m.constrain("c0", x, 1)
        m.joint("j0", "ground", "b0", type="revolute", point=[0, 0, 0], axis=[0, 0, 1])
        STATED[name](m, w)
        repr(m)
        s = m.system()
        if "returned" in name:
            s.solve()

    assert broken(stated) == []
