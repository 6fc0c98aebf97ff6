"""Models and motions as notebooks show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from ._errors import ArgumentError, VinculumError, cut, told
from ._expression import Expr
from ._system import System, _number, merged, names_of, numbers

if TYPE_CHECKING:
    from ._model import Model
    from ._motion import Motion

__all__ = ["model_html", "motion_html", "interact"]


def model_html(model: Model) -> str:
    """The equations as `derive` writes them, or where there are too many of them the text."""
    import html

    head = f"<h4>{html.escape(model.title)}</h4>" if model.title else ""
    try:
        page = model.derive("latex", standalone=False)
    except VinculumError:  # programmes with actuators, say: shown as stated
        page = ""
    if "\\[" not in page or len(page) > 20_000:
        return head + f"<pre>{html.escape(model.text)}</pre>"
    paragraphs = html.escape(page, quote=False).replace("\\[", "$$").replace("\\]", "$$").split("\n\n")
    return head + "".join(f"<p>{one}</p>" for one in paragraphs)


def motion_html(motion: Motion) -> str:
    """The page of the report: replay, plots, certificate."""
    import html

    page = html.escape(motion.report(), quote=True)
    return (f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:1px solid #ccc" '
            f'title="motion"></iframe>')


def interact(model: Model, show: Callable[[Motion], Any] | str | Sequence[str] | None = None, /, *,
             until: float | None = None, parameters: Mapping[str, Any] | None = None, **ranges: tuple[float, float]) -> Any:
    """Sliders for parameters that move the motion while they are dragged: as the last line of a cell.

    The model is compiled once. `show` draws a motion, or names what is plotted, `vn.interact(m, "x", L=(0.5, 2))`; unless
    given, that are its coordinates. Ranges are given by name, or as `parameters={"L": (0.5, 2)}`.

    >>> drawn = []
    >>> vn.interact(vn.examples.pendulum(), drawn.append, until=1, g=(1, 20))  # doctest: +SKIP
    >>> # a slider for g from 1 to 20: every place of it is a motion in `drawn`
    """
    from ._model import Model

    if not isinstance(model, Model):
        raise ArgumentError(f"interact moves a model, not {told(model)}")
    given = _ranges(model.parameters, merged(parameters, ranges))
    if until is not None:
        until = _number("until", until)
        if not np.isfinite(until):
            raise ArgumentError(f"until is {until}; it must be a finite time")
    system = model.system(living=list(given))
    names = _names_shown(system, show)
    try:
        import ipywidgets
    except ImportError:
        raise VinculumError("sliders need ipywidgets: pip install ipywidgets") from None

    def draw(*values: float) -> None:
        motion = system.with_parameters(dict(zip(given, values))).run(until, samples=400, on_failure="return")
        if callable(show):
            show(motion)
            return
        from matplotlib import pyplot

        motion.plot(*names)
        pyplot.show()

    known = model.parameters
    sliders = [
        ipywidgets.FloatSlider(value=min(max(known[name], low), high), min=low, max=high, step=_step(high - low),
                               readout_format=".4g", description=name)
        for name, (low, high) in given.items()
    ]
    # Sliders are told from each other by place: parameters may be called as any argument is.
    return ipywidgets.interactive(lambda **by_place: draw(*by_place.values()),
                                  **{f"slider_{k}": slider for k, slider in enumerate(sliders)})


def _ranges(known: Mapping[str, float], ranges: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    if not ranges:
        raise ArgumentError("interact moves parameters: say which, and from where to where, L=(0.5, 2); parameters are: "
                            f"{', '.join(known) or 'none'}")
    found: dict[str, tuple[float, float]] = {}
    for name, ends in ranges.items():
        if name not in known:
            raise ArgumentError(f"the model has no parameter '{name}'; parameters are: {', '.join(known) or 'none'}")
        low, high = numbers(f"the range of '{name}'", ends, (2,)).tolist()
        if not low < high:
            raise ArgumentError(f"the range of '{name}' goes from {low:g} to {high:g}; the first must be the smaller")
        found[name] = (low, high)
    return found


def _names_shown(system: System, show: Any) -> list[str]:
    """Of quantities, where that is what `show` says."""
    if show is None or callable(show):
        return []
    names = names_of("show", [show] if isinstance(show, (str, Expr)) else show)
    known = ["t", "energy", *system.coordinate_names, *system.velocity_names, *system.output_names, *system.row_names]
    for name in names:
        if name not in known:
            raise ArgumentError(f"show is a function of a motion, or names of quantities: the motion has no '{name}'; it has "
                                f"{cut(', '.join(known))}")
    return names


def _step(width: float) -> float:
    """A power of ten, a thousand or some from end to end: values of models are round numbers in it."""
    return float(10**np.floor(np.log10(width / 1000)))
