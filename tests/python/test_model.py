"""A model stated in Python and one in a file are one thing."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import vinculum as vn
from conftest import ROOT


def test_a_built_model_prints_as_a_model_file(pendulum: vn.Model) -> None:
    again = vn.loads(str(pendulum))
    assert again.run(until=2).json["q"] == pendulum.run(until=2).json["q"]
    assert 'rod = "x^2 + y^2 = L^2"' in str(pendulum)


def test_a_saved_model_is_the_same(pendulum: vn.Model, tmp_path: Path) -> None:
    pendulum.save(tmp_path / "p.toml")
    assert vn.load(tmp_path / "p.toml").text == pendulum.text


@pytest.mark.parametrize("name", vn.examples.names())
def test_every_example_survives_being_taken_apart_and_written_again(name: str) -> None:
    model = getattr(vn.examples, name)()
    before, settings, parameters = model.check().json, model.settings, model.parameters
    _ = model.document  # from here on it is written from its tables
    assert "#" not in model.text.replace("'#'", "")
    assert (model.check().json, model.settings, model.parameters) == (before, settings, parameters)


def test_what_a_file_states_can_be_found_and_added_to() -> None:
    m = vn.examples.pendulum()
    x, y = m["x"], m["y"]
    m.force(x, -0.5 * x.rate)
    m.output("height", y)
    assert str(m["L"]) == "L"
    sol = m.run(until=1)
    assert sol["height"][-1] == sol["y"][-1]
    with pytest.raises(KeyError, match="states no 'zz'"):
        m["zz"]


def test_a_table_that_is_kept_and_changed_later_counts() -> None:
    m = vn.examples.pendulum()
    tables = m.document
    before = m.run(until=1)["x"][-1]
    tables["parameters"]["g"] = 1.62
    assert m.run(until=1)["x"][-1] != before and m.parameters["g"] == 1.62


def test_forces_of_one_thing_add_up() -> None:
    m = vn.Model()
    x = m.coordinate("x")
    m.mass(x, 2)
    m.force(x, 3)
    m.force(x, x.rate + 5)
    p = m.particle("p", mass=1)
    m.force(p, [1, 0, 0])
    m.force(p, [0, 2, x])
    assert m.system().solve().acceleration.tolist() == [4, 1, 2, 0]


def test_bodies_joints_springs_and_gears() -> None:
    m = vn.Model("Compound pendulum")
    m.gravity([0, 0, -9.81])
    rod = m.body("rod", mass=3, inertia=[0.01, 0.25, 0.25], position=[0.5, 0, 0])
    hinge = m.joint("hinge", "ground", rod, type="revolute", point=[0, 0, 0], axis=[0, 1, 0])
    m.spring("wound", joint=hinge, stiffness=2)
    m.output("tip", rod.point([0.5, 0, 0]))
    m.output("angle", hinge.angle)
    m.output("load", vn.norm(m.reaction(hinge, rod)))
    i = m.system().solve()
    assert i.acceleration[4] == pytest.approx(3 * 9.81 * 0.5 / (0.25 + 3 * 0.25), rel=1e-14)
    assert i.outputs["tip.x"] == 1.0


def test_components_are_models_used_many_times() -> None:
    link = vn.Model()
    k = link.parameter("k", 1.0)
    x = link.coordinate("x", start=1)
    link.mass(x, 1)
    link.force(x, -k * x)
    m = vn.Model()
    m.component("oscillator", link)
    m.part("slow", "oscillator")
    m.part("fast", "oscillator", k=4)
    sol = m.run(until=np.pi)
    assert sol["slow.x"][-1] == pytest.approx(-1, abs=1e-8)
    assert sol["fast.x"][-1] == pytest.approx(1, abs=1e-8)


def test_all_faults_come_at_once_with_their_places() -> None:
    with pytest.raises(vn.ModelError) as caught:
        vn.loads("[coordinates]\nx = 1\n[mass]\nx = 'mm'\n[constraint]\nrod = 'x = 0'\n")
    faults = caught.value.faults
    assert [(f.line, f.column) for f in faults] == [(4, 6), (5, 2)]
    assert "did you mean 'constraints'" in faults[1].text and faults[1].source == "[constraint]"
    assert isinstance(caught.value, ValueError)


def test_a_name_is_stated_once(pendulum: vn.Model) -> None:
    with pytest.raises(vn.ModelError, match="'rod' is stated twice"):
        pendulum.constrain("rod", "x = 1")
    with pytest.raises(vn.ModelError, match="there is no constraint 'rd'; constraints are: rod"):
        pendulum.friction("rd", 0.1)


def test_a_function_of_python_is_a_force() -> None:
    calls = []

    def drag(v: float) -> float:
        calls.append(v)
        return -3.0 * v

    m = vn.Model()
    x = m.coordinate("x", rate=1)
    m.mass(x, 1)
    m.force(x, m.function(drag, x.rate))
    assert m.run(until=1)["x'"][-1] == pytest.approx(np.exp(-3), rel=1e-7)
    assert calls
    with pytest.raises(vn.VinculumError, match="cannot be saved"):
        m.save("never.toml")


def test_what_a_function_of_python_raises_comes_out() -> None:
    m = vn.Model()
    x = m.coordinate("x", rate=1)
    m.mass(x, 1)

    def broken(v: float) -> float:
        raise RuntimeError("no table for it")

    m.force(x, m.function(broken, x.rate))
    with pytest.raises(RuntimeError, match="no table for it"):
        m.run(until=1)
    with pytest.raises(vn.ExpressionError, match="cannot be called with 2 numbers"):
        other = vn.Model()
        y = other.coordinate("y")
        other.mass(y, 1)
        other.force(y, other.function(broken, y, y.rate))
        other.run(until=1)


def test_functions_of_python_are_not_lost_without_a_word() -> None:
    def push(v: float) -> Any:
        return np.array([v])

    m = vn.Model()
    x = m.coordinate("x", rate=1)
    m.mass(x, 1)
    first, second = m.function(push, x), m.function(push, x.rate)  # both before the forces
    m.force(x, first)
    m.force(x, second)
    assert "written in Python and no part of this text: push_1(x)" in str(m)
    with pytest.raises(vn.VinculumError, match="cannot stand in a component"):
        vn.Model().component("c", m)
    other = vn.Model()
    y = other.coordinate("y")
    other.mass(y, 1)
    other.force(y, other.function(lambda v: None, y))
    with pytest.raises(TypeError, match="the function '<lambda>' returned None .is its 'return' missing.., and a number is asked for"):
        other.run(until=1)


def test_functions_that_know_their_model_are_let_go_with_it() -> None:
    import weakref

    class Study:
        def __init__(self) -> None:
            self.model = vn.Model()
            x = self.model.coordinate("x", start=1)
            self.model.mass(x, 1)
            self.model.force(x, self.model.function(self.drag, x))
            self.model.run(until=0.01)

        def drag(self, x: float) -> float:
            return -x

    study = Study()
    seen = weakref.ref(study)
    del study
    gc.collect()
    assert seen() is None


def test_texts_and_inequalities_are_taken_at_their_word() -> None:
    sympy = pytest.importorskip("sympy")
    m = vn.Model()
    p = m.particle("p")
    assert str(p - "q + r") == "p - (q + r)"
    with pytest.raises(vn.ExpressionError, match="is no equation"):
        m.constrain("wall", sympy.Symbol("x") >= 0)
    with pytest.raises(vn.ExpressionError, match="has a right side already"):
        m.constrain("z", "x = 1", 7)
    with pytest.raises(vn.ExpressionError, match="an equation is constrain"):
        m.constrain("z", p.x == 3)  # type: ignore[comparison-overlap]
    x, t = sympy.Function("x"), sympy.Symbol("t")
    for delayed in (x(t - 1), x(2 * t), x(0), x(sympy.Symbol("s")).diff(sympy.Symbol("s"))):
        with pytest.raises(vn.ExpressionError):
            vn.from_sympy(delayed)
    with pytest.raises(vn.ExpressionError, match="is no number and no expression"):
        _ = p.x * np.complex128(1 + 2j)
    with pytest.raises(vn.ArgumentError, match="no 'terminal'"):
        vn.examples.pendulum().run(until=1, events={"hit": {"at": "x", "terminal": True}})
    with pytest.raises(vn.ArgumentError, match="a name is a text"):
        m.coordinate(None)  # type: ignore[arg-type]


def test_expressions_that_double_are_stopped() -> None:
    e = vn.Expr("x") + 1
    with pytest.raises(vn.ExpressionError, match="give what stands in it several times a name"):
        for _ in range(60):
            e = e * e


def test_entries_of_parts_keep_their_order() -> None:
    m = vn.Model()
    m.document["components"] = {"c": {"coordinates": {"a": {"start": "1" + " + 0" * 60}, "b": 2}, "mass": {"a": 1, "b": 1}}}
    m.part("p", "c")
    m.parameter("k", 1)
    assert m.system().coordinate_names == ["p.a", "p.b"]


def test_models_can_be_pickled_and_their_errors_too(pendulum: vn.Model) -> None:
    import pickle

    again = pickle.loads(pickle.dumps(pendulum))
    assert again.text == pendulum.text
    with pytest.raises(vn.ModelError) as caught:
        vn.loads("x = 1")
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


def test_parameters_may_have_other_values(pendulum: vn.Model) -> None:
    first = pendulum.run(until=1, parameters={"L": 2})["x"][-1]
    assert first == pendulum.run(until=1)["x"][-1]
    with pytest.raises(vn.ModelError, match="did you mean 'L'|unknown"):
        pendulum.run(until=1, parameters={"l": 2})


def test_sympy_in_and_out() -> None:
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t")
    theta = sympy.Function("theta")(t)
    m = vn.Model()
    q = m.coordinate("theta", start=0.3)
    m.lagrangian(theta.diff(t)**2 / 2 + 9.81 * sympy.cos(theta))
    assert m.system().solve().acceleration[0] == pytest.approx(-9.81 * np.sin(0.3), rel=1e-14)
    x = sympy.Symbol("x")
    assert sympy.simplify(sympy.Symbol("y") + q - q.to_sympy()) == sympy.Symbol("y")
    for e in (sympy.sin(x)**2 / 3 - x, sympy.sqrt(x**2 + 1), 1 / x**3, sympy.exp(-x) * sympy.pi,
              sympy.Piecewise((x, x < 1), (x**2, True)), sympy.Abs(x) + sympy.Max(x, 2), sympy.Rational(2, 7) * x):
        back = vn.from_sympy(e).to_sympy()
        for value in (0.4, 1.7):
            assert float(back.subs(x, value)) == pytest.approx(float(e.subs(x, value)), rel=1e-14), e
    assert str((q**2 + q.rate).to_sympy()) in ("theta**2 + theta'", "theta' + theta**2")


def test_equations_are_matrices_of_sympy() -> None:
    sympy = pytest.importorskip("sympy")
    m = vn.Model()
    x, y = m.coordinate("x", start=1), m.coordinate("y")
    m.mass(x, m.parameter("m", 2))
    m.mass(y, vn.Expr("m"))
    m.force(y, -9.81 * vn.Expr("m"))
    m.constrain("rod", x**2 + y**2, 1)
    e = m.equations()
    X, Y, VX, VY = (sympy.Symbol(s) for s in ("x", "y", "x'", "y'"))
    mass = sympy.Symbol("m")
    assert sympy.simplify(e.M - sympy.diag(mass, mass)) == sympy.zeros(2)
    assert sympy.simplify(e.A - sympy.Matrix([[2 * X, 2 * Y]])) == sympy.zeros(1, 2)
    assert sympy.simplify(e.b[0] + 2 * VX**2 + 2 * VY**2) == 0


def test_ten_systems_have_the_equations_sympy_finds() -> None:
    """M and Q of Lagrangians against Euler's and Lagrange's equations by SymPy."""
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t")
    a, b = (sympy.Function(name)(t) for name in ("a", "b"))
    da, db = a.diff(t), b.diff(t)
    systems: list[Any] = [
        da**2 / 2 - a**2, da**2 / 2 * (1 + a**2) + a, da**2 + db**2 - sympy.cos(a - b),
        (da**2 + db**2 + da * db * sympy.cos(a - b)) / 2 + sympy.cos(a) + sympy.cos(b),
        db**2 / 2 + da**2 * b**2 / 2 - 1 / b, da**2 / 2 + da * db * a + db**2 * (2 + b**2),
        (1 + sympy.sin(b)**2) * da**2 / 2 + db**2 / 2 + sympy.cos(b), da**2 * sympy.exp(a) / 2 - a**4 / 4,
        da**2 / 2 + db**2 / 2 + da * b - db * a, (da + db)**2 / 2 + db**2 * sympy.cos(a)**2 + a * b,
    ]
    names = {a: "a", b: "b"}
    for lagrangian in systems:
        used = [q for q in (a, b) if lagrangian.has(q)]
        m = vn.Model()
        for q in used:
            m.coordinate(names[q], start=0.5)
        m.lagrangian(lagrangian)
        e = m.equations()
        symbol = {}
        for q in used:
            symbol[q.diff(t, 2)] = sympy.Symbol(names[q] + "''")
        for q in used:
            symbol[q.diff(t)] = sympy.Symbol(names[q] + "'")
        for q in used:
            symbol[q] = sympy.Symbol(names[q])
        accelerations = sympy.Matrix([symbol[q.diff(t, 2)] for q in used])
        ours = e.M * accelerations - e.Q
        for k, q in enumerate(used):
            theirs = (lagrangian.diff(q.diff(t)).diff(t) - lagrangian.diff(q)).doit()
            for old, new in symbol.items():
                theirs = theirs.subs(old, new)
            assert sympy.simplify(sympy.expand(ours[k] - theirs)) == 0, lagrangian


def test_robots_are_models(recwarn: pytest.WarningsRecorder) -> None:
    robots = sorted((ROOT / "tests/data/robots").glob("*.urdf"))
    assert robots
    model = vn.load(robots[0])
    assert model.system().velocity_names


def test_models_are_let_go() -> None:
    """Memory does not grow with a hundred thousand models built and dropped, every twentieth of them compiled."""
    import resource

    def build(k: int) -> None:
        m = vn.Model()
        x = m.coordinate("x", start=1)
        m.mass(x, 1)
        m.force(x, m.function(abs, x) if k % 3 == 0 else -x)
        if k % 20 == 0:
            m.system().acceleration([1.0], [0.0])

    for k in range(25_000):  # what allocators take once, a megabyte at a time
        build(k)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k in range(100_000):
        build(k)
    gc.collect()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # [kB]
    assert grown < 3000  # a model that stayed would be some 5 kB, a compiled one some 30: 600 MB of them


def test_a_thousand_rods_are_built_quickly() -> None:
    import time

    began = time.process_time()
    m = vn.Model()
    previous_x: Any = 0
    previous_y: Any = 0
    for k in range(1000):
        x, y = m.coordinate(f"x{k}", start=k + 1), m.coordinate(f"y{k}")
        m.mass(x, 1)
        m.mass(y, 1)
        m.force(y, -9.81)
        m.constrain(f"rod{k}", (x - previous_x)**2 + (y - previous_y)**2, 1)
        previous_x, previous_y = x, y
    _ = m.text
    assert time.process_time() - began < 0.5  # measured: some hundredths
    assert len(m.system().row_names) == 1000


def test_a_whole_model_may_be_a_component() -> None:
    link = vn.Model("Link", description="one of many")
    link.mass(link.coordinate("x", start=1), 1)
    link.document["simulate"] = {"until": 3}
    m = vn.Model()
    m.component("link", link)
    m.part("first", "link")
    assert m.system().coordinate_names == ["first.x"]
    assert link.document["title"] == "Link"


def test_a_system_says_where_events_and_parameters_are_stated() -> None:
    s = vn.examples.pendulum().system()
    with pytest.raises(vn.ArgumentError, match="Model.run"):
        s.run(1, events={"hit": "x"})  # type: ignore[arg-type]
    assert s.run(1, parameters={"g": 2}).system.parameters["g"] == 2
    with pytest.raises(vn.ArgumentError, match="parameters are given by name"):
        s.run(1, parameters=[2])  # type: ignore[arg-type]


def test_a_parameter_is_given_once() -> None:
    m = vn.examples.pendulum()
    s = m.system()
    calls: list[Callable[[], object]] = [
        lambda: m.run(1, parameters={"L": 1}, L=2), lambda: s.run(1, parameters={"L": 1}, L=2),
        lambda: s.solve(parameters={"L": 1}, L=2), lambda: s.with_parameters({"L": 1}, L=2),
        lambda: s.accelerations([[1, 0]], [[0, 2]], parameters={"L": 1}, L=2)]
    for call in calls:
        with pytest.raises(vn.ArgumentError, match="parameter 'L' is given twice: L=2, and 1 in parameters"):
            call()
    with pytest.raises(vn.ArgumentError, match="two names of one thing"):
        m.run(1, parameters={"L": 1}, args={"L": 1})


@pytest.mark.parametrize("name", ["self", "name", "q", "v", "step", "parameters", "until", "model", "show", "values"])
def test_parameters_may_be_called_as_arguments_are(name: str) -> None:
    m = vn.Model()
    k = m.parameter(name, 1.0)
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, -k * x)
    s = m.system()
    given = {name: 4.0}
    assert s.solve(parameters=given).acceleration[0] == -4
    assert s.with_parameters(given).solve().acceleration[0] == -4
    assert s.accelerations([[1.0], [2.0]], [[0.0], [0.0]], parameters={name: [4.0, 1.0]}).tolist() == [[-4], [-2]]
    assert m.run(1, parameters=given)["x"][-1] == pytest.approx(np.cos(2), abs=1e-7)
    assert s.run(1, parameters=given)["x"][-1] == pytest.approx(np.cos(2), abs=1e-7)
    assert m.system(given).solve().acceleration[0] == -4


def test_names_are_looked_for_and_gone_through() -> None:
    m = vn.examples.pendulum()
    assert "x" in m and m["x"] in m and "z" not in m and 3 not in m
    assert list(m)[:2] == ["x", "y"] and set(m) >= {"L", "g", "m"}
    with pytest.raises(KeyError, match="things are found by name, m\\['x'\\], not by int 0"):
        m[0]  # type: ignore[index]


def test_whole_numbers_beyond_64_bits_are_numbers() -> None:
    m = vn.Model()
    k = m.parameter("k", 2**70)
    x = m.coordinate("x", start=1)
    m.mass(x, 10**30)
    m.force(x, k * x + 3**50)
    assert m.parameters["k"] == 2.0**70
    assert m.system().solve().acceleration[0] == pytest.approx((2.0**70 + 3.0**50) / 1e30)
    with pytest.raises(vn.ArgumentError, match="parameter 'j': a number beyond 1.8e308"):
        m.parameter("j", 10**400)


def test_what_is_wrong_far_inside_a_long_line_is_shown_and_no_more_of_it() -> None:
    m = vn.Model()
    x = m.coordinate("x")
    m.mass(x, 1)
    m.force(x, vn.Expr("(" * 200_000 + "x" + ")" * 200_000))
    with pytest.raises(vn.ModelError) as caught:
        m.system()
    assert len(str(caught.value)) < 1000
    m = vn.Model()
    m.coordinate("x")
    m.mass("x", 1)
    m.force("x", " + ".join(["x"] * 5000) + " + nothing + " + " + ".join(["x"] * 5000))
    with pytest.raises(vn.ModelError, match="(?s)'nothing'.*[.][.].* nothing .*[.][.]") as caught:
        m.system()
    assert len(str(caught.value)) < 1000


def test_what_holds_itself_is_refused() -> None:
    m = vn.Model()
    options: dict[str, Any] = {}
    options["again"] = options
    with pytest.raises(vn.ArgumentError, match="body 'b' is nested too deeply"):
        m.body("b", **{"shape": options})
    with pytest.raises(vn.ArgumentError, match="half a character"):
        vn.Model("\ud800").read()


def test_messages_speak_of_python() -> None:
    with pytest.raises(vn.ModelError, match="^the model states nothing: m.coordinate.* vn.examples has whole ones"):
        vn.Model().system()
    with pytest.raises(vn.StartError, match="assemble=True applies it"):
        vn.examples.pendulum().system().run(1, q=[2, 0], v=[0, 0])
    assert "assemble=True applies it" in vn.examples.pendulum().system().assemble([2, 0], [0, 0]).text
    assert "--" not in str(vn.examples.pendulum().system().check([2, 0], [0, 0])).replace("---", "")
    m = vn.loads("[parameters]\nc = '?'\n[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-c*x'")
    with pytest.raises(vn.ModelError) as caught:
        m.system()
    assert "--set" not in str(caught.value) and "vinculum " not in str(caught.value)
    m = vn.Model()
    x = m.coordinate("x")
    m.mass(x, 1)
    m.force(x, m.function(lambda x: -x, x))
    assert "C++" not in m.derive("text") and "written in Python" in m.derive("text")
