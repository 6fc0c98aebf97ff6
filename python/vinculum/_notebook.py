"""Models and motions as notebooks show them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._errors import ArgumentError, VinculumError
from ._system import numbers

if TYPE_CHECKING:
    from ._model import Model
    from ._motion import Motion

__all__ = ["model_html", "motion_html", "interact"]


def model_html(model: Model) -> str:
    """The equations as `derive` writes them, or where there are too many of them the text."""
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
    page = html.escape(motion.report(), quote=True)
    return (f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:1px solid #ccc" '
            f'title="motion"></iframe>')


def interact(model: Model, show: Callable[[Motion], Any] | None = None, *, until: float | None = None,
             **ranges: tuple[float, float]) -> Any:
    """Sliders for parameters that move the motion while they are dragged: as the last line of a cell.

    The model is compiled once. `show` draws a motion; unless given, its coordinates are plotted.

    >>> drawn = []
    >>> vn.interact(vn.examples.pendulum(), drawn.append, until=1, g=(1, 20))  # doctest: +SKIP
    >>> # a slider for g from 1 to 20: every place of it is a motion in `drawn`
    """
    try:
        import ipywidgets
    except ImportError:
        raise VinculumError("sliders need ipywidgets: pip install ipywidgets") from None
    known = model.parameters
    for name, ends in ranges.items():
        if name not in known:
            raise ArgumentError(f"the model has no parameter '{name}'; parameters are: {', '.join(known) or 'none'}")
        low, high = numbers(f"the range of '{name}'", ends, (2,))
        if not low < high:
            raise ArgumentError(f"the range of '{name}' goes from {low:g} to {high:g}; the first must be the smaller")
    system = model.system(living=list(ranges))

    def draw(**values: float) -> None:
        motion = system.with_parameters(**values).run(until, samples=400, on_failure="return")
        if show is not None:
            show(motion)
            return
        from matplotlib import pyplot

        motion.plot()
        pyplot.show()

    sliders = {
        name: ipywidgets.FloatSlider(value=min(max(known[name], low), high), min=low, max=high, step=_step(high - low),
                                     readout_format=".4g")
        for name, (low, high) in ranges.items()
    }
    return ipywidgets.interactive(draw, **sliders)


def _step(width: float) -> float:
    """A power of ten, a thousand or some from end to end: values of models are round numbers in it."""
    return float(10**np.floor(np.log10(width / 1000)))
