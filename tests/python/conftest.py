"""What the tests of the Python package share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

import vinculum as vn

ROOT = Path(__file__).resolve().parents[2]

# What is started in the background does not hear Ctrl-C, and tests send it to themselves.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def pendulum() -> vn.Model:
    """A mass on a rod in Cartesian coordinates, built and not read."""
    m = vn.Model("Pendulum")
    length = m.parameter("L", 2.0)
    x, y = m.coordinate("x", start=1.2), m.coordinate("y", start=-1.6)
    m.mass(x, 2)
    m.mass(y, 2)
    m.force(y, -2 * 9.81)
    m.constrain("rod", x**2 + y**2, length**2)
    m.output("pull", m.reaction("rod", y))
    m.event("lowest", x)
    return m
