"""Compiles what `derive --format c` writes and calls it: the same acceleration as `explain` gives."""
import ctypes
import json
import subprocess
import tempfile
from pathlib import Path

model = Path(__file__).parent / "pendulum.toml"


def vinculum(*arguments):
    return subprocess.run(["vinculum", *arguments], check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    source, library = Path(folder) / "pendulum.c", Path(folder) / "pendulum.so"
    source.write_text(vinculum("derive", str(model), "--format", "c"))
    subprocess.run(["cc", "-O2", "-std=c99", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    pendulum = ctypes.CDLL(str(library))

start = json.loads(vinculum("explain", str(model), "--json"))
vector = ctypes.c_double * 2
q, v, a, f = vector(*start["q"]), vector(*start["v"]), vector(), vector()
done = pendulum.pendulum_acceleration(ctypes.c_double(start["time"]), q, v, None, a, f)
print("returned", done)
print("acceleration ", *(f"{x:.10f}" for x in a))
print("explain says ", *(f"{x:.10f}" for x in start["acceleration"]))
