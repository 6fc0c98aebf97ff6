"""Expressions as a model file writes them: coordinates, parameters, and what is made of them.

They are texts in the making: ``str(x**2 + y**2)`` is ``"x^2 + y^2"``, which the reader of model files understands, so
that a model stated in Python and one in a file are one thing. NumPy's functions apply to them: ``np.sin(x)``.
"""

from __future__ import annotations

import math
import numbers
import re
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence, Union

import numpy as np

from ._errors import ExpressionError, cut, told

__all__ = [
    "Expr", "Vector", "Condition", "Coordinate", "Particle", "Body", "Joint", "Scalar", "VectorLike", "t", "pi", "where",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign",
    "minimum", "maximum", "hypot", "dot", "cross", "norm", "distance", "as_expr", "as_vector",
]

Scalar = Union["Expr", float, int]
VectorLike = Union["Vector", "Particle", "Body", Sequence[Scalar]]

# How tightly a text holds together: what stands in another one with a tighter grip needs parentheses.
_SUM, _PRODUCT, _MINUS, _POWER, _ATOM = range(5)

_MOST = 1_000_000  #: characters of one expression

_UFUNCS: dict[str, str] = {
    "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log", "sqrt": "sqrt", "absolute": "abs", "fabs": "abs",
    "sign": "sign", "arctan2": "atan2", "minimum": "min", "maximum": "max", "hypot": "hypot",
}
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b, "true_divide": lambda a, b: a / b, "power": lambda a, b: a**b,
    "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b, "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
}


#: x, p.x, x', b.point(0, 0, 1)
_NAME = re.compile(r"^[A-Za-z_]\w*([.]\w+)*(\([^()]*\))?'{0,2}([.][xyz]'{0,2})?$")


def number_text(value: float) -> str:
    """A number as the grammar has it, to the bit."""
    if isinstance(value, (bool, np.bool_)):
        raise ExpressionError(f"{value} is a truth value and no number")
    try:
        value = float(value)
    except OverflowError:
        raise ExpressionError("a number beyond 1.8e308 cannot stand in an expression") from None
    except ValueError:  # Decimal('sNaN')
        raise ExpressionError(f"{told(value)} cannot stand in an expression: numbers are finite") from None
    if not math.isfinite(value):
        raise ExpressionError(f"{value} cannot stand in an expression: numbers are finite")
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


class _Written:
    """A text and how tightly it holds."""

    __slots__ = ("text", "grip")

    def __init__(self, text: str, grip: int = _ATOM):
        if not isinstance(text, str):
            raise ExpressionError(f"an expression is a text in the grammar of models, not {told(text)}")
        if len(text) > _MOST:
            raise ExpressionError(f"the expression {text[:40]}.. has more than {_MOST} characters: give what stands in "
                                  "it several times a name, r = m.define('r', ..)")
        self.text = text
        self.grip = grip

    def _inside(self, grip: int) -> str:
        return self.text if self.grip >= grip else f"({self.text})"

    def __str__(self) -> str:
        return self.text


