"""What must not be seen: the values of `[:secret T]` (LANGUAGE 8.7).

Types keep a secret from flowing where it does not belong; this keeps it out of texts. Every
value that comes in as a secret is noted, and error texts are cleaned of what was noted.
"""

from __future__ import annotations

import json
import re
import threading
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, time
from decimal import Decimal
from typing import TypeAlias
from urllib.parse import quote
from uuid import UUID

from graphden.check import Contracts, Violation, holds_secret
from graphden.check.calls import RESULTS, Calls
from graphden.check.solve import variables
from graphden.edn import write
from graphden.errors import Problem
from graphden.model.resolved import Constant, Open, Program, Sequence, Source, Use, Wrap
from graphden.model.types import (
    ANY,
    NULL,
    ListOf,
    MapOf,
    Named,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Variant,
)
from graphden.model.types import Callable as Called
from graphden.resolve import item_type
from graphden.resolve.types import parts

HIDDEN = "‹secret›"
"""Stands where a secret would."""

MOST = 10_000
"""How many secrets are remembered; the oldest are forgotten first."""

DEEPEST = 100
"""Levels of the data of an error that are looked through; what is below is hidden."""

SHORTEST = 3
"""Characters below which a text says too little to be looked for in others."""

TELLING = 16
"""Characters of the beginning of a secret that tell too much of it, wherever they stand."""

CUT = re.compile(r"…|\.\.\.")
"""What stands behind the beginning of a text that was cut."""

Keep: TypeAlias = Callable[[object], None]
"""What is done with a secret that was found."""

_lock = threading.Lock()
_noted: OrderedDict[str, None] = OrderedDict()


def note(value: object) -> None:
    """Remember a secret value, or the values inside it."""
    waiting = [value]
    walked: set[int] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list | tuple | set | frozenset):
            if id(one) in walked:
                continue
            walked.add(id(one))
        match one:
            case dict() as held:
                waiting += [*held, *held.values()]
            case list() | tuple() | set() | frozenset() as held:
                waiting += held
            case None | bool():
                pass
            case scalar:
                with _lock:
                    for form in dict.fromkeys(forms(scalar)):
                        _noted[form] = None
                        _noted.move_to_end(form)
                    while len(_noted) > MOST:
                        _noted.popitem(last=False)


def forms(value: object) -> Iterator[str]:
    """The texts in which a value may come up: as it is, as Python, EDN, JSON or a URL write it,
    and the lines of a text of several.
    """
    plain = _plain(value)
    written = [plain, write(value, lossy=True)]
    match value:
        case str():
            inside = plain.encode("unicode_escape").decode()
            written += [repr(value), json.dumps(plain), inside, quote(plain, safe="")]
            written += [line for line in plain.splitlines() if len(line) >= TELLING]
        case bytes():
            written += [
                repr(value)[1:],
                value.hex(),
                b64encode(value).decode(),
                value.decode(errors="replace"),
            ]
        case date() | time():
            written.append(value.isoformat())
        case UUID(hex=digits):
            written.append(digits)
        case Decimal():
            written.append(format(value, "f"))
    for text in written:
        bare = text.strip()
        if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
            bare = bare[1:-1]
        if len(bare) >= SHORTEST:
            yield bare


def _plain(value: object) -> str:
    # Python's own text of an integer of many digits is refused.
    return write(value) if isinstance(value, int) else str(value)


