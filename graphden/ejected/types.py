"""Types and type rows as EDN text that stands alone: type rows are named in full."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphden.edn import Form, Keyword, read
from graphden.errors import GraphError, UsageError
from graphden.model.types import (
    Callable,
    ListOf,
    MapOf,
    Named,
    Primitive,
    Record,
    Refined,
    TupleOf,
    Type,
    Union,
    Unresolved,
    Variant,
)
from graphden.read.problems import Problems
from graphden.read.types import read_type, read_type_row
from graphden.resolve.naming import with_names
from graphden.resolve.types import with_parts


def type_text(type_: Type) -> str:
    """The type as `type_of` reads it. Raises UsageError `no-text` where none says the same."""
    text = str(_in_full(type_))
    if type_of(text) != type_:
        raise _no_text(type_)
    return text


def type_of(text: str) -> Type:
    """The type that a text writes. Raises GraphError."""
    [form] = read(text, "<type>")
    return _read(form)


def type_rows_text(types: Mapping[str, Type], rows: Iterable[str]) -> str:
    """Some type rows, one a line, as `type_rows_of` reads them. Raises UsageError `no-text`."""
    lines = []
    for row in rows:
        key, inside = _role(types[row])
        line = f"{{:name :{row} :{key} {inside}}}"
        if type_rows_of(line) != {row: types[row]}:
            raise _no_text(types[row])
        lines.append(line)
    return "\n".join(lines)


def type_rows_of(text: str) -> dict[str, Type]:
    """The type rows that a text writes, by name."""
    found: dict[str, Type] = {}
    for row in read(text, "<types>"):
        entries = {_text(key): inside for key, inside in row.entries}
        name = _text(entries.pop("name"))
        [(key, form)] = entries.items()
        found[name] = _read(form, key)
    return found


def named_in(types: Iterable[Type], rows: Mapping[str, Type]) -> list[str]:
    """The type rows that some types name, directly or through others, in order of name."""
    found: set[str] = set()
    waiting = [*types]
    while waiting:
        type_ = waiting.pop()
        if isinstance(type_, Named):
            if type_.row not in found and type_.row in rows:
                found.add(type_.row)
                waiting.append(rows[type_.row])
            continue

        def note(inner: Type) -> Type:
            waiting.append(inner)
            return inner

        with_parts(type_, note)
    return sorted(found)


def standing_alone(type_: Type) -> Type:
    """The type as rows write it: its records are open for further fields."""
    match type_:
        case Record(fields, True):
            type_ = Record(fields)
    return with_parts(type_, standing_alone)


def _in_full(type_: Type) -> Type:
    # A primitive of a row's full name is written as that name.
    return Primitive(type_.row) if isinstance(type_, Named) else with_parts(type_, _in_full)


def _role(type_: Type) -> tuple[str, str]:
    match type_:
        case Record():
            return "type", str(_in_full(type_))
        case Refined(base, constraint):
            return "refine", f"{{:base {_in_full(base)} :constraint {constraint}}}"
        case ListOf(item):
            return "list", str(_in_full(item))
        case MapOf() | TupleOf() | Union() | Variant():
            head, _, inside = str(_in_full(type_)).removeprefix("[:").partition(" ")
            return head, f"[{inside}"
        case Callable():
            inside = str(_in_full(type_)).removeprefix("[:fn ")
            return "fn-type", f"[{inside}"
    raise _no_text(type_)


def _read(form: Form, key: str | None = None) -> Type:
    problems = Problems("type", variables=True)
    type_ = read_type(form, problems) if key is None else read_type_row(key, form, problems)
    if problems.found:
        raise GraphError(problems.found)
    return with_names(type_, _named)


def _text(form: Form) -> str:
    return form.value.text if isinstance(form.value, Keyword) else ""


def _named(written: Unresolved) -> Type:
    return Named(written.name)


def _no_text(type_: Type) -> UsageError:
    return UsageError(
        "no-text",
        f"the type {type_} has no text of its own",
        hint="Give it a name, as a type row, and use that.",
    )
