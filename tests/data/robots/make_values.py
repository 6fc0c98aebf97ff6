#!/usr/bin/env python3
"""Accelerations of the robots of this folder at random states, by MuJoCo (MJCF) and Pinocchio (URDF).

    python3 tests/data/robots/make_values.py        writes ROBOT.json beside each robot

Needs the Python packages mujoco (4.0), pin (4.1) and numpy; the tests need only what it wrote. MuJoCo's own
constraints are soft: here its M, bias and passive forces and exact rows of the constraints (Jacobians and their
derivatives by MuJoCo or Pinocchio) give the acceleration M^-1/2 (J M^-1/2)^+ of Gauss's principle. No package reads
SDF: the two SDF robots are stated a second time below, in MJCF and by hand.

Each state is told in the names of Vinculum's model: a body is at its centre of mass (of all links that are fixed to
it), turned as its first link; angular velocities are in body axes.
"""
import json
import pathlib
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pinocchio as pin

FOLDER = pathlib.Path(__file__).parent
STATES = 3


def constrained(M, force, J, gamma):
    """M a = force + J^T lambda with J a + gamma = 0, of least norm where rows depend on each other."""
    free = np.linalg.solve(M, force)
    if len(J) == 0:
        return free
    w, V = np.linalg.eigh(M)
    root = V @ np.diag(w**-0.5) @ V.T
    return free + root @ np.linalg.pinv(J @ root, rcond=1e-10) @ (-gamma - J @ free)


def quaternion(R):
    q = pin.Quaternion(R)
    return [q.w, q.x, q.y, q.z]


class Values:
    """One state in the names of the model."""

    def __init__(self):
        self.q, self.v, self.a = {}, {}, {}

    def body(self, name, p, R, v, w, a, alpha):
        for k, axis in enumerate("xyz"):
            self.q[f"{name}.{axis}"] = p[k]
            self.v[f"{name}.{axis}'"] = v[k]
            self.a[f"{name}.{axis}'"] = a[k]
            self.v[f"{name}.w{axis}"] = (R.T @ w)[k]
            self.a[f"{name}.w{axis}"] = (R.T @ alpha)[k]
        for part, value in zip(("qw", "qx", "qy", "qz"), quaternion(R)):
            self.q[f"{name}.{part}"] = value

    def joint(self, name, q, v, a):
        self.q[f"{name}.angle"] = q
        self.v[f"{name}.rotor"] = v
        self.a[f"{name}.rotor"] = a

    def json(self):
        return {part: {k: float(x) for k, x in values.items()} for part, values in
                (("q", self.q), ("v", self.v), ("acceleration", self.a))}


# MuJoCo