def note_typed(
    value: object, type_: Type, types: Mapping[str, Type], keep: Keep = note
) -> None:
    """Remember the parts of a value that its type calls secret, or `keep` them elsewhere."""
    if value is None or not holds_secret(type_, types):
        return
    match type_:
        case Named(row):
            note_typed(value, types.get(row, ANY), types, keep)
        case ListOf(item) if isinstance(value, list | tuple):
            for inner in value:
                note_typed(inner, item, types, keep)
        case Refined(base, _):
            note_typed(value, base, types, keep)
        case MapOf(key, item) if isinstance(value, dict):
            for name, inner in value.items():
                note_typed(name, key, types, keep)
                note_typed(inner, item, types, keep)
        case Record(fields) if isinstance(value, dict):
            for field in fields:
                note_typed(value.get(field.name), field.type, types, keep)
        case TupleOf(items) if isinstance(value, list | tuple):
            for inner, item in zip(value, items, strict=False):
                note_typed(inner, item, types, keep)
        case Union(members):
            for member in members:
                note_typed(value, member, types, keep)
        case Variant(cases) if isinstance(value, list | tuple) and len(value) == 2:
            for tag, inner in cases:
                if value[0] == tag:
                    note_typed(value[1], inner, types, keep)
        case _:
            keep(value)


def noting_calls(value: object, type_: Type, contracts: Contracts) -> object:
    """A value whose callables, wherever in it, note what they give where their types call it
    secret.
    """

    def noted(given_back: object, result: Type) -> object:
        note_typed(given_back, result, contracts.types)
        return given_back

    return _with_results(value, type_, contracts, noted)


def hiding_calls(value: object, type_: Type, contracts: Contracts) -> object:
    """A value whose callables, wherever in it, hide what they give where their types call it
    secret.
    """
    types = contracts.types
    return _with_results(value, type_, contracts, lambda given, kind: hide(given, kind, types))


def _with_results(
    value: object, type_: Type, contracts: Contracts, made: Callable[[object, Type], object]
) -> object:
    types = contracts.types
    calls = (part for part in parts(type_, types) if isinstance(part, Called))
    if not any(holds_secret(call.result, types) for call in calls):
        return value

    def check_of(result: Type) -> Callable[[object], object]:
        check = contracts.checked(result)
        return lambda given: made(check(given), result)

    return Calls(types, check_of).wrap(type_, value, RESULTS)


def note_literals(program: Program, rows: Iterable[str], keep: Keep = note) -> None:
    """Remember, or `keep` elsewhere, what rows write where a secret stands: behind slots and
    names, as defaults and items, and where it becomes one as the row gives it on.
    """
    for value, type_ in _literals(program, rows):
        note_typed(value, type_, program.types, keep)


def are_literals(program: Program, rows: Iterable[str]) -> bool:
    """Whether rows write a value where a secret stands."""
    return any(
        value is not None and holds_secret(type_, program.types)
        for value, type_ in _literals(program, rows)
    )


def _literals(program: Program, rows: Iterable[str]) -> Iterator[tuple[object, Type]]:
    types = program.types
    for row_id in rows:
        row = program.resolved[row_id]
        given_on = variables(program.resolved[row.root.id].result)
        for slot in row.slots:
            declared = slot.declaration
            yield from _of_source(slot.source, slot.type, types)
            if declared.has_default:
                yield declared.default, slot.type
            if given_on & variables(declared.type):
                yield from _of_source(slot.source, row.result, types)
        for feed in row.feeds.values():
            yield from _of_source(feed.source, feed.type, types)


def _of_source(
    source: Source | None, type_: Type, types: Mapping[str, Type]
) -> Iterator[tuple[object, Type]]:
    match source:
        case Constant(value=value, type=own):
            yield value, type_
            if own is not None:
                yield value, own
        case Open(default=default, type=own) if default is not None:
            yield from _of_source(default, type_, types)
            yield from _of_source(default, own, types)
        case Sequence(items=items):
            item = item_type(type_, types)
            if item is None:
                item = Secret(ANY) if holds_secret(type_, types) else ANY
            for each in items:
                yield from _of_source(each, item, types)
        case Use(renamed=renamed) | Wrap(renamed=renamed):
            for opened in renamed.values():
                yield from _of_source(opened, ANY, types)


