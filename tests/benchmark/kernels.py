"""What composing costs: rows against idiomatic Python written by hand.

    python -m tests.benchmark.kernels [KERNEL …]

Prints JSON. `ratio` is the time of the compiled row by that of the hand-written function, the
median of interleaved rounds; `checked` is that of the row as compiled for a run that can be
cancelled. `run` goes through `Graph.function`, which checks its arguments as every entry does.
`traced` is that of a run with a trace, `span_ns` what one evaluation takes more by that, in
nanoseconds. `us` is what the hand-written function takes.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic_core import SchemaValidator, core_schema

from graphden import Graph, Trace
from graphden.compile.spans import PLAIN, TRACED
from graphden.edn import Keyword
from graphden.run import Context
from tests.benchmark import steps

ROUNDS = 31
ROUND_SECONDS = 0.005


@dataclass(frozen=True)
class Kernel:
    """One comparison: the row `r` of some rows, and the Python that does the same."""

    name: str
    rows: str
    by_hand: Callable[..., object]
    arguments: Mapping[str, object] = field(default_factory=dict)


def chain() -> Kernel:
    """Thirty arithmetic rows, each of the one before."""
    rows = ["{:name :n0 :parent :add :args {:nums [{:as :x :type :int} 1]}}"]
    lines = ["def by_hand(x):", "    a = x + 1"]
    for k in range(1, 30):
        parent, sign = [("add", "+"), ("mul", "*"), ("sub", "-")][k % 3]
        number = 2 if k % 3 == 1 and k < 20 else 1
        rows.append(f"{{:name :n{k} :parent :{parent} :args {{:nums [:n{k - 1} {number}]}}}}")
        lines.append(f"    a = a {sign} {number}")
    rows.append("{:name :r :parent :identity :args {:value :n29}}")
    return Kernel("chain of 30", "\n".join(rows), _python([*lines, "    return a"]), {"x": 7})


def _python(lines: list[str]) -> Callable[..., object]:
    scope: dict[str, Callable[..., object]] = {}
    exec("\n".join(lines), scope)
    return scope["by_hand"]


def _rows(name: str) -> str:
    return (Path(__file__).parent / "rows" / f"{name}.edn").read_text()


NUMBERS = list(range(10_000))


def mapped() -> Kernel:
    return Kernel(
        "map, filter and reduce over 10,000",
        _rows("loops"),
        _map_filter_reduce,
        {"numbers": NUMBERS},
    )


def _map_filter_reduce(numbers: list[int]) -> int:
    total = 0
    for each in [(n * 3 + 1) % 100 for n in numbers]:
        if each % 2 == 0:
            total += each
    return total


def renames() -> Kernel:
    rows = [
        "{:name :a0 :parent :add :args {:nums [{:as :x0 :type :int} {:as :y0 :type :int}]}}"
    ]
    for k in range(1, 11):
        renamed = f":x{k - 1} {{:as :x{k}}} :y{k - 1} {{:as :y{k}}}"
        rows.append(f"{{:name :a{k} :parent :a{k - 1} :args {{{renamed}}}}}")
    rows.append("{:name :r :parent :a10}")
    return Kernel(
        "10 levels of renames", "\n".join(rows), lambda x, y: x + y, {"x10": 3, "y10": 4}
    )


def inherited() -> Kernel:
    rows = [
        """{:name :a0 :parent :str
         :args {:parts [:head :body :tail] :head "<" :tail ">" :body "b"}}
        {:name :head :parent :const :args {:value {:as :head :type :text}}}
        {:name :body :parent :const :args {:value {:as :body :type :text}}}
        {:name :tail :parent :const :args {:value {:as :tail :type :text}}}"""
    ]
    rows += [
        f'{{:name :a{k} :parent :a{k - 1} :args {{:{("head", "body", "tail")[k % 3]} "{k}"}}}}'
        for k in range(1, 10)
    ]
    rows.append("{:name :r :parent :a9 :args {:body {:as :text}}}")
    return Kernel(
        "10 levels of inheritance with overrides",
        "\n".join(rows),
        lambda text: "9" + text + "8",
        {"text": "in"},
    )


def queue_step() -> Kernel:
    return Kernel(
        "queue step: take 10, try, ack, nack",
        _rows("queue-step"),
        steps.by_hand,
    )


def fib() -> Kernel:
    return Kernel(
        "fib(18) through fix",
        _rows("fib"),
        _fib,
        {"n": 18},
    )


def _fib(n: int) -> int:
    return n if n < 2 else _fib(n - 1) + _fib(n - 2)


def fact() -> Kernel:
    return Kernel(
        "fact(60) through fix",
        _rows("fact"),
        _fact,
        {"n": 60},
    )


def _fact(n: int) -> int:
    return 1 if n < 2 else n * _fact(n - 1)


def diamond() -> Kernel:
    rows = ["{:name :n0 :parent :add :args {:nums [{:as :x :type :int} 1]}}"]
    lines = ["def by_hand(x):", "    a = x + 1"]
    for k in range(1, 21):
        rows.append(f"{{:name :n{k} :parent :sub :args {{:nums [:n{k - 1} :n{k - 1} -{k}]}}}}")
        lines.append(f"    a = a - a + {k}")
    rows.append("{:name :r :parent :identity :args {:value :n20}}")
    return Kernel(
        "diamond of 20, each used twice",
        "\n".join(rows),
        _python([*lines, "    return a"]),
        {"x": 7},
    )


def records() -> Kernel:
    rows = _rows("records")
    order = {
        Keyword("id"): 7,
        Keyword("sku"): "tea",
        Keyword("count"): 3,
        Keyword("price"): 5,
        Keyword("city"): "Bern",
        Keyword("gift"): False,
    }
    return Kernel("record building and reading", rows, _record, {"order": order})


ID, SKU, COUNT, PRICE, COST, PAID, CITY, GIFT = map(
    Keyword, ("id", "sku", "count", "price", "cost", "paid", "city", "gift")
)


def _record(order: Mapping[str, object]) -> dict[object, object]:
    cost = order[COUNT] * order[PRICE]  # type: ignore[operator]
    line = {ID: order[ID], SKU: order[SKU], COST: cost}
    marked = {**line, PAID: True}
    return {**marked, CITY: "Bern", GIFT: False}


def contract() -> Kernel:
    fields = {"id": int, "sku": str, "count": int, "price": int, "city": str, "gift": bool}
    schemas = {int: core_schema.int_schema, str: core_schema.str_schema}
    validator = SchemaValidator(
        core_schema.typed_dict_schema(
            {
                name: core_schema.typed_dict_field(
                    schemas.get(kind, core_schema.bool_schema)(strict=True)
                )
                for name, kind in fields.items()
            },
            extra_behavior="allow",
        )
    )
    order = {"id": 7, "sku": "tea", "count": 3, "price": 5, "city": "Bern", "gift": False}
    return Kernel(
        "contract check of 6 fields",
        _rows("contract"),
        validator.validate_python,
        {"payload": order},
    )


KERNELS = (
    chain,
    mapped,
    renames,
    inherited,
    queue_step,
    fib,
    fact,
    diamond,
    records,
    contract,
)


def rounds(functions: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of one call of each, in short interleaved rounds. Seconds of the
    processor: what else the machine does is not counted.
    """
    counts = {}
    for name, function in functions.items():
        began = time.process_time()
        function()
        once = max(time.process_time() - began, 1e-7)
        counts[name] = max(1, int(ROUND_SECONDS / once))
    found: dict[str, list[float]] = {name: [] for name in functions}
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for name, function in functions.items():
                count = range(counts[name])
                began = time.process_time()
                for _ in count:
                    function()
                found[name].append((time.process_time() - began) / counts[name])
    finally:
        gc.enable()
    return {name: statistics.median(each) for name, each in found.items()}


