"""Programs that are hostile by their size: seconds to load and run each at n and at 2n.

    python -m tests.benchmark.hostile [PART OF A NAME …]

Prints JSON: by name, the sizes, the seconds, their ratio, and what came of it. Every program
runs in a process of its own, so that one that kills it, or never ends, is a line like the
others. `HOSTILE_SIZE` sets n, `HOSTILE_TIMEOUT` the seconds that each may take.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

from tests.hostile.programs import PROGRAMS

LIMIT = int(os.environ.get("HOSTILE_TIMEOUT", "60"))
SIZES = {
    "captured arguments": 20,
    "chain of type rows": 100,
    "chain of union rows": 100,
    "chain of records": 45,
    "diamonds of chance": 8,
    "diamonds with two arguments": 6,
    "diamonds of types": 90,
    "inheritance that appends": 250,
    "inline rows": 45,
    "nested types": 90,
    "nested constraints": 90,
    "an argument through many rows": 150,
    "many rows with a misspelt slot": 250,
}
"""Programs that have a limit, below it, and those whose rows say more and more."""

DEFAULT = 1_000


def measure(name: str, n: int) -> dict[str, Any]:
    """One program in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmark.hostile", "--one", name, str(n)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return {"seconds": LIMIT, "came": "TIMEOUT"}
    if done.returncode:
        return {"seconds": 0, "came": f"DIED {done.returncode}: {done.stderr[-300:]}"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def one(name: str, n: int) -> dict[str, Any]:
    """Load and run one program here."""
    from graphden import Graph
    from graphden.edn import write
    from graphden.errors import GraphdenError

    Graph.parse("")
    text = PROGRAMS[name](n)
    start = time.perf_counter()
    loaded = 0.0
    try:
        graph = Graph.parse(text)
        loaded = time.perf_counter() - start
        value = graph.run("main")
        # A value of equal parts may be small, and its text larger than the world.
        came = f"value {write(value)[:40] if not isinstance(value, list | dict) else '[…]'}"
    except GraphdenError as error:
        came = f"{type(error).__name__} {error.code}: {error.message[:100]}"
    except BaseException as error:
        came = f"BARE {type(error).__name__}: {str(error)[:100]}"
    return {
        "seconds": round(time.perf_counter() - start, 3),
        "load": round(loaded, 3),
        "came": came,
    }


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--one"]:
        print(json.dumps(one(arguments[1], int(arguments[2]))), flush=True)
        os._exit(0)
    size = int(os.environ.get("HOSTILE_SIZE", "0"))
    found = {}
    for name in PROGRAMS:
        if arguments and not any(part in name for part in arguments):
            continue
        n = size or SIZES.get(name, DEFAULT)
        small, large = measure(name, n), measure(name, 2 * n)
        ratio = round(large["seconds"] / max(small["seconds"], 0.001), 1)
        found[name] = {"n": n, "small": small, "large": large, "ratio": ratio}
        seconds = f"{small['seconds']:7} {large['seconds']:7}"
        line = f"{name:40} {n:7} {seconds} {ratio:5}  {large['came'][:110]}"
        print(line, file=sys.stderr, flush=True)
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