class Condition:
    """A comparison, or several joined by `&`, `|` and `~`: for :func:`where` alone, since whether it holds is known along
    the motion only.

    >>> x, y = vn.Expr("x"), vn.Expr("y")
    >>> x < 1
    Condition('x < 1')
    >>> vn.where((x < 1) & ~(y < 0), 2, 3)
    Expr('if(x < 1, if(y >= 0, 2, 3), 3)')
    """

    __slots__ = ("left", "sign", "right")

    def __init__(self, left: Any, sign: str, right: Any):
        self.left = left  # expressions, or, where the sign is & or |, conditions
        self.sign = sign
        self.right = right

    @property
    def text(self) -> str:
        """How it reads."""
        if self.sign in "&|":
            return f"({self.left.text}) {self.sign} ({self.right.text})"
        return f"{self.left.text} {self.sign} {self.right.text}"

    def chosen(self, then: str, otherwise: str) -> str:
        """The text of `then` where it holds, else of `otherwise`."""
        if self.sign == "&":
            made: str = self.left.chosen(self.right.chosen(then, otherwise), otherwise)
            return made
        if self.sign == "|":
            made = self.left.chosen(then, self.right.chosen(then, otherwise))
            return made
        return f"if({self.text}, {then}, {otherwise})"

    def _joined(self, sign: str, other: Any) -> Condition:
        if not isinstance(other, Condition):
            raise ExpressionError(f"{cut(self.text)} is joined by {sign} with another comparison of expressions, not with "
                                  f"{told(other)}: comparisons stand in parentheses, (x < 1) {sign} (y > 0)")
        return Condition(self, sign, other)

    def __and__(self, other: Any) -> Condition:
        return self._joined("&", other)

    def __or__(self, other: Any) -> Condition:
        return self._joined("|", other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Condition:
        if self.sign in "&|":
            return Condition(~self.left, "|" if self.sign == "&" else "&", ~self.right)
        return Condition(self.left, {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[self.sign], self.right)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        joining: dict[str, Callable[..., Any]] = {
            "logical_and": lambda a, b: a & b, "logical_or": lambda a, b: a | b, "logical_not": lambda a: ~a,
            "bitwise_and": lambda a, b: a & b, "bitwise_or": lambda a, b: a | b, "invert": lambda a: ~a}
        if method != "__call__" or options or ufunc.__name__ not in joining:
            raise ExpressionError(f"np.{ufunc.__name__} of a comparison cannot be written in a model: &, | and ~ join them")
        if ufunc.nin == 2 and not isinstance(inputs[0], Condition):
            return joining[ufunc.__name__](inputs[1], inputs[0])
        return joining[ufunc.__name__](*inputs)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function is np.where and len(arguments) == 3 and not options:
            return where(*arguments)
        raise ExpressionError(f"np.{function.__name__} of a comparison cannot be written in a model: "
                              f"vn.where({cut(self.text)}, then, otherwise)")

    def __bool__(self) -> bool:
        raise ExpressionError(
            f"whether {cut(self.text)} holds is known along the motion only: write vn.where({cut(self.text)}, then, otherwise); "
            "&, | and ~ stand for and, or and not, vn.minimum and vn.maximum for min and max")

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"


if TYPE_CHECKING:  # NumPy's stubs know as scalars Python's numbers alone: np.arctan2(y, x) is no mistake of types
    _ScalarOfNumPy = complex
else:
    _ScalarOfNumPy = object


class Expr(_Written, _ScalarOfNumPy):  # type: ignore[misc]
    """A number that may change along the motion, as a text in the grammar of model files.

    Arithmetic and NumPy's functions make new ones:

    >>> x, y = vn.Expr("x"), vn.Expr("y")
    >>> np.sin(x)**2 + x * y / 2
    Expr('sin(x)^2 + x*y/2')
    >>> np.array([x, y]) @ np.array([[2, 0], [0, 3]])
    array([Expr('x*2 + y*0'), Expr('x*0 + y*3')], dtype=object)
    """

    __slots__ = ()

    def __init__(self, text: str, grip: int | None = None):
        # A text of one's own may be a sum: it stands in parentheses wherever it is a part of something.
        loose = grip is None and isinstance(text, str) and not _NAME.match(text)
        super().__init__(text, _SUM - 1 if loose else _ATOM if grip is None else grip)

    def __repr__(self) -> str:
        return f"Expr({self.text!r})"

    def _rated(self, primes: str) -> Expr:
        if self.grip != _ATOM or self.text[0] in "0123456789.":
            raise ExpressionError(
                f"the rate of '{cut(self.text)}': give it a name first, r = m.define('r', ..), then r.rate")
        return Expr(self.text + primes)

    @property
    def rate(self) -> Expr:
        """The time derivative: of what has a name.

        >>> vn.Expr("x").rate
        Expr("x'")
        """
        return self._rated("'")

    # --- arithmetic
    def _with(self, other: Any, make: Callable[[Expr, Expr], Expr]) -> Any:
        made = _scalar_or_none(other)
        return NotImplemented if made is None else make(self, made)

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Expr(f"{a.text} + {b._inside(_PRODUCT)}", _SUM))

    def __radd__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Expr(f"{a.text} - {b._inside(_PRODUCT)}", _SUM))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Expr(f"{a._inside(_PRODUCT)}*{b._inside(_POWER)}", _PRODUCT))

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Expr(f"{a._inside(_PRODUCT)}/{b._inside(_POWER)}", _PRODUCT))

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, other: Any) -> Any:  # type: ignore[override]
        return self._with(other, lambda a, b: Expr(f"{a._inside(_ATOM)}^{b._inside(_ATOM)}", _POWER))

    def __rpow__(self, other: Any) -> Any:  # type: ignore[override]
        return self._with(other, lambda a, b: b**a)

    def __neg__(self) -> Expr:
        return Expr(f"-{self._inside(_POWER)}", _MINUS)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:  # type: ignore[override]
        return _call("abs", self)

    # --- comparisons
    def _compared(self, other: Any, sign: str) -> Any:
        made = _scalar_or_none(other)
        return NotImplemented if made is None else Condition(self, sign, made)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, "<")

    def __le__(self, other: Any) -> Any:
        return self._compared(other, "<=")

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, ">")

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, ">=")

    def __bool__(self) -> bool:
        raise ExpressionError(f"'{cut(self.text)}' is an expression and neither true nor false")

    def __float__(self) -> float:
        try:
            return float(self.text)
        except ValueError:
            raise ExpressionError(f"'{cut(self.text)}' is an expression; its value is known along a motion only (functions of it "
                                  "are NumPy's, np.sin(x), and not those of math)") from None

    if not TYPE_CHECKING:
        def __array__(self, dtype=None, copy=None):
            made = np.empty((), dtype=object)
            made[()] = self
            return _as_objects(made, dtype, self.text)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name: str = ufunc.__name__
        arrays = any(isinstance(one, np.ndarray) and one.ndim > 0 for one in inputs)
        if method != "__call__" or options:
            raise ExpressionError(f"np.{name} with {method} or options cannot be written in a model")
        if arrays:  # one by one
            shape = np.broadcast(*[one for one in inputs if isinstance(one, np.ndarray)]).shape
            spread = [np.broadcast_to(np.asarray(one, dtype=object), shape) for one in inputs]
            made = np.empty(shape, dtype=object)
            for place in np.ndindex(*shape):
                made[place] = self.__array_ufunc__(ufunc, method, *[one[place] for one in spread])
            return made
        if name in _OPERATORS:
            return _OPERATORS[name](as_expr(inputs[0]), as_expr(inputs[1]))
        if name == "negative":
            return -as_expr(inputs[0])
        if name == "positive":
            return as_expr(inputs[0])
        if name == "square":
            return as_expr(inputs[0])**2
        if name == "reciprocal":
            return 1 / as_expr(inputs[0])
        if name in ("deg2rad", "radians"):
            return as_expr(inputs[0]) * pi / 180
        if name not in _UFUNCS:
            raise ExpressionError(f"np.{name} is none of the functions of models: {', '.join(sorted(_UFUNCS))}")
        return _call(_UFUNCS[name], *[as_expr(one) for one in inputs])

    def to_sympy(self) -> Any:
        """The same as an expression of SymPy: names are symbols, x' and x'' are symbols, too.

        >>> import sympy
        >>> sympy.diff((vn.Expr("x")**2).to_sympy(), "x")
        2*x
        """
        from ._symbolic import to_sympy

        return to_sympy(self.text)

    def _repr_latex_(self) -> str:
        try:
            from ._symbolic import latex_of

            return f"$\\displaystyle {latex_of(self.text)}$"
        except Exception:  # shown as it is: what has no form in SymPy is an expression all the same
            return f"$\\texttt{{{self.text}}}$"

    def _sympy_(self) -> Any:
        return self.to_sympy()