def call(function: Callable[..., object], values: list[object]) -> Callable[[], object]:
    """The call of a function with these values, as plain as one writes it."""
    names = ["f", *(f"a{index}" for index in range(len(values)))]
    scope = dict(zip(names, [function, *values], strict=True))
    text = f"lambda {', '.join(names)}: lambda: f({', '.join(names[1:])})"
    made: Callable[[], object] = eval(text)(**scope)
    return made


def measured(kernel: Kernel) -> dict[str, object]:
    """The figures of one kernel; raises when row and Python disagree."""
    with steps.installed():
        graph = Graph.parse(kernel.rows)
    assert graph.diagnostics == (), graph.diagnostics
    resolved = graph.resolved("r")
    values = list(kernel.arguments.values())
    assert list(resolved.interface) == list(kernel.arguments), list(resolved.interface)
    compiled, context = graph._function(resolved, PLAIN), Context()
    checked = graph._function(resolved)
    traced, trace = graph._function(resolved, TRACED), Trace()
    function = graph.function("r")
    given, by_hand = kernel.arguments, kernel.by_hand
    expected = by_hand(*values)
    assert compiled(context, *values) == expected == function(**given), (
        expected,
        function(**given),
    )
    assert traced(context, trace, *values) == expected
    spans = len(trace.spans) + trace.dropped
    seconds = rounds(
        {
            "by hand": call(by_hand, values),
            "compiled": call(compiled, [context, *values]),
            "checked": call(checked, [context, *values]),
            "run": lambda: function(**given),
            "traced": lambda: traced(context, Trace(), *values),
        }
    )
    return {
        "kernel": kernel.name,
        "us": round(seconds["by hand"] * 1e6, 3),
        "ratio": round(seconds["compiled"] / seconds["by hand"], 2),
        "checked": round(seconds["checked"] / seconds["by hand"], 2),
        "run": round(seconds["run"] / seconds["by hand"], 2),
        "traced": round(seconds["traced"] / seconds["by hand"], 1),
        "span_ns": round((seconds["traced"] - seconds["checked"]) * 1e9 / spans),
    }


def measurements(names: list[str]) -> Iterator[dict[str, object]]:
    for make in KERNELS:
        if not names or make.__name__ in names:
            found = measured(make())
            print(f"{found['kernel']}: {found['ratio']}", file=sys.stderr)
            yield found


if __name__ == "__main__":
    print(json.dumps({"kernels": list(measurements(sys.argv[1:]))}, indent=2))
