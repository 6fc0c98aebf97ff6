"""Models: stated in Python, or read from a file, and the same thing either way."""

from __future__ import annotations

import collections.abc
import copy
import numbers as numbers_
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from . import _core
from ._errors import (ArgumentError, ExpressionError, Fault, ModelError, VinculumError, cut, in_python, returned,
                      told)
from ._expression import (Body, Coordinate, Expr, Joint, Particle, Vector, _Generalised, _named_vector, as_expr, as_vector,
                          is_of_sympy, is_vector, number_text, _is_column)
from ._toml import document_text

if TYPE_CHECKING:
    from ._check import Check
    from ._motion import Motion
    from ._study import Study
    from ._system import System

__all__ = ["Model", "load", "loads"]

Told = tuple[str, int, int, str]


def _faults(told: Iterable[Told], text: str) -> list[Fault]:
    lines = text.split("\n")
    if not text.strip():  # nothing has no place
        return [Fault(in_python(what)) for _, _, _, what in told]
    return [
        Fault(in_python(what), in_python(file), line, column, lines[line - 1] if 0 < line <= len(lines) else "")
        for file, line, column, what in told
    ]


class _About:
    """Says in an error which argument it is about."""

    def __init__(self, what: str):
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, (ArgumentError, RecursionError)):
            raise _about(self.what, error) from None


def _about(what: str, error: ArgumentError | RecursionError) -> ArgumentError:
    """The same, where a thousand calls are made: a `try` costs nothing where nothing is wrong."""
    if isinstance(error, RecursionError):
        return ArgumentError(f"{what} is nested too deeply")
    return type(error)(f"{what}: {error}")


