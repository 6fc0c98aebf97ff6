"""Expressions are texts that the reader of models understands, and mean what Python means by them."""

from __future__ import annotations

import math
import random
from typing import Any, Callable

import numpy as np
import pytest

import vinculum as vn
from vinculum._expression import as_expr


def value_of(e: vn.Expr, **values: float) -> float:
    """What the engine makes of an expression: an output of a model that stands still."""
    m = vn.Model()
    for name, value in values.items():
        m.coordinate(name, start=value)
        m.mass(name, 1)
    m.output("it", e)
    return m.system().solve().outputs["it"]


def test_powers_products_and_signs_are_written_with_the_parentheses_they_need() -> None:
    x, y = vn.Coordinate("x"), vn.Coordinate("y")
    assert str(x**2 + y**2) == "x^2 + y^2"
    assert str(-x**2) == "-x^2"
    assert str((-x)**2) == "(-x)^2"
    assert str((x + y) * (x - y)) == "(x + y)*(x - y)"
    assert str(x - (y - 1)) == "x - (y - 1)"
    assert str(x / (y * 2)) == "x/(y*2)"
    assert str(2 * x / y) == "2*x/y"
    assert str((x**2)**y) == "(x^2)^y"
    assert str(x * -2) == "x*(-2)"


def test_random_expressions_have_the_value_python_gives_them() -> None:
    draw = random.Random(5)
    leaves: list[tuple[Any, Callable[[float, float], float]]] = [
        (vn.Coordinate("x"), lambda x, y: x), (vn.Coordinate("y"), lambda x, y: y)]

    def made(depth: int) -> tuple[Any, Callable[[float, float], float]]:
        if depth == 0:
            if draw.random() < 0.4:
                number = round(draw.uniform(-3, 3), 2)
                return as_expr(number), lambda x, y: number
            return draw.choice(leaves)
        a, fa = made(depth - 1)
        kind = draw.randrange(7)
        if kind == 0:
            return -a, lambda x, y: -fa(x, y)
        if kind == 1:
            return np.sin(a), lambda x, y: math.sin(fa(x, y))
        if kind == 2:
            return a**2, lambda x, y: fa(x, y)**2
        b, fb = made(depth - 1)
        if kind == 3:
            return a + b, lambda x, y: fa(x, y) + fb(x, y)
        if kind == 4:
            return a - b, lambda x, y: fa(x, y) - fb(x, y)
        if kind == 5:
            return a * b, lambda x, y: fa(x, y) * fb(x, y)
        return vn.where(a < b, a, b * 2), lambda x, y: fa(x, y) if fa(x, y) < fb(x, y) else fb(x, y) * 2

    for _ in range(150):
        e, f = made(draw.randrange(1, 5))
        x, y = draw.uniform(-2, 2), draw.uniform(-2, 2)
        expected = f(x, y)
        # sines of large numbers differ by the rounding of these
        assert value_of(e, x=x, y=y) == pytest.approx(expected, rel=1e-9, abs=1e-9), str(e)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "exp", "sqrt", "log", "abs",
                                  "sign", "square", "arcsin", "arccos"])
def test_functions_of_numpy_apply(name: str) -> None:
    f = getattr(np, name)
    assert value_of(f(vn.Coordinate("x")), x=0.37) == pytest.approx(float(f(0.37)), rel=1e-15)


def test_functions_of_two_arguments_and_arrays() -> None:
    x, y = vn.Coordinate("x"), vn.Coordinate("y")
    assert value_of(np.hypot(x, y), x=3, y=4) == 5
    assert value_of(np.arctan2(y, x), x=-1, y=0.5) == pytest.approx(math.atan2(0.5, -1))
    assert value_of(np.maximum(x, 2), x=1) == 2
    made = np.sin(np.array([x, y], dtype=object))
    assert [str(one) for one in made] == ["sin(x)", "sin(y)"]
    assert str(np.float64(2.5) * x) == "2.5*x"


def test_numbers_keep_their_bits() -> None:
    for number in (0.1, 1e-300, 2**-1074, 1.7976931348623157e308, 1 / 3):
        assert value_of(vn.Coordinate("x") * 0 + number, x=1.0) == number


def test_what_is_no_expression_is_refused_with_a_sentence() -> None:
    x = vn.Coordinate("x")
    with pytest.raises(vn.ExpressionError, match="nan cannot stand in an expression"):
        x + math.nan
    with pytest.raises(vn.ExpressionError, match="vn.where"):
        bool(x < 1)
    with pytest.raises(vn.ExpressionError, match="give it a name first"):
        _ = (x + 1).rate
    with pytest.raises(vn.ExpressionError, match="np.cbrt is none of the functions"):
        np.cbrt(x)
    with pytest.raises(vn.ExpressionError, match="a vector has 3 numbers"):
        vn.norm([x, 1])
    with pytest.raises(TypeError):
        x + "1"


def test_vectors_are_those_of_the_model_file() -> None:
    m = vn.Model()
    p = m.particle("p", mass=1, position=[1, 2, 2])
    q = m.particle("q", mass=1)
    m.output("far", vn.distance(p, q))
    m.output("turn", vn.cross(p - q, [0, 0, 1]))
    m.output("work", vn.dot(p, p.velocity) + 2 * (p - q).x)
    m.output("half", (p + q) / 2)
    found = m.system().solve().outputs
    assert found["far"] == 3
    assert [found["turn.x"], found["turn.y"], found["turn.z"]] == [2, -1, 0]
    assert found["work"] == 2
    assert [found[f"half.{k}"] for k in "xyz"] == [0.5, 1, 1]


