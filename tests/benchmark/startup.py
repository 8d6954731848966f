"""What starting costs: short commands against Python itself and the libraries they need.

    python -m tests.benchmark.startup

Prints JSON. `ms` is the quickest of several processes. `python` is the time by that of
`python -c pass`, `libraries` by that of a process that only imports what the engine stands on.
Compiled modules are kept in a folder of this benchmark's own, as an installation keeps them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 12
LIBRARIES = (
    "import argparse, ast, dataclasses, decimal, importlib.metadata, inspect, json, logging, "
    "pathlib, typing, uuid; import edn_format, ply.lex, ply.yacc, re2"
)
ROWS = "{:name :six :parent :mul :args {:nums [2 3]}}"
CASES: dict[str, Sequence[str]] = {
    "nothing": ["-c", "pass"],
    "libraries": ["-c", LIBRARIES],
    "import": ["-c", "import graphden"],
    "errors": ["-c", "from graphden import RunError"],
    "engine": ["-c", "from graphden import Graph"],
    "version": ["-m", "graphden", "--version"],
    "check": ["-m", "graphden", "check", "six.edn"],
    "run": ["-m", "graphden", "run", "six", "six.edn"],
}


def quickest(folder: Path) -> dict[str, float]:
    """The shortest time of each case, in milliseconds; cases take turns."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    best = dict.fromkeys(CASES, float("inf"))
    for turn in range(ROUNDS + 1):
        for name, words in CASES.items():
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, *words],
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                check=True,
            )
            if turn:  # the first one compiles
                best[name] = min(best[name], (time.perf_counter() - began) * 1000)
    return best


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "six.edn").write_text(ROWS)
        best = quickest(folder)
    result = {
        name: {
            "ms": round(ms, 1),
            "python": round(ms / best["nothing"], 2),
            "libraries": round(ms / best["libraries"], 2),
        }
        for name, ms in best.items()
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
