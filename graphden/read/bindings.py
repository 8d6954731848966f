"""From forms to bindings: what may stand behind a name in `:args` (LANGUAGE 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graphden.edn import Keyword, Symbol
from graphden.edn.forms import Form, Kind
from graphden.model.rows import (
    Argument,
    Binding,
    Inline,
    Items,
    Literal,
    Name,
    Reference,
    Row,
    Target,
    Unreadable,
)
from graphden.read.declarations import read_description, read_flag
from graphden.read.problems import Problems, as_keyword, did_you_mean, shown
from graphden.read.types import read_type

PARENT_KEYS = ("parent", "parents")
BINDING_KEYS = (
    "as",
    "ref",
    "value",
    "type",
    "append",
    "closed",
    "required",
    "terminal",
    "description",
    *PARENT_KEYS,
    "args",
    "lambda-params",
)
TARGET_KEYS = ("value", "ref", "append")
DATA_HINT = "If the map is data, write {:value {…}}."

Path = tuple[str | int, ...]
InlineReader = Callable[[Form, Path, Problems], Row | None]
"""Reads the row written at a place; None, noted, when it stands inside too many others."""


def read_arguments(
    form: Form | None, problems: Problems, read_inline: InlineReader
) -> tuple[Argument, ...]:
    """The bindings that the `:args` of a row with a parent write."""
    if form is None:
        return ()
    if form.kind is not Kind.MAP:
        problems.bad(
            form,
            f":args takes a map from slots to bindings, not {shown(form)}",
            "Write :args {:nums [1 2]}, say.",
        )
        return ()
    # Of a key that stands twice, which is said elsewhere, the last counts.
    found: dict[str, Argument] = {}
    for key, value in form.entries:
        if isinstance(key.value, Keyword):
            name = key.value.text
            binding = read_binding(value, (name,), problems, read_inline)
            found[name] = Argument(name, key.span, binding)
        else:
            problems.bad(
                key,
                f"a slot is named by a keyword, not {shown(key)}",
                as_keyword(key, "Write the name of a slot, such as :nums."),
            )
    return tuple(found.values())


def read_binding(
    form: Form, path: Path, problems: Problems, read_inline: InlineReader
) -> Binding:
    """The binding that `form` writes; `path` is the way to it inside the row's `:args`."""
    match form.kind, form.value:
        case Kind.SCALAR, Keyword() as name:
            reference = Reference(Name(name.text, form.span), form.span)
            return Binding(form.span, reference)
        case Kind.SCALAR, Symbol(name):
            problems.bad(
                form,
                f"the symbol {name} means nothing here",
                f'Write :{name} for a row, or "{name}" for text.',
            )
            return _unreadable(form)
        case Kind.VECTOR, _:
            return Binding(form.span, _vector(form, path, problems, read_inline))
        case Kind.MAP, _ if _has(form, BINDING_KEYS):
            return _binding_form(form, path, problems, read_inline)
    return Binding(form.span, Literal(form.value, form.span))


def _has(form: Form, keys: tuple[str, ...]) -> bool:
    return any(isinstance(key.value, Keyword) and key.value in keys for key, _ in form.entries)


def _unreadable(form: Form) -> Binding:
    return Binding(form.span, Unreadable(form.span))


def _vector(form: Form, path: Path, problems: Problems, read_inline: InlineReader) -> Items:
    """A vector: where it turns out to be one literal, its items have no problems."""
    inside = Problems(problems.row)
    items = _items(form, path, inside, read_inline)
    return replace(items, problems=tuple(inside.found))


def _items(form: Form, path: Path, problems: Problems, read_inline: InlineReader) -> Items:
    items = tuple(
        _item(item, (*path, index), problems, read_inline)
        for index, item in enumerate(form.items)
    )
    return Items([item.value for item in form.items], items, form.span)


def _item(form: Form, path: Path, problems: Problems, read_inline: InlineReader) -> Binding:
    if form.kind is Kind.VECTOR:
        return Binding(form.span, Literal(form.value, form.span))
    if len(path) > 2:  # inside an :append that stands in a vector, which is refused
        return _unreadable(form)
    binding = read_binding(form, path, problems, read_inline)
    if isinstance(binding.target, Items):
        problems.bad(
            form,
            ":append cannot stand inside a vector",
            "A vector already follows the items of the rows above; write its items here.",
        )
        return _unreadable(form)
    if binding.target is None and binding.as_name is None:
        problems.bad(
            form,
            f"{shown(form)} is no item: it has neither a value nor a reference nor :as",
            "Write {:as :n :type T} for an argument, or {:value {…}} for data.",
        )
        return _unreadable(form)
    return binding


