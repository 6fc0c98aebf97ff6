"""To SymPy and back: an expression of a model is a text in a small grammar, and so is what SymPy prints."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ._errors import ExpressionError, cut
from ._expression import Condition, Expr, as_expr

__all__ = ["to_sympy", "from_sympy", "equations_of", "latex_of", "SymbolicEquations"]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<called>(?:force|torque|multiplier|dissatisfaction|power|deviation|nonideal_force|gauss)\([^()]*\)(?:\.[A-Za-z_][\w.]*)?)"
    r"|(?P<fixed>[A-Za-z_]\w*(?:\.\w+)*\.(?:point|axis)\([^()]*\)'{0,2}\.[xyz]'{0,2})"
    r"|(?P<name>[A-Za-z_]\w*(?:'{0,2}\.\w+)*'{0,2})"
    r"|(?P<sign><=|>=|[-+*/^(),<>]))")


class _Parser:
    def __init__(self, text: str):
        import sympy

        self.sympy = sympy
        self.text = text
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None or found.end() == at:
                raise ExpressionError(f"'{text}' has no form in SymPy: '{text[at:at + 20]}'")
            self.tokens.append((found.lastgroup or "", found.group(found.lastgroup or 0)))
            at = found.end()
        self.place = 0

    def next_is(self, *signs: str) -> bool:
        return self.place < len(self.tokens) and self.tokens[self.place] in [("sign", s) for s in signs]

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1][1]

    def expect(self, sign: str) -> None:
        if not self.next_is(sign):
            raise ExpressionError(f"'{cut(self.text)}' has no form in SymPy: '{sign}' is missing")
        self.place += 1

    def whole(self) -> Any:
        made = self.sum()
        if self.place != len(self.tokens):
            raise ExpressionError(f"'{cut(self.text)}' has no form in SymPy")
        return made

    def sum(self) -> Any:
        left = self.product()
        while self.next_is("+", "-"):
            left = left + self.product() if self.take() == "+" else left - self.product()
        return left

    def product(self) -> Any:
        left = self.signed()
        while self.next_is("*", "/"):
            left = left * self.signed() if self.take() == "*" else left / self.signed()
        return left

    def signed(self) -> Any:
        if self.next_is("-", "+"):
            return -self.signed() if self.take() == "-" else self.signed()
        base = self.atom()
        if self.next_is("^"):
            self.take()
            return base**self.signed()
        return base

    def atom(self) -> Any:
        if self.place >= len(self.tokens):
            raise ExpressionError(f"'{cut(self.text)}' has no form in SymPy: it ends early")
        kind, word = self.tokens[self.place]
        if self.next_is("("):
            self.take()
            inside = self.sum()
            self.expect(")")
            return inside
        self.place += 1
        if kind == "number":
            number = float(word)
            return self.sympy.Integer(int(number)) if number == int(number) and abs(number) < 1e15 else self.sympy.Float(
                word, 17)
        if kind == "name" and self.next_is("("):
            return self.call(word)
        if kind in ("name", "called", "fixed"):
            return self.sympy.pi if word == "pi" else self.sympy.Symbol(word)
        raise ExpressionError(f"'{cut(self.text)}' has no form in SymPy: '{word}'")

    def call(self, word: str) -> Any:
        self.expect("(")
        if word == "if":
            left = self.sum()
            if not self.next_is("<", "<=", ">", ">="):
                raise ExpressionError(f"'{cut(self.text)}' has no form in SymPy: a comparison is missing")
            sign = self.take()
            right = self.sum()
            self.expect(",")
            then = self.sum()
            self.expect(",")
            otherwise = self.sum()
            self.expect(")")
            compare = {"<": self.sympy.Lt, "<=": self.sympy.Le, ">": self.sympy.Gt, ">=": self.sympy.Ge}[sign]
            return self.sympy.Piecewise((then, compare(left, right)), (otherwise, True))
        arguments = [self.sum()]
        while self.next_is(","):
            self.take()
            arguments.append(self.sum())
        self.expect(")")
        if word == "hypot":
            return self.sympy.sqrt(arguments[0]**2 + arguments[1]**2)
        if word == "abs":  # for SymPy names are complex numbers, and |0.5^x| of these is another thing
            return self.sympy.Abs(*arguments, evaluate=False)
        name = {"min": "Min", "max": "Max"}.get(word, word)
        function = getattr(self.sympy, name, None)
        if function is None:
            raise ExpressionError(f"SymPy has no {word}")
        return function(*arguments)


def to_sympy(text: str) -> Any:
    try:
        return _Parser(text).whole()
    except RecursionError:
        raise ExpressionError(f"'{cut(text)}' is nested too deeply for SymPy: give parts of it names, m.define('r', ..)") from None


_FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log", "Abs": "abs", "sign": "sign",
    "Min": "min", "Max": "max",
}


def _of_time(f: Any) -> bool:
    return len(f.args) == 1 and str(f.args[0]) == "t"


def from_sympy(e: Any) -> Expr:
    """Symbols and functions of time by their names; Derivative(x(t), t) is x'."""
    import sympy

    try:
        made = sympy.sympify(e)
        if not isinstance(made, sympy.Expr):
            raise ExpressionError(f"{cut(str(e))} is no number")
        return _from_sympy(made)
    except ExpressionError:
        raise
    except RecursionError:
        raise ExpressionError("an expression of SymPy is nested too deeply: give parts of it names, m.define('r', ..)") from None
    except Exception:  # a text that is no expression fails in any way
        raise ExpressionError(f"{cut(repr(e))} is no expression of SymPy") from None


