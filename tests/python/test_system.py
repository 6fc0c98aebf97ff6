"""Instants and batches: the numbers of the engine, and what bad input gets."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

import vinculum as vn


def test_an_instant_says_what_the_theory_says(pendulum: vn.Model) -> None:
    i = pendulum.system().solve([1.2, -1.6], [0.8, 0.6])
    tension = i.multipliers["rod"]
    assert i.force["rod"] == pytest.approx([2.4 * tension, -3.2 * tension])
    assert i.M @ i.acceleration == pytest.approx(i.Q + i.A.T @ [tension])
    assert i.A @ i.acceleration == pytest.approx(i.b)
    assert i.deviation == pytest.approx(i.acceleration - i.free_acceleration)
    assert i.rank == 1 and i.multipliers_unique and max(i.certificate.values()) < 1e-14
    assert "Certificate of this instant" in i.explain()
    with pytest.raises(KeyError, match="there is no constraint 'rd'; constraints are: rod"):
        i.force["rd"]


def test_the_fast_road_a_batch_and_the_instant_agree(pendulum: vn.Model) -> None:
    s = pendulum.system()
    draw = np.random.default_rng(3)
    angle = draw.uniform(0, 6, 101)
    spin = draw.normal(size=101)
    q = 2 * np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    v = 2 * spin[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    many = s.accelerations(q, v)
    out = np.empty(2)
    for k in range(101):
        assert s.acceleration(q[k], v[k], 0.0, out) is out
        assert out.tolist() == many[k].tolist()
        assert s.solve(q[k], v[k]).acceleration == pytest.approx(out, rel=1e-12, abs=1e-12)


def test_parameters_live_without_compiling_again(pendulum: vn.Model) -> None:
    s = pendulum.system()
    longer = s.with_parameters(L=4.0)
    i = longer.solve([2.4, -3.2], [0, 0])
    assert longer.parameters["L"] == 4.0
    assert i.acceleration == pytest.approx(pendulum.system({"L": 4}).solve([2.4, -3.2], [0, 0]).acceleration)
    assert s.solve([2.4, -3.2], [0, 0], L=4.0).acceleration == pytest.approx(i.acceleration)
    with pytest.raises(vn.ArgumentError, match="no parameter and no option 'K'; parameters are: L"):
        s.with_parameters(K=1.0)
    with pytest.raises(vn.ArgumentError, match="did you mean 'until'"):
        pendulum.run(untl=3)
    with pytest.raises(vn.ArgumentError, match="parameter 'L' is str 'two', and must be a finite number"):
        s.run(1, L="two")  # type: ignore[arg-type]


def test_parameters_are_kept_where_others_are_given() -> None:
    m = vn.Model()
    m.parameter("a", 1.0)
    m.parameter("b", 2.0)
    m.parameter("c", "a + b")
    x = m.coordinate("x")
    m.mass(x, 1)
    m.force(x, vn.Expr("c"))
    s = m.system(living=["a"]).with_parameters(a=10).with_parameters(b=5)
    assert s.parameters["a"] == 10 and s.solve().acceleration[0] == 15
    with pytest.raises(vn.ArgumentError, match="parameter 'c' is made of others"):
        s.with_parameters(c=1)


def test_settings_follow_parameters() -> None:
    m = vn.Model()
    w = m.parameter("w", 1.0)
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, -w**2 * x)
    m.simulate(until="6/w")
    assert m.run(w=2).t[-1] == m.run(parameters={"w": 2}).t[-1] == 3


LOOP = """
[parameters]
c = 0.7
[bodies]
a = { mass = 1, inertia = 0.1, plane = "xy", position = [0.5, 0, 0] }
b = { mass = 1, inertia = 0.1, plane = "xy", position = [1.5, 0.5, 0], orientation = { axis = [0, 0, 1], angle = 0.4636476 } }
[joints]
j1 = { type = "revolute", between = ["ground", "a"], point = [0, 0, 0], axis = [0, 0, 1], start = "c", rate = 1 }
j2 = { type = "revolute", between = ["a", "b"], point = [1, 0, 0], axis = [0, 0, 1] }
slot = { type = "distance", between = ["ground", "b"], point = [3, 0, 0], point2 = [2, 1, 0] }
[outputs]
o = "j1.angle"
[simulate]
until = 0.1
"""


def test_joints_of_loops_start_where_they_say_for_every_value() -> None:
    m = vn.loads(LOOP)
    for value in (0.7, 0.3):
        for motion in (m.run(c=value), m.run(parameters={"c": value}),
                       m.system(living=True).with_parameters(c=value).run()):
            assert motion["o"][0] == pytest.approx(value, abs=1e-12)
    s = m.system()
    assert max(abs(s.residuals(s.start[1], s.start[2])[0])) < 1e-12
    assert s.check().fine and s.assemble().consistent
    assert s.solve().acceleration == pytest.approx(m.run().acceleration[:, 0], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["skate_vakonomic", "heisenberg_vakonomic"])
def test_right_sides_and_forces_of_vakonomic_motion(name: str) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    m = getattr(vn.examples, name)()
    s = m.system()
    ours = m.run(until=1, rtol=1e-11, samples=5)
    theirs = integrate.solve_ivp(s.rhs, (0, 1), s.y0, method="DOP853", rtol=1e-11, atol=1e-12)
    assert theirs.y[:, -1] == pytest.approx(ours.y[:, -1], abs=1e-7)
    assert sum(ours.force.values()) == pytest.approx(ours.constraint_force, abs=1e-9)


def test_arrays_that_overlap_are_no_trap(pendulum: vn.Model) -> None:
    s = pendulum.system()
    table = np.tile([1.2, -1.6], (21, 1))
    expected = s.accelerations(table[:20].copy(), np.zeros((20, 2)))
    assert s.accelerations(table[:20], np.zeros((20, 2)), 0.0, table[1:]).tolist() == expected.tolist()


def test_a_state_of_many_without_an_answer_is_told() -> None:
    m = vn.Model()
    x = m.coordinate("x", start=1)
    m.mass(x, 1)
    m.force(x, np.log(x))
    with pytest.raises(vn.NotFiniteError, match="^state 3: "):
        m.system().accelerations([[1.0], [2.0], [3.0], [-1.0]], np.zeros((4, 1)))


@pytest.mark.parametrize("name", ["bennett_linkage", "bricard", "jansen_leg", "rod_stated_thrice", "table_on_three_legs"])
def test_scipy_integrates_loops_whose_rows_depend_on_each_other(name: str) -> None:
    """Beside the constraints, where stages lie, these rows contradict each other."""
    integrate = pytest.importorskip("scipy.integrate")
    s = getattr(vn.examples, name)().system()
    theirs = integrate.solve_ivp(s.rhs, (0, 1), s.y0, method="DOP853", rtol=1e-9, atol=1e-9)
    ours = s.run(1, rtol=1e-11)
    assert theirs.success
    # both tolerances, and what a motion makes of them in one second
    assert abs(theirs.y[:, -1] - ours.y[:, -1]).max() < 1e-7


def test_a_right_side_far_from_its_constraints_says_so() -> None:
    s = vn.examples.flyball_governor().system()
    y = s.y0 * 1e12
    with pytest.raises(vn.StepError, match="the state breaks .* and no state on the constraints was found near it"):
        s.rhs(0.0, y)


def test_scipy_integrates_the_right_side(pendulum: vn.Model) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    s = pendulum.system()
    found = integrate.solve_ivp(s.rhs, (0, 3), s.y0, method="DOP853", rtol=1e-11, atol=1e-12)
    ours = s.run(3, rtol=1e-11)
    assert found.y[:, -1] == pytest.approx(ours.y[:, -1], abs=1e-8)


@pytest.mark.parametrize(("q", "v", "kind", "words"), [
    ([1.2], [0, 0], ValueError, r"q has the shape \(1,\); it should be \(2\)"),
    ([1.2, -1.6], [[0, 0]], ValueError, r"v has the shape \(1, 2\); it should be \(2\)"),
    ([1.2, np.nan], [0, 0], ValueError, r"q\[1\] is nan, and must be finite"),
    ([1.2, np.inf], [0, 0], ValueError, r"q\[1\] is inf"),
    (["a", "b"], [0, 0], TypeError, "q must be real numbers"),
    ([1.2, -1.6], [0j, 0], TypeError, "v must be real numbers, not"),
    (None, {"x": 1}, TypeError, "v must be real numbers, not dict"),
])
def test_states_of_other_shapes_and_kinds_are_refused_in_words(pendulum: vn.Model, q: object, v: object,
                                                               kind: type[Exception], words: str) -> None:
    s = pendulum.system()
    with pytest.raises(kind, match=words):
        s.solve(q, v)  # type: ignore[arg-type]
    if q is not None:
        with pytest.raises(kind, match=words):
            s.acceleration(q, v)


def test_arrays_that_are_not_in_one_piece_are_taken(pendulum: vn.Model) -> None:
    s = pendulum.system()
    table = np.array([[1.2, 9.0], [-1.6, 9.0]])
    assert s.acceleration(table[:, 0], np.zeros(2)) == pytest.approx(s.acceleration([1.2, -1.6], [0, 0]))
    assert s.acceleration(np.array([1, 0], dtype=np.float32) * 2, [0, 0])[0] == 0.0
    assert s.accelerations(np.asfortranarray(np.tile([1.2, -1.6], (9, 1))), np.zeros((9, 2))).shape == (9, 2)


def test_results_go_where_they_fit_only(pendulum: vn.Model) -> None:
    s = pendulum.system()
    for out in (np.empty(3), np.empty(2, dtype=np.float32), np.empty(4)[::2], [0.0, 0.0]):
        with pytest.raises(ValueError, match="out must be"):
            s.acceleration([1.2, -1.6], [0, 0], 0.0, out)  # type: ignore[arg-type]
    readonly = np.empty(2)
    readonly.flags.writeable = False
    with pytest.raises(ValueError, match="out must be"):
        s.acceleration([1.2, -1.6], [0, 0], 0.0, readonly)
    with pytest.raises(ValueError, match=r"t has the shape \(3,\)"):
        s.accelerations(np.zeros((2, 2)), np.zeros((2, 2)), [0, 1, 2])


def test_contradictions_are_exceptions_with_names(pendulum: vn.Model) -> None:
    pendulum.constrain("longer", "x^2 + y^2 = 5")
    s = pendulum.system()
    with pytest.raises(vn.ContradictionError) as caught:
        pendulum.run(until=1)
    assert set(caught.value.constraints) == {"rod", "longer"}
    pendulum.document["constraints"]["longer"] = "x'' = 1"
    pendulum.constrain("more", "x'' = 2")
    s = pendulum.system()
    with pytest.raises(vn.ContradictionError) as caught:
        s.solve()
    assert set(caught.value.constraints) == {"longer", "more"}
    with pytest.raises(vn.ContradictionError):
        s.acceleration([1.2, -1.6], [0, 0])
    with pytest.raises(vn.ContradictionError):
        s.accelerations([[1.2, -1.6]], [[0, 0]])


def test_what_nothing_determines_is_named() -> None:
    m = vn.Model()
    x = m.coordinate("x")
    m.mass(x, 0)
    with pytest.raises(vn.SingularError) as caught:
        m.system().solve()
    assert caught.value.names == ("x",)


def test_the_start_is_assembled_and_checked(pendulum: vn.Model) -> None:
    s = pendulum.system()
    near = s.assemble([1.3, -1.6], [0, 0], fixed=["x"])
    assert near.repaired and near["x"] == 1.3 and near["y"] == pytest.approx(-(4 - 1.69)**0.5)
    c = pendulum.check()
    assert c.fine and c.degrees_of_freedom == 1 and c.rank == 1 and not c.redundant
    with pytest.raises(vn.StartError):
        s.run(1, q=[1.3, -1.6], v=[0, 0])
    assert s.run(1, q=[1.3, -1.6], v=[0, 0], assemble=True).success


def test_threads_share_a_system(pendulum: vn.Model) -> None:
    s = pendulum.system()
    expected = s.run(2)["x"][-1]
    found: list[float] = []

    def work() -> None:
        for _ in range(5):
            found.append(float(s.run(2)["x"][-1]))
            s.accelerations(np.tile([1.2, -1.6], (1000, 1)), np.zeros((1000, 2)))
            s.solve([1.2, -1.6], [0, 0])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [expected] * 40


def test_parameters_made_of_others_follow_them() -> None:
    m = vn.Model()
    length = m.parameter("L", 2.0)
    area = m.parameter("A", length**2)
    x = m.coordinate("x")
    m.mass(x, 1)
    m.force(x, -area)
    m.output("a", area)
    nine = {"L": 3.0, "A": 9.0}
    s = m.system().with_parameters(L=3.0)
    assert s.parameters == nine and s.solve().outputs["a"] == 9
    assert m.run(1, L=3).system.parameters == m.system({"L": 3}).parameters == m.system(living=True).with_parameters(L=3).parameters == nine
    assert pickle.loads(pickle.dumps(s)).parameters == nine
    assert m.run(1, parameters=s.parameters)["x"][-1] == s.run(1)["x"][-1] == pytest.approx(-4.5)


def test_a_quaternion_turns_by_length_one() -> None:
    m = vn.Model()
    b = m.body("b", mass=1, inertia=[1, 2, 3])
    m.torque(b, [1, 0, 0])
    s = m.system()
    q, v = np.array([0, 0, 0, 2.0, 0, 0, 2.0]), np.array([0, 0, 0, 1, 1, 1.0])
    for ask in (s.solve, s.check):
        with pytest.raises(vn.ArgumentError, match=r"the quaternion of 'b', q\[3:7\], has the length 2.82843"):
            ask(q, v)
        with pytest.raises(vn.ArgumentError, match="has the length 0"):
            ask(np.zeros(7), v)
    unit = q / np.r_[1, 1, 1, np.full(4, 8**0.5)]
    # A quarter about z: the torque is [0, -1, 0] in the body, and Euler's equations are I w' = torque - w x I w.
    assert s.solve(unit, v).acceleration[3:] == pytest.approx([-1, (-1 + 2) / 2, -1 / 3])
    assert s.check(unit, v).fine
    of_that_name = vn.Model()  # and is none
    of_that_name.component("o", {"coordinates": {"qw": 3}, "mass": {"qw": 1}})
    of_that_name.part("a", "o")
    assert of_that_name.system().coordinate_names == ["a.qw"]
    assert of_that_name.system().solve([3.0], [0.0]).acceleration.tolist() == [0]


def test_what_a_system_gives_away_is_the_callers() -> None:
    m = vn.examples.pendulum()
    s = m.system()
    before = m.run(1, samples=3)["x"].tolist()
    for kind in ("coordinate", "velocity", "row", "output", "event", "constraint"):
        getattr(s, f"{kind}_names").extend(["o", "p"])
        getattr(s, f"{kind}_names").reverse()
    assert s.coordinate_names == ["x", "y"] and s.constraint_names == ["rod"]
    motion = m.run(1, samples=3)
    assert motion["x"].tolist() == before and list(motion.to_pandas()["x"]) == before
    i = s.solve([1, 0], [0, 2])
    i.json["acceleration"][0] = 99
    assert i.acceleration[0] == -4 and dict(i.force)["rod"].tolist() == [-4, 0]
    one = m.sweep(vary={"g": [1.0, 2.0]}, keep=["x"], until=1).member(0)
    one.varied["g"] = 77.0
    one.kept.clear()
    assert one.varied == {"g": 1.0} and one.run()["x"][-1] == one.kept["x"]
