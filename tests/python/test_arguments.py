"""What every argument refuses, and in which words: which one, what it is, what it should be."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable

import numpy as np
import pytest

import vinculum as vn

NAN = float("nan")
Q, V = np.array([1.0, 0.0]), np.array([0.0, 2.0])


@pytest.fixture(scope="module")
def m() -> vn.Model:
    return vn.examples.pendulum()


@pytest.mark.parametrize(("call", "kind", "words"), [
    (lambda s: s.acceleration(np.array([1, NAN]), V), vn.ArgumentError, r"q\[1\] is nan, and must be finite"),
    (lambda s: s.acceleration([1, NAN], V), vn.ArgumentError, r"q\[1\] is nan, and must be finite"),
    (lambda s: s.acceleration(Q, V, "a"), vn.ArgumentError, "t must be a number, not str 'a'"),
    (lambda s: s.acceleration(np.zeros(3), V), vn.ArgumentError, "q has 3 numbers, and the system has 2 coordinates"),
    (lambda s: s.acceleration(np.zeros((2, 1)), V), vn.ArgumentError, r"q has the shape \(2, 1\); it should be \(2\)"),
    (lambda s: s.accelerations(Q, V), vn.ArgumentError, r"q has the shape \(2,\); it should be \(any, 2\)"),
    (lambda s: s.accelerations([Q, Q], [V]), vn.ArgumentError, r"v has the shape \(1, 2\); it should be \(2, 2\)"),
    (lambda s: s.accelerations([[1, NAN]], [V]), vn.ArgumentError, r"q\[0, 1\] is nan"),
    (lambda s: s.accelerations([Q], [V], NAN), vn.ArgumentError, r"t is nan, and must be finite"),
    (lambda s: s.accelerations([Q], [V], "x"), vn.ArgumentError, "t must be real numbers, not str 'x'"),
    (lambda s: s.accelerations([Q], [V], [[0.0]]), vn.ArgumentError, r"t has the shape \(1, 1\)"),
    (lambda s: s.accelerations([Q, Q], [V, V], L=[1, 2, 3]), vn.ArgumentError, r"parameter 'L' has the shape \(3,\); it should be \(2\)"),
    (lambda s: s.accelerations([Q, Q], [V, V], L=[1, NAN]), vn.ArgumentError, r"parameter 'L'\[1\] is nan"),
    (lambda s: s.accelerations([Q, Q], [V, V], K=[1, 2]), vn.ArgumentError, "no parameter and no option 'K'"),
    (lambda s: s.accelerations([Q, Q], [V, V], L="two"), vn.ArgumentError, "parameter 'L' is str 'two'"),
    (lambda s: s.accelerations([Q, Q], [V, V], L=["a", "b"]), vn.ArgumentError, "parameter 'L' must be real numbers, not list"),
    (lambda s: s.rhs(0.0, np.zeros(3)), vn.ArgumentError, "y has 3 numbers, and the system has 4 coordinates and velocities"),
    (lambda s: s.rhs(0.0, ["a"] * 4), vn.ArgumentError, "y must be real numbers"),
    (lambda s: s.rhs(None, np.zeros(4)), vn.ArgumentError, "t must be a number, not NoneType None"),
    (lambda s: s.solve(Q, V, road="fastest"), vn.ArgumentError, "road 'fastest': roads are automatic, fast"),
    (lambda s: s.solve(Q, V, road=3), vn.ArgumentError, "road must be a word, not int 3"),
    (lambda s: s.solve(Q, V, [0.0]), vn.ArgumentError, r"t must be a number, not list \[0.0\]"),
    (lambda s: s.assemble(Q, V, fixed=["zz"]), vn.ArgumentError, "no coordinate or velocity 'zz'"),
    (lambda s: s.assemble(Q, V, fixed="xy"), vn.ArgumentError, "fixed must be a list of names, not str 'xy'"),
    (lambda s: s.assemble(Q, V, fixed=[1]), vn.ArgumentError, "fixed must be a list of names, and int 1 is none"),
    (lambda s: s.with_parameters(L=np.array([1.0])), vn.ArgumentError, "parameter 'L' is an array of float64"),
    (lambda s: s.with_parameters(L=True), vn.ArgumentError, "parameter 'L' is bool True"),
    (lambda s: s.run("a"), vn.ArgumentError, "until must be a number, not str 'a'"),
    (lambda s: s.run(1, rtol="a"), vn.ArgumentError, "rtol must be a number, not str 'a'"),
    (lambda s: s.run(1, rtol=[1e-9, 1e-9]), vn.ArgumentError, "rtol must be a number, not list"),
    (lambda s: s.run(1, closure="a"), vn.ArgumentError, "closure must be a number"),
    (lambda s: s.run(1, method=3), vn.ArgumentError, "method 3 is not known; methods are"),
    (lambda s: s.run(1, samples=2.5), vn.ArgumentError, "samples must be a whole number, not float 2.5"),
    (lambda s: s.run(1, samples=True), vn.ArgumentError, "samples must be a whole number, not bool True"),
    (lambda s: s.run(1, samples=10**12), vn.ArgumentError, "samples is 1000000000000; it must lie between 0"),
    (lambda s: s.run(t_eval=[[0, 1]]), vn.ArgumentError, r"t_eval has the shape \(1, 2\)"),
    (lambda s: s.run(t_eval=[0, NAN]), vn.ArgumentError, r"t_eval\[1\] is nan"),
    (lambda s: s.run(1, dense_output="no"), vn.ArgumentError, "dense_output is True or False, not str 'no'"),
    (lambda s: s.run(1, assemble=1), vn.ArgumentError, "assemble is True or False, not int 1"),
    (lambda s: s.run(1, progress="bar"), vn.ArgumentError, "progress is True, False or a function, not str 'bar'"),
    (lambda s: s.run(1, dense_output=True).sol("a"), vn.ArgumentError, "t must be real numbers, not str 'a'"),
    (lambda s: s.run(1, dense_output=True).sol([[0.1]]), vn.ArgumentError, r"t has the shape \(1, 1\)"),
    (lambda s: s.run(1)["zz"], KeyError, "the motion has no 'zz'"),
    (lambda s: s.run(1)[0], KeyError, "quantities are found by name"),
    (lambda s: s.run(1).plot("zz"), KeyError, "the motion has no 'zz'"),
    (lambda s: s.check([1, 2, 3]), vn.ArgumentError, r"q has the shape \(3,\); it should be \(2\)"),
])
def test_systems_and_motions(m: vn.Model, call: Callable[[vn.System], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call(m.system())


@pytest.mark.parametrize(("call", "kind", "words"), [
    (lambda m: m.run(1, events=[lambda t, y: y[0]]), vn.ArgumentError, "events are given by name"),
    (lambda m: m.run(1, events={"e": lambda t, y: y[0]}), vn.ArgumentError, "is no number and no expression"),
    (lambda m: m.run(1, parameters=[1]), vn.ArgumentError, r"parameters are given by name, \{'L': 2\}, not as list \[1\]"),
    (lambda m: m.run(1, args=(1,)), vn.ArgumentError, "parameters are given by name"),
    (lambda m: m.run(1, parameters={"L": NAN}), vn.ArgumentError, "nan cannot stand in an expression"),
    (lambda m: m.system(living="L"), vn.ArgumentError, "living must be a list of names, not str 'L'"),
    (lambda m: m.system(living=["K"]), vn.ArgumentError, "'K' is asked to live"),
    (lambda m: m.system(living=3), vn.ArgumentError, "living must be a list of names, not int 3"),
    (lambda m: m.coordinate(3), vn.ArgumentError, "a name is a text, not int 3"),
    (lambda m: m.coordinate("z", start=NAN), vn.ArgumentError, "nan cannot stand in an expression"),
    (lambda m: m.parameter("p", 1j), vn.ArgumentError, "1j is no number and no expression"),
    (lambda m: m.force("x", None), vn.ArgumentError, "None is no number and no expression"),
    (lambda m: m.force(m.particle("p1"), np.zeros(2)), vn.ArgumentError, "a vector has 3 numbers, and this one 2"),
    (lambda m: m.gravity([0, 1]), vn.ArgumentError, "a vector has 3 numbers, and this one 2"),
    (lambda m: m.mass("x"), vn.ArgumentError, r"mass\(x, value\)"),
    (lambda m: m.constrain("c", True), vn.ArgumentError, "True is a truth value and no number"),
    (lambda m: m.component("c", 3), vn.ArgumentError, "component 'c' is a model or its tables, not int 3"),
    (lambda m: m.series("s", "ground", "b", 3), vn.ArgumentError, "the joints of 's' are a list of tables, not int 3"),
    (lambda m: m.derive("fortran"), vn.ArgumentError, "formats are text, latex and c"),
    (lambda m: m.derive(3), vn.ArgumentError, "format is a word, not int 3"),
    (lambda m: vn.loads(b"x"), vn.ArgumentError, "loads takes the text of a model, not bytes"),  # type: ignore[arg-type]
    (lambda m: vn.load("/nothing.toml"), FileNotFoundError, "/nothing.toml"),
    (lambda m: vn.Expr(3), vn.ArgumentError, "an expression is a text in the grammar of models, not int 3"),  # type: ignore[arg-type]
    (lambda m: vn.where(True, 1, 2), vn.ArgumentError, "the condition of where is a comparison"),
    (lambda m: vn.Particle("p") + 1, vn.ArgumentError, "1 is no vector"),
    (lambda m: vn.Particle("p") * vn.Particle("q"), vn.ArgumentError, "is no number and no expression"),
    (lambda m: vn.examples.pendulm, AttributeError, "did you mean 'pendulum'"),
])
def test_models_and_expressions(call: Callable[[vn.Model], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call(vn.examples.pendulum())


def test_sliders_move_the_motion(m: vn.Model) -> None:
    pytest.importorskip("ipywidgets")
    drawn: list[vn.Motion] = []
    shown = vn.interact(m, drawn.append, until=1, g=(1, 20), L=(0.5, 2))
    slider = shown.children[0]
    assert (slider.description, slider.value, slider.step) == ("g", 9.81, 0.01)
    slider.value = 1.6
    assert drawn[-1].system.parameters["g"] == 1.6 and drawn[-1].system.parameters["L"] == m.parameters["L"]
    assert drawn[-1].t[-1] == 1


def test_sliders(m: vn.Model) -> None:
    pytest.importorskip("ipywidgets")
    for ranges, words in (({"L": 3}, "the range of 'L' has the shape"), ({"L": (2, 1)}, "the first must be the smaller"),
                          ({"K": (1, 2)}, "the model has no parameter 'K'")):
        with pytest.raises(vn.ArgumentError, match=words):
            vn.interact(m, **ranges)


def test_expressions_of_sympy() -> None:
    pytest.importorskip("sympy")
    with pytest.raises(vn.ExpressionError, match="'x\\+' is no expression of SymPy"):
        vn.from_sympy("x+")


def test_batches_of_parameters_are_the_single_answers_to_the_bit(m: vn.Model) -> None:
    s = m.system()
    draw = np.random.default_rng(5)
    count = 203
    q, v = draw.normal(size=(count, 2)), draw.normal(size=(count, 2))
    lengths, weights = draw.choice([0.5, 1.0, 2.0], count), draw.uniform(1, 20, count)
    every: list[dict[str, Any]] = [{"L": lengths}, {"g": weights}, {"L": lengths, "g": weights, "m": 3.0}]
    for given in every:
        found = s.accelerations(q, v, **given)
        for k in range(count):
            one = s.with_parameters(**{name: float(np.broadcast_to(value, count)[k]) for name, value in given.items()})
            assert found[k].tolist() == one.acceleration(q[k], v[k]).tolist()
    out = np.empty((count, 2))
    assert s.accelerations(q, v, 0.0, out, g=weights) is out
    assert s.accelerations(np.asfortranarray(q), v[::-1][::-1], g=weights).tolist() == out.tolist()
    assert s.accelerations(np.empty((0, 2)), np.empty((0, 2)), g=[]).shape == (0, 2)


def test_a_batch_says_which_state_has_a_value_that_cannot_be() -> None:
    m = vn.Model()
    k = m.parameter("k", 1.0)
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, np.log(k) * x)
    s = m.system(living=True)
    with pytest.raises(vn.VinculumError, match="^state 2: "):
        s.accelerations(np.ones((3, 1)), np.zeros((3, 1)), k=[1.0, 2.0, -1.0])


@pytest.mark.parametrize(("call", "words"), [
    (lambda m: m.system().solve(np.ma.array(Q, mask=[True, False]), V), "q has masked numbers"),
    (lambda m: m.system().acceleration(np.ma.array(Q, mask=[True, False]), V), "q has masked numbers"),
    (lambda m: m.system().rhs(0.0, np.ma.array([1.0, 0, 0, 2], mask=[False, False, False, True])), "y has masked numbers"),
    (lambda m: m.system().rhs(NAN, np.array([1.0, 0, 0, 2])), "t is nan, and must be finite"),
    (lambda m: m.system().rhs(0.0, np.array([1.0, 0, 0, NAN])), r"y\[3\] is nan"),
    (lambda m: m.system().acceleration(Q, V, NAN), "t is nan, and must be finite"),
    (lambda m: m.system().acceleration(np.array([1, None]), V), "q must be real numbers, not an array of object"),
    (lambda m: m.system().acceleration(np.array([True, False]), V), "q must be real numbers, not an array of bool"),
    (lambda m: m.system().solve([10**400, 0], V), "q must be real numbers, not list"),
    (lambda m: m.system().solve(Q, V, 10**400), "t must be a number, and int 1000.* has no place in 64 bits"),
    (lambda m: m.system().with_parameters(L=10**400), "parameter 'L' is int 1000"),
    (lambda m: m.run(10**400), "until must be a number, and int"),
    (lambda m: m.run(1, progress=np.zeros(2)), "progress is True, False or a function, not an array"),
    (lambda m: m.run(1, on_failure=["raise"]), "on_failure is 'raise' or 'return'"),
    (lambda m: m.coordinate("z", start=NAN), "coordinate 'z': start: nan cannot stand"),
    (lambda m: m.parameter("p", NAN), "parameter 'p': nan cannot stand"),
    (lambda m: m.mass("x", NAN), "the mass of 'x': nan cannot stand"),
    (lambda m: m.mass(NAN, 1), "mass: nan cannot stand"),
    (lambda m: m.force("x", NAN), "what is added to 'x' in .forces.: nan cannot stand"),
    (lambda m: m.gravity([0, 0, NAN]), "gravity: nan cannot stand"),
    (lambda m: m.constrain("c", "x", NAN), "constraint 'c': nan cannot stand"),
    (lambda m: m.potential(NAN), "potential: nan cannot stand"),
    (lambda m: m.output("o", NAN), "output 'o': nan cannot stand"),
    (lambda m: m.body("b", mass=1, inertia=[1, NAN, 1]), "body 'b': inertia: nan cannot stand"),
    (lambda m: m.spring("s", "ground", [0, NAN, 0]), "the ends of spring 's': nan cannot stand"),
    (lambda m: m.particle("p", position=np.ma.array([1.0, 2, 3], mask=[False, True, False])), "particle 'p': position: masked numbers"),
    (lambda m: m.particle("p", mass=1j), "particle 'p': mass: 1j is no number"),
    (lambda m: m.part("p", "c", k={1: 2}), "part 'p': k: keys are names, and int 1 is none"),
    (lambda m: m.simulate(until=NAN), "simulate: until: nan"),
    (lambda m: m.event("e", "x", direction="up"), "event 'e': the direction is 'both', 'rising' or 'falling', not str 'up'"),
    (lambda m: m.event("e", "x", stop="no"), "event 'e': stop is True or False, not str 'no'"),
    (lambda m: m.set_mechanics("newton"), "mechanics is 'dalembert', 'vakonomic' or 'none'"),
    (lambda m: m.force(3, 1), "a force acts on a coordinate.* not on int 3"),
    (lambda m: m.force(vn.Joint("h"), 1), "h.angle or h.distance"),
    (lambda m: m.torque("b", 3), "the torque on 'b': 3 is no vector"),
    (lambda m: m.joint("j", "ground", 3, type="revolute"), "'j' is between parts, bodies or \"ground\", not int 3"),
    (lambda m: m.run(1).save("a.txt"), "files of results end with"),
    (lambda m: m.run(1).save(3), "path is the place of a file, not int 3"),
    (lambda m: vn.load(3), "load takes the place of a file, not int 3"),  # type: ignore[arg-type]
    (lambda m: vn.norm(3), "3 is no vector"),
    (lambda m: vn.norm({1, 2, 3}), "is no vector"),
    (lambda m: vn.norm(np.eye(3)), "is no vector"),
    (lambda m: abs(vn.Particle("p") - vn.Particle("q")), r"the length of a vector is vn.norm\(p - q\)"),
    (lambda m: bool(vn.Particle("p") - vn.Particle("q")), "is a vector and neither true nor false"),
    (lambda m: (vn.Expr("x") < 1) & True, r"\(x < 1\) & \(y > 0\)"),
    (lambda m: np.asarray(vn.Expr("x"), dtype=float), "'x' is an expression and no float64"),
    (lambda m: vn.interact("m", L=(1, 2)), "interact moves a model, not str 'm'"),  # type: ignore[arg-type]
    (lambda m: vn.interact(m), "interact moves parameters: say which"),
    (lambda m: vn.interact(m, "zz", L=(1, 2)), "show is a function of a motion, or names of quantities: the motion has no 'zz'"),
    (lambda m: vn.interact(m, 3, L=(1, 2)), "show must be a list of names, not int 3"),  # type: ignore[arg-type]
])
def test_what_is_wrong_with_an_argument_is_one_kind_of_error(call: Callable[[vn.Model], Any], words: str) -> None:
    with pytest.raises(vn.ArgumentError, match=words) as caught:
        call(vn.examples.pendulum())
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, TypeError)


def test_numbers_of_any_kind_are_numbers(m: vn.Model) -> None:
    s = m.system()
    expected = s.acceleration(Q, V).tolist()
    for q in ([Fraction(1), Decimal(0)], np.array([1, 0]), np.array([1.0, 0.0], dtype=object), np.ma.array(Q),
              np.array([1, 0], dtype=np.longdouble)):
        assert s.acceleration(q, V, np.float64(0)).tolist() == expected
    given: dict[str, Any] = {"L": Fraction(1), "g": np.array(9.81)}
    assert s.with_parameters(given).acceleration(Q, V, 0).tolist() == expected


def test_sliders_of_any_name_and_of_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ipywidgets")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    m = vn.Model()
    k = m.parameter("self", 1.0)
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, -k * x)
    m.simulate(until=1)
    plotted: list[tuple[str, ...]] = []
    monkeypatch.setattr(vn.Motion, "plot", lambda motion, *names: plotted.append(names))
    monkeypatch.setattr(pyplot, "show", lambda: None)
    for shown in (x, "x", ["x", x.rate]):
        slider = vn.interact(m, shown, parameters={"self": (1, 4)}).children[0]  # type: ignore[arg-type]
        assert slider.description == "self"
        slider.value = 2
    assert plotted[0] == ("x",) and plotted[-1] == ("x", "x'")
