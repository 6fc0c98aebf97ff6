"""A motion as a notebook shows it, in a real browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import vinculum as vn
from conftest import ROOT


def test_the_replay_of_a_cell_runs(pendulum: vn.Model, tmp_path: Path) -> None:
    packages = next((one / "web" for one in sorted(ROOT.glob("build*")) if (one / "web/node_modules/playwright-core").exists()), None)
    chromium = shutil.which("chromium")
    if packages is None or chromium is None or shutil.which("node") is None:
        pytest.skip("needs the program's build folder, with what its own tests in a browser need")
    page = tmp_path / "cell.html"
    page.write_text(f"<!doctype html><html><body>{pendulum.run(until=3)._repr_html_()}</body></html>", encoding="utf-8")
    said = subprocess.run(["node", ROOT / "tests" / "web" / "cell.mjs", packages, chromium, page, tmp_path / "cell.png"],
                          capture_output=True, text=True, timeout=120)
    assert (said.returncode, said.stderr) == (0, ""), said.stdout
    assert (tmp_path / "cell.png").stat().st_size > 5000