def test_a_text_of_ones_own_stands_in_parentheses_where_it_is_a_part() -> None:
    assert str(vn.Expr("x+y") * 2) == "(x+y)*2"
    assert str(-vn.Expr("x-y")) == "-(x-y)"
    assert str(1 - vn.Expr("x-y")) == "1 - (x-y)"
    assert str(vn.Expr("a+b") ** 2) == "(a+b)^2"
    assert str(vn.Expr("b.point(0, 0, 1)").text) == "b.point(0, 0, 1)"
    assert str(vn.sin(vn.Expr("x+y")) * 2) == "sin(x+y)*2"
    with pytest.raises(vn.ExpressionError, match="give it a name first"):
        vn.Expr("x*y").rate


def test_a_coordinate_of_sympy_stands_alone() -> None:
    sympy = pytest.importorskip("sympy")
    x, y = (sympy.Function(name)(sympy.Symbol("t")) for name in "xy")
    m = vn.Model()
    m.coordinate("x", start=0.6)
    m.coordinate("y", start=0.8)
    m.mass(x, 2)
    m.mass(y, 2)
    m.force(x, x)
    m.constrain("same", x, 0.6)
    m.constrain("other", sympy.Eq(y, 0.8))
    m.output("twice", vn.Expr("x") + x)
    solved = m.system().solve()
    assert abs(solved.acceleration).max() < 1e-15
    assert solved.force["same"][0] == pytest.approx(-0.6)
    assert solved.outputs["twice"] == pytest.approx(1.2)


def test_numpy_knows_vectors() -> None:
    m = vn.Model()
    p = m.particle("p", mass=1, position=[1, 2, 2], velocity=[0, 1, 0])
    q = m.particle("q", mass=1)
    assert str(np.dot(p, p.velocity)) == "dot(p, p')" and str(p @ [0, 0, 1]) == "dot(p, [0, 0, 1])"
    assert str(np.array([0, 0, 1]) @ (p - q)) == "dot([0, 0, 1], p - q)"
    assert str(np.cross([0, 0, 1], p)) == "cross([0, 0, 1], p)"
    assert str(np.linalg.norm(p - q)) == "norm(p - q)"
    m.output("far", np.linalg.norm(p - q))
    m.output("turned", np.diag([1.0, 2.0, 3.0]) @ p)
    m.output("length", np.linalg.norm(np.array([p.x, p.y])))
    m.output("sum", np.sum(p.position))
    m.output("inner", np.inner(np.array(p), np.array(p.velocity)))
    found = m.system().solve().outputs
    assert (found["far"], found["turned.y"], found["sum"], found["inner"]) == (3, 4, 5, 2)
    assert found["length"] == pytest.approx(5**0.5)
    mixed: list[Any] = [p - q, p]
    assert str(sum(mixed)) == "p - q + p" and str(sum([p, q])) == "p + q"
    assert np.stack([p, q]).shape == (2, 3) and len(p) == 3 and str(p[2]) == "p.z"


def test_comparisons_are_joined() -> None:
    x, y = vn.Coordinate("x"), vn.Coordinate("y")
    both, either, neither = (x < 1) & (y > 0), (x < 1) | (y > 0), ~((x < 1) | (y > 0))
    for vx, vy in ((0.5, 0.5), (0.5, -0.5), (1.5, 0.5), (1.5, -0.5)):
        expected = (vx < 1 and vy > 0, vx < 1 or vy > 0, not (vx < 1 or vy > 0))
        assert tuple(value_of(vn.where(one, 1, 0), x=vx, y=vy) for one in (both, either, neither)) == expected
        numpy: Any = np  # its types know arrays of truth values alone
        assert value_of(numpy.where(numpy.logical_and(x < 1, y > 0), 1, 0), x=vx, y=vy) == expected[0]
    assert repr(both) == "Condition('(x < 1) & (y > 0)')" and repr(~(x <= 1)) == "Condition('x > 1')"
    with pytest.raises(vn.ExpressionError, match="&, | and ~ stand for and, or and not"):
        vn.where(0 < x < 1, 1, 0)


def test_matrices_and_pieces_of_sympy() -> None:
    sympy = pytest.importorskip("sympy")
    x, y = sympy.symbols("x y")
    m = vn.Model()
    for name in "xy":
        m.coordinate(name, start=2)
        m.mass(name, 1)
    p = m.particle("p", mass=2)
    m.force(p, sympy.Matrix([x, 0, y]))
    m.output("turned", sympy.ImmutableMatrix([[0, x, y]]))
    m.output("piece", vn.from_sympy(sympy.Piecewise((1, (x < 1) | (y > 1)), (2, True))))
    m.gravity(sympy.Matrix([0, 0, -1]))
    found = m.system().solve()
    assert found.acceleration[2:].tolist() == [1, 0, 0]
    assert (found.outputs["turned.z"], found.outputs["piece"]) == (2, 1)
    with pytest.raises(vn.ExpressionError, match="a vector has 3 numbers, and this one 2"):
        m.force(p, sympy.Matrix([x, y]))


def test_any_power_goes_to_sympy_and_back() -> None:
    sympy = pytest.importorskip("sympy")
    x = vn.Coordinate("x")
    for e in (abs(0.5**x), abs(x)**0.5, 2**-x, abs(x**3), np.exp(-abs(x))):
        made = e.to_sympy()
        assert float(made.subs("x", 1.5)) == pytest.approx(value_of(e, x=1.5), rel=1e-14)
        assert value_of(vn.from_sympy(made), x=1.5) == pytest.approx(value_of(e, x=1.5), rel=1e-14)
    deep: Any = x
    for _ in range(3000):
        deep = np.sin(deep)
    with pytest.raises(vn.ExpressionError, match="is nested too deeply for SymPy") as caught:
        deep.to_sympy()
    assert len(str(caught.value)) < 500