def _plain(value: Any) -> Any:
    """What a document holds for a value: numbers, texts of expressions, lists and tables of these."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        if not -2**63 <= value < 2**63:
            number_text(value)  # type: ignore[arg-type]
            return float(value)
        return int(value)
    if isinstance(value, (float, np.floating)):
        number_text(float(value))
        return float(value)
    if isinstance(value, (Expr, Vector, Particle, Body, Joint)):
        return str(value)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ArgumentError("masked numbers have no value: numbers are all there")
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if _is_column(value):
        return _plain(list(value))
    if isinstance(value, collections.abc.Mapping):
        unnamed = [k for k in value if not isinstance(k, (str, Expr))]
        if unnamed:
            raise ArgumentError(f"keys are names, and {told(unnamed[0])} is none")
        made: dict[str, Any] = {}
        try:
            for k, v in value.items():
                if v is not None:
                    made[str(k)] = _plain(v)
        except ArgumentError as error:
            raise type(error)(f"{k}: {error}") from None
        return made
    return str(as_expr(value))


def _side(value: Any) -> str:
    return as_vector(value).text if is_vector(value) else as_expr(value).text


def _ends(name: str, *parts: Any) -> list[str]:
    for one in parts:
        if not isinstance(one, (str, Particle, Body)):
            raise ArgumentError(f"'{cut(str(name))}' is between parts, bodies or \"ground\", not {told(one)}")
    return [str(one) for one in parts]


def _equation(left: Any, right: Any) -> str:
    whole = left if isinstance(left, str) and "=" in left else None
    if is_of_sympy(left) and hasattr(left, "lhs") and hasattr(left, "rhs"):
        if type(left).__name__ != "Equality":
            raise ExpressionError(f"{cut(str(left))} is no equation: constraints are equalities")
        if right is None:
            left, right = left.lhs, left.rhs
        else:
            whole = str(left)
    if whole is not None:
        if right is not None:
            raise ExpressionError(f"'{cut(whole)}' has a right side already, and another is given")
        return whole
    if right is None:
        right = 0
    if not is_vector(left) and not is_vector(right):
        return f"{as_expr(left).text} = {as_expr(right).text}"
    if isinstance(right, (int, float)) and right == 0:
        right = (0, 0, 0)
    return f"{as_vector(left).text} = {as_vector(right).text}"


#: What the entries of a table are called.
_KINDS = {"parameters": "parameter", "definitions": "definition", "coordinates": "coordinate", "particles": "particle",
          "bodies": "body", "mass": "the mass of", "springs": "spring", "bushings": "bushing", "constraints": "constraint",
          "joints": "joint", "multipliers": "multiplier", "outputs": "output", "events": "event", "components": "component",
          "parts": "part"}

#: Keys of a document that no component has.
_OF_WHOLE = frozenset({"title", "description", "simulate", "ensemble"})


class Model:
    """How a system moves when free, and the equations its motion must satisfy.

    >>> import vinculum as vn
    >>> m = vn.Model("Pendulum")
    >>> L = m.parameter("L", 2.0)
    >>> x, y = m.coordinate("x", start=2), m.coordinate("y")
    >>> m.mass(x, 1); m.mass(y, 1); m.force(y, -9.81)
    >>> m.constrain("rod", x**2 + y**2, L**2)
    >>> print(m.run(until=1).summary().splitlines()[0])
    Done: t = 1 was reached

    A model prints as the text of a model file, which `load` and the program `vinculum` read.
    """

    def __init__(self, title: str = "", description: str = ""):
        self._document: dict[str, Any] = {}
        self._text: str | None = None  # as it was read, as long as nothing was added
        self._path = "model.toml"
        self._includes = False
        self._functions: list[_Function] = []  # written in Python
        # The same text is read and compiled once.
        self._read_as: dict[tuple[Any, ...], _core.ReadModel] = {}
        self._systems: dict[tuple[_core.ReadModel, tuple[str, ...]], System] = {}
        for key, value in (("title", title), ("description", description)):
            if not isinstance(value, str):
                raise ArgumentError(f"{key} is a text, not {told(value)}")
            if value:
                self._document[key] = value

    # --- the text
    @property
    def text(self) -> str:
        """The model as the text of a model file.

        >>> m = vn.Model("Falling")
        >>> y = m.coordinate("y", start=2)
        >>> print(m.text)
        title = "Falling"
        <BLANKLINE>
        [coordinates]
        y = { start = 2, rate = 0 }
        <BLANKLINE>
        """
        return self._text if self._text is not None else document_text(_plain(self._document))

    def __str__(self) -> str:
        lost = [f"# written in Python and no part of this text: {one}\n" for one in self._functions]
        return self.text + "".join(lost)

    def __repr__(self) -> str:
        try:
            title = self.title
        except VinculumError:  # a text with faults is shown all the same
            title = ""
        return f"<vinculum.Model {title or Path(self._path).name!r}>"

    @property
    def title(self) -> str:
        """Its name on pages."""
        return str(self._open().get("title", ""))

    @property
    def description(self) -> str:
        """What it is, in a sentence or more."""
        return str(self._open().get("description", ""))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text of the model, which `vinculum run` and `vn.load` read.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/pendulum.toml"
        >>> vn.examples.pendulum().save(path)
        >>> vn.load(path).title == vn.examples.pendulum().title
        True
        """
        if self._functions:
            raise VinculumError("a model with functions written in Python cannot be saved: "
                                + ", ".join(one.name for one in self._functions))
        if not isinstance(path, (str, os.PathLike)):
            raise ArgumentError(f"path is the place of a file, not {told(path)}")
        Path(path).write_text(self.text, encoding="utf-8")

    def copy(self) -> Model:
        """A model of its own, to be changed.

        >>> m = vn.examples.pendulum()
        >>> other = m.copy()
        >>> other.parameter("drag", 0.1)
        Expr('drag')
        >>> "drag" in m.text
        False
        """
        return self.__copy__()

    def __copy__(self) -> Model:
        other = Model.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._document = copy.deepcopy(self._document)
        other._functions = list(self._functions)
        other._read_as = {}
        other._systems = {}
        return other

    def __deepcopy__(self, memo: Any) -> Model:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """What a copy in another process, or on another machine, needs: included files are written out."""
        state = {**self.__dict__, "_read_as": {}, "_systems": {}}
        if self._includes and not self._functions:
            state.update(_text=self.read(open=True).text, _includes=False)
        return state

    def expand(self, parameters: Mapping[str, Any] | None = None) -> str:
        """The text with parts, repetition and included files written out.

        >>> m = vn.Model()
        >>> m.component("drop", {"coordinates": {"x": 1}, "mass": {"x": 1}})
        >>> m.part("first", "drop")
        >>> "first.x" in m.expand()
        True
        """
        if self._functions:
            raise VinculumError("a model with functions written in Python has no text of its own: "
                                + ", ".join(one.name for one in self._functions))
        text, told = _core.expand(self.text, self._path, _overrides(parameters), self._includes)
        if text is None:
            raise ModelError(_faults(told, self.text))
        return text

    @property
    def document(self) -> dict[str, Any]:
        """All tables as dictionaries, to be looked at and changed: what has no method of its own is stated here.

        >>> m = vn.Model()
        >>> m.document["view"] = {"up": "y"}
        >>> print(m.text.strip())
        [view]
        up = "y"
        """
        self._change()
        return self._document

    def _open(self) -> Mapping[str, Any]:
        if self._text is None:
            return self._document
        read = self.read()
        return {"title": read.title, "description": read.description}

    def _change(self) -> None:
        """From here on the model is what its tables say."""
        if self._text is None:
            return
        try:
            import tomllib
        except ImportError:  # Python 3.10
            import tomli as tomllib  # type: ignore
        self._document = tomllib.loads(self._text.lstrip("\ufeff"))
        self._text = None

    def _table(self, name: str) -> dict[str, Any]:
        self._change()
        table: dict[str, Any] = self._document.setdefault(name, {})
        return table

    def _state(self, table: str, name: str, value: Any) -> None:
        if not isinstance(name, str):
            raise ArgumentError(f"a name is a text, not {told(name)}")
        try:
            value = _plain(value)
        except (ArgumentError, RecursionError) as error:
            raise _about(f"{_KINDS.get(table, table)} '{cut(name)}'", error) from None
        if any(name == one.name for one in self._functions):
            raise ModelError([Fault(f"'{name}' is the name of a function written in Python")])
        entries = self._table(table)
        if name in entries:
            raise ModelError([Fault(f"'{name}' is stated twice in [{table}]")])
        entries[name] = value

    def _add(self, table: str, key: str, value: Any) -> None:
        """Forces of one thing add up."""
        try:
            self._add_to(table, key, value)
        except (ArgumentError, RecursionError) as error:
            raise _about(f"what is added to '{cut(key)}' in [{table}]", error) from None

    def _add_to(self, table: str, key: str, value: Any) -> None:
        entries = self._table(table)
        before = entries.get(key)
        if is_vector(value) or isinstance(value, Vector):
            made: Any = as_vector(value)
            if before is not None:
                made = as_vector(before) + made
            entries[key] = made.text
        else:
            sum_ = as_expr(value) if before is None else as_expr(before) + as_expr(value)
            entries[key] = sum_.text

    # --- what moves
    def parameter(self, name: str, value: Any) -> Expr:
        """A number with a name, which may have other values later; or an expression of others.

        >>> m = vn.Model()
        >>> L = m.parameter("L", 2.0)
        >>> m.parameter("area", L**2)
        Expr('area')
        >>> x = m.coordinate("x")
        >>> m.mass(x, 1)
        >>> m.parameters
        {'L': 2.0, 'area': 4.0}
        """
        self._state("parameters", name, value)
        return Expr(name)

    def define(self, name: str, value: Any) -> Any:
        """An expression or a vector with a name: `r.rate` is its time derivative.

        >>> m = vn.Model()
        >>> x, y = m.coordinate("x"), m.coordinate("y")
        >>> r = m.define("r", np.hypot(x, y))
        >>> r.rate
        Expr("r'")
        """
        vector = is_vector(value)
        with _About(f"definition '{cut(str(name))}'"):
            side = _side(value)
        self._state("definitions", name, side)
        return _named_vector(name) if vector else Coordinate(name)

    def coordinate(self, name: str, start: Any = 0, rate: Any = 0) -> Coordinate:
        """A coordinate, where it starts and how fast: numbers, or expressions of parameters.

        >>> m = vn.Model()
        >>> x = m.coordinate("x", start=1, rate=0.5)
        >>> x, x.rate, x.acceleration
        (Expr('x'), Expr("x'"), Expr("x''"))
        """
        self._state("coordinates", name, ({"start": start, "rate": rate}))
        return Coordinate(name)

    def particle(self, name: str, mass: Any = 1, position: Any = (0, 0, 0), velocity: Any = (0, 0, 0)) -> Particle:
        """A point mass in space.

        >>> m = vn.Model()
        >>> p = m.particle("p", mass=2, position=[0, 0, 1], velocity=[1, 0, 0])
        >>> m.system().coordinate_names
        ['p.x', 'p.y', 'p.z']
        """
        self._state("particles", name,
                    ({"mass": mass, "position": position, "velocity": velocity}))
        return Particle(name)

    def body(self, name: str, **options: Any) -> Body:
        """A rigid body; options are the keys of `[bodies.name]`: mass, inertia, shape, position, orientation, ..

        >>> m = vn.Model()
        >>> rod = m.body("rod", mass=2, shape={"rod": [1, 0.01]}, position=[0.5, 0, 0])
        >>> tip = rod.point([0.5, 0, 0])
        >>> m.system().velocity_names
        ["rod.x'", "rod.y'", "rod.z'", 'rod.wx', 'rod.wy', 'rod.wz']
        """
        self._state("bodies", name, options)
        return Body(name)

    # --- how it moves when free
    def mass(self, *arguments: Any) -> None:
        """`mass(x, value)`, and off the diagonal `mass(x, y, value)`.

        >>> m = vn.Model()
        >>> x, y = m.coordinate("x"), m.coordinate("y")
        >>> m.mass(x, 2); m.mass(y, 3); m.mass(x, y, 1)
        >>> m.system().solve().M
        array([[2., 1.],
               [1., 3.]])
        """
        if len(arguments) not in (2, 3):
            raise ArgumentError("mass(x, value), or mass(x, y, value) off the diagonal")
        try:
            key = ",".join([str(as_expr(one)) for one in arguments[:-1]])
        except (ArgumentError, RecursionError) as error:
            raise _about("mass", error) from None
        self._state("mass", key, arguments[-1])

    def force(self, on: Any, value: Any) -> None:
        """A force on a coordinate, a particle, a body, a point of a body, or a joint's angle or distance. Forces add up.

        >>> m = vn.Model()
        >>> p = m.particle("p", mass=2)
        >>> m.force(p, [0, 0, -9.81])
        >>> m.force(p.x, 4)
        >>> m.system().solve().acceleration
        array([ 2.   ,  0.   , -4.905])
        """
        self._force("forces", on, value)

    def nonideal(self, on: Any, value: Any) -> None:
        """The force C of non-ideal constraints, on the same things: what it would do against a constraint is taken from it.

        >>> m = vn.examples.pendulum()
        >>> m.nonideal(m["x"], -0.1 * m["x"].rate)
        """
        self._force("nonideal", on, value)

    def _force(self, table: str, on: Any, value: Any) -> None:
        if not isinstance(on, (str, Expr, Vector, Particle, Body)) and not is_of_sympy(on):
            hint = f": on its coordinate, {on.name}.angle or {on.name}.distance" if isinstance(on, Joint) else ""
            raise ArgumentError("a force acts on a coordinate, a particle, a body, a point of one, or what a joint turns or moves, "
                                f"not on {told(on)}{hint}")
        self._add(table, as_expr(on).text if is_of_sympy(on) else str(on), value)

    def torque(self, on: Body, value: Any) -> None:
        """A torque on a body, world axes.

        >>> m = vn.Model()
        >>> b = m.body("b", mass=1, inertia=[2, 2, 2])
        >>> m.torque(b, [0, 0, 3])
        >>> m.system().solve().acceleration[-1]
        np.float64(1.5)
        """
        if not isinstance(on, (str, Body)):
            raise ArgumentError(f"a torque acts on a body, not on {told(on)}")
        with _About(f"the torque on '{on}'"):
            made = as_vector(value)
        self._add("forces", f"{on}.torque", made)

    def gravity(self, acceleration: Any) -> None:
        """The acceleration of free fall: of all particles and bodies.

        >>> m = vn.Model()
        >>> p = m.particle("p")
        >>> m.gravity([0, 0, -9.81])
        >>> m.system().solve().acceleration
        array([ 0.  ,  0.  , -9.81])
        """
        self._change()
        with _About("gravity"):
            self._document["gravity"] = acceleration if isinstance(acceleration, str) else _plain(list(as_vector(acceleration)))

    def spring(self, name: str, a: Any = None, b: Any = None, **options: Any) -> None:
        """A spring and damper between two points (`"ground"` is the origin), or about a joint:
        `m.spring("s", joint=hinge, stiffness=3)`. Options: stiffness, damping, length (of a joint that turns: angle).

        >>> m = vn.Model()
        >>> p = m.particle("p", mass=1, position=[2, 0, 0])
        >>> m.spring("s", "ground", p, stiffness=5, length=1)
        >>> m.system().solve().acceleration
        array([-5., -0., -0.])
        """
        entry: dict[str, Any] = {}
        if a is not None:
            with _About(f"the ends of spring '{cut(str(name))}'"):
                entry["between"] = [one if isinstance(one, str) else as_vector(one).text for one in (a, b)]
        entry.update(options)
        self._state("springs", name, (entry))

    def bushing(self, name: str, a: Any, b: Any, **options: Any) -> None:
        """Springs and dampers along and about three axes between two parts.

        >>> m = vn.Model()
        >>> b = m.body("b", mass=2, inertia=[1, 1, 1], position=[0, 0, 0.1])
        >>> m.bushing("mount", "ground", b, point=[0, 0, 0.1], stiffness=[10, 10, 10])
        >>> m.system().solve([0.1, 0, 0.1, 1, 0, 0, 0]).acceleration[:1]
        array([-0.5])
        """
        self._state("bushings", name, ({"between": _ends(name, a, b), **options}))

    def potential(self, energy: Any) -> None:
        """Added to the potential energy: its force is minus its derivative.

        >>> m = vn.Model()
        >>> x = m.coordinate("x", start=2)
        >>> m.mass(x, 1)
        >>> m.potential(3 * x**2 / 2)
        >>> m.system().solve().acceleration
        array([-6.])
        """
        self._top("potential", energy)

    def kinetic(self, energy: Any) -> None:
        """The kinetic energy, instead of masses: M and Q by Lagrange's equations.

        >>> m = vn.Model()
        >>> r, phi = m.coordinate("r", start=2), m.coordinate("phi", rate=3)
        >>> m.kinetic((r.rate**2 + r**2 * phi.rate**2) / 2)
        >>> m.system().solve().acceleration
        array([18., -0.])
        """
        self._top("kinetic", energy)

    def lagrangian(self, value: Any) -> None:
        """L = T - V, instead of masses and potentials.

        >>> m = vn.Model()
        >>> q = m.coordinate("q", start=0.5)
        >>> m.lagrangian(q.rate**2 / 2 - q**2)
        >>> m.system().solve().acceleration
        array([-1.])
        """
        self._top("lagrangian", value)

    def _top(self, key: str, value: Any) -> None:
        self._change()
        before = self._document.get(key)
        with _About(key):
            made = as_expr(value) if before is None else as_expr(str(before)) + as_expr(value)
        self._document[key] = made.text

    # --- what its motion must satisfy
    def constrain(self, name: str, left: Any, right: Any = None, **options: Any) -> None:
        """left = right, of positions, velocities, accelerations and time; vectors are three rows.

        `left` may be a text with an equation of its own, "x'*sin(phi) = y'*cos(phi)", or an `Eq` of SymPy's. Options:
        friction, servo, frequency, damping, actuators.

        >>> m = vn.Model()
        >>> x, y = m.coordinate("x", start=1), m.coordinate("y")
        >>> m.mass(x, 1); m.mass(y, 1)
        >>> m.constrain("rod", x**2 + y**2, 1)
        >>> m.constrain("drive", "y' = 2*t")
        >>> m.check().degrees_of_freedom
        0
        """
        try:
            equation = _equation(left, right)
        except (ArgumentError, RecursionError) as error:
            raise _about(f"constraint '{cut(str(name))}'", error) from None
        self._state("constraints", name, {"equation": equation, **options} if options else equation)

    def joint(self, name: str, a: Any, b: Any, type: str, **options: Any) -> Joint:
        """A joint between two parts, bodies or "ground"; options are the keys of `[joints.name]`: type, point, axis, start, ..

        >>> m = vn.Model()
        >>> m.gravity([0, 0, -9.81])
        >>> rod = m.body("rod", mass=3, inertia=[0.01, 0.25, 0.25], position=[0.5, 0, 0])
        >>> hinge = m.joint("hinge", "ground", rod, type="revolute", point=[0, 0, 0], axis=[0, 1, 0])
        >>> m.output("angle", hinge.angle)
        >>> m.check().degrees_of_freedom
        1
        """
        self._state("joints", name, ({"type": type, "between": _ends(name, a, b), **options}))
        return Joint(name)

    def gear(self, name: str, first: Any, second: Any, ratio: Any) -> None:
        """Couples two joints that turn: angle of first = ratio * angle of second, both from the start.

        >>> m = vn.Model()
        >>> for name, x in (("a", 0), ("b", 1)):
        ...     wheel = m.body(name, mass=1, inertia=[1, 1, 1], position=[x, 0, 0])
        ...     hinge = m.joint("hinge_" + name, "ground", wheel, type="revolute", point=[x, 0, 0], axis=[0, 0, 1])
        >>> m.gear("teeth", "hinge_a", "hinge_b", -2)
        >>> m.check().degrees_of_freedom
        1
        """
        self._state("joints", name, ({"type": "gear", "joints": [str(first), str(second)], "ratio": ratio}))

    def rack(self, name: str, first: Any, second: Any, radius: Any) -> None:
        """Couples a joint that slides and one that turns: distance = radius * angle, from the start.

        >>> m = vn.Model()
        >>> wheel = m.body("wheel", mass=1, inertia=[1, 1, 1])
        >>> slide = m.body("slide", mass=1, inertia=[1, 1, 1], position=[0, 1, 0])
        >>> turning = m.joint("turning", "ground", wheel, type="revolute", point=[0, 0, 0], axis=[0, 0, 1])
        >>> sliding = m.joint("sliding", "ground", slide, type="prismatic", point=[0, 1, 0], axis=[1, 0, 0])
        >>> m.rack("teeth", sliding, turning, radius=0.5)
        >>> m.check().degrees_of_freedom
        1
        """
        self._state("joints", name, ({"type": "rack", "joints": [str(first), str(second)], "radius": radius}))

    def series(self, name: str, a: Any, b: Any, joints: Sequence[Mapping[str, Any]]) -> Joint:
        """Joints from A to B one after the other; each a dictionary with a `name` and the keys of joints.

        >>> m = vn.Model()
        >>> tool = m.body("tool", mass=1, inertia=[1, 1, 1], position=[1, 0, 0])
        >>> hand = m.series("hand", "ground", tool, [
        ...     {"name": "swing", "type": "revolute", "point": [0, 0, 0], "axis": [0, 0, 1]},
        ...     {"name": "lift", "type": "prismatic", "point": [0, 0, 0], "axis": [0, 0, 1]}])
        >>> m.check().degrees_of_freedom
        2
        """
        if isinstance(joints, (str, Mapping)) or not isinstance(joints, Sequence):
            raise ArgumentError(f"the joints of '{name}' are a list of tables, not {told(joints)}")
        self._state("joints", name, ({"type": "series", "between": _ends(name, a, b), "joints": list(joints)}))
        return Joint(name)

    def _constraint(self, name: str) -> dict[str, Any]:
        entries = self._table("constraints")
        if not isinstance(name, str):
            raise ArgumentError(f"a constraint is found by its name, not by {told(name)}")
        if name not in entries:
            known = ", ".join(entries) or "none"
            raise ModelError([Fault(f"there is no constraint '{name}'; constraints are: {known}")])
        if isinstance(entries[name], str):
            entries[name] = {"equation": entries[name]}
        entry: dict[str, Any] = entries[name]
        return entry

    def friction(self, constraint: str, coefficient: Any) -> None:
        """Coulomb friction of a constraint stated before.

        >>> m = vn.Model()
        >>> p = m.particle("p", velocity=[1, 0, 0])
        >>> m.gravity([0, 0, -10])
        >>> m.constrain("floor", p.z, 0)
        >>> m.friction("floor", 0.2)
        >>> m.system().solve().acceleration
        array([-2.,  0.,  0.])
        """
        with _About(f"the friction of '{cut(str(constraint))}'"):
            self._constraint(constraint)["friction"] = _plain(coefficient)

    def servo(self, constraint: str, **options: Any) -> None:
        """Marks a constraint as a programme: its force is a control force. Options: frequency, damping, actuators.

        >>> m = vn.Model()
        >>> x = m.coordinate("x", start=1)
        >>> m.mass(x, 1)
        >>> m.constrain("follow", x, 0)
        >>> m.servo("follow", frequency=2, damping=1)
        >>> m.system().solve().acceleration
        array([-4.])
        """
        with _About(f"the servo of '{cut(str(constraint))}'"):
            self._constraint(constraint).update(_plain({"servo": True, **options}))

    def set_mechanics(self, word: str) -> None:
        """"dalembert", "vakonomic" or "none".

        >>> m = vn.examples.skate()
        >>> m.set_mechanics("vakonomic")
        """
        if not isinstance(word, str) or word not in ("dalembert", "vakonomic", "none"):
            raise ArgumentError(f"mechanics is 'dalembert', 'vakonomic' or 'none', not {told(word)}")
        self._change()
        self._document["mechanics"] = word

    def start_multiplier(self, row: str, value: Any) -> None:
        """Vakonomic motion: mu of a row at the start.

        >>> m = vn.Model()
        >>> x, y = m.coordinate("x"), m.coordinate("y", rate=1)
        >>> m.mass(x, 1); m.mass(y, 1)
        >>> m.constrain("row", x.rate, y * y.rate)
        >>> m.set_mechanics("vakonomic")
        >>> m.start_multiplier("row", 0.5)
        >>> float(m.system().start[1][-1])
        0.5
        """
        self._state("multipliers", row, (value))

    # --- what is looked at
    def multiplier(self, constraint: str, row: int | None = None) -> Expr:
        """lambda of a constraint, or of one of its rows: for outputs, events and non-ideal forces.

        >>> m = vn.examples.pendulum()
        >>> m.output("lambda", m.multiplier("rod"))
        """
        return Expr(f"multiplier({constraint})" if row is None else f"multiplier({constraint}[{row}])")

    def reaction(self, constraint: Any, on: Any = None) -> Any:
        """The ideal force of a constraint: on a coordinate a number, on a particle or body a vector; without either
        all of it, for `norm`.

        >>> m = vn.examples.pendulum()
        >>> m.output("pull", m.reaction("rod", m["x"]))
        >>> m.output("size", vn.norm(m.reaction("rod")))
        >>> i = m.system().solve([1, 0], [0, 2])
        >>> i.outputs["pull"], i.outputs["size"]
        (-4.0, 4.0)
        """
        if on is None:
            return _Generalised(f"force({constraint})")
        if isinstance(on, (Particle, Body)):
            return _named_vector(f"force({constraint}, {on.name})")
        return Expr(f"force({constraint}).{on}")

    def reaction_torque(self, constraint: Any, on: Body) -> Vector:
        """The torque of a joint on a body, at the joint; of another constraint about the centre of mass.

        >>> m = vn.Model()
        >>> m.gravity([0, 0, -10])
        >>> b = m.body("b", mass=1, inertia=[1, 1, 1], position=[2, 0, 0])
        >>> m.joint("held", "ground", b, type="weld", point=[0, 0, 0])
        Joint('held')
        >>> m.output("torque", m.reaction_torque("held", b))
        >>> round(m.system().solve().outputs["torque.y"], 12)
        -20.0
        """
        if not isinstance(on, (str, Body)):
            raise ArgumentError(f"a torque acts on a body, not on {told(on)}")
        return _named_vector(f"torque({constraint}, {on})")

    @property
    def energy(self) -> Expr:
        """The energy of the whole system, for outputs and events.

        >>> m = vn.examples.pendulum()
        >>> m.output("total", m.energy)
        """
        return Expr("energy")

    def output(self, name: str, value: Any) -> None:
        """An expression or a vector that is looked at along the motion.

        >>> m = vn.examples.pendulum()
        >>> m.output("slope", m["y"] / m["x"])
        >>> m.system().solve([1, -1], [0, 0]).outputs["slope"]
        -1.0
        """
        with _About(f"output '{cut(str(name))}'"):
            side = value.norm.text if isinstance(value, _Generalised) else _side(value)
        self._state("outputs", name, side)

    def event(self, name: str, value: Any, direction: str = "both", stop: bool = False) -> None:
        """Where an expression passes zero, in both directions, "rising" or "falling"; with `stop` the motion ends there.

        >>> m = vn.Model()
        >>> y = m.coordinate("y", start=5)
        >>> m.mass(y, 1); m.force(y, -10)
        >>> m.event("ground", y, direction="falling", stop=True)
        >>> m.run(until=9).t_events["ground"]
        array([1.])
        """
        if not isinstance(direction, str) or direction not in ("both", "rising", "falling"):
            raise ArgumentError(f"event '{cut(str(name))}': the direction is 'both', 'rising' or 'falling', not {told(direction)}")
        if not isinstance(stop, (bool, np.bool_)):
            raise ArgumentError(f"event '{cut(str(name))}': stop is True or False, not {told(stop)}")
        plain = direction == "both" and not stop
        with _About(f"event '{cut(str(name))}'"):
            text = as_expr(value).text
        self._state("events", name, text if plain else {"at": text, "direction": direction, "stop": bool(stop)})

    def simulate(self, **settings: Any) -> None:
        """What `run` does unless told otherwise: until, tolerance, integrator, samples, closure, ..

        >>> m = vn.examples.pendulum()
        >>> m.simulate(until=2, samples=5)
        >>> m.run().t
        array([0. , 0.5, 1. , 1.5, 2. ])
        """
        with _About("simulate"):
            self._table("simulate").update(_plain(settings))

    def view(self, **settings: Any) -> None:
        """What pages and pictures show.

        >>> m = vn.examples.pendulum()
        >>> m.view(up="y")
        """
        with _About("view"):
            self._table("view").update(_plain(settings))

    def component(self, name: str, contents: Mapping[str, Any] | Model) -> None:
        """A part to be used many times: another model, or its tables. Of a model everything but what is said of a whole one:
        title, description, how it is simulated, what varies.

        >>> link = vn.Model()
        >>> k = link.parameter("k", 1.0)
        >>> x = link.coordinate("x", start=1)
        >>> link.mass(x, 1); link.force(x, -k * x)
        >>> m = vn.Model()
        >>> m.component("oscillator", link)
        >>> m.part("slow", "oscillator"); m.part("fast", "oscillator", k=4)
        >>> m.system().solve().acceleration
        array([-1., -4.])
        """
        if isinstance(contents, Model) and contents._functions:
            raise VinculumError(f"component '{name}': functions written in Python cannot stand in a component: "
                                + ", ".join(one.name for one in contents._functions))
        if not isinstance(contents, (Mapping, Model)):
            raise ArgumentError(f"component '{name}' is a model or its tables, not {told(contents)}")
        # What is said of a whole model is not said of a part.
        inside = {key: value for key, value in contents.document.items() if key not in _OF_WHOLE} \
            if isinstance(contents, Model) else contents
        self._state("components", name, (inside))

    def part(self, name: str, use: str, **parameters: Any) -> None:
        """One use of a component: its things are called `name.thing`; parameters have these values. See `component`.

        >>> m = vn.Model()
        >>> m.component("drop", {"coordinates": {"x": 1}, "mass": {"x": 1}})
        >>> m.part("first", "drop")
        >>> m.system().coordinate_names
        ['first.x']
        """
        self._state("parts", name, ({"use": use, **parameters}))

    def function(self, f: Callable[..., Any], *arguments: Any, name: str = "", vector: bool = False) -> Any:
        """A Python function of expressions, for experiments: it may stand in forces, outputs and events.

        It is called with numbers (with arrays of three for vectors) and returns one, or with `vector` three: at every
        evaluation, some thousand times a second of motion. Slow beside an expression, for one thread at a time, and no
        part of the model's text.

        >>> m = vn.Model()
        >>> p = m.particle("p", mass=2, velocity=[3, 0, 4])
        >>> def drag(v):
        ...     return -0.1 * np.linalg.norm(v) * v
        >>> m.force(p, m.function(drag, p.velocity, vector=True))
        >>> m.system().solve().acceleration
        array([-0.75, -0.  , -1.  ])
        """
        if not isinstance(name, str):
            raise ArgumentError(f"a name is a text, not {told(name)}")
        known = name or getattr(f, "__name__", "") or "f"
        if not (known.isidentifier() and known.isascii()):
            known = "f"
        with _About(f"the arguments of the function '{known}'"):
            texts = [(as_vector(one).text if is_vector(one) else as_expr(one).text, is_vector(one)) for one in arguments]
        made = _Function(f"{known}_{len(self._functions) + 1}", f, texts, bool(vector), name or str(getattr(f, "__name__", known)))
        made.require_call()
        self._change()
        self._functions.append(made)
        if not vector:
            return Expr(made.name)
        x, y, z = (Expr(value) for value in made.values())
        return as_vector([x, y, z])

    # --- finding what a text states
    def __getitem__(self, name: str) -> Any:
        """What is called so: a coordinate, a parameter, a definition, a particle, a body or a joint.

        >>> m = vn.examples.pendulum()
        >>> m["x"]
        Expr('x')
        """
        name = str(name) if isinstance(name, Expr) else name
        tables: Mapping[str, Any] = _tables_of(self._text) if self._text is not None else self._document
        if not isinstance(name, str):
            raise KeyError(f"things are found by name, m['x'], not by {told(name)}")
        for table, made in (("coordinates", Coordinate), ("bodies", Body), ("particles", Particle), ("joints", Joint)):
            if name in tables.get(table, {}):
                return made(name)
        for table in ("parameters", "definitions"):
            if name in tables.get(table, {}):
                stated = tables[table][name]
                if isinstance(stated, list) or str(stated).lstrip().startswith("["):
                    return _named_vector(name)
                return Coordinate(name) if table == "definitions" else Expr(name)
        import difflib

        near = difflib.get_close_matches(name, self._names(), 1) if isinstance(name, str) else []
        raise KeyError(f"the model states no '{name}'" + (f" (did you mean '{near[0]}'?)" if near else ""))

    def __contains__(self, name: object) -> bool:
        """Whether something is called so: `"x" in m`."""
        return str(name) in self._names() if isinstance(name, (str, Expr)) else False

    def __iter__(self) -> Iterator[str]:
        """The names of what `m[name]` finds."""
        return iter(self._names())

    def _names(self) -> list[str]:
        tables = _tables_of(self._text) if self._text is not None else self._document
        return [name for table in ("coordinates", "particles", "bodies", "joints", "parameters", "definitions")
                for name in tables.get(table, {})]

    # --- what is computed of it
    def read(self, parameters: Mapping[str, Any] | None = None, *, open: bool = False) -> _core.ReadModel:
        """The model as the engine has it; faults of its text are a ModelError. The methods below call it.

        >>> vn.examples.pendulum().read().parameter_names == list(vn.examples.pendulum().parameters)
        True
        """
        overrides = _overrides(parameters)
        text = self._text_to_read()
        _require_text("the model", text)
        _require_text("the path of the model", self._path)
        for name, value in overrides:
            _require_text(f"parameter '{name}'", name + value)
        key = (text, open, tuple(overrides))
        if key in self._read_as:
            return self._read_as[key]
        read, told, remarks = _core.read(text, self._path, overrides, self._includes, open)
        if read is None:
            raise ModelError(_faults(told, text))
        if self._functions:  # they may know this model: a circle that nobody could let go
            read.add_functions(self.text, [(one.name, one.outputs(), one.values(), one.call) for one in self._functions])
            return read
        if len(self._read_as) > 8:
            self._read_as.clear()
        self._read_as[key] = read
        return read

    def _text_to_read(self) -> str:
        """Where functions are written in Python, parameters hold the places of what they return, and outputs their
        arguments: the engine puts calls in their places."""
        if not self._functions:
            return self.text
        document = _plain(self._document)
        for table, held in (("parameters", {value: 0 for one in self._functions for value in one.values()}),
                            ("outputs", {place: text for one in self._functions
                                         for place, (text, _) in zip(one.places(), one.arguments)})):
            twice = [name for name in held if name in document.get(table, {})]
            if twice:
                raise ModelError([Fault(f"'{twice[0]}' is the name of a function written in Python")])
            document[table] = {**document.get(table, {}), **held}
        return document_text(document)

    @property
    def warnings(self) -> list[str]:
        """What the reader remarks: a damper below zero, say."""
        return [in_python(one) for one in self.read().warnings]

    @property
    def parameters(self) -> dict[str, float]:
        """The values of all parameters by name.

        >>> vn.examples.pendulum().parameters["g"]
        9.81
        """
        return self.read().parameters

    @property
    def settings(self) -> dict[str, Any]:
        """What `run` does unless told otherwise."""
        return self.read().settings

    def system(self, parameters: Mapping[str, Any] | None = None, *, living: bool | Sequence[str] = False) -> System:
        """Compiles the model. With `living` its parameters (or those named) can change without compiling again.

        >>> s = vn.examples.pendulum().system(living=["L"])
        >>> s.with_parameters(L=3.0).parameters["L"]
        3.0
        """
        from ._system import System, names_of

        read = self.read(parameters)
        names = (read.parameter_names if living is True else []) if isinstance(living, bool) else names_of("living", living)
        key = (read, tuple(names))
        if key not in self._systems:
            made = System(read, _core.compile(read, names))
            if self._functions:
                made._model = self.copy()
                return made
            if len(self._systems) > 8:
                self._systems.clear()
            self._systems[key] = made
        return self._systems[key]

    def run(self, /, until: float | None = None, **how: Any) -> Motion:
        """The motion: see :meth:`vinculum.System.run` for what can be said.

        >>> sol = vn.examples.pendulum().run(until=1, rtol=1e-10)
        >>> sol.success, round(float(sol["x"][-1]), 6)
        (True, 0.986292)
        """
        from ._system import RUN_WORDS, merged

        parameters, args = how.pop("parameters", None), how.pop("args", None)
        if parameters is not None and args is not None:
            raise ArgumentError("parameters and args are two names of one thing: values of parameters, parameters={'L': 2}")
        parameters = parameters if args is None else args
        merged(parameters, how, RUN_WORDS)  # none is given twice
        model = self._with_events(how.pop("events", None))
        return model._system_with(parameters, how).run(until, **how)

    def _with_events(self, events: Any) -> Model:
        if events is None:
            return self
        if not isinstance(events, Mapping):
            raise ArgumentError('events are given by name: events={"hit": x - 1}')
        model = self.copy() if events else self
        for name, value in events.items():
            if isinstance(value, Mapping):
                unknown = set(value) - {"at", "direction", "stop"}
                if unknown or "at" not in value:
                    raise ArgumentError(f"event '{name}' has the keys 'at', 'direction' and 'stop'"
                                        + (f", and no {sorted(map(str, unknown))[0]!r}" if unknown else "; 'at' is missing"))
                model.event(name, value["at"], value.get("direction", "both"), value.get("stop", False))
            else:
                model.event(name, value)
        return model

    def _system_with(self, parameters: Any, how: dict[str, Any]) -> System:
        """The system that the command line has with `--set`: parameters that are given values can change, the others are
        numbers in it. Those that are options of a run need not be read anew; what is zero may make another system."""
        from ._system import RUN_WORDS, merged

        given = merged(parameters, {})
        known = self.read(given).parameter_names
        named = {name: value for name, value in how.items() if name not in RUN_WORDS and name in known}
        zero = [name for name, value in named.items() if type(value) in (int, float) and value == 0]
        for name in zero:
            given[name] = how.pop(name)
        read = self.read(given)
        return self.system(given, living=sorted({*_core.living_of(read), *named}))

    def sweep(self, /, vary: Mapping[Any, Any] | None = None, random: Mapping[Any, Any] | None = None, *, table: Any = None,
              columns: Sequence[str] | None = None, count: int | None = None, seed: int | None = None,
              sobol: bool | None = None, keep: Sequence[str | Expr] | None = None, until: float | None = None,
              rtol: float | None = None, atol: float | None = None, method: str | None = None, step: float | None = None,
              closure: float | None = None, samples: int | None = None, assemble: bool = False, start: Mapping[Any, float] | None = None,
              events: Mapping[str, Any] | None = None, parameters: Mapping[str, Any] | None = None,
              threads: int | None = None, executor: Any = None, part: int | None = None, progress: Any = False,
              **named: float) -> Study:
        """Many motions: what varies from member to member, and what is kept of each.

        vary: values of parameters, or of starts, by name: every combination is a member, the last name runs fastest.
        random: what is drawn anew for each member, `vn.normal(mean, deviation)`, `vn.uniform(low, high)` or
        `vn.log_uniform(low, high)`; `count` draws at each place of the grid, by their `seed`, with `sobol` spread evenly.
        table: columns that vary together, a member for each row: a DataFrame, a dictionary, a file (CSV, HDF5); of these
        `columns` alone.
        keep: names of what is kept: "x" (at the end), "pull.max", ".min", ".mean", "hit.time" and "hit.count" of events,
        "x@0.5" at an instant, "x.samples" for whole trajectories at `samples` instants (101 unless said); the outputs at the
        end unless said.
        What the model states in [ensemble] holds where nothing else is said. start: where all members start, by name. The
        other settings are those of `run`.
        threads: how many members are computed at once; all processors unless said, and the same bits however many.
        executor: one of concurrent.futures, Dask or mpi4py.futures, which is given `part` members at a time.
        progress: True for a bar, or a function of (done, count, failed, seconds_left) that returns False to end it.
        Ctrl-C keeps what is done: `runs.complete` is False.

        >>> m = vn.examples.pendulum()
        >>> runs = m.sweep(vary={"g": [1.6, 9.8]}, random={"m": vn.uniform(1, 2)}, count=3, seed=1, keep=["x.min"], until=1)
        >>> len(runs), runs["g"].tolist()
        (6, [1.6, 1.6, 1.6, 9.8, 9.8, 9.8])
        """
        from ._study import sweep
        from ._system import merged

        motion = {"until": until, "rtol": rtol, "atol": atol, "method": method, "step": step, "closure": closure}
        return sweep(self._with_events(events), vary, random, table, columns, count, seed, sobol, keep, motion, samples, assemble, start,
                     merged(parameters, named), threads, executor, part, progress)

    def check(self, parameters: Mapping[str, Any] | None = None) -> Check:
        """Degrees of freedom, redundancy and contradiction by name, and whether the start is consistent.

        >>> vn.examples.pendulum().check().degrees_of_freedom
        1
        """
        return self.system(parameters).check()

    def assemble(self, fixed: Sequence[str] = (), parameters: Mapping[str, Any] | None = None) -> Any:
        """The start moved onto its constraints by the smallest change; `fixed` are coordinates that stay.

        >>> m = vn.Model()
        >>> x, y = m.coordinate("x", start=2), m.coordinate("y")
        >>> m.mass(x, 1); m.mass(y, 1)
        >>> m.constrain("rod", x**2 + y**2, 1)
        >>> m.assemble()["x"]
        1.0
        """
        return self.system(parameters).assemble(fixed=fixed)

    def explain(self, **how: Any) -> str:
        """Everything the theory says about the start, or another state, as a page.

        >>> print(vn.examples.pendulum().explain().splitlines()[0][:2])
        At
        """
        system = self.system()
        return system.solve(**how).explain()

    def derive(self, format: str = "text", standalone: bool = True) -> str:
        """The explicit equations of motion: "text", "latex" or one file of "c".

        >>> "double" in vn.examples.pendulum().derive("c")
        True
        """
        if not isinstance(format, str):
            raise ArgumentError(f"format is a word, not {told(format)}")
        if format not in ("text", "latex", "c"):
            raise ArgumentError(f"format '{cut(format)}': formats are text, latex and c")
        return in_python(self.read(open=True).derive(format, self.title or Path(self._path).name, bool(standalone)))

    def equations(self) -> Any:
        """M q'' = Q, A q'' = b as matrices of SymPy, by name: `e.M`, `e.Q`, `e.A`, `e.b`, `e.C`.

        >>> vn.examples.pendulum().equations().A
        Matrix([[2*x, 2*y]])
        """
        from ._symbolic import equations_of

        return equations_of(self.read(open=True).equations)

    def _repr_html_(self) -> str:
        from ._notebook import model_html

        return model_html(self)


