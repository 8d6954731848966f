"""Written code as bytes, and back in another process.

The bytes hold code: only those that this user has written are to be read. Python of another
version cannot read them; whoever keeps them keeps them apart by version.
"""

from __future__ import annotations

import marshal
import pickle
from collections.abc import Iterable, Sequence
from types import CodeType
from typing import Any, TypeAlias, overload

from graphden.compile.linking import BodyOf, Global, Literal, NeedOf, Written
from graphden.errors import Span
from graphden.model.plan import Trail

DEEPEST = 200
"""Levels of a literal that is written: `pickle` goes down by recursion, on the stack of C."""

_Step: TypeAlias = tuple[str, tuple[Any, ...] | None, int, bool]
"""A trail: row, parts of the span, where the trail above it stands (or -1), whether inline."""


def dump(written: Written) -> bytes | None:
    """The bytes of written code; None when it holds what only this process has."""
    plain: dict[str, tuple[str, ...]] = {}
    others: dict[str, Global] = {}
    for name, meant in written.globals.items():
        match meant:
            case BodyOf(row=row):
                plain[name] = (row,)
            case NeedOf(row=row, name=needed):
                plain[name] = (row, needed)
            case Literal(value=value) if _is_deep(value):
                return None
            case _:
                others[name] = meant
    try:
        pickled = pickle.dumps(others, pickle.HIGHEST_PROTOCOL) if others else b""
        steps, lines = _flat(written.lines)
        # Apart from the rest: where a row stands is asked only when it fails.
        trails = marshal.dumps((steps, lines))
        return marshal.dumps((written.code, plain, pickled, len(lines), trails))
    except (ValueError, TypeError, AttributeError, RecursionError, pickle.PicklingError):
        return None


def load(content: bytes, filename: str) -> Written:
    """What `dump` made these bytes of, as code of the file `filename`."""
    code, plain, pickled, lines, trails = marshal.loads(content)  # noqa: S302
    meant: dict[str, Global] = {
        name: BodyOf(*given) if len(given) == 1 else NeedOf(*given)
        for name, given in plain.items()
    }
    if pickled:
        meant |= pickle.loads(pickled)  # noqa: S301
    return Written(_renamed(code, filename), meant, _Trails(lines, trails))


def _is_deep(value: object) -> bool:
    """Whether a value nests beyond `DEEPEST` levels."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inside for each in level for inside in _inside(each)]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    match value:
        case dict():
            return (*value, *value.values())
        case list() | tuple() | set() | frozenset():
            return value
    return ()


def _renamed(code: CodeType, filename: str) -> CodeType:
    constants = tuple(
        _renamed(each, filename) if isinstance(each, CodeType) else each
        for each in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


def _flat(trails: Sequence[Trail]) -> tuple[list[_Step], list[int]]:
    """The steps of all trails, each once and after those above it; for each trail its step."""
    places: dict[Trail, int] = {}
    steps: list[_Step] = []
    for trail in trails:
        missing: list[Trail] = []
        step: Trail | None = trail
        while step is not None and step not in places:
            missing.append(step)
            step = step.above
        for each in reversed(missing):
            span = each.span
            parts = None if span is None else tuple(getattr(span, n) for n in _SPAN)
            above = -1 if each.above is None else places[each.above]
            places[each] = len(steps)
            steps.append((each.row, parts, above, each.inline))
    return steps, [places[trail] for trail in trails]


_SPAN = ("file", "line", "column", "end_line", "end_column")


class _Trails(Sequence[Trail]):
    """Trails that are read when one of them is asked for."""

    def __init__(self, length: int, content: bytes) -> None:
        self._length = length
        self._content = content
        self._found: tuple[Trail, ...] | None = None

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Trail: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Trail]: ...
    def __getitem__(self, index: int | slice) -> Trail | Sequence[Trail]:
        if self._found is None:
            self._found = self._read()
        return self._found[index]

    def _read(self) -> tuple[Trail, ...]:
        steps, lines = marshal.loads(self._content)  # noqa: S302
        found: list[Trail] = []
        for row, parts, above, inline in steps:
            span = None if parts is None else Span(*parts)
            found.append(Trail(row, span, None if above < 0 else found[above], inline))
        return tuple(found[line] for line in lines)
