"""What every argument refuses, and in which words: which one, what it is, what it should be."""

from __future__ import annotations

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
    (lambda s: s.acceleration(np.array([1, NAN]), V), vn.NotFiniteError, "constraint 'rod' are not finite"),
    (lambda s: s.acceleration([1, NAN], V), ValueError, r"q\[1\] is nan, and must be finite"),
    (lambda s: s.acceleration(Q, V, "a"), TypeError, "t must be a number, not str 'a'"),
    (lambda s: s.acceleration(np.zeros(3), V), ValueError, "q has 3 numbers, and the system has 2 coordinates"),
    (lambda s: s.acceleration(np.zeros((2, 1)), V), ValueError, r"q has the shape \(2, 1\); it should be \(2\)"),
    (lambda s: s.accelerations(Q, V), ValueError, r"q has the shape \(2,\); it should be \(any, 2\)"),
    (lambda s: s.accelerations([Q, Q], [V]), ValueError, r"v has the shape \(1, 2\); it should be \(2, 2\)"),
    (lambda s: s.accelerations([[1, NAN]], [V]), ValueError, r"q\[0, 1\] is nan"),
    (lambda s: s.accelerations([Q], [V], NAN), ValueError, r"t\[\] is nan, and must be finite"),
    (lambda s: s.accelerations([Q], [V], "x"), TypeError, "t must be real numbers, not str 'x'"),
    (lambda s: s.accelerations([Q], [V], [[0.0]]), ValueError, r"t has the shape \(1, 1\)"),
    (lambda s: s.accelerations([Q, Q], [V, V], L=[1, 2, 3]), ValueError, r"parameter 'L' has the shape \(3,\); it should be \(2\)"),
    (lambda s: s.accelerations([Q, Q], [V, V], L=[1, NAN]), ValueError, r"parameter 'L'\[1\] is nan"),
    (lambda s: s.accelerations([Q, Q], [V, V], K=[1, 2]), vn.ArgumentError, "no parameter and no option 'K'"),
    (lambda s: s.accelerations([Q, Q], [V, V], L="two"), vn.ArgumentError, "parameter 'L' is str 'two'"),
    (lambda s: s.accelerations([Q, Q], [V, V], L=["a", "b"]), TypeError, "parameter 'L' must be real numbers, not list"),
    (lambda s: s.rhs(0.0, np.zeros(3)), ValueError, "y has 3 numbers, and the system has 4 coordinates and velocities"),
    (lambda s: s.rhs(0.0, ["a"] * 4), TypeError, "y must be real numbers"),
    (lambda s: s.rhs(None, np.zeros(4)), TypeError, "t must be a number, not NoneType None"),
    (lambda s: s.solve(Q, V, road="fastest"), ValueError, "road 'fastest': roads are automatic, fast"),
    (lambda s: s.solve(Q, V, road=3), TypeError, "road must be a word, not int 3"),
    (lambda s: s.solve(Q, V, [0.0]), TypeError, r"t must be a number, not list \[0.0\]"),
    (lambda s: s.assemble(Q, V, fixed=["zz"]), ValueError, "no coordinate or velocity 'zz'"),
    (lambda s: s.assemble(Q, V, fixed="xy"), TypeError, "fixed must be a list of names, not str 'xy'"),
    (lambda s: s.assemble(Q, V, fixed=[1]), TypeError, "fixed must be a list of names, and int 1 is none"),
    (lambda s: s.with_parameters(L=np.array([1.0])), TypeError, "parameter 'L' is an array of float64"),
    (lambda s: s.with_parameters(L=True), TypeError, "parameter 'L' is bool True"),
    (lambda s: s.run("a"), TypeError, "until must be a number, not str 'a'"),
    (lambda s: s.run(1, rtol="a"), TypeError, "rtol must be a number, not str 'a'"),
    (lambda s: s.run(1, rtol=[1e-9, 1e-9]), TypeError, "rtol must be a number, not list"),
    (lambda s: s.run(1, closure="a"), TypeError, "closure must be a number"),
    (lambda s: s.run(1, method=3), ValueError, "method 3 is not known; methods are"),
    (lambda s: s.run(1, samples=2.5), TypeError, "samples must be a whole number, not float 2.5"),
    (lambda s: s.run(1, samples=True), TypeError, "samples must be a whole number, not bool True"),
    (lambda s: s.run(1, samples=10**12), ValueError, "samples is 1000000000000; it must lie between 0"),
    (lambda s: s.run(t_eval=[[0, 1]]), ValueError, r"t_eval has the shape \(1, 2\)"),
    (lambda s: s.run(t_eval=[0, NAN]), ValueError, r"t_eval\[1\] is nan"),
    (lambda s: s.run(1, dense_output="no"), TypeError, "dense_output is True or False, not str 'no'"),
    (lambda s: s.run(1, assemble=1), TypeError, "assemble is True or False, not int 1"),
    (lambda s: s.run(1, progress="bar"), TypeError, "progress is True, False or a function, not str 'bar'"),
    (lambda s: s.run(1, dense_output=True).sol("a"), TypeError, "t must be real numbers, not str 'a'"),
    (lambda s: s.run(1, dense_output=True).sol([[0.1]]), ValueError, r"t has the shape \(1, 1\)"),
    (lambda s: s.run(1)["zz"], KeyError, "the motion has no 'zz'"),
    (lambda s: s.run(1)[0], KeyError, "quantities are found by name"),
    (lambda s: s.run(1).plot("zz"), KeyError, "the motion has no 'zz'"),
    (lambda s: s.check([1, 2, 3]), ValueError, r"q has the shape \(3,\); it should be \(2\)"),
])
def test_systems_and_motions(m: vn.Model, call: Callable[[vn.System], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call(m.system())


@pytest.mark.parametrize(("call", "kind", "words"), [
    (lambda m: m.run(1, events=[lambda t, y: y[0]]), TypeError, "events are given by name"),
    (lambda m: m.run(1, events={"e": lambda t, y: y[0]}), TypeError, "is no number and no expression"),
    (lambda m: m.run(1, parameters=[1]), TypeError, r"parameters are given by name, \{'L': 2\}, not as \[1\]"),
    (lambda m: m.run(1, args=(1,)), TypeError, "parameters are given by name"),
    (lambda m: m.run(1, parameters={"L": NAN}), TypeError, "nan cannot stand in an expression"),
    (lambda m: m.system(living="L"), TypeError, "living must be a list of names, not str 'L'"),
    (lambda m: m.system(living=["K"]), ValueError, "'K' is asked to live"),
    (lambda m: m.system(living=3), TypeError, "living must be a list of names, not int 3"),
    (lambda m: m.coordinate(3), TypeError, "a name is a text, not 3"),
    (lambda m: m.coordinate("z", start=NAN), TypeError, "nan cannot stand in an expression"),
    (lambda m: m.parameter("p", 1j), TypeError, "1j is no number and no expression"),
    (lambda m: m.force("x", None), TypeError, "None is no number and no expression"),
    (lambda m: m.force(m.particle("p1"), np.zeros(2)), TypeError, "a vector has 3 numbers, and this one 2"),
    (lambda m: m.gravity([0, 1]), TypeError, "a vector has 3 numbers, and this one 2"),
    (lambda m: m.mass("x"), TypeError, r"mass\(x, value\)"),
    (lambda m: m.constrain("c", True), TypeError, "True is a truth value and no number"),
    (lambda m: m.component("c", 3), TypeError, "component 'c' is a model or its tables, not 3"),
    (lambda m: m.series("s", "ground", "b", 3), TypeError, "the joints of 's' are a list of tables, not 3"),
    (lambda m: m.derive("fortran"), ValueError, "formats are text, latex and c"),
    (lambda m: m.derive(3), TypeError, "format is a word, not 3"),
    (lambda m: vn.loads(b"x"), TypeError, "loads takes the text of a model, not bytes"),  # type: ignore[arg-type]
    (lambda m: vn.load("/nothing.toml"), FileNotFoundError, "/nothing.toml"),
    (lambda m: vn.Expr(3), TypeError, "an expression is a text in the grammar of models, not 3"),  # type: ignore[arg-type]
    (lambda m: vn.where(True, 1, 2), TypeError, "the condition of where is a comparison"),
    (lambda m: vn.Particle("p") + 1, TypeError, "1 is no vector"),
    (lambda m: vn.Particle("p") * vn.Particle("q"), TypeError, "is no number and no expression"),
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
        with pytest.raises((TypeError, ValueError), match=words):
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
