"""What a composed program costs elsewhere: graphden beside its peers, on the kernels that each
can express.

    pip install -e '.[bench]'
    python -m tests.benchmark.peers [PEER …]

Prints JSON. `ratios` are times by that of Python written by hand, in the same interleaved
rounds; a peer that is not installed is in `skipped`. What a peer does once, such as to order
its graph, is not timed. Hamilton and pipefunc call a function for each node, so they express
what is a graph of values; Hy is Lisp that becomes Python.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from collections.abc import Callable, Iterator
from importlib.metadata import version

import networkx as nx

from graphden import Graph
from graphden.compile.spans import PLAIN
from graphden.run import Context
from tests.benchmark import kernels
from tests.benchmark.kernels import Kernel, call, rounds

Node = tuple[str, str]
"""A node: its name, and its value as an expression over other nodes and `x`."""

Ready = Callable[[], object]


def chain() -> list[Node]:
    """The values of `kernels.chain`."""
    nodes = [("n0", "x + 1")]
    for k in range(1, 30):
        sign = ("+", "*", "-")[k % 3]
        number = 2 if k % 3 == 1 and k < 20 else 1
        nodes.append((f"n{k}", f"n{k - 1} {sign} {number}"))
    return nodes


def diamond() -> list[Node]:
    """The values of `kernels.diamond`."""
    nodes = [("n0", "x + 1")]
    return nodes + [(f"n{k}", f"n{k - 1} - n{k - 1} + {k}") for k in range(1, 21)]


GRAPHS: dict[str, Callable[[], list[Node]]] = {"chain": chain, "diamond": diamond}

HY = {
    "mapped": """
        (defn by-hy [numbers]
          (setv total 0)
          (for [each (lfor n numbers (% (+ (* n 3) 1) 100))]
            (when (= (% each 2) 0) (+= total each)))
          total)""",
    "renames": "(defn by-hy [x y] (+ x y))",
    "inherited": '(defn by-hy [text] (+ "9" text "8"))',
    "fib": "(defn by-hy [n] (if (< n 2) n (+ (by-hy (- n 1)) (by-hy (- n 2)))))",
    "fact": "(defn by-hy [n] (if (< n 2) 1 (* n (by-hy (- n 1)))))",
}


def functions(nodes: list[Node]) -> list[Callable[..., object]]:
    """A Python function for each node; its parameters are the nodes that it takes."""
    made = []
    for name, text in nodes:
        taken = dict.fromkeys(word for word in text.split() if word[0] in "nx")
        signature = ", ".join(f"{each}: int" for each in taken)
        scope: dict[str, Callable[..., object]] = {"__name__": "nodes"}  # type: ignore[dict-item]
        exec(f"def {name}({signature}) -> int:\n    return {text}", scope)
        made.append(scope[name])
    return made


def by_hamilton(kernel: str, values: list[object]) -> Ready | None:
    if kernel not in GRAPHS:
        return None
    driver = importlib.import_module("hamilton.driver")
    base = importlib.import_module("hamilton.base")
    ad_hoc = importlib.import_module("hamilton.ad_hoc_utils")
    made = functions(GRAPHS[kernel]())
    module = ad_hoc.create_temporary_module(*made, module_name=f"nodes_{kernel}")
    ready = driver.Builder().with_modules(module).with_adapters(base.DictResult()).build()
    last = made[-1].__name__
    return lambda: ready.execute([last], inputs={"x": values[0]})[last]


def by_pipefunc(kernel: str, values: list[object]) -> Ready | None:
    if kernel not in GRAPHS:
        return None
    pipefunc = importlib.import_module("pipefunc")
    made = functions(GRAPHS[kernel]())
    pipeline = pipefunc.Pipeline([pipefunc.PipeFunc(f, f.__name__) for f in made])
    last = pipeline.func(made[-1].__name__)
    return lambda: last(x=values[0])


def by_networkx(kernel: str, values: list[object]) -> Ready | None:
    """The least that one writes oneself: an order by networkx, and a dict of values."""
    if kernel not in GRAPHS:
        return None
    graph = nx.DiGraph()
    for function in functions(GRAPHS[kernel]()):
        taken = function.__code__.co_varnames[: function.__code__.co_argcount]
        graph.add_node(function.__name__, function=function, taken=taken)
        graph.add_edges_from((each, function.__name__) for each in taken)
    order = [
        (name, graph.nodes[name]["function"], graph.nodes[name]["taken"])
        for name in nx.topological_sort(graph)
        if "function" in graph.nodes[name]
    ]

    def ready() -> object:
        known = {"x": values[0]}
        for name, function, taken in order:
            known[name] = function(*[known[each] for each in taken])
        return known[order[-1][0]]

    return ready


def by_hy(kernel: str, values: list[object]) -> Ready | None:
    hy = importlib.import_module("hy")
    if kernel in GRAPHS:
        lines = []
        for name, text in GRAPHS[kernel]():
            words = text.split()
            value = words[0]
            for sign, word in zip(words[1::2], words[2::2], strict=True):
                value = f"({sign} {value} {word})"
            lines.append(f"(setv {name} {value})")
        text = f"(defn by-hy [x] {' '.join(lines)} {name})"
    elif kernel in HY:
        text = HY[kernel]
    else:
        return None
    module = types.ModuleType("by_hy")
    hy.eval(hy.read_many(text), module=module)
    return call(module.by_hy, values)


PEERS = {
    "apache-hamilton": by_hamilton,
    "pipefunc": by_pipefunc,
    "hy": by_hy,
    "networkx": by_networkx,
}

MODULES = {"apache-hamilton": "hamilton", "pipefunc": "pipefunc", "hy": "hy"}


def graphden(kernel: Kernel) -> Ready:
    graph = Graph.parse(kernel.rows)
    compiled = graph._function(graph.resolved("r"), PLAIN)
    return call(compiled, [Context(), *kernel.arguments.values()])


def measured(make: Callable[[], Kernel], peers: list[str]) -> dict[str, object] | None:
    """The figures of one kernel; raises when a peer gives another value than Python."""
    kernel = make()
    values = list(kernel.arguments.values())
    ready = {name: PEERS[name](make.__name__, values) for name in peers}
    compared = {name: found for name, found in ready.items() if found is not None}
    if not compared:
        return None
    timed = {
        "by hand": call(kernel.by_hand, values),
        "graphden": graphden(kernel),
        **compared,
    }
    expected = timed["by hand"]()
    for name, found in timed.items():
        assert found() == expected, (name, found(), expected)
    seconds = rounds(timed)
    by_hand = seconds.pop("by hand")
    return {
        "kernel": kernel.name,
        "us": round(by_hand * 1e6, 3),
        "ratios": {name: round(each / by_hand, 2) for name, each in seconds.items()},
    }


def installed(names: list[str]) -> Iterator[str]:
    for name in names:
        try:
            importlib.import_module(MODULES.get(name, name))
        except ImportError:
            print(f"skipped: {name} is not installed", file=sys.stderr)
        else:
            yield name


if __name__ == "__main__":
    asked = sys.argv[1:] or list(PEERS)
    peers = list(installed(asked))
    print(
        json.dumps(
            {
                "peers": {name: version(name) for name in peers},
                "skipped": [name for name in asked if name not in peers],
                "kernels": [
                    found
                    for make in kernels.KERNELS
                    if (found := measured(make, peers)) is not None
                ],
            },
            indent=2,
        )
    )