def _from_sympy(e: Any) -> Expr:
    import sympy

    if isinstance(e, sympy.Symbol):
        return Expr(str(e))
    if e is sympy.pi:
        return Expr("pi")
    if e is sympy.E:
        return Expr("exp(1)")
    if isinstance(e, sympy.Rational) and not isinstance(e, sympy.Integer):
        return as_expr(as_expr(int(e.p)) / int(e.q))
    if e.is_Number:
        if e.is_finite is False or e is sympy.nan:
            raise ExpressionError(f"{e} cannot stand in an expression: numbers are finite")
        return as_expr(float(e)) if not isinstance(e, sympy.Integer) else as_expr(int(e))
    if isinstance(e, sympy.Derivative):
        order = sum(count for _, count in e.variable_count)
        if not isinstance(e.expr, sympy.core.function.AppliedUndef) or order > 2 or not _of_time(e.expr):
            raise ExpressionError(f"{e} is no rate and no acceleration of a function of time")
        return Expr(str(e.expr.func) + "'" * int(order))
    if isinstance(e, sympy.core.function.AppliedUndef):
        if not _of_time(e):
            raise ExpressionError(f"{e} is no function of time alone: x(t) is a coordinate, x(t - 1) and x(0) are none")
        return Expr(str(e.func))
    if isinstance(e, sympy.Add):
        terms = [_from_sympy(one) for one in e.as_ordered_terms()]
        total = terms[0]
        for term in terms[1:]:
            total = total - Expr(term.text[1:], 1) if term.text.startswith("-") and term.grip == 2 else total + term
        return total
    if isinstance(e, sympy.Mul):
        top, bottom = e.as_numer_denom() if not e.is_Number else (e, sympy.S.One)
        if bottom != 1:
            return as_expr(from_sympy(top) / from_sympy(bottom))
        factors = [_from_sympy(one) for one in e.as_ordered_factors()]
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor
        return product
    if isinstance(e, sympy.Pow):
        if e.exp == sympy.Rational(1, 2):
            return Expr(f"sqrt({from_sympy(e.base).text})")
        if e.exp.is_Number and e.exp.is_negative:
            return as_expr(1 / from_sympy(e.base**(-e.exp)))
        return as_expr(from_sympy(e.base)**from_sympy(e.exp))
    if isinstance(e, sympy.Piecewise):
        pieces = list(e.args)
        if pieces[-1][1] != True:  # noqa: E712: SymPy's own truth
            raise ExpressionError(f"{e}: the last piece must hold everywhere else")
        made = from_sympy(pieces[-1][0])
        for value, condition in reversed(pieces[:-1]):
            made = Expr(_condition(condition).chosen(from_sympy(value).text, made.text))
        return made
    if isinstance(e, (sympy.re, sympy.conjugate)):  # every number of a model is real
        return _from_sympy(e.args[0])
    name = _FUNCTIONS.get(type(e).__name__)
    if name is None:
        raise ExpressionError(f"{type(e).__name__} is no function of models")
    return Expr(f"{name}({', '.join(from_sympy(one).text for one in e.args)})")


def _condition(c: Any) -> Condition:
    """A comparison, or some that are joined."""
    import sympy

    signs = {sympy.StrictLessThan: "<", sympy.LessThan: "<=", sympy.StrictGreaterThan: ">", sympy.GreaterThan: ">="}
    if type(c) in signs:
        return Condition(from_sympy(c.lhs), signs[type(c)], from_sympy(c.rhs))
    if isinstance(c, sympy.Not):
        return ~_condition(c.args[0])
    if isinstance(c, (sympy.And, sympy.Or)):
        made = _condition(c.args[0])
        for one in c.args[1:]:
            made = made & _condition(one) if isinstance(c, sympy.And) else made | _condition(one)
        return made
    raise ExpressionError(f"{cut(str(c))} is no comparison")


class SymbolicEquations(NamedTuple):
    """M q'' = Q + C + A^T lambda, A q'' = b."""

    velocities: list[str]
    rows: list[str]
    M: Any
    Q: Any
    A: Any
    b: Any
    C: Any


def equations_of(said: dict[str, Any]) -> SymbolicEquations:
    import sympy

    def matrix(rows: int, columns: int, entries: list[tuple[int, int, str]]) -> Any:
        made = sympy.zeros(rows, columns)
        for row, column, text in entries:
            made[row, column] = to_sympy(text)
        return made

    n, m = len(said["velocities"]), len(said["rows"])

    def column(texts: list[str], size: int) -> Any:
        return sympy.Matrix(size, 1, [to_sympy(text) for text in texts] if texts else [0] * size)

    return SymbolicEquations(said["velocities"], said["rows"], matrix(n, n, said["M"]), column(said["Q"], n),
                             matrix(m, n, said["A"]), column(said["b"], m), column(said["C"], n))


def latex_of(text: str) -> str:
    import sympy

    e = to_sympy(text)
    names = {s: _symbol_latex(s.name) for s in e.free_symbols}
    return str(sympy.latex(e, symbol_names=names))


def _symbol_latex(name: str) -> str:
    import sympy

    primes = len(name) - len(name.rstrip("'"))
    base = str(sympy.latex(sympy.Symbol(name.rstrip("'").replace(".", "_"))))
    return [base, rf"\dot{{{base}}}", rf"\ddot{{{base}}}"][primes]
