"""Runs a model, then reads what it recorded: HDF5 by h5py, CSV by the csv module."""
import csv
import json
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

model = Path(__file__).parent / "pendulum.toml"

with tempfile.TemporaryDirectory() as folder:
    run = ["vinculum", "run", str(model), "--samples", "201", "--out", folder, "--json", "--quiet"]
    result = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    print("status:", result["status"], "at t =", result["time"])

    with h5py.File(Path(folder) / "trajectory.h5") as file:
        t = file["time"][:]
        names = list(file["q"].attrs["names"])
        x = file["q"][:, names.index("x")]
        pull = np.hypot(*file["constraint_force"][:].T)
        print("instants:", len(t), "with", names)
        print(f"x between {x.min():.6f} and {x.max():.6f}")
        print(f"the rod pulls with {pull.min():.6f} to {pull.max():.6f}")

    # Lines that begin with # tell how the file was made; the first other line names the columns.
    with open(Path(folder) / "trajectory.csv", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    print("columns:", *list(rows[0])[:7], "...")
    print("the same in both files:", [float(row["x"]) for row in rows] == list(x))
