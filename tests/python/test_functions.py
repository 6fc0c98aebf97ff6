"""Python functions in forces, outputs and events: the same numbers as the expressions they stand for."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable

import numpy as np
import pytest

import vinculum as vn

Array = Any


def rod() -> tuple[vn.Model, vn.Body, vn.Joint]:
    m = vn.Model("Compound pendulum")
    m.gravity([0, 0, -9.81])
    body = m.body("rod", mass=3, inertia=[0.01, 0.25, 0.25], position=[0.5, 0, 0])
    hinge = m.joint("hinge", "ground", body, type="revolute", point=[0, 0, 0], axis=[0, 1, 0], rate=0.7)
    return m, body, hinge


def square(x: float) -> float:
    return x * x


def push(position: Array, speed: float) -> Array:
    return position * speed + [0, 0, 1]


def with_function(state: Callable[[vn.Model, vn.Body, vn.Joint, Any], None], call: bool) -> vn.Model:
    m, body, hinge = rod()

    def value(f: Callable[..., Any], *arguments: Any, vector: bool = False) -> Any:
        if call:
            return m.function(f, *arguments, vector=vector)
        return arguments[0] * arguments[0] if f is square else arguments[0] * arguments[1] + [0, 0, 1]

    state(m, body, hinge, value)
    m.output("angle", hinge.angle)
    return m


@pytest.mark.parametrize("state", [
    lambda m, body, hinge, f: m.force(hinge.angle, -0.4 * f(square, hinge.angle.rate)),
    lambda m, body, hinge, f: m.force(body, f(push, body.velocity, hinge.angle, vector=True)),
    lambda m, body, hinge, f: m.torque(body, f(push, body.omega, vn.t, vector=True)),
    lambda m, body, hinge, f: m.force(body.point([0.5, 0, 0]), f(push, body.point([0.5, 0, 0]), hinge.angle, vector=True)),
    lambda m, body, hinge, f: m.nonideal(hinge.angle, -f(square, hinge.angle)),
    lambda m, body, hinge, f: m.force(body.x, f(square, f(square, hinge.angle))),
], ids=["joint", "body", "torque", "point", "nonideal", "of another"])
def test_a_function_does_what_its_expression_does(state: Any) -> None:
    called, written = with_function(state, True).run(until=1.5), with_function(state, False).run(until=1.5)
    assert called["angle"][-1] == pytest.approx(written["angle"][-1], abs=1e-8)
    alone = with_function(lambda *_: None, False).run(until=1.5)
    assert abs(called["angle"][-1] - alone["angle"][-1]) > 1e-3


def test_functions_act_on_particles_and_are_seen_in_outputs_and_events() -> None:
    m = vn.Model()
    p = m.particle("p", mass=2, velocity=[3, 0, 4])

    def drag(v: Array) -> Array:
        assert v.shape == (3,)
        return -0.1 * np.linalg.norm(v) * v

    m.force(p, m.function(drag, p.velocity, vector=True))
    m.output("speed", m.function(np.linalg.norm, p.velocity))
    m.event("slow", m.function(np.linalg.norm, p.velocity, name="pace") - 4)
    sol = m.run(until=3)
    # v' = -0.05 v^2: v = 5/(1 + t/4)
    assert sol["speed"] == pytest.approx(5 / (1 + sol.t / 4), rel=1e-8)
    assert sol.t_events["slow"] == pytest.approx([1.0], abs=1e-7)
    assert "drag_1(p')" in str(m) and "pace_3(p')" in str(m)


def test_a_vector_is_one_call() -> None:
    calls = 0

    def count(v: Array) -> Array:
        nonlocal calls
        calls += 1
        return -v

    m = vn.Model()
    p = m.particle("p", velocity=[3, 0, 4])
    m.force(p, m.function(count, p.velocity, vector=True))
    s = m.system()
    calls = 0
    s.acceleration(np.zeros(3), np.array([3.0, 0.0, 4.0]))
    assert calls == 1


def test_nothing_is_left_of_the_places_functions_were_held_by() -> None:
    m, body, hinge = rod()
    k = m.parameter("k", 2.0)
    m.force(hinge.angle, m.function(square, hinge.angle.rate) * k)
    m.parameter("later", "3*k")
    s = m.system(living=True)
    assert m.parameters == {"k": 2.0, "later": 6.0} and s.output_names == []
    assert list(s.parameters) == ["k", "later"]
    first, second = s.solve().acceleration[4], s.with_parameters(k=4.0).solve().acceleration[4]
    assert second - first == pytest.approx(2 * 0.49 / (0.25 + 3 * 0.25))
    assert "square_1" in m.run(until=0.1).report() and "square_1_argument" not in m.run(until=0.1).report()


@pytest.mark.parametrize(("state", "words"), [
    (lambda m, body, hinge, f: m.constrain("c", f, 0), "may stand in forces, outputs and events only"),
    (lambda m, body, hinge, f: m.potential(f), "may stand in forces, outputs and events only"),
    (lambda m, body, hinge, f: m.spring("s", joint=hinge, stiffness=f), "may stand in forces, outputs and events only"),
    (lambda m, body, hinge, f: m.parameter("p", f), "may stand in forces, outputs and events only"),
    (lambda m, body, hinge, f: m.body("b", mass=f), "may stand in forces, outputs and events only|positive|mass"),
])
def test_where_a_function_cannot_stand_is_told(state: Any, words: str) -> None:
    m, body, hinge = rod()
    state(m, body, hinge, m.function(square, hinge.angle))
    with pytest.raises(vn.VinculumError, match=words):
        m.system()


def test_arguments_are_known_before_forces() -> None:
    m, body, hinge = rod()
    m.force(hinge.angle, m.function(square, hinge.angle.acceleration))
    with pytest.raises(vn.VinculumError, match="its arguments are made of positions, velocities, parameters and t"):
        m.system()
    m, body, hinge = rod()
    m.force(hinge.angle, m.function(square, "nothing"))
    with pytest.raises(vn.ModelError, match="nothing"):
        m.system()
    with pytest.raises(vn.ArgumentError, match="a function is asked for, not int 3"):
        m.function(3, hinge.angle)  # type: ignore[arg-type]
    with pytest.raises(vn.ModelError, match="the name of a function"):
        m.parameter("square_1", 3)


def test_vectors_of_other_lengths_are_told() -> None:
    m = vn.Model()
    p = m.particle("p")
    m.force(p, m.function(lambda v: v[:2], p.velocity, name="short", vector=True))
    with pytest.raises(ValueError, match=r"the function 'short' returned an array of the shape \(2,\), and a vector has three numbers"):
        m.system().solve()


def test_models_with_functions_are_copied_and_pickled() -> None:
    m, body, hinge = rod()
    m.force(hinge.angle, -0.4 * m.function(square, hinge.angle.rate))
    m.output("angle", hinge.angle)
    expected = m.run(until=1)["angle"][-1]
    for again in (m.copy(), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert again.run(until=1)["angle"][-1] == expected
    system = pickle.loads(pickle.dumps(m.system()))
    assert system.run(1)["angle"][-1] == expected


@pytest.mark.parametrize(("value", "vector", "words"), [
    (None, False, "'wrong' returned None .is its 'return' missing.., and a number is asked for"),
    ("3", False, "'wrong' returned str '3', and a number is asked for"),
    (np.zeros(1), False, r"'wrong' returned an array of the shape \(1,\), and a number is asked for"),
    (1j, False, "'wrong' returned complex 1j, and a number is asked for"),
    (None, True, "'wrong' returned None .is its 'return' missing.., and a vector has three numbers"),
    (["a", "b", "c"], True, "'wrong' returned list .*, and a vector has three numbers"),
    (3.0, True, r"'wrong' returned an array of the shape \(\), and a vector has three numbers"),
    (np.zeros((3, 1)), True, r"'wrong' returned an array of the shape \(3, 1\)"),
])
def test_what_a_function_may_not_return_is_told_with_its_name(value: object, vector: bool, words: str) -> None:
    def wrong(x: float) -> Any:
        return value

    m = vn.Model()
    p = m.particle("p")
    if vector:
        m.force(p, m.function(wrong, p.x, vector=True))
    else:
        m.force(p.x, m.function(wrong, p.x))
    for ask in (lambda: m.run(1), lambda: m.system().solve(), lambda: m.system().acceleration(np.zeros(3), np.zeros(3))):
        with pytest.raises(vn.ArgumentError, match=words):
            ask()


def test_what_is_no_finite_number_is_told_with_the_function_it_is_of() -> None:
    def root(x: float) -> float:
        return float(np.sqrt(x)) if x >= 0 else float("nan")

    m = vn.Model()
    x = m.coordinate("x", start=-2)
    m.mass(x, 1)
    m.force(x, m.function(root, x))
    s = m.system()
    for ask in (lambda: m.run(1), lambda: s.solve(), lambda: s.acceleration(np.array([-2.0]), np.zeros(1)),
                lambda: s.rhs(0.0, np.array([-2.0, 0.0]))):
        with pytest.raises(vn.NotFiniteError, match=r"; the function 'root' returned nan at \(-2\)"):
            ask()
    assert s.solve([4.0]).acceleration[0] == 2
    other = vn.Model()  # what was said is not said of others
    y = other.coordinate("y", start=-1)
    other.mass(y, 1)
    other.force(y, np.log(y))
    with pytest.raises(vn.NotFiniteError) as caught:
        other.system().solve()
    assert "root" not in str(caught.value)


def test_a_trial_without_a_number_is_forgotten() -> None:
    m = vn.Model()
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, m.function(lambda x: np.float64(-x), x))
    assert m.run(until=1)["x"][-1] == pytest.approx(np.cos(1), abs=1e-7)
