"""Which free argument of a wrapped row receives which parameter of a call (LANGUAGE 6.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from graphden.errors import Notes
from graphden.model.resolved import ResolvedRow
from graphden.model.rows import Inline, Items, Row, RowKind
from graphden.model.types import ANY, Callable, Type, Variable
from graphden.resolve.places import all_of


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why the parameters cannot be given out."""

    code: str
    message: str
    hint: str
    notes: Notes = ()


def match_parameters(
    target: ResolvedRow, callable_: Callable, fed: Collection[str]
) -> tuple[str | None, ...] | Mismatch:
    """The argument of `target` for each parameter, None where it is ignored.

    `fed` are the names that bindings on the referring row's chain supply.
    """
    parameters = [name for name, _ in callable_.parameters]
    declared = target.row.lambda_params
    free = target.interface
    shown = display(target.row)
    if declared is not None:
        names = [name.text for name in declared]
        if len(names) > len(parameters):
            return Mismatch(
                "invalid-lambda-params",
                f"{shown} names {len(names)} :lambda-params, the call has {len(parameters)}",
                f"The call hands {_listed(parameters) or 'nothing'}.",
                (("named here", all_of(declared)),),
            )
        receivers = [name if name in free else None for name in names]
        return tuple(receivers + [None] * (len(parameters) - len(names)))
    if len(parameters) != 1:
        return tuple(name if name in free else None for name in parameters)
    (parameter,) = parameters
    if parameter in free:
        return (parameter,)
    candidates = [name for name in free if name not in fed]
    match candidates:
        case []:
            return (None,)
        case [only]:
            return (only,)
    return Mismatch(
        "ambiguous-lambda-params",
        f"the call's :{parameter} may go to {_listed(candidates)} of {shown}",
        _choose(target, candidates, *callable_.parameters[0]),
        ((f"{shown} has {_listed(candidates, 'and')} free", target.row.name_span),)
        if not target.row.inline
        else (),
    )


def _choose(target: ResolvedRow, candidates: list[str], parameter: str, handed: Type) -> str:
    """How to say which of several arguments receives the one value that a call hands over."""
    shown = display(target.row)
    if target.row.kind is RowKind.TYPE:
        return (
            f"{shown} takes its fields one by one; to check whole values, write {{:parent "
            f":identity :args {{:value {{:as :{parameter} :type {shown}}}}}}}."
        )
    if parameter == "pair" and len(candidates) == 2:
        return (
            "The call's :pair is one list [accumulated item]; take it as {:as :pair} and read "
            "it with :get 0 and :get 1, such as {:parent :get :args {:coll {:as :pair} :key 1 "
            ":default nil}}."
        )
    likely = _likely(target, candidates, handed)
    more = (_optional(target, name) for name in candidates if name != likely)
    return (
        f"Name the one that takes it: {shown} needs :lambda-params [:{likely}], "
        f"or {{:as :{parameter}}} in its place, or [] to ignore it.{''.join(more)}"
    )


def _likely(target: ResolvedRow, candidates: list[str], handed: Type) -> str:
    """The argument that most probably is to receive what a call hands over."""

    def unlikely(name: str) -> tuple[bool, bool]:
        argument = target.interface[name]
        open_ = any(isinstance(t, Variable) or t == ANY for t in (argument.type, handed))
        return not argument.required, not (open_ or argument.type == handed)

    return min(candidates, key=unlikely)


def _optional(target: ResolvedRow, name: str) -> str:
    """Where an argument that need not be given comes from, and how it is no longer free."""
    argument = target.interface[name]
    if argument.required or not argument.origins:
        return ""
    origin = argument.origins[0]
    nothing = argument.type == ANY or isinstance(argument.type, Variable)
    such = f", such as :{name} nil" if nothing else ""
    if origin.row != target.row.id:
        owner = origin.row.rpartition("/")[2]
        return f" :{name} is that of :{owner}; bind it here{such}, if it is not meant."
    span = origin.span
    parents = [row.parents[0].text for row in _inline(target.row) if row.span == span]
    by = f"that of {{:parent :{parents[0]} …}}" if parents else "free"
    return f" :{name} is {by} at {span}; bind it there{such}, if it is not meant."


def _inline(row: Row) -> Iterator[Row]:
    """The rows that a row has written inline, those that have a parent."""
    for argument in row.arguments:
        target = argument.binding.target
        items = target.items if isinstance(target, Items) else (argument.binding,)
        for item in items:
            if isinstance(item.target, Inline) and item.target.row.parents:
                yield item.target.row


def display(row: Row) -> str:
    """A row as a message names it."""
    return "this inline row" if row.inline else f":{row.name}"


def _listed(names: Collection[str], word: str = "or") -> str:
    *most, last = [f":{name}" for name in names] or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