class Mujoco:
    def __init__(self, xml):
        self.m = mujoco.MjModel.from_xml_string(xml)
        self.d = mujoco.MjData(self.m)
        self.m.opt.disableflags |= (mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT |
                                    mujoco.mjtDisableBit.mjDSBL_FRICTIONLOSS | mujoco.mjtDisableBit.mjDSBL_EQUALITY |
                                    mujoco.mjtDisableBit.mjDSBL_ACTUATION)

    def at(self, q, v):
        self.d.qpos[:], self.d.qvel[:] = q, v
        mujoco.mj_forward(self.m, self.d)

    def jacobian(self, body, point):
        """Of a point of a body and of its turning, and what they add by the velocities alone."""
        Jp, Jr, Dp, Dr = (np.zeros((3, self.m.nv)) for _ in range(4))
        mujoco.mj_jac(self.m, self.d, Jp, Jr, point, body)
        mujoco.mj_jacDot(self.m, self.d, Dp, Dr, point, body)
        return Jp, Jr, Dp @ self.d.qvel, Dr @ self.d.qvel

    def place(self, body, local):
        return self.d.xpos[body] + self.d.xmat[body].reshape(3, 3) @ local

    def rows(self):
        """Violation, Jacobian and J' v of the equalities that are active."""
        m, d = self.m, self.d
        phi, J, gamma = [], [], []
        for e in range(m.neq):
            if not m.eq_active0[e]:
                continue
            kind, one, two, data = mujoco.mjtEq(int(m.eq_type[e])), m.eq_obj1id[e], m.eq_obj2id[e], m.eq_data[e]
            if kind == mujoco.mjtEq.mjEQ_JOINT:
                y, x = m.jnt_qposadr[one], m.jnt_qposadr[two]
                s = d.qpos[x] - m.qpos0[x]
                powers = range(5)
                value = sum(data[n] * s**n for n in powers)
                slope = sum(n * data[n] * s**(n - 1) for n in powers if n > 0)
                bend = sum(n * (n - 1) * data[n] * s**(n - 2) for n in powers if n > 1)
                row = np.zeros(m.nv)
                row[m.jnt_dofadr[one]], row[m.jnt_dofadr[two]] = 1, -slope
                phi.append(d.qpos[y] - m.qpos0[y] - value)
                J.append(row)
                gamma.append(-bend * d.qvel[m.jnt_dofadr[two]]**2)
                continue
            if kind == mujoco.mjtEq.mjEQ_CONNECT:
                p1, p2 = self.place(one, data[0:3]), self.place(two, data[3:6])
            else:
                p1, p2 = self.place(one, data[3:6]), self.place(two, data[0:3])
            J1, R1, g1, h1 = self.jacobian(one, p1)
            J2, R2, g2, h2 = self.jacobian(two, p2)
            phi += list(p1 - p2)
            J += list(J1 - J2)
            gamma += list(g1 - g2)
            if kind == mujoco.mjtEq.mjEQ_WELD:
                A, B = d.xmat[one].reshape(3, 3), d.xmat[two].reshape(3, 3)
                rel = np.zeros(9)
                mujoco.mju_quat2Mat(rel, data[6:10])
                phi += list(pin.log3(A @ rel.reshape(3, 3) @ B.T))
                J += list(R1 - R2)
                gamma += list(h1 - h2)
        return np.array(phi), np.array(J).reshape(-1, m.nv), np.array(gamma)

    def random_state(self, rng, spread):
        m = self.m
        q = m.qpos0.copy()
        mujoco.mj_integratePos(m, q, rng.uniform(-spread, spread, m.nv), 1.0)
        v = rng.uniform(-1, 1, m.nv)
        for _ in range(50):
            self.at(q, 0 * v)
            phi, J, _ = self.rows()
            if len(phi) == 0 or np.abs(phi).max() < 1e-15:
                break
            mujoco.mj_integratePos(m, q, -np.linalg.pinv(J, rcond=1e-10) @ phi, 1.0)
        assert len(phi) == 0 or np.abs(phi).max() < 1e-13, np.abs(phi).max()
        if len(phi):
            v -= np.linalg.pinv(J, rcond=1e-10) @ (J @ v)
        return q, v

    def acceleration(self):
        m, d = self.m, self.d
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        friction = np.where(m.dof_frictionloss > 0, -m.dof_frictionloss * np.sign(d.qvel), 0)
        _, J, gamma = self.rows()
        return constrained(M, d.qfrc_passive + friction - d.qfrc_bias, J, gamma)


def taken_apart(root):
    """Bodies of several joints as chains of bodies with one each: the same motion, every frame with a name."""
    def visit(body):
        for child in list(body):
            if child.tag not in ("body", "frame", "worldbody"):
                continue
            visit(child)
            joints = child.findall("joint")
            if child.tag != "body" or len(joints) < 2:
                continue
            place = list(body).index(child)
            outer = inner = None
            for k, joint in enumerate(joints[:-1]):
                link = ET.Element("body", {"name": f"{child.get('name')}_{k + 1}"})
                if outer is None:
                    outer = link
                    for key in ("pos", "quat", "euler", "axisangle", "xyaxes", "zaxis"):
                        if child.get(key):
                            link.set(key, child.attrib.pop(key))
                    if child.get("childclass"):
                        link.set("childclass", child.get("childclass"))
                else:
                    inner.append(link)
                child.remove(joint)
                link.append(joint)
                link.append(ET.Element("inertial", {"pos": "0 0 0", "mass": "1e-6", "diaginertia": "1e-6 1e-6 1e-6"}))
                inner = link
            inner.append(child)
            body.remove(child)
            body.insert(place, outer)
    visit(root)
    return ET.tostring(root, encoding="unicode")


def mujoco_values(xml, rng, spread, own_names=None):
    whole = Mujoco(xml)
    apart = Mujoco(taken_apart(ET.fromstring(xml)))
    name = lambda m, kind, k: mujoco.mj_id2name(m, kind, k)
    several = {name(whole.m, mujoco.mjtObj.mjOBJ_BODY, b) for b in range(whole.m.nbody) if whole.m.body_jntnum[b] > 1}
    states = []
    for _ in range(STATES):
        q, v = whole.random_state(rng, spread)
        whole.at(q, v)
        a = whole.acceleration()
        apart.at(q, v)
        m, d = apart.m, apart.d
        out = Values()
        group = list(range(m.nbody))  # the body that carries each, by fixed joints
        for b in range(1, m.nbody):
            if m.body_jntnum[b] == 0:
                group[b] = group[m.body_parentid[b]]
        for b in range(1, m.nbody):
            if group[b] != b:
                continue
            label = name(m, mujoco.mjtObj.mjOBJ_BODY, b)
            if label.rsplit("_", 1)[0] in several and label not in several:
                point = apart.place(b, m.jnt_pos[m.body_jntadr[b]])  # without mass: at its joint
            else:
                parts = [k for k in range(1, m.nbody) if group[k] == b]
                point = sum(m.body_mass[k] * d.xipos[k] for k in parts) / sum(m.body_mass[k] for k in parts)
            Jp, Jr, gp, gr = apart.jacobian(b, point)
            out.body(label, point, d.xmat[b].reshape(3, 3), Jp @ v, Jr @ v, Jp @ a + gp, Jr @ a + gr)
        for j in range(m.njnt):
            if int(m.jnt_type[j]) in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)):
                at = m.jnt_dofadr[j]
                out.joint(name(m, mujoco.mjtObj.mjOBJ_JOINT, j), q[m.jnt_qposadr[j]], v[at], a[at])
        states.append(out.json())
    return states


