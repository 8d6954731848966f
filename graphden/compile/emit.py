"""From a plan to Python, written through `ast`. This decides nothing: it writes what the plan
and the schedule say, in the order of evaluation.

Every node has a line of its own in the generated function; `Compiled.lines` says which row, and
which way to it, a line stands for. Arguments are positional and in the order of the plan.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from graphden.compile.choosing import choose
from graphden.compile.forms import Forms
from graphden.compile.linking import Global, Guards, Written, link
from graphden.compile.schedule import Bodies, FunctionBody
from graphden.compile.spans import CHECKED, Variant
from graphden.compile.steps import run
from graphden.model.plan import Call, Plan, Trail

__all__ = ["Compiled", "FunctionBody", "Source", "emit", "source", "write"]


@dataclass(frozen=True, slots=True)
class Compiled:
    """An entry row as a Python function.

    `function(context, *arguments)` takes the arguments in the order of the row's interface;
    `MISSING` stands for one that was not given. A traced one is `function(context, tracer,
    *arguments)`. Line n of the file `filename` is `lines[n - 1]`.
    """

    function: Callable[..., object]
    filename: str
    lines: Sequence[Trail]
    source: ast.Module


@dataclass(frozen=True, slots=True)
class Source:
    """An entry row as a module that defines `entry`, to be read: what its globals stand for,
    the ways to the rows that its lines evaluate, and which arguments its parameters are.
    """

    module: ast.Module
    globals: Mapping[str, Global]
    lines: Sequence[Trail]
    arguments: Mapping[str, str]


def source(plan: Plan, bodies: Bodies, variant: Variant = CHECKED) -> Source:
    """Write `plan` as a function."""
    module, forms = _module(plan, bodies, variant)
    arguments = {
        written.id: parameter.name
        for parameter, written in forms.parameters.items()
        if isinstance(written, ast.Name)
    }
    return Source(module, forms.globals, tuple(forms.lines), arguments)


def emit(
    plan: Plan, bodies: Bodies, guard: Guards, filename: str, variant: Variant = CHECKED
) -> Compiled:
    """Write `plan` as a function, compile it and join it with what it calls.

    `bodies` are looked up by base function row; `guard` makes the check of a type.
    """
    module, forms = _module(plan, bodies, variant)
    written = _compiled(module, forms, filename)
    function = link(written, bodies, guard, plan.types)
    return Compiled(function, filename, written.lines, module)


def write(plan: Plan, bodies: Bodies, filename: str, variant: Variant = CHECKED) -> Written:
    """Write `plan` as a function and compile it."""
    return _compiled(*_module(plan, bodies, variant), filename)


def _module(plan: Plan, bodies: Bodies, variant: Variant) -> tuple[ast.Module, Forms]:
    """The module that defines the function.

    Code that calls a base function which may end a part of the run has checks, whatever the
    variant.
    """
    if any(
        bodies[node.function].takes_context for node in plan.nodes() if isinstance(node, Call)
    ):
        variant = variant._replace(checks=True)
    choice = choose(plan, bodies, plan.types, each_apart=variant.traced)
    forms = _writer(variant)(bodies, choice, plan.types, variant)
    definition = run(forms.function(plan.entry, "entry", outermost=True))
    module = ast.Module(body=[*forms.lifted.values(), definition], type_ignores=[])
    return ast.fix_missing_locations(module), forms


def _writer(variant: Variant) -> type[Forms]:
    if not variant.traced:
        return Forms
    from graphden.compile.traced import Traced  # few runs are traced

    return Traced


def _compiled(module: ast.Module, forms: Forms, filename: str) -> Written:
    return Written(compile(module, filename, "exec"), forms.globals, tuple(forms.lines))