class _Function:
    """A Python function of expressions, and the names that hold its place while the text is read."""

    def __init__(self, name: str, function: Callable[..., Any], arguments: list[tuple[str, bool]], vector: bool,
                 called: str):
        self.name = name
        self.function = function
        self.arguments = arguments  # texts, and whether they are vectors
        self.vector = vector
        self.called = called  # as Python knows it
        self.wrong = False  # what it returned last was no finite number

    def __str__(self) -> str:
        return f"{self.name}({', '.join(text for text, _ in self.arguments)})"

    def values(self) -> list[str]:
        return [f"{self.name}_{k}" for k in "xyz"] if self.vector else [self.name]

    def places(self) -> list[str]:
        return [f"{self.name}_argument_{k + 1}" for k in range(len(self.arguments))]

    def outputs(self) -> list[str]:
        """The places, number by number."""
        return [name for place, (_, vector) in zip(self.places(), self.arguments)
                for name in ([f"{place}.{k}" for k in "xyz"] if vector else [place])]

    def require_call(self) -> None:
        if not callable(self.function):
            raise ArgumentError(f"a function is asked for, not {told(self.function)}")
        import inspect

        try:
            inspect.signature(self.function).bind(*[0.0] * len(self.arguments))
        except TypeError as e:
            raise ExpressionError(f"{self.called} cannot be called with {len(self.arguments)} numbers: {e}") from None
        except ValueError:
            pass  # a function without a signature

    def call(self, *numbers: float) -> Any:
        found = self.function(*self._given(numbers))
        if not self.wrong and type(found) is float and found - found == 0.0 and not self.vector:
            return found
        return self._three(found, numbers) if self.vector else self._one(found, numbers)

    def _given(self, numbers: Sequence[float]) -> Sequence[Any]:
        if not any(vector for _, vector in self.arguments):
            return numbers
        given: list[Any] = []
        at = 0
        for _, vector in self.arguments:
            given.append(np.array(numbers[at:at + 3]) if vector else numbers[at])
            at += 3 if vector else 1
        return given

    def _one(self, found: Any, numbers: Sequence[float]) -> float:
        if isinstance(found, np.ndarray) and found.ndim == 0 and not np.ma.is_masked(found):
            found = found.item()
        if not isinstance(found, (numbers_.Real, np.bool_)):
            raise ArgumentError(f"the function '{self.called}' returned {_returned(found)}, and a number is asked for")
        try:
            value = float(found)
        except OverflowError:
            raise ArgumentError(f"the function '{self.called}' returned {_returned(found)}, which is beyond 1.8e308") from None
        self._note(value - value == 0.0, value, numbers)
        return value

    def _three(self, found: Any, numbers: Sequence[float]) -> list[float]:
        try:
            array = np.asarray(found)
            if array.dtype.kind not in "fiub" or np.ma.is_masked(found):
                raise ValueError
        except (TypeError, ValueError):
            raise ArgumentError(f"the function '{self.called}' returned {_returned(found)}, and a vector has three numbers") from None
        if array.shape != (3,):
            raise ArgumentError(f"the function '{self.called}' returned an array of the shape {array.shape}, and a vector has three "
                                "numbers")
        values: list[float] = array.astype(float).tolist()
        self._note(all(value - value == 0.0 for value in values), values, numbers)
        return values

    def _note(self, finite: bool, value: Any, numbers: Sequence[float]) -> None:
        """Trials of a step may come where there is no number: what is said of them is said if they stay without an answer."""
        if finite and self.wrong:
            self.wrong = False
            returned.by.pop(self.name, None)
        if not finite:
            self.wrong = True
            at = ", ".join(f"{number:.6g}" for number in numbers)
            returned.by[self.name] = f"the function '{self.called}' returned {value} at ({at})"