# Pinocchio

def pinocchio_values(path, rng, spread):
    model = pin.buildModelFromUrdf(str(path))
    root = ET.parse(path).getroot()
    data = model.createData()
    tell = {j.get("name"): j for j in root.findall("joint")}
    damping, friction = np.zeros(model.nv), np.zeros(model.nv)
    mimics, loops = [], []
    for name, joint in tell.items():
        if not model.existJointName(name):
            continue
        at = model.joints[model.getJointId(name)].idx_v
        laws = joint.find("dynamics")
        if laws is not None:
            damping[at], friction[at] = float(laws.get("damping", 0)), float(laws.get("friction", 0))
        mimic = joint.find("mimic")
        if mimic is not None:
            leader = model.joints[model.getJointId(mimic.get("joint"))].idx_v
            mimics.append((at, leader, float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))))
    for loop in root.findall("loop_joint"):
        ends = []
        for which in ("link1", "link2"):
            e = loop.find(which)
            frame = model.frames[model.getFrameId(e.get("link"))]
            place = frame.placement * pin.SE3(np.eye(3), np.array([float(x) for x in e.get("xyz").split()]))
            ends.append(model.addFrame(pin.Frame(loop.get("name") + which, frame.parentJoint, place, pin.FrameType.OP_FRAME)))
        loops.append(ends)
    # A frame at the centre of mass of every body.
    centres = {}
    for j in range(1, model.njoints):
        link = next(f.name for f in model.frames if f.type == pin.FrameType.BODY and f.parentJoint == j)
        place = pin.SE3(np.eye(3), model.inertias[j].lever)
        centres[link] = model.addFrame(pin.Frame("centre of " + link, j, place, pin.FrameType.OP_FRAME))
    data = model.createData()
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def rows(s, q, v):
        """Of what couples joints: their angles s, and the loops."""
        pin.forwardKinematics(model, data, q, v, 0 * v)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        phi, J, gamma = [], [], []
        for follower, leader, slope, offset in mimics:
            row = np.zeros(model.nv)
            row[follower], row[leader] = 1, -slope
            phi.append(s[follower] - slope * s[leader] - offset)
            J.append(row)
            gamma.append(0.0)
        for one, two in loops:
            phi += list(data.oMf[one].translation - data.oMf[two].translation)
            J += list((pin.getFrameJacobian(model, data, one, world) - pin.getFrameJacobian(model, data, two, world))[:3])
            gamma += list((pin.getFrameClassicalAcceleration(model, data, one, world) -
                           pin.getFrameClassicalAcceleration(model, data, two, world)).linear)
        return np.array(phi), np.array(J).reshape(-1, model.nv), np.array(gamma)

    states = []
    for _ in range(STATES):
        s = rng.uniform(-spread, spread, model.nv)
        v = rng.uniform(-1, 1, model.nv)
        for _ in range(50):
            q = pin.integrate(model, pin.neutral(model), s)
            phi, J, _ = rows(s, q, 0 * v)
            if len(phi) == 0 or np.abs(phi).max() < 1e-15:
                break
            s -= np.linalg.pinv(J, rcond=1e-10) @ phi
        assert len(phi) == 0 or np.abs(phi).max() < 1e-13
        if len(phi):
            v -= np.linalg.pinv(J, rcond=1e-10) @ (J @ v)
        _, J, gamma = rows(s, q, v)
        force = -damping * v - friction * np.sign(v) - pin.nonLinearEffects(model, data, q, v)
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        a = constrained(M, force, J, gamma)
        pin.forwardKinematics(model, data, q, v, a)
        pin.updateFramePlacements(model, data)
        out = Values()
        for link, frame in centres.items():
            speed = pin.getFrameVelocity(model, data, frame, world)
            change = pin.getFrameClassicalAcceleration(model, data, frame, world)
            out.body(link, data.oMf[frame].translation, data.oMf[frame].rotation, speed.linear, speed.angular,
                     change.linear, change.angular)
        for j in range(1, model.njoints):
            if model.joints[j].nv == 1:
                at = model.joints[j].idx_v
                out.joint(model.names[j], s[at], v[at], a[at])
        states.append(out.json())
    return states


