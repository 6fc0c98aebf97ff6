"""Accelerations of trees and loops beside MuJoCo and Pinocchio, which reach them by other roads: recursion over joints."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import vinculum as vn


class Link(NamedTuple):
    parent: int  # -1: the ground
    at: Any  # where it is drawn: its centre of mass, in the world
    hinge: Any  # a point of the axis, in the world
    axis: Any
    mass: float
    inertia: Any


GRAVITY = np.array([0.3, -0.5, -9.81])


def tree(seed: int, count: int = 6) -> list[Link]:
    draw = np.random.default_rng(seed)
    links: list[Link] = []
    for k in range(count):
        parent = int(draw.integers(-1, k)) if k else -1
        base = links[parent].at if parent >= 0 else np.zeros(3)
        hinge = base + draw.normal(size=3)
        axis = draw.normal(size=3)
        root = draw.normal(size=(3, 3))
        inertia = root @ root.T + 3 * np.eye(3)  # the sum of two principal moments is more than the third
        inertia = np.trace(inertia) * np.eye(3) - inertia
        links.append(Link(parent, hinge + draw.normal(size=3), hinge, axis / np.linalg.norm(axis), draw.uniform(1, 3), inertia))
    return links


def ours(links: list[Link], q: Any, v: Any) -> vn.Model:
    m = vn.Model()
    m.gravity(GRAVITY)
    bodies: list[Any] = []
    for k, link in enumerate(links):
        body = m.body(f"b{k}", mass=link.mass, inertia=link.inertia, position=link.at)
        m.joint(f"j{k}", bodies[link.parent] if link.parent >= 0 else "ground", body, type="revolute", point=link.hinge,
                axis=link.axis, start=float(q[k]), rate=float(v[k]))
        m.output(f"a{k}", f"j{k}.angle''")
        bodies.append(body)
    return m


def found(m: vn.Model, count: int) -> Any:
    said = m.system().solve().outputs
    return np.array([said[f"a{k}"] for k in range(count)])


def mujoco_text(links: list[Link], loop: str = "") -> str:
    def numbers(values: Any) -> str:
        return " ".join(repr(float(x)) for x in values)

    def body(k: int) -> str:
        link = links[k]
        base = links[link.parent].at if link.parent >= 0 else np.zeros(3)
        i = link.inertia
        inside = "".join(body(n) for n in range(k + 1, len(links)) if links[n].parent == k)
        return (f'<body name="b{k}" pos="{numbers(link.at - base)}"><inertial pos="0 0 0" mass="{link.mass!r}" fullinertia="'
                f'{numbers([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])}"/><joint name="j{k}" type="hinge" '
                f'pos="{numbers(link.hinge - link.at)}" axis="{numbers(link.axis)}"/>{inside}</body>')

    return (f'<mujoco><compiler angle="radian"/><option gravity="{numbers(GRAVITY)}" tolerance="0" iterations="500"/>'
            f'<worldbody>{"".join(body(k) for k in range(len(links)) if links[k].parent < 0)}</worldbody>{loop}</mujoco>')


def by_mujoco(text: str, q: Any, v: Any) -> Any:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for k, (position, rate) in enumerate(zip(q, v)):
        data.joint(f"j{k}").qpos[0] = position
        data.joint(f"j{k}").qvel[0] = rate
    mujoco.mj_forward(model, data)
    return np.array([data.joint(f"j{k}").qacc[0] for k in range(len(q))])


def pinocchio_model(links: list[Link]) -> tuple[Any, Any]:
    pin = pytest.importorskip("pinocchio", minversion="4")
    model = pin.Model()
    model.gravity.linear = GRAVITY
    ids: list[int] = []
    for k, link in enumerate(links):
        base = links[link.parent].hinge if link.parent >= 0 else np.zeros(3)
        joint = model.addJoint(ids[link.parent] if link.parent >= 0 else 0, pin.JointModelRevoluteUnaligned(link.axis),
                               pin.SE3(np.eye(3), link.hinge - base), f"j{k}")
        model.appendBodyToJoint(joint, pin.Inertia(link.mass, np.zeros(3), link.inertia), pin.SE3(np.eye(3), link.at - link.hinge))
        ids.append(joint)
    return pin, model


def in_order(model: Any, count: int, values: Any) -> Any:
    """Of our joints, as Pinocchio numbers them."""
    placed = np.zeros(count)
    for k in range(count):
        placed[model.joints[model.getJointId(f"j{k}")].idx_v] = values[k]
    return placed


def back(model: Any, count: int, values: Any) -> Any:
    return np.array([values[model.joints[model.getJointId(f"j{k}")].idx_v] for k in range(count)])


@pytest.mark.parametrize("seed", range(5))
def test_random_trees_accelerate_as_in_mujoco(seed: int) -> None:
    pytest.importorskip("mujoco")
    links = tree(seed)
    draw = np.random.default_rng(100 + seed)
    q, v = draw.uniform(-2, 2, 6), draw.normal(size=6)
    # Its composite inertias and our multipliers: rounding, times the conditions of both, some thousand.
    assert found(ours(links, q, v), 6) == pytest.approx(by_mujoco(mujoco_text(links), q, v), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_random_trees_accelerate_as_in_pinocchio(seed: int) -> None:
    links = tree(seed)
    pin, model = pinocchio_model(links)
    draw = np.random.default_rng(200 + seed)
    q, v = draw.uniform(-2, 2, 6), draw.normal(size=6)
    theirs = pin.aba(model, model.createData(), in_order(model, 6, q), in_order(model, 6, v), np.zeros(6))
    assert found(ours(links, q, v), 6) == pytest.approx(back(model, 6, theirs), rel=1e-9, abs=1e-9)


#: A four-bar in the plane z = 0: crank, coupler and rocker, closed where coupler and rocker meet.
CORNERS = np.array([[0, 0, 0], [0, 1, 0], [3, 2, 0], [3, 0, 0]], dtype=float)


def four_bar() -> list[Link]:
    z = np.array([0.0, 0, 1])

    def between(a: int, b: int) -> Any:
        return (CORNERS[a] + CORNERS[b]) / 2

    inertia = np.diag([0.02, 0.3, 0.31])
    return [Link(-1, between(0, 1), CORNERS[0], z, 1.0, inertia), Link(0, between(1, 2), CORNERS[1], z, 2.0, inertia),
            Link(-1, between(2, 3), CORNERS[3], z, 1.5, inertia)]


def closing_rates() -> Any:
    """Of the loop where the crank turns with 1 rad/s: the point where it is closed has one velocity."""
    z = np.array([0.0, 0, 1])
    crank, coupler, rocker = (np.cross(z, CORNERS[2] - CORNERS[k])[:2] for k in (0, 1, 3))
    rates = np.linalg.solve(np.stack([coupler, -rocker], axis=1), -crank)
    return np.array([1.0, rates[0], rates[1]])


def our_four_bar(v: Any) -> Any:
    m = vn.Model()
    m.gravity(GRAVITY)
    links = four_bar()
    bodies: list[Any] = []
    turning = [v[0], v[0] + v[1], v[2]]
    for k, link in enumerate(links):
        velocity = np.cross([0, 0, turning[k]], link.at - CORNERS[[0, 1, 3][k]]) + (
            np.cross([0, 0, v[0]], CORNERS[1]) if k == 1 else 0)
        bodies.append(m.body(f"b{k}", mass=link.mass, inertia=link.inertia, position=link.at, velocity=velocity,
                             omega=[0, 0, turning[k]]))
        m.joint(f"j{k}", bodies[link.parent] if link.parent >= 0 else "ground", bodies[k], type="revolute", point=link.hinge,
                axis=link.axis)
        m.output(f"a{k}", f"j{k}.angle''")
    m.joint("closing", bodies[1], bodies[2], type="revolute", point=CORNERS[2], axis=[0, 0, 1])
    return found(m, 3)


def test_a_loop_accelerates_as_in_pinocchio() -> None:
    links = four_bar()
    pin, model = pinocchio_model(links)
    data = model.createData()
    v = in_order(model, 3, closing_rates())
    first, second = model.getJointId("j1"), model.getJointId("j2")
    closing = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, first, pin.SE3(np.eye(3), CORNERS[2] - CORNERS[1]),
                                       second, pin.SE3(np.eye(3), CORNERS[2] - CORNERS[3]), pin.ReferenceFrame.LOCAL)
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    models.append(closing)
    datas.append(closing.createData())
    pin.initConstraintDynamics(model, data, models, datas)
    settings = pin.ProximalSettings(1e-14, 1e-14, 1e-10, 50)  # its third row is redundant: met by iteration
    theirs = pin.constraintDynamics(model, data, np.zeros(3), v, np.zeros(3), models, datas, settings)
    assert our_four_bar(closing_rates()) == pytest.approx(back(model, 3, theirs), rel=1e-8, abs=1e-8)


def test_a_loop_accelerates_as_in_mujoco_but_for_its_softness() -> None:
    pytest.importorskip("mujoco")
    at = " ".join(str(float(x)) for x in CORNERS[2] - four_bar()[1].at)
    loop = (f'<equality><connect body1="b1" body2="b2" anchor="{at}" solref="-1e-9 -1e-9" solimp="0.9999 0.9999 0.001"/>'
            "</equality>")
    theirs = by_mujoco(mujoco_text(four_bar(), loop), np.zeros(3), np.zeros(3))  # it leaves out what loops do by their rates
    # Its loops give way by one part in ten thousand of what holds them: solimp.
    assert our_four_bar(np.zeros(3)) == pytest.approx(theirs, rel=2e-3, abs=2e-3)
