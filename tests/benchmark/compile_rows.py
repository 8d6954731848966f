"""What compiling costs: cold, from the cache, after an edit; and how code grows with rows.

    python -m tests.benchmark.compile_rows [FILES]

Prints JSON. `entries` are rows of a program of 50 rows a file (100 files are 5,000 rows), every
fifth one, compiled as an entry of its own; `one` is a single entry that reaches as many rows.
Ratios are by the time of the cold compiling. `growth` has the bytes of code and milliseconds
for 1, 2, 4 and 8 times as many rows; `doubling` those of a row that uses another twice, with
other arguments, which does the same, and so on for so many levels. Progress goes to standard
error.
"""

from __future__ import annotations

import gc
import json
import marshal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from graphden import Graph, RunError
from graphden.checked import check, without_garbage_collection
from graphden.compile import plan, write
from graphden.compile.spans import CHECKED
from graphden.model.rows import RowKind
from tests.benchmark.shop import texts

LEVELS = (2, 6, 10, 14)

Files: TypeAlias = Mapping[str, str]


def chain(rows: int) -> str:
    """A row that adds two rows before it and an argument, and so on; `main` is the last."""
    texts = ["{:name :r0 :parent :const :args {:value {:as :x :type :int}}}"]
    texts += ["{:name :r1 :parent :add :args {:nums [:r0 1]}}"]
    for n in range(2, rows):
        test = f"{{:parent :gt :args {{:nums [:r{n - 1} {n}]}}}}"
        other = f"{{:parent :sub :args {{:nums [:r{n - 1} :r{n - 2}]}}}}"
        arms = f":test {test} :then :r{n - 2} :else {other}"
        texts.append(f"{{:name :r{n} :parent :if :args {{{arms}}}}}")
    return "\n".join([*texts, f"{{:name :main :parent :r{rows - 1}}}"])


def doubling(levels: int) -> str:
    """A row that uses another one twice, each time with another argument, and so on."""
    texts = ["{:name :l0 :parent :add :args {:nums [{:as :x0 :type :int} 1]}}"]
    for n in range(1, levels + 1):
        given = [
            f"{{:parent :l{n - 1} :args {{:x{n - 1} "
            f"{{:parent {function} :args {{:nums [{{:as :x{n} :type :int}} {n}]}}}}}}}}"
            for function in (":add", ":mul")
        ]
        texts.append(f"{{:name :l{n} :parent :sub :args {{:nums [{' '.join(given)}]}}}}")
    return "\n".join([*texts, f"{{:name :main :parent :l{levels}}}"])


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    with without_garbage_collection():  # as a graph compiles
        began = time.perf_counter()
        work()
        return time.perf_counter() - began


def compiled(files: Mapping[str, str], folder: Path | None, rows: Iterable[str]) -> float:
    """The seconds until the rows can run, in a process that has loaded but run none of them."""
    graph = Graph(check(files), cache=folder)
    return seconds(lambda: [graph._function(graph.resolved(row)) for row in rows])


def three_times(before: Files, after: Files, rows: list[str]) -> dict[str, object]:
    """Cold, from the cache, and after an edit; each as a process would that comes anew."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "cache"
        cold = compiled(before, None, rows)
        print("…", file=sys.stderr)
        filling = compiled(before, folder, rows)
        print("…", file=sys.stderr)
        kept = compiled(before, folder, rows)
        edited = compiled(after, folder, rows)
        held = sum(file.stat().st_size for file in folder.iterdir())
    return {
        "entries": len(rows),
        "cold_s": round(cold, 3),
        "filling_ratio": round(filling / cold, 2),
        "from_cache_s": round(kept, 3),
        "from_cache_ratio": round(kept / cold, 3),
        "after_edit_s": round(edited, 3),
        "after_edit_ratio": round(edited / cold, 3),
        "cache_bytes": held,
    }


def every_row(files: int) -> dict[str, object]:
    before = texts(files)
    name = f"shop{files // 2:03}.edn"
    old, new = ":args {:limit 100}", ":args {:limit 101}"
    assert old in before[name]
    after = {**before, name: before[name].replace(old, new, 1)}
    found = Graph(check(before)).rows
    rows = [row.id for row in found if row.kind is RowKind.FUNCTION]
    return three_times(before, after, rows[::5])


def one_row(rows: int) -> dict[str, object]:
    text = chain(rows)
    after = text.replace(":nums [:r0 1]", ":nums [:r0 2]")
    return three_times({"chain.edn": text}, {"chain.edn": after}, ["user/main"])


def size(text: str) -> dict[str, float] | str:
    graph = Graph.parse(text)
    checked = graph._checked
    made = []

    def work() -> None:
        planned = plan(graph.program, "user/main", graph.inference)
        made.append(write(planned, checked.bodies, "<rows>", CHECKED))

    try:
        taken = seconds(work)
    except RunError as error:
        return error.code
    return {"bytes": len(marshal.dumps(made[0].code)), "ms": round(1000 * taken, 1)}


def main(files: int) -> None:
    Graph.parse("")
    print("rows as entries …", file=sys.stderr)
    found: dict[str, object] = {"entries": every_row(files)}
    print("one entry …", file=sys.stderr)
    found["one"] = one_row(50 * files)
    print("growth …", file=sys.stderr)
    found["growth"] = {
        n: size(chain(n)) for n in (6 * files, 12 * files, 25 * files, 50 * files)
    }
    found["doubling"] = {levels: size(doubling(levels)) for levels in LEVELS}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