# The SDF robots once more, by hand: every pose told in that of the body around it.

SCARA = """
<mujoco>
  <compiler angle="radian" eulerseq="XYZ"/>
  <option gravity="0 0 -9.8"/>
  <worldbody>
    <body name="upper" pos="0.1 -0.2 0.65" euler="0 0 0.5">
      <joint name="shoulder" axis="0 0 1" damping="0.8" frictionloss="0.2"/>
      <inertial pos="0.2 0.01 0.03" mass="6.5" fullinertia="{upper}"/>
      <body name="fore" pos="0.4 0 0.06" euler="0 0 0.69813170079773184">
        <joint name="elbow" axis="0 0 1" damping="0.4"/>
        <inertial pos="0.15 0 0" euler="0 0 0.2" mass="3.2" diaginertia="0.01 0.05 0.055"/>
        <body name="quill" pos="0.3 0 -0.1" euler="3.141592653589793 0 0">
          <joint name="lift" type="slide" axis="0 0 1" damping="12" stiffness="300" springref="0.05"/>
          <inertial pos="0.004 0 0.08" mass="0.9" diaginertia="0.004 0.004 0.0006"/>
          <body name="tool" pos="0 0 0.2" quat="0.9 0.1 0.2 -0.1">
            <joint name="spin" pos="0.003 0 0" axis="{spin}"/>
            <inertial pos="0.02 0.01 0.03" euler="0.2 0.1 0" mass="0.4" diaginertia="0.0008 0.0007 0.0005"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
FOUR_BAR = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="crank" pos="0.1 0 0.5">
      <joint name="drive" axis="0 1 0" damping="0.05"/>
      <inertial pos="0.01 0 0" mass="0.6" diaginertia="0.0004 0.002 0.0022"/>
      <body name="coupler" pos="0.1 0 0.2">
        <joint name="first" axis="0 1 0"/>
        <inertial pos="0.15 0.02 0.05" mass="1.1" fullinertia="0.004 0.03 0.028 0 0.002 0"/>
        <body name="bob" pos="0.1 0 -0.1" euler="0 0.1 0">
          <joint name="hook" type="ball" pos="0 0 0.1"/>
          <inertial pos="0.01 0.02 -0.1" mass="0.5" diaginertia="0.003 0.003 0.001"/>
        </body>
      </body>
    </body>
    <body name="rocker" pos="0.6 0 0.6">
      <joint name="ground_pin" axis="0 1 0" pos="0 0 -0.2"/>
      <inertial pos="-0.02 0 0.02" mass="0.9" diaginertia="0.009 0.01 0.0012"/>
    </body>
  </worldbody>
  <equality>
    <connect body1="coupler" body2="rocker" anchor="0.42 0 0.1"/>
  </equality>
</mujoco>
"""


def by_hand(name):
    if name == "four_bar":
        return FOUR_BAR
    turn = pin.rpy.rpyToMatrix(0, 0.1, 0)
    I = turn @ np.array([[0.03, 0.002, -0.001], [0.002, 0.12, 0.0005], [-0.001, 0.0005, 0.13]]) @ turn.T
    tool = pin.Quaternion(0.9, 0.1, 0.2, -0.1).normalized().toRotationMatrix()
    text = lambda numbers: " ".join(repr(float(x)) for x in numbers)
    return SCARA.format(upper=text((I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])),
                        spin=text(tool.T @ np.array([0.1, 0, 1])))


def main():
    for path in sorted(FOLDER.iterdir()):
        rng = np.random.default_rng(sum(path.name.encode()))
        closed = path.stem in ("delta", "cassie_leg", "four_bar", "five_bar", "gripper")
        spread = 0.15 if closed else 1.0
        if path.suffix == ".xml":
            states = mujoco_values(path.read_text(), rng, spread)
        elif path.suffix == ".sdf":
            states = mujoco_values(by_hand(path.stem), rng, spread)
        elif path.suffix == ".urdf":
            states = pinocchio_values(path, rng, spread)
        else:
            continue
        made_by = f"MuJoCo {mujoco.__version__}" if path.suffix != ".urdf" else f"Pinocchio {pin.__version__}"
        (FOLDER / (path.name + ".json")).write_text(json.dumps({"robot": path.name, "by": made_by, "states": states},
                                                               indent=1) + "\n")
        print(path.name, len(states[0]["v"]), "velocities")


if __name__ == "__main__":
    main()
