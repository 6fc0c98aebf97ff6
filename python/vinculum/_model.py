"""Models: stated in Python, or read from a file, and the same thing either way."""

from __future__ import annotations

import copy
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError, ExpressionError, Fault, ModelError, VinculumError
from ._expression import (Body, Coordinate, Expr, Joint, Particle, Vector, _Generalised, _named_vector, as_expr, as_vector,
                          is_vector, number_text)
from ._toml import document_text

if TYPE_CHECKING:
    from ._check import Check
    from ._motion import Motion
    from ._system import System

__all__ = ["Model", "load", "loads"]

Told = tuple[str, int, int, str]


def _faults(told: Iterable[Told], text: str) -> list[Fault]:
    lines = text.split("\n")
    return [
        Fault(what, file, line, column, lines[line - 1] if 0 < line <= len(lines) else "")
        for file, line, column, what in told
    ]


def _plain(value: Any) -> Any:
    """What a document holds for a value: numbers, texts of expressions, lists and tables of these."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        number_text(float(value))
        return float(value)
    if isinstance(value, (Expr, Vector, Particle, Body, Joint)):
        return str(value)
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items() if v is not None}
    return str(as_expr(value))


def _side(value: Any) -> str:
    return as_vector(value).text if is_vector(value) else as_expr(value).text


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
        self._forces = 0  # functions in Python so far
        self._path = "model.toml"
        self._includes = False
        self._functions: list[tuple[str, str, list[str], Callable[..., float], bool]] = []
        # The same text is read and compiled once.
        self._read_as: dict[tuple[Any, ...], _core.ReadModel] = {}
        self._systems: dict[tuple[_core.ReadModel, tuple[str, ...]], System] = {}
        if title:
            self._document["title"] = title
        if description:
            self._document["description"] = description

    # --- the text
    @property
    def text(self) -> str:
        """The model as the text of a model file."""
        return self._text if self._text is not None else document_text(_plain(self._document))

    def __str__(self) -> str:
        lost = [f"# on {on}, written in Python and no part of this text: {name}({', '.join(arguments)})\n"
                for on, name, arguments, _, _ in self._functions]
        return self.text + "".join(lost)

    def __repr__(self) -> str:
        title = self.title or Path(self._path).name
        return f"<vinculum.Model {title!r}>"

    @property
    def title(self) -> str:
        return str(self._open().get("title", ""))

    @property
    def description(self) -> str:
        return str(self._open().get("description", ""))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text of the model."""
        if self._functions:
            raise VinculumError("a model with functions written in Python cannot be saved: "
                                + ", ".join(one[1] for one in self._functions))
        Path(path).write_text(self.text, encoding="utf-8")

    def copy(self) -> Model:
        other = copy.copy(self)
        other._document = copy.deepcopy(self._document)
        other._functions = list(self._functions)
        other._read_as = {}
        other._systems = {}
        return other

    def __getstate__(self) -> dict[str, Any]:
        if self._functions:
            raise VinculumError("a model with functions written in Python cannot be pickled")
        return {**self.__dict__, "_read_as": {}, "_systems": {}}

    def __deepcopy__(self, memo: Any) -> Model:
        return self.copy()

    def expand(self, parameters: Mapping[str, Any] | None = None) -> str:
        """The text with parts, repetition and included files written out."""
        text, told = _core.expand(self.text, self._path, _overrides(parameters), self._includes)
        if text is None:
            raise ModelError(_faults(told, self.text))
        return text

    @property
    def document(self) -> dict[str, Any]:
        """All tables as dictionaries, to be looked at and changed: what has no method of its own is stated here.

        >>> m = vn.Model()
        >>> m.document["view"] = {"up": "y"}
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
            raise ArgumentError(f"a name is a text, not {name!r}")
        entries = self._table(table)
        if name in entries:
            raise ModelError([Fault(f"'{name}' is stated twice in [{table}]")])
        entries[name] = value

    def _add(self, table: str, key: str, value: Any) -> None:
        """Forces of one thing add up."""
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
        """A number with a name, which may have other values later; or an expression of others."""
        self._state("parameters", name, _plain(value))
        return Expr(name)

    def define(self, name: str, value: Any) -> Any:
        """An expression or a vector with a name: `r.rate` is its time derivative."""
        vector = is_vector(value)
        self._state("definitions", name, _side(value))
        return _named_vector(name) if vector else Coordinate(name)

    def coordinate(self, name: str, start: Any = 0, rate: Any = 0) -> Coordinate:
        self._state("coordinates", name, {"start": _plain(start), "rate": _plain(rate)})
        return Coordinate(name)

    def particle(self, name: str, mass: Any = 1, position: Any = (0, 0, 0), velocity: Any = (0, 0, 0)) -> Particle:
        self._state("particles", name,
                    {"mass": _plain(mass), "position": _plain(position), "velocity": _plain(velocity)})
        return Particle(name)

    def body(self, name: str, **options: Any) -> Body:
        """A rigid body; options are the keys of `[bodies.name]`: mass, inertia, shape, position, orientation, ..

        >>> m = vn.Model()
        >>> rod = m.body("rod", mass=2, shape={"rod": [1, 0.01]}, position=[0.5, 0, 0])
        >>> tip = rod.point([0.5, 0, 0])
        """
        self._state("bodies", name, _plain(options))
        return Body(name)

    # --- how it moves when free
    def mass(self, *arguments: Any) -> None:
        """`mass(x, value)`, and off the diagonal `mass(x, y, value)`."""
        if len(arguments) not in (2, 3):
            raise ExpressionError("mass(x, value), or mass(x, y, value) off the diagonal")
        key = ",".join(str(as_expr(one)) for one in arguments[:-1])
        self._state("mass", key, _plain(arguments[-1]))

    def force(self, on: Any, value: Any) -> None:
        """A force on a coordinate, a particle, a body, a point of a body, or a joint's angle or distance."""
        self._force("forces", on, value)

    def nonideal(self, on: Any, value: Any) -> None:
        """The force C of non-ideal constraints, on the same things."""
        self._force("nonideal", on, value)

    def _force(self, table: str, on: Any, value: Any) -> None:
        if isinstance(value, PythonForce):
            if isinstance(on, (Particle, Body, Vector)):
                raise ExpressionError(f"a function written in Python acts on a coordinate, as {on}.x is, not on {on}")
            self._change()
            self._functions.append((str(on), value.name, value.arguments, value.function, table == "nonideal"))
            return
        self._add(table, str(on), value)

    def torque(self, on: Body, value: Any) -> None:
        """On a body, world axes."""
        self._add("forces", f"{on}.torque", as_vector(value))

    def gravity(self, acceleration: Any) -> None:
        """The acceleration of free fall: of all particles and bodies."""
        self._change()
        self._document["gravity"] = _plain(list(as_vector(acceleration)) if is_vector(acceleration) else acceleration)

    def spring(self, name: str, a: Any = None, b: Any = None, **options: Any) -> None:
        """Between two points (`"ground"` is the origin), or about a joint: spring("s", joint=hinge, stiffness=3)."""
        entry: dict[str, Any] = {}
        if a is not None:
            entry["between"] = [one if isinstance(one, str) else as_vector(one).text for one in (a, b)]
        entry.update(options)
        self._state("springs", name, _plain(entry))

    def bushing(self, name: str, a: Any, b: Any, **options: Any) -> None:
        """Springs and dampers along and about three axes between two parts."""
        self._state("bushings", name, _plain({"between": [str(a), str(b)], **options}))

    def potential(self, energy: Any) -> None:
        """Added to the potential energy."""
        self._top("potential", energy)

    def kinetic(self, energy: Any) -> None:
        """Instead of masses: M and Q by Lagrange's equations."""
        self._top("kinetic", energy)

    def lagrangian(self, value: Any) -> None:
        """Instead of masses and potentials."""
        self._top("lagrangian", value)

    def _top(self, key: str, value: Any) -> None:
        self._change()
        before = self._document.get(key)
        made = as_expr(value) if before is None else as_expr(str(before)) + as_expr(value)
        self._document[key] = made.text

    # --- what its motion must satisfy
    def constrain(self, name: str, left: Any, right: Any = None, **options: Any) -> None:
        """left = right, of positions, velocities, accelerations and time; vectors are three rows.

        `left` may be a text with an equation of its own, "x'*sin(phi) = y'*cos(phi)", or an `Eq` of SymPy's. Options:
        friction, servo, frequency, damping, actuators.
        """
        equation = left if isinstance(left, str) and "=" in left else None
        if type(left).__module__.startswith("sympy") and hasattr(left, "lhs") and hasattr(left, "rhs"):
            if type(left).__name__ != "Equality":
                raise ExpressionError(f"{left} is no equation: constraints are equalities")
            if right is None:
                left, right = left.lhs, left.rhs
            else:
                equation = str(left)
        if equation is not None and right is not None:
            raise ExpressionError(f"constraint '{name}': '{equation}' has a right side already, and another is given")
        if right is None:
            right = 0
        if equation is None:
            vector = is_vector(left) or is_vector(right)
            if vector and not is_vector(right) and not isinstance(right, Expr) and right == 0:
                right = (0, 0, 0)
            if vector:
                equation = f"{as_vector(left).text} = {as_vector(right).text}"
            else:
                equation = f"{as_expr(left).text} = {as_expr(right).text}"
        self._state("constraints", name, _plain({"equation": equation, **options}) if options else equation)

    def joint(self, name: str, a: Any, b: Any, type: str, **options: Any) -> Joint:
        """A joint between two parts ("ground" or bodies); options are the keys of `[joints.name]`."""
        self._state("joints", name, _plain({"type": type, "between": [str(a), str(b)], **options}))
        return Joint(name)

    def gear(self, name: str, first: Any, second: Any, ratio: Any) -> None:
        self._state("joints", name, _plain({"type": "gear", "joints": [str(first), str(second)], "ratio": ratio}))

    def rack(self, name: str, first: Any, second: Any, radius: Any) -> None:
        self._state("joints", name, _plain({"type": "rack", "joints": [str(first), str(second)], "radius": radius}))

    def series(self, name: str, a: Any, b: Any, joints: Sequence[Mapping[str, Any]]) -> Joint:
        """Joints from A to B one after the other; each a dictionary with a `name` and the keys of joints."""
        self._state("joints", name, _plain({"type": "series", "between": [str(a), str(b)], "joints": list(joints)}))
        return Joint(name)

    def _constraint(self, name: str) -> dict[str, Any]:
        entries = self._table("constraints")
        if name not in entries:
            known = ", ".join(entries) or "none"
            raise ModelError([Fault(f"there is no constraint '{name}'; constraints are: {known}")])
        if isinstance(entries[name], str):
            entries[name] = {"equation": entries[name]}
        entry: dict[str, Any] = entries[name]
        return entry

    def friction(self, constraint: str, coefficient: Any) -> None:
        """Coulomb friction of a constraint stated before."""
        self._constraint(constraint)["friction"] = _plain(coefficient)

    def servo(self, constraint: str, **options: Any) -> None:
        """Marks a constraint as a programme: its force is a control force. Options: frequency, damping, actuators."""
        self._constraint(constraint).update(_plain({"servo": True, **options}))

    def set_mechanics(self, word: str) -> None:
        """"dalembert", "vakonomic" or "none"."""
        self._change()
        self._document["mechanics"] = word

    def start_multiplier(self, row: str, value: Any) -> None:
        """Vakonomic motion: mu of a row at the start."""
        self._state("multipliers", row, _plain(value))

    # --- what is looked at
    def multiplier(self, constraint: str, row: int | None = None) -> Expr:
        return Expr(f"multiplier({constraint})" if row is None else f"multiplier({constraint}[{row}])")

    def reaction(self, constraint: Any, on: Any = None) -> Any:
        """The ideal force of a constraint: on a coordinate a number, on a particle or body a vector; without either
        all of it, for `norm`."""
        if on is None:
            return _Generalised(f"force({constraint})")
        if isinstance(on, (Particle, Body)):
            return _named_vector(f"force({constraint}, {on.name})")
        return Expr(f"force({constraint}).{on}")

    def reaction_torque(self, constraint: Any, on: Body) -> Vector:
        return _named_vector(f"torque({constraint}, {on.name})")

    @property
    def energy(self) -> Expr:
        return Expr("energy")

    def output(self, name: str, value: Any) -> None:
        self._state("outputs", name, value.norm.text if isinstance(value, _Generalised) else _side(value))

    def event(self, name: str, value: Any, direction: str = "both", stop: bool = False) -> None:
        """Where an expression passes zero."""
        plain = direction == "both" and not stop
        text = as_expr(value).text
        self._state("events", name, text if plain else {"at": text, "direction": direction, "stop": bool(stop)})

    def simulate(self, **settings: Any) -> None:
        """What `run` does unless told otherwise: until, tolerance, integrator, samples, closure, .."""
        self._table("simulate").update(_plain(settings))

    def view(self, **settings: Any) -> None:
        """What pages and pictures show."""
        self._table("view").update(_plain(settings))

    def component(self, name: str, contents: Mapping[str, Any] | Model) -> None:
        """A part to be used many times: another model, or its tables."""
        if isinstance(contents, Model) and contents._functions:
            raise VinculumError(f"component '{name}': functions written in Python cannot stand in a component: "
                                + ", ".join(one[1] for one in contents._functions))
        inside = contents.document if isinstance(contents, Model) else contents
        self._state("components", name, _plain(inside))

    def part(self, name: str, use: str, **parameters: Any) -> None:
        """One use of a component: its things are called `name.thing`."""
        self._state("parts", name, _plain({"use": use, **parameters}))

    def function(self, f: Callable[..., float], *arguments: Any, name: str = "") -> PythonForce:
        """A Python function as a force, for experiments: `m.force(x, m.function(drag, x.rate))`.

        It is called with numbers at every evaluation, some thousand times a second of motion: slow beside an
        expression, and for one thread at a time.
        """
        known = name or getattr(f, "__name__", "") or "f"
        if not (known.isidentifier() and known.isascii()):
            known = "f"
        self._forces += 1
        return PythonForce(f, [as_expr(one).text for one in arguments], f"{known}_{self._forces}")

    # --- finding what a text states
    def __getitem__(self, name: str) -> Any:
        """What is called so: a coordinate, a parameter, a definition, a particle, a body or a joint.

        >>> m = vn.examples.pendulum()
        >>> m["x"]
        Expr('x')
        """
        if self._text is not None:
            tables: Mapping[str, Any] = _tables_of(self._text)
        else:
            tables = self._document
        for table, made in (("coordinates", Coordinate), ("bodies", Body), ("particles", Particle), ("joints", Joint)):
            if name in tables.get(table, {}):
                return made(name)
        for table in ("parameters", "definitions"):
            if name in tables.get(table, {}):
                stated = tables[table][name]
                if isinstance(stated, list) or str(stated).lstrip().startswith("["):
                    return _named_vector(name)
                return Coordinate(name) if table == "definitions" else Expr(name)
        raise KeyError(f"the model states no '{name}'")

    # --- what is computed of it
    def read(self, parameters: Mapping[str, Any] | None = None, *, open: bool = False) -> _core.ReadModel:
        """The model as the engine has it; faults of its text are a ModelError."""
        overrides = _overrides(parameters)
        text = self.text
        key = (text, open, tuple(overrides), len(self._functions))
        if key in self._read_as:
            return self._read_as[key]
        read, told, remarks = _core.read(text, self._path, overrides, self._includes, open)
        if read is None:
            raise ModelError(_faults(told, text))
        for coordinate, name, arguments, f, nonideal in self._functions:
            read.add_function_force(coordinate, name, arguments, _counted(f, len(arguments)), nonideal)
        if self._functions:  # may know this model: a circle that nobody could let go
            return read
        if len(self._read_as) > 8:
            self._read_as.clear()
        self._read_as[key] = read
        return read

    @property
    def warnings(self) -> list[str]:
        return self.read().warnings

    @property
    def parameters(self) -> dict[str, float]:
        return self.read().parameters

    @property
    def settings(self) -> dict[str, Any]:
        """What `run` does unless told otherwise."""
        return self.read().settings

    def system(self, parameters: Mapping[str, Any] | None = None, *, living: bool | Sequence[str] = False) -> System:
        """Compiles the model. With `living` its parameters (or those named) can change without compiling again."""
        from ._system import System

        read = self.read(parameters)
        names = (read.parameter_names if living is True else []) if isinstance(living, bool) else list(living)
        key = (read, tuple(names))
        if key not in self._systems:
            made = System(read, _core.compile(read, names))
            if self._functions:
                return made
            if len(self._systems) > 8:
                self._systems.clear()
            self._systems[key] = made
        return self._systems[key]

    def run(self, until: float | None = None, **how: Any) -> Motion:
        """The motion: see :meth:`vinculum.System.run` for what can be said.

        >>> sol = vn.examples.pendulum().run(until=1, rtol=1e-10)
        >>> sol.success, round(float(sol["x"][-1]), 6)
        (True, 0.986292)
        """
        parameters = how.pop("parameters", None)
        if parameters is None:
            parameters = how.pop("args", None)
        events = how.pop("events", None)
        model = self
        if events:
            model = self.copy()
            if not isinstance(events, Mapping):
                raise ArgumentError('events are given by name: events={"hit": x - 1}')
            for name, value in events.items():
                if isinstance(value, Mapping):
                    unknown = set(value) - {"at", "direction", "stop"}
                    if unknown or "at" not in value:
                        raise ArgumentError(f"event '{name}' has the keys 'at', 'direction' and 'stop'"
                                            + (f", and no {sorted(unknown)[0]!r}" if unknown else "; 'at' is missing"))
                    model.event(name, value["at"], value.get("direction", "both"), value.get("stop", False))
                else:
                    model.event(name, value)
        return model.system(parameters).run(until, **how)

    def check(self, parameters: Mapping[str, Any] | None = None) -> Check:
        """Degrees of freedom, redundancy and contradiction by name, and whether the start is consistent."""
        return self.system(parameters).check()

    def assemble(self, fixed: Sequence[str] = (), parameters: Mapping[str, Any] | None = None) -> Any:
        """The start moved onto its constraints by the smallest change."""
        return self.system(parameters).assemble(fixed=fixed)

    def explain(self, **how: Any) -> str:
        """Everything the theory says about the start, as a page."""
        system = self.system()
        return system.solve(**how).explain()

    def derive(self, format: str = "text", standalone: bool = True) -> str:
        """The explicit equations of motion: "text", "latex" or one file of "c"."""
        return self.read(open=True).derive(format, self.title or Path(self._path).name, standalone)

    def equations(self) -> Any:
        """M q'' = Q, A q'' = b as matrices of SymPy, by name: `e.M`, `e.Q`, `e.A`, `e.b`, `e.C`."""
        from ._symbolic import equations_of

        return equations_of(self.read(open=True).equations)

    def _repr_html_(self) -> str:
        from ._notebook import model_html

        return model_html(self)


