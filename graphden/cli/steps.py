"""What one binding of a row does to a slot or a free name, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from graphden.cli.describing import item_type, literal
from graphden.edn import Keyword
from graphden.model.rows import (
    Argument,
    Binding,
    Inline,
    Items,
    Literal,
    Reference,
    Target,
    Unreadable,
)
from graphden.model.types import Type


def actions_of(
    argument: Argument, type_: Type, types: Mapping[str, Type], *, extends: bool
) -> list[dict[str, Any]]:
    """What a binding does to what is of type `type_`, in the order in which it is told.

    `extends` says that a vector adds to items of rows above.
    """
    binding = argument.binding
    found: list[dict[str, Any]] = []
    as_name, target = binding.as_name, binding.target
    if as_name is not None:
        same = as_name.text == argument.name
        found.append({"action": "left-open" if same else "renamed", "to": as_name.text})
    if target is not None:
        action = "default" if as_name is not None else "bound"
        if action == "bound" and extends and isinstance(target, Items):
            action = "added"
        found.append({"action": action, "value": _target(target, type_, types)})
    if isinstance(target, Items) and target.closed:
        found.append({"action": "closed"})
    if binding.type is not None:
        found.append({"action": "narrowed", "type": str(binding.type)})
    if binding.required:
        found.append({"action": "required"})
    if binding.terminal:
        found.append({"action": "terminal"})
    return found


def _target(target: Target, type_: Type, types: Mapping[str, Type]) -> str:
    """What stands behind a slot, as it is written; inline rows are cut short."""
    match target:
        case Literal(value=Keyword() as value):
            return f"{{:value {literal(value, type_, types)}}}"
        case Literal(value=value):
            return literal(value, type_, types)
        case Reference(name=name):
            return f":{name.text}"
        case Inline(row=row):
            return f"{{:parent {' '.join(f':{parent.text}' for parent in row.parents)} …}}"
        case Items(items=items):
            each = item_type(type_, types)
            return f"[{' '.join(_item(item, each, types) for item in items)}]"
        case Unreadable():
            return "…"
        case _:
            assert_never(target)


def _item(item: Binding, type_: Type, types: Mapping[str, Type]) -> str:
    type_ = item.type or type_
    if item.as_name is None:
        return "…" if item.target is None else _target(item.target, type_, types)
    parts = [f":as :{item.as_name.text}"]
    match item.target:
        case None:
            pass
        case Literal(value=value):
            parts.append(f":value {literal(value, type_, types)}")
        case target:
            parts.append(f":ref {_target(target, type_, types)}")
    return f"{{{' '.join(parts)}}}"