def _binding_form(
    form: Form, path: Path, problems: Problems, read_inline: InlineReader
) -> Binding:
    if _has(form, PARENT_KEYS):
        row = read_inline(form, path, problems)
        return _unreadable(form) if row is None else Binding(form.span, Inline(row, form.span))
    inside = Problems(problems.row)
    binding = _explicit(form, path, inside, read_inline)
    if not inside.found:
        _check_whole(form, binding, inside)
    problems.found.extend(inside.found)
    return _unreadable(form) if inside.found else binding


def _explicit(form: Form, path: Path, problems: Problems, read_inline: InlineReader) -> Binding:
    """The binding form, key by key."""
    known = [key for key, _ in form.entries if _is_key(key, BINDING_KEYS)]
    for key, _ in form.entries:
        if key not in known:
            close = did_you_mean(shown(key).removeprefix(":"), BINDING_KEYS)
            problems.add(
                "unknown-key",
                key.span,
                f"{shown(key)} cannot stand in a binding form ({shown(known[0])} makes this "
                "map one)",
                f"{close} {DATA_HINT}".strip(),
            )
            return _unreadable(form)
    as_name: Name | None = None
    target: Target | None = None
    type_ = None
    flags = {"required": False, "terminal": False, "closed": False}
    for key, value in form.entries:
        match str(key.value).removeprefix(":"):
            case "as":
                as_name = _keyword(value, ":as takes the new name", problems)
            case "ref":
                name = _keyword(value, ":ref takes the name of a row", problems)
                if name is not None:
                    target = Reference(name, value.span, explicit=True)
            case "value":
                target = Literal(value.value, value.span, whole=True)
            case "append" if value.kind is Kind.VECTOR:
                target = replace(_items(value, path, problems, read_inline), append=True)
            case "append":
                problems.bad(
                    value,
                    f":append takes a vector of items, not {shown(value)}",
                    "Write {:append [1 2]}, say.",
                )
            case "type":
                type_ = read_type(value, problems)
            case "description":
                read_description(value, problems)
            case "required" | "terminal" | "closed" as flag:
                flags[flag] = read_flag(flag, value, problems)
            case other:
                problems.bad(key, f":{other} needs a :parent beside it", DATA_HINT)
    if isinstance(target, Items):
        target = replace(target, closed=flags["closed"])
    return Binding(form.span, target, as_name, type_, flags["required"], flags["terminal"])


def _check_whole(form: Form, binding: Binding, problems: Problems) -> None:
    """Whether the keys of a binding form go together."""
    targets = [key for key, _ in form.entries if _is_key(key, TARGET_KEYS)]
    appends = isinstance(binding.target, Items)
    closed = form.get("closed")
    if len(targets) > 1:
        problems.bad(
            targets[1],
            f"{shown(targets[0])} and {shown(targets[1])} exclude each other",
            "A binding has one source: keep one of them.",
        )
    elif appends and binding.as_name is not None:
        problems.bad(
            form,
            ":append and :as exclude each other",
            "Write {:as … :value […]} for a default.",
        )
    elif closed is not None and not appends:
        problems.bad(
            form,
            ":closed goes with :append",
            "Write {:append […] :closed true}, or {:terminal true} to refuse all bindings.",
        )
    elif (
        binding.target is None
        and binding.as_name is None
        and binding.type is None
        and not (binding.required or binding.terminal)
    ):
        problems.bad(form, "this binding form binds nothing", DATA_HINT)


def _is_key(key: Form, known: tuple[str, ...]) -> bool:
    return isinstance(key.value, Keyword) and key.value in known


def _keyword(form: Form, expected: str, problems: Problems) -> Name | None:
    if isinstance(form.value, Keyword):
        return Name(form.value.text, form.span)
    problems.bad(
        form,
        f"{expected}, a keyword, not {shown(form)}",
        as_keyword(form, "Write a keyword such as :item."),
    )
    return None