def hide(value: object, type_: Type, types: Mapping[str, Type]) -> object:
    """A value with `HIDDEN` in place of the parts that its type calls secret."""
    if value is None or not holds_secret(type_, types):
        return value
    match type_:
        case Secret():
            return HIDDEN
        case Named(row):
            return hide(value, types.get(row, ANY), types)
        case ListOf(item) if isinstance(value, list | tuple):
            return [hide(inner, item, types) for inner in value]
        case Refined(base, _):
            return hide(value, base, types)
        case Union(members) if len(some := [m for m in members if m != NULL]) == 1:
            return hide(value, some[0], types)
        case MapOf(key_type, item) if isinstance(value, dict):
            if holds_secret(key_type, types):
                return HIDDEN
            return {key: hide(inner, item, types) for key, inner in value.items()}
        case Record(fields) if isinstance(value, dict):
            known = {field.name: field.type for field in fields}
            return {k: hide(inner, known.get(k, ANY), types) for k, inner in value.items()}
        case TupleOf(items) if isinstance(value, list | tuple):
            pairs = zip(value, items, strict=False)
            return [hide(inner, item, types) for inner, item in pairs]
    return HIDDEN


def clean(text: str) -> str:
    """`text` without the secrets that were noted, in whatever form, and without what is left
    of those that were cut.
    """
    if not _noted:
        return text
    with _lock:
        secrets = sorted(_noted, key=len, reverse=True)
    for secret in secrets:
        if secret[:SHORTEST] in text:
            text = _without_beginnings(text.replace(secret, HIDDEN), secret)
    return text


def _without_beginnings(text: str, secret: str) -> str:
    at = text.find(secret[:SHORTEST])
    while at >= 0:
        end = at + _shared(secret, text[at : at + len(secret)])
        if end - at >= TELLING or CUT.match(text, end):
            text = f"{text[:at]}{HIDDEN}{text[end:]}"
        at = text.find(secret[:SHORTEST], at + 1)
    return text


def clean_problem(problem: Problem) -> Problem:
    """What is wrong with rows, told without the noted secrets."""
    message, hint = clean(problem.message), clean(problem.hint)
    if (message, hint) == (problem.message, problem.hint):
        return problem
    return replace(problem, message=message, hint=hint)


def mask(text: str) -> str:
    """`text` with a dot for each character of the secrets that were noted: what stands behind
    them keeps its column.
    """
    with _lock:
        secrets = sorted(_noted, key=len, reverse=True)
    for secret in secrets:
        text = text.replace(secret, "•" * len(secret))
    return text


def clean_in(value: object) -> object:
    """A value without the noted secrets in it; what tells none stays itself. Levels beyond the
    `DEEPEST` are hidden.
    """
    return _clean_in(value, DEEPEST, {}) if _noted else value


def _clean_in(value: object, levels: int, found: dict[tuple[int, int], object]) -> object:
    """`found` has what was cleaned already: parts that values share are walked once a level."""
    if levels == 0:
        return HIDDEN

    def inside(parts: Iterable[object]) -> list[object]:
        return [_clean_in(part, levels - 1, found) for part in parts]

    key = id(value), levels
    if key in found:
        return found[key]
    match value:
        case str():
            cleaned = clean(value)
            return value if cleaned == value else cleaned
        case dict():
            keys = inside(value)
            values = inside(value.values())
            same = _same(value, keys) and _same(value.values(), values)
            found[key] = value if same else dict(zip(keys, values, strict=True))
        case list() | tuple() | set() | frozenset():
            parts = inside(value)
            found[key] = value if _same(value, parts) else type(value)(parts)
        case Violation(path, expected, came):
            parts = inside((*path, came))
            return Violation(tuple(parts[:-1]), expected, str(parts[-1]))
        case bool():
            return value
        case int() | float() | Decimal() | date() | time() | UUID() | bytes():
            return HIDDEN if _plain(value) in _noted else value
    return found.get(key, value)


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _same(parts: Iterable[object], others: Iterable[object]) -> bool:
    return all(one is other for one, other in zip(parts, others, strict=True))
