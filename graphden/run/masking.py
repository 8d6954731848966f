"""Secrets that rows write where their types cannot be asked (LANGUAGE 8.7).

Of rows that make no graph it is not known what stands in which slot. What such a row writes
behind a name that is secret anywhere in these rows, or beside the type `[:secret …]`, is masked
where its line is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphden.check import holds_secret
from graphden.model.resolved import Program
from graphden.model.rows import Binding, Items, Row
from graphden.model.types import Record

_TEXT = r'"(?:[^"\\]|\\.)*"?'
_LITERAL = re.compile(rf"{_TEXT}|[^\s\",\[\]{{}}]+")
_END = r"(?![^\s,{\[\"])"  # of a name
_SECRET = re.compile(r"\{[^{}]*\[:secret\b[^{}]*\}?")

_behind: re.Pattern[str] | None = None


def remember_names(program: Program, rows: Iterable[Row]) -> None:
    """Mask from now on what stands behind the names that are secret somewhere in the rows of a
    program, resolved or not.
    """
    global _behind  # noqa: PLW0603 - of the rows that were looked at last
    names = {re.escape(name) for name in _names(program, rows)}
    _behind = None
    if names:
        listed = "|".join(sorted(names, key=len, reverse=True))
        held = rf"\{{[^{{}}]*|\[[^\[\]]*|{_TEXT}|[^\s,\[\]{{}}]+"
        _behind = re.compile(rf":(?:{listed}){_END}[\s,]*({held})")


def _names(program: Program, rows: Iterable[Row]) -> Iterator[str]:
    types = program.types
    for resolved in program.resolved.values():
        for slot in resolved.slots:
            if holds_secret(slot.type, types):
                yield slot.name
        for name, parameter in resolved.interface.items():
            if holds_secret(parameter.type, types):
                yield name
        for name, feed in resolved.feeds.items():
            if holds_secret(feed.type, types):
                yield name
    for body in types.values():
        for field in body.fields if isinstance(body, Record) else ():
            if holds_secret(field.type, types):
                yield field.name
    for row in rows:
        for argument in row.arguments:
            yield from _of_binding(argument.name, argument.binding)


def _of_binding(name: str, binding: Binding) -> Iterator[str]:
    if binding.type is not None and holds_secret(binding.type, {}):
        yield name if binding.as_name is None else binding.as_name.text
    if isinstance(binding.target, Items):
        for item in binding.target.items:
            yield from _of_binding(name, item)


def mask(line: str) -> str:
    """`line` with a dot for each character of what is a secret, as far as its names tell."""
    if _behind is not None:
        line = _behind.sub(_without_value, line)
    return _SECRET.sub(_without_literals, line)


def _without_value(found: re.Match[str]) -> str:
    at = found.start(1) - found.start()
    return found[0][:at] + _LITERAL.sub(_dots, found[1])


def _without_literals(found: re.Match[str]) -> str:
    return _LITERAL.sub(_dots, found[0])


def _dots(found: re.Match[str]) -> str:
    text = found[0]
    if text.startswith(":") or text in {"nil", "true", "false"}:
        return text  # a name, or what tells nothing
    if not text.startswith('"'):
        return "•" * len(text)
    closed = len(text) > 1 and text.endswith('"')
    inside = len(text) - 1 - closed
    return f'"{"•" * inside}{chr(34) if closed else ""}'
