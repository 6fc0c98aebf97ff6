"""The motion of constrained mechanical systems: state how a system moves when free, and which equations its motion obeys.

>>> import vinculum as vn
>>> m = vn.Model()
>>> x, y = m.coordinate("x", start=1.2), m.coordinate("y", start=-1.6)
>>> m.mass(x, 2); m.mass(y, 2)
>>> m.force(y, -2 * 9.81)
>>> m.constrain("rod", x**2 + y**2, 4)
>>> sol = m.run(until=10)
>>> sol.success
True
"""

import atexit
from typing import Any

from . import _core, examples
from ._check import Assembly, Check
from ._errors import (ArgumentError, ContradictionError, ExpressionError, Fault, ModelError, MotionError, NotFiniteError,
                      RefusedError, SingularError, StartError, StepError, VinculumError)
from ._expression import (Body, Condition, Coordinate, Expr, Joint, Particle, Vector, acos, asin, atan, atan2, cos, cosh,
                          cross, distance, dot, exp, hypot, log, maximum, minimum, norm, pi, sign, sin, sinh, sqrt, t,
                          tan, tanh, where)
from ._model import Model, load, loads
from ._motion import Event, Motion
from ._notebook import interact
from ._study import Draw, Member, Study, log_uniform, normal, uniform
from ._system import Certificate, Instant, System

__version__: str = _core.version

atexit.register(_core.close)  # runs of other threads end before the interpreter does

__all__ = [
    "ArgumentError", "Assembly", "Body", "Certificate", "Check", "Condition", "ContradictionError", "Coordinate", "Draw", "Event", "Expr",
    "ExpressionError", "Fault", "Instant", "Joint", "Member", "Model", "ModelError", "Motion", "MotionError", "NotFiniteError",
    "Particle", "RefusedError", "SingularError", "StartError", "StepError", "Study", "System", "Vector", "VinculumError", "acos", "asin", "atan",
    "atan2", "cos", "cosh", "cross", "distance", "dot", "examples", "exp", "from_sympy", "hypot", "integrators",
    "interact", "load", "loads", "log", "log_uniform", "maximum", "minimum", "norm", "normal", "pi", "schema", "sign", "sin", "sinh", "sqrt",
    "t", "tan", "tanh", "uniform", "where",
]


def integrators() -> list[str]:
    """The methods of `run`.

    >>> "dop853" in vn.integrators()
    True
    """
    return _core.integrators()


def schema() -> str:
    """The JSON schema of model files, for editors.

    >>> import json
    >>> json.loads(vn.schema())["type"]
    'object'
    """
    return _core.schema()


def from_sympy(expression: Any) -> Expr:
    """An expression of SymPy's as one of a model's: symbols and functions of time by their names.

    >>> import sympy
    >>> x = sympy.Function("x")(sympy.Symbol("t"))
    >>> vn.from_sympy(x.diff() * sympy.sin(x))
    Expr("sin(x)*x'")
    """
    from ._symbolic import from_sympy as made

    return made(expression)
