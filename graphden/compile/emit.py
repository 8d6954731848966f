"""From a plan to Python, written through `ast`. This decides nothing: it writes what the plan
and the schedule say, in the order of evaluation.

Every node has a line of its own in the generated function; `Compiled.lines` says which row, and
which way to it, a line stands for. Arguments are positional and in the order of the plan.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType

from graphden.compile.choosing import choose
from graphden.compile.forms import Forms, Guards
from graphden.compile.schedule import Bodies, FunctionBody
from graphden.compile.spans import CHECKED, Variant
from graphden.compile.steps import run
from graphden.model.plan import Call, Plan, Trail

__all__ = ["Compiled", "FunctionBody", "emit"]


@dataclass(frozen=True, slots=True)
class Compiled:
    """An entry row as a Python function.

    `function(context, *arguments)` takes the arguments in the order of the row's interface;
    `MISSING` stands for one that was not given. A traced one is `function(context, tracer,
    *arguments)`. Line n of the file `filename` is `lines[n - 1]`.
    """

    function: Callable[..., object]
    filename: str
    lines: tuple[Trail, ...]
    source: ast.Module


def emit(
    plan: Plan, bodies: Bodies, guard: Guards, filename: str, variant: Variant = CHECKED
) -> Compiled:
    """Write `plan` as a function and compile it.

    `bodies` are looked up by base function row; `guard` makes the check of a type. Code that
    calls a base function which may end a part of the run has checks, whatever the variant.
    """
    if any(
        bodies[node.function].takes_context for node in plan.nodes() if isinstance(node, Call)
    ):
        variant = variant._replace(checks=True)
    choice = choose(plan, bodies, plan.types)
    emitter = _writer(variant)(bodies, guard, choice, plan.types, variant)
    definition = run(emitter.function(plan.entry, "entry", outermost=True))
    module = ast.Module(body=[*emitter.lifted, definition], type_ignores=[])
    ast.fix_missing_locations(module)
    namespace = emitter.globals
    exec(compile(module, filename, "exec"), namespace)  # noqa: S102 - the code is our own
    function = namespace["entry"]
    if not isinstance(function, FunctionType):
        msg = "the generated module defines no entry"
        raise TypeError(msg)
    return Compiled(function, filename, tuple(emitter.lines), module)


def _writer(variant: Variant) -> type[Forms]:
    if not variant.traced:
        return Forms
    from graphden.compile.traced import Traced  # few runs are traced

    return Traced
