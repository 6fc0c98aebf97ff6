"""The program: ``python -m vinculum run model.toml``."""

import sys

from . import _core


def main() -> int:
    sys.stdout.flush()
    return _core.execute(["vinculum", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