class PythonForce:
    """The value of a Python function of expressions."""

    __slots__ = ("function", "arguments", "name")

    def __init__(self, function: Callable[..., float], arguments: list[str], name: str):
        self.function = function
        self.arguments = arguments
        self.name = name


def _counted(f: Callable[..., float], arguments: int) -> Callable[..., float]:
    try:
        inspect.signature(f).bind(*[0.0] * arguments)
    except TypeError as e:
        raise ExpressionError(f"{getattr(f, '__name__', f)!s} cannot be called with {arguments} numbers: {e}") from None
    except ValueError:
        pass  # a function without a signature
    return f


def _overrides(parameters: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    return [(str(name), str(as_expr(value))) for name, value in (parameters or {}).items()]


def _tables_of(text: str) -> Mapping[str, Any]:
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib  # type: ignore
    return tomllib.loads(text.lstrip("\ufeff"))


def loads(text: str, path: str = "model.toml") -> Model:
    """A model from the text of a model file; `path` is for messages."""
    if not isinstance(text, str):
        raise TypeError(f"loads takes the text of a model, not {type(text).__name__}; load(path) reads a file")
    model = Model()
    model._text = text
    model._path = path
    model.read(open=True)
    return model


def load(path: str | os.PathLike[str]) -> Model:
    """A model from its file; a robot's file (URDF, MJCF, SDF) is imported."""
    place = os.fspath(path)
    try:
        text = Path(place).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ModelError([Fault("the file is not UTF-8 text", place)]) from None
    model = Model()
    model._path = place
    model._includes = True
    if _core.is_robot_file(place):
        toml, told, remarks = _core.import_robot(text, place, False)
        if toml is None:
            raise ModelError(_faults(told, text))
        import warnings

        for file, line, column, what in remarks:
            warnings.warn(f"{file}:{line}:{column}: {what}", stacklevel=2)
        model._text = toml
        model._path = str(Path(place).with_suffix(".toml"))
        model._includes = False
    else:
        model._text = text
    model.read(open=True)
    return model