def _method(name: str) -> Callable[..., Expr]:
    def method(self: Expr, *others: Any) -> Expr:
        return _call(name, self, *others)

    method.__doc__ = f"For arrays of expressions: np's function, which is `{name}` in a model."
    return method


for _ufunc, _name in _UFUNCS.items():  # arrays of expressions ask for methods of these names
    setattr(Expr, _ufunc, _method(_name))


class Coordinate(Expr):
    """A coordinate: an expression that also has an acceleration.

    >>> m = vn.Model()
    >>> x = m.coordinate("x")
    >>> x.rate, x.acceleration
    (Expr("x'"), Expr("x''"))
    """

    __slots__ = ()

    @property
    def acceleration(self) -> Expr:
        """The second time derivative, for constraints and outputs."""
        return self._rated("''")


def is_of_sympy(value: Any) -> bool:
    """Something of SymPy's; the class of an applied function, x(t), has no module of its own."""
    return "sympy" in sys.modules and any((one.__module__ or "").split(".")[0] == "sympy" for one in type(value).__mro__)


def _scalar_or_none(value: Any) -> Expr | None:
    if isinstance(value, Expr):
        return value
    if isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, bool):
        return as_expr(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return as_expr(value)
    if is_of_sympy(value) and not hasattr(value, "shape"):
        return as_expr(value)
    return None


def as_expr(value: Any) -> Expr:
    """What stands for a number: an expression, a number, a text in the grammar of models, or one of SymPy's."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, str):
        return Expr(value, _ATOM if _NAME.match(value) else _SUM - 1)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ExpressionError("a masked number has no value: numbers are all there")
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return as_expr(value.item())
    if is_of_sympy(value):
        from ._symbolic import from_sympy

        return from_sympy(value)
    if isinstance(value, (bool, np.bool_)):
        raise ExpressionError(f"{value} is a truth value and no number: x == y is decided by Python at once, an equation is "
                              "constrain(name, x, y)")
    if not isinstance(value, (numbers.Real, Decimal)):
        hint = ": vn.dot, vn.cross and vn.norm make numbers and vectors of vectors" if isinstance(value, (Vector, _Placed)) else ""
        raise ExpressionError(f"{told(value) if isinstance(value, np.ndarray) else cut(repr(value))} is no number and no "
                              f"expression{hint}")
    text = number_text(float(value) if isinstance(value, Decimal) else value)  # type: ignore[arg-type]
    return Expr(text, _MINUS if text[0] == "-" else _ATOM)


def _as_objects(made: np.ndarray[Any, Any], dtype: Any, text: str) -> np.ndarray[Any, Any]:
    if dtype is not None and np.dtype(dtype) != np.dtype(object):
        raise ExpressionError(f"'{cut(text)}' is an expression and no {np.dtype(dtype)}; its value is known along a motion only")
    return made


class _InNumPy:
    """Three expressions for NumPy's functions of vectors."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """An array beside a vector is taken for a vector."""
        name: str = ufunc.__name__
        if method == "__call__" and not options:
            a, b = inputs[0], inputs[-1]
            if name == "negative":
                return -as_vector(a)
            if name in ("add", "subtract"):
                return as_vector(a) + as_vector(b) if name == "add" else as_vector(a) - as_vector(b)
            if name == "multiply":
                return as_vector(a) * b if isinstance(a, _InNumPy) else as_vector(b) * a
            if name in ("divide", "true_divide") and isinstance(a, _InNumPy):
                return as_vector(a) / b
            if name in ("matmul", "vecdot"):
                return a.__matmul__(b) if isinstance(a, _InNumPy) else b.__rmatmul__(a)
        raise ExpressionError(f"np.{name} of a vector cannot be written in a model; of its components it can: np.{name}(v.x)")

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        made = np.empty(3, dtype=object)
        made[:] = as_vector(self).parts
        return _as_objects(made, dtype, str(self))

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        vectors = not options and not any(_is_table(one) for one in arguments)
        if vectors and len(arguments) == 2:
            if function in (np.dot, np.inner, np.vdot):
                return dot(*arguments)
            if function in (np.cross, getattr(np.linalg, "cross", np.cross)):
                return cross(*arguments)
        if vectors and len(arguments) == 1 and function in (np.linalg.norm, getattr(np.linalg, "vector_norm", np.linalg.norm)):
            return norm(*arguments)
        try:
            return function(*_as_arrays(arguments), **_as_arrays(options))
        except (TypeError, ValueError) as error:
            raise ExpressionError(f"np.{function.__name__} of a vector: {error}") from None

    def __matmul__(self, other: Any) -> Any:
        """The scalar product; beside a matrix its rows with this one."""
        return _product(self, other, np.asarray(other)) if _is_table(other) else dot(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        """The scalar product; a matrix times this is a vector."""
        return _product(np.asarray(other), self, np.asarray(other)) if _is_table(other) else dot(other, self)


def _is_zero(value: Any) -> bool:
    """What `sum` begins with."""
    return isinstance(value, int) and not isinstance(value, bool) and value == 0


def _is_table(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 1


def _product(a: Any, b: Any, matrix: np.ndarray[Any, Any]) -> Vector:
    """A matrix times a vector, or a vector times a matrix."""
    if matrix.shape != (3, 3):
        raise ExpressionError(f"a matrix beside a vector has the shape (3, 3), and this one {matrix.shape}")
    return as_vector(np.asarray(a).astype(object) @ np.asarray(b).astype(object))


def _as_arrays(value: Any) -> Any:
    if isinstance(value, _InNumPy):
        return np.asarray(value)
    if isinstance(value, dict):
        return {name: _as_arrays(one) for name, one in value.items()}
    return type(value)(_as_arrays(one) for one in value) if isinstance(value, (list, tuple)) else value


class Vector(_Written, _InNumPy):
    """A vector in space; three numbers stand for one wherever one is asked for.

    >>> p = vn.Particle("p")
    >>> p.velocity * 2 - [0, 0, 1]
    Vector("2*p' - [0, 0, 1]")
    >>> p.position.z
    Expr('p.z')
    """

    __slots__ = ("parts",)

    def __init__(self, text: str, grip: int, parts: tuple[Expr, Expr, Expr]):
        super().__init__(text, grip)
        self.parts = parts

    def __repr__(self) -> str:
        return f"Vector({self.text!r})"

    @property
    def x(self) -> Expr:
        """The component along x."""
        return self.parts[0]

    @property
    def y(self) -> Expr:
        """The component along y."""
        return self.parts[1]

    @property
    def z(self) -> Expr:
        """The component along z."""
        return self.parts[2]

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.parts)

    def __len__(self) -> int:
        return 3

    def __getitem__(self, k: int) -> Expr:
        return self.parts[k]

    def __bool__(self) -> bool:
        raise ExpressionError(f"'{cut(self.text)}' is a vector and neither true nor false")

    def __abs__(self) -> Expr:
        raise ExpressionError(f"the length of a vector is vn.norm({cut(self.text)}); abs is of numbers")

    def __add__(self, other: Any) -> Vector:
        b = as_vector(other)
        return Vector(f"{self.text} + {b._inside(_PRODUCT)}", _SUM, _parts(p + q for p, q in zip(self, b)))

    def __radd__(self, other: Any) -> Vector:
        return self if _is_zero(other) else as_vector(other) + self

    def __sub__(self, other: Any) -> Vector:
        b = as_vector(other)
        return Vector(f"{self.text} - {b._inside(_PRODUCT)}", _SUM, _parts(p - q for p, q in zip(self, b)))

    def __rsub__(self, other: Any) -> Vector:
        return as_vector(other) - self

    def __mul__(self, other: Any) -> Vector:
        s = as_expr(other)
        return Vector(f"{s._inside(_PRODUCT)}*{self._inside(_POWER)}", _PRODUCT, _parts(s * p for p in self))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Vector:
        s = as_expr(other)
        return Vector(f"{self._inside(_PRODUCT)}/{s._inside(_POWER)}", _PRODUCT, _parts(p / s for p in self))

    def __neg__(self) -> Vector:
        return Vector(f"-{self._inside(_POWER)}", _MINUS, _parts(-p for p in self))

    @property
    def rate(self) -> Vector:
        """The time derivative: of what has a name.

        >>> vn.Body("b").point([0, 0, 1]).rate
        Vector("b.point(0, 0, 1)'")
        """
        if self.text.startswith("cross("):
            raise ExpressionError(f"the rate of '{self.text}': give it a name first, r = m.define('r', ..), then r.rate")
        if self.grip != _ATOM or self.text.startswith("["):
            return _listed(*[p.rate for p in self])
        return _named_vector(self.text + "'", _parts(Expr(p.text + "'") for p in self))


def _parts(made: Any) -> tuple[Expr, Expr, Expr]:
    x, y, z = made
    return x, y, z


def _named_vector(text: str, parts: tuple[Expr, Expr, Expr] | None = None) -> Vector:
    return Vector(text, _ATOM, parts or _parts(Expr(f"{text}.{k}") for k in "xyz"))


def _listed(x: Expr, y: Expr, z: Expr) -> Vector:
    return Vector(f"[{x.text}, {y.text}, {z.text}]", _ATOM, (x, y, z))


def is_vector(value: Any) -> bool:
    return isinstance(value, (Vector, Particle, Body, list, tuple)) or (
        isinstance(value, np.ndarray) and value.ndim == 1) or _is_column(value)


def _is_column(value: Any) -> bool:
    """A matrix of SymPy's with one row or column."""
    return is_of_sympy(value) and 1 in getattr(value, "shape", ())


def as_vector(value: Any) -> Vector:
    """What stands for a vector: a vector, a particle, a body, or three numbers."""
    if isinstance(value, Vector):
        return value
    if isinstance(value, (Particle, Body)):
        return value.position
    if isinstance(value, str):
        if _NAME.match(value):
            return _named_vector(value)
        axes = ("[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]")
        return Vector(value, _SUM - 1, _parts(Expr(f"dot({value}, {axis})", _ATOM) for axis in axes))
    if isinstance(value, (_Generalised, Joint)):
        raise ExpressionError(f"{value!r} is no vector in space")
    if isinstance(value, (dict, set, frozenset)) or (not is_vector(value) and not hasattr(value, "__iter__")) \
            or getattr(value, "ndim", 1) != 1:
        raise ExpressionError(f"{cut(repr(value))} is no vector: three numbers or expressions")
    parts = [as_expr(one) for one in value]
    if len(parts) != 3:
        raise ExpressionError(f"a vector has 3 numbers, and this one {len(parts)}: {cut(repr(value))}")
    return _listed(*parts)


class _Placed(_InNumPy):
    """Stands for its position wherever a vector is asked for."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __str__(self) -> str:
        return self.name

    @property
    def x(self) -> Coordinate:
        """The coordinate along the x axis of the world."""
        return Coordinate(f"{self.name}.x")

    @property
    def y(self) -> Coordinate:
        """The coordinate along the y axis of the world."""
        return Coordinate(f"{self.name}.y")

    @property
    def z(self) -> Coordinate:
        """The coordinate along the z axis of the world."""
        return Coordinate(f"{self.name}.z")

    def _vector(self, primes: str) -> Vector:
        return _named_vector(self.name + primes, _parts(Expr(f"{self.name}.{k}{primes}") for k in "xyz"))

    @property
    def position(self) -> Vector:
        """Where it is: it stands for its position anyway, wherever a vector is asked for."""
        return self._vector("")

    @property
    def velocity(self) -> Vector:
        """How fast it is."""
        return self._vector("'")

    @property
    def acceleration(self) -> Vector:
        """For constraints and outputs."""
        return self._vector("''")

    def __add__(self, other: Any) -> Vector:
        return self.position + as_vector(other)

    def __radd__(self, other: Any) -> Vector:
        return self.position if _is_zero(other) else as_vector(other) + self.position

    def __sub__(self, other: Any) -> Vector:
        return self.position - as_vector(other)

    def __rsub__(self, other: Any) -> Vector:
        return as_vector(other) - self.position

    def __mul__(self, other: Any) -> Vector:
        return self.position * as_expr(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Vector:
        return self.position / as_expr(other)

    def __neg__(self) -> Vector:
        return -self.position

    def __iter__(self) -> Iterator[Expr]:
        return iter((self.x, self.y, self.z))

    def __len__(self) -> int:
        return 3

    def __getitem__(self, k: int) -> Expr:
        return (self.x, self.y, self.z)[k]

    @property
    def rate(self) -> Vector:
        """The same as `velocity`."""
        return self.velocity


class Particle(_Placed):
    """A point mass; it stands for its position wherever a vector is asked for.

    >>> m = vn.Model()
    >>> p, q = m.particle("p"), m.particle("q", position=[0, 0, 1])
    >>> vn.norm(p - q), p.velocity, p.x
    (Expr('norm(p - q)'), Vector("p'"), Expr('p.x'))
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Particle({self.name!r})"


class Body(_Placed):
    """A rigid body; it stands for its centre of mass.

    >>> m = vn.Model()
    >>> b = m.body("b", mass=2, inertia=[0.1, 0.2, 0.2])
    >>> b.point([0.5, 0, 0]), b.omega, b.velocity
    (Vector('b.point(0.5, 0, 0)'), Vector('b.omega'), Vector("b'"))
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Body({self.name!r})"

    def _fixed(self, what: str, in_body: Any) -> Vector:
        v = as_vector(in_body)
        return _named_vector(f"{self.name}.{what}({v.x.text}, {v.y.text}, {v.z.text})")

    def point(self, in_body: Any) -> Vector:
        """A point fixed in the body, as the world sees it.

        >>> vn.Body("b").point([0, 0, 1])
        Vector('b.point(0, 0, 1)')
        """
        return self._fixed("point", in_body)

    def axis(self, in_body: Any) -> Vector:
        """A direction fixed in the body, as the world sees it.

        >>> vn.Body("b").axis([0, 0, 1])
        Vector('b.axis(0, 0, 1)')
        """
        return self._fixed("axis", in_body)

    @property
    def omega(self) -> Vector:
        """The angular velocity, world axes."""
        return _named_vector(f"{self.name}.omega")

    @property
    def omega_body(self) -> Vector:
        """The angular velocity, body axes."""
        return _named_vector(f"{self.name}.omega_body")

    @property
    def angle(self) -> Coordinate:
        """Of a body in a plane: its angle."""
        return Coordinate(f"{self.name}.angle")

    @property
    def wx(self) -> Expr:
        """The angular velocity about the body's x axis."""
        return Expr(f"{self.name}.wx")

    @property
    def wy(self) -> Expr:
        """The angular velocity about the body's y axis."""
        return Expr(f"{self.name}.wy")

    @property
    def wz(self) -> Expr:
        """The angular velocity about the body's z axis."""
        return Expr(f"{self.name}.wz")

    @property
    def orientation(self) -> tuple[Expr, Expr, Expr, Expr]:
        """The unit quaternion w, x, y, z."""
        w, x, y, z = (Expr(f"{self.name}.{k}") for k in ("qw", "qx", "qy", "qz"))
        return w, x, y, z


class Joint:
    """A joint that was stated: its own coordinates, and what acts in it.

    >>> m = vn.Model()
    >>> rod = m.body("rod", mass=1, inertia=[0.01, 0.1, 0.1], position=[0.5, 0, 0])
    >>> hinge = m.joint("hinge", "ground", rod, type="revolute", point=[0, 0, 0], axis=[0, 1, 0])
    >>> m.force(hinge.angle, -0.1 * hinge.angle.rate)
    """

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"Joint({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def _coordinate(self, word: str) -> Coordinate:
        return Coordinate(f"{self.name}.{word}")

    @property
    def angle(self) -> Coordinate:
        """How far it has turned about its axis [rad]; it counts full turns."""
        return self._coordinate("angle")

    @property
    def distance(self) -> Coordinate:
        """How far it has moved along its axis; of a distance joint the distance of its points."""
        return self._coordinate("distance")

    @property
    def angle1(self) -> Coordinate:
        """The angle about the first axis of a universal or spherical joint."""
        return self._coordinate("angle1")

    @property
    def angle2(self) -> Coordinate:
        """The angle about the second axis of a universal or spherical joint."""
        return self._coordinate("angle2")

    @property
    def angle3(self) -> Coordinate:
        """The angle about the third axis of a universal or spherical joint."""
        return self._coordinate("angle3")

    @property
    def torque(self) -> Expr:
        """What its springs, dampers, frictions and motors do about its axis."""
        return Expr(f"{self.name}.torque")

    @property
    def force(self) -> Expr:
        """The same along its axis."""
        return Expr(f"{self.name}.force")


class _Generalised:
    """force(c): one component for each velocity, no vector in space."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return f"<{self.text}: one number for each velocity>"

    @property
    def norm(self) -> Expr:
        return Expr(f"norm({self.text})", _ATOM)


t = Expr("t")  #: time
pi = Expr("pi")


def _call(name: str, *arguments: Any) -> Expr:
    return Expr(f"{name}({', '.join(as_expr(one).text for one in arguments)})", _ATOM)


def where(condition: Any, then: Any, otherwise: Any) -> Expr:
    """`then` where the condition holds, else `otherwise`: a switch, which the motion meets at its instant.

    >>> x = vn.Expr("x")
    >>> vn.where(x < 1, 0, 5 * (x - 1))
    Expr('if(x < 1, 0, 5*(x - 1))')
    """
    if not isinstance(condition, Condition):
        raise ExpressionError(f"the condition of where is a comparison of expressions, x < 1 say, not {told(condition)}")
    return Expr(condition.chosen(as_expr(then).text, as_expr(otherwise).text), _ATOM)


def sin(x: Any) -> Expr:
    """The sine of an angle in radians.

    >>> vn.sin(vn.Expr("x"))
    Expr('sin(x)')
    """
    return _call("sin", x)


def cos(x: Any) -> Expr:
    """The cosine of an angle in radians.

    >>> vn.cos(vn.Expr("x"))
    Expr('cos(x)')
    """
    return _call("cos", x)


def tan(x: Any) -> Expr:
    """The tangent of an angle in radians.

    >>> vn.tan(vn.Expr("x"))
    Expr('tan(x)')
    """
    return _call("tan", x)


def asin(x: Any) -> Expr:
    """The angle between -pi/2 and pi/2 whose sine is x.

    >>> vn.asin(vn.Expr("x"))
    Expr('asin(x)')
    """
    return _call("asin", x)


def acos(x: Any) -> Expr:
    """The angle between 0 and pi whose cosine is x.

    >>> vn.acos(vn.Expr("x"))
    Expr('acos(x)')
    """
    return _call("acos", x)


def atan(x: Any) -> Expr:
    """The angle between -pi/2 and pi/2 whose tangent is x.

    >>> vn.atan(vn.Expr("x"))
    Expr('atan(x)')
    """
    return _call("atan", x)


def atan2(y: Any, x: Any) -> Expr:
    """The angle of the point (x, y), between -pi and pi.

    >>> vn.atan2(vn.Expr("y"), vn.Expr("x"))
    Expr('atan2(y, x)')
    """
    return _call("atan2", y, x)


def sinh(x: Any) -> Expr:
    """The hyperbolic sine.

    >>> vn.sinh(vn.Expr("x"))
    Expr('sinh(x)')
    """
    return _call("sinh", x)


def cosh(x: Any) -> Expr:
    """The hyperbolic cosine.

    >>> vn.cosh(vn.Expr("x"))
    Expr('cosh(x)')
    """
    return _call("cosh", x)


def tanh(x: Any) -> Expr:
    """The hyperbolic tangent.

    >>> vn.tanh(vn.Expr("x"))
    Expr('tanh(x)')
    """
    return _call("tanh", x)


def exp(x: Any) -> Expr:
    """e to the power of x.

    >>> vn.exp(vn.Expr("x"))
    Expr('exp(x)')
    """
    return _call("exp", x)


def log(x: Any) -> Expr:
    """The natural logarithm.

    >>> vn.log(vn.Expr("x"))
    Expr('log(x)')
    """
    return _call("log", x)


def sqrt(x: Any) -> Expr:
    """The square root.

    >>> vn.sqrt(vn.Expr("x"))
    Expr('sqrt(x)')
    """
    return _call("sqrt", x)


def sign(x: Any) -> Expr:
    """-1, 0 or 1: a switch, which the motion meets at its instant.

    >>> vn.sign(vn.Expr("x"))
    Expr('sign(x)')
    """
    return _call("sign", x)


def minimum(a: Any, b: Any) -> Expr:
    """The smaller of two numbers.

    >>> vn.minimum(vn.Expr("x"), 1)
    Expr('min(x, 1)')
    """
    return _call("min", a, b)


def maximum(a: Any, b: Any) -> Expr:
    """The larger of two numbers.

    >>> vn.maximum(vn.Expr("x"), 1)
    Expr('max(x, 1)')
    """
    return _call("max", a, b)


def hypot(a: Any, b: Any) -> Expr:
    """sqrt(a^2 + b^2), without overflow on the way.

    >>> vn.hypot(vn.Expr("x"), 1)
    Expr('hypot(x, 1)')
    """
    return _call("hypot", a, b)


def dot(a: Any, b: Any) -> Expr:
    """The scalar product of two vectors.

    >>> vn.dot(vn.Particle("p"), [0, 0, 1])
    Expr('dot(p, [0, 0, 1])')
    """
    return Expr(f"dot({as_vector(a).text}, {as_vector(b).text})", _ATOM)


def cross(a: Any, b: Any) -> Vector:
    """The vector product.

    >>> vn.cross(vn.Particle("p"), [0, 0, 1])
    Vector('cross(p, [0, 0, 1])')
    """
    return _named_vector(f"cross({as_vector(a).text}, {as_vector(b).text})")


def norm(a: Any) -> Expr:
    """The length of a vector; of a reaction without a part it acts on, that of all its components.

    >>> vn.norm(vn.Particle("p") - vn.Particle("q"))
    Expr('norm(p - q)')
    """
    if isinstance(a, _Generalised):
        return a.norm
    return Expr(f"norm({as_vector(a).text})", _ATOM)


def distance(a: Any, b: Any) -> Expr:
    """The distance of two points.

    >>> vn.distance(vn.Particle("p"), [0, 0, 1])
    Expr('distance(p, [0, 0, 1])')
    """
    return Expr(f"distance({as_vector(a).text}, {as_vector(b).text})", _ATOM)