def _returned(found: Any) -> str:
    return "None (is its 'return' missing?)" if found is None else \
        f"an array of the shape {found.shape}" if isinstance(found, np.ndarray) and found.dtype.kind in "fiub" else told(found)


def _overrides(parameters: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    from ._system import merged

    made: list[tuple[str, str]] = []
    for name, value in merged(parameters, {}).items():
        with _About(f"parameter '{cut(name)}'"):
            made.append((name, str(as_expr(value))))
    return made


def _require_text(what: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ArgumentError(f"{what} has half a character at {error.start}, {text[error.start]!r}, which no file can hold") from None


def _tables_of(text: str) -> Mapping[str, Any]:
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib  # type: ignore
    return tomllib.loads(text.lstrip("\ufeff"))


def loads(text: str, path: str = "model.toml") -> Model:
    r"""A model from the text of a model file; `path` is for messages.

    >>> m = vn.loads("[coordinates]\nx = 1\n[mass]\nx = 2\n[forces]\nx = '-8*x'")
    >>> m.system().solve().acceleration
    array([-4.])
    """
    if not isinstance(text, str):
        raise ArgumentError(f"loads takes the text of a model, not {told(text)}; load(path) reads a file")
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"path is the place of a file, not {told(path)}")
    model = Model()
    model._text = text
    model._path = os.fspath(path)
    model.read(open=True)
    return model


def load(path: str | os.PathLike[str]) -> Model:
    """A model from its file; a robot's file (URDF, MJCF, SDF) is imported.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.toml"
    >>> _ = path.write_text(vn.examples.text("pendulum"))
    >>> vn.load(path)
    <vinculum.Model 'Pendulum'>
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"load takes the place of a file, not {told(path)}; loads(text) reads a text")
    place = os.fspath(path)
    try:
        text = Path(place).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ModelError([Fault("the file is not UTF-8 text", place)]) from None
    except ValueError as error:
        raise ArgumentError(f"no file can be called {place!r}: {error}") from None
    model = Model()
    model._path = place
    model._includes = True
    if _core.is_robot_file(place):
        toml, faults, remarks = _core.import_robot(text, place, False)
        if toml is None:
            raise ModelError(_faults(faults, text))
        import warnings

        for file, line, column, what in remarks:
            warnings.warn(f"{file}:{line}:{column}: {in_python(what)}", stacklevel=2)
        model._text = toml
        model._path = str(Path(place).with_suffix(".toml"))
        model._includes = False
    else:
        model._text = text
    model.read(open=True)
    return model
