"""A large program, loaded and edited: 5,000 rows in 100 files, and the same after one edit.

    python -m tests.benchmark.scale [FILES]

Prints JSON. `seconds` are the best of `RUNS`; of reading, `edn` is that of turning text into
forms. `ratio` is all the rest of a load by that reading. `edits` say how long checking takes
after an edit of one file, and how many rows it checked. `bytes_a_row` is what a loaded graph
keeps in memory. Progress goes to standard error.
"""

from __future__ import annotations

import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping

from graphden import Graph
from graphden.checked import Checked, check
from graphden.edn import read_all
from graphden.files import read_file
from tests.benchmark.shop import texts

RUNS = 5
EDITS = {
    "a literal that nobody uses": (":args {:limit 100}", ":args {:limit 101}"),
    "a line more at the top": ("\n;; What", "\n\n;; What"),
    "a field of a record": (":street :text", ":street :int"),
    "a row more": (
        "{:name :total",
        "{:name :two :parent :const :args {:value 2}}\n{:name :total",
    ),
}


def best(work: Callable[[], object]) -> float:
    """The seconds of the fastest of some runs."""
    found = []
    for _ in range(RUNS):
        gc.collect()
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def rows_of(checked: Checked) -> int:
    return sum(len(file.rows) for file in checked.files.values())


def bytes_of(files: Mapping[str, str]) -> int:
    """What a loaded graph keeps in memory, the packages' rows left out."""
    Graph.parse("")
    tracemalloc.start()
    graph = Graph.parse("").edited(dict(files))
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graph.rows
    return kept


def measure(number: int) -> dict[str, object]:
    """All figures for a program of that many files."""
    files = texts(number)
    Graph.parse("")
    print(f"{number} files, read …", file=sys.stderr)

    def edn() -> None:
        for name, text in files.items():
            read_all(text, name)

    def read() -> None:
        for name, text in files.items():
            read_file(name, text)

    gc.disable()
    seconds = {"edn": best(edn), "read": best(read)}
    gc.enable()
    print("… loaded …", file=sys.stderr)
    seconds["load"] = best(lambda: check(files))
    checked = check(files)
    assert checked.problems == ()
    edits = {}
    name = f"shop{number // 2:03}.edn"
    for what, (old, new) in EDITS.items():
        print(f"… {what} …", file=sys.stderr)
        assert old in files[name]
        edited = {**files, name: files[name].replace(old, new, 1)}
        edits[what] = {
            "ms": 1000 * best(lambda edited=edited: check(edited, before=checked)),  # type: ignore[misc]
            "rows": len(check(edited, before=checked).resolution.fresh),
        }
    return {
        "files": number,
        "rows": rows_of(checked),
        "with_inline_rows": len(checked.program.rows) - len(Graph.parse("").program.rows),
        "bytes": sum(len(text) for text in files.values()),
        "seconds": seconds,
        "ratio": (seconds["load"] - seconds["edn"]) / seconds["edn"],
        "edits": edits,
        "bytes_a_row": bytes_of(files) / rows_of(checked),
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]) if sys.argv[1:] else 100), indent=2))
