"""Rows that a cache keeps as they were read and checked, to begin the next check from.

What is kept is found again by the names of the files alone, for it need not be of the same
texts: a check begins from it as it begins from a graph before an edit, and looks at no more
than has changed since. So a command on a large program takes as long as reading what is kept.
"""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path

from graphden.cache import Cache, digest, engine_digest
from graphden.check import Found
from graphden.checked import Checked, as_kept, check, packages_alone, without_garbage_collection
from graphden.errors import Problem
from graphden.files import RowFile, package_texts
from graphden.model.rows import Row
from graphden.resolve import Resolution
from graphden.run import secrets

LEAST = 200
"""Rows below which it is not worth while."""

CHANGED = 4
"""What is kept is written anew when more than one in so many rows is not of it."""

DEEPEST = 200
"""Levels of brackets of a text whose rows are kept: `pickle` goes down by recursion."""

_BRACKET = re.compile(r"[(\[{]|[)\]}]")


def check_from(
    texts: Mapping[str, str], problems: Iterable[Problem], folder: Path | None
) -> Checked:
    """What `check` gives, begun from what the cache in `folder` keeps of these files."""
    if folder is None:
        return check(texts, problems)
    cache = Cache(folder)
    packages = (part for file in package_texts() for part in file)
    key = digest(("rows", engine_digest(), *packages, *sorted(texts)))
    checked = check(texts, problems, _before(cache, key))
    if _worth_keeping(checked):
        content = _content(checked)
        if content is not None:
            cache.put(key, content)
    return checked


def _before(cache: Cache, key: bytes) -> Checked | None:
    content = cache.get(key)
    if content is None:
        return None
    with without_garbage_collection():
        files, resolution, found = _Unpickler(io.BytesIO(content)).load()
        before = as_kept(files, resolution, found)
    return None if before.problems else before


def _worth_keeping(checked: Checked) -> bool:
    """Whether there are enough rows, most of them new, and nothing that must not be written."""
    resolution, program = checked.resolution, checked.program
    if len(resolution.fresh) * CHANGED <= len(program.resolved):
        return False
    rows = sum(len(file.rows) for file in checked.files.values())
    if rows < LEAST or checked.problems or checked.inference.gave_up:
        return False
    if any(_is_deep(file.text) for file in checked.files.values()):
        return False
    return not secrets.are_literals(program, program.resolved)


def _is_deep(text: str) -> bool:
    steps = (1 if each.group() in "([{" else -1 for each in _BRACKET.finditer(text))
    return max(accumulate(steps), default=0) > DEEPEST


def _content(checked: Checked) -> bytes | None:
    buffer = io.BytesIO()
    kept: tuple[Mapping[str, RowFile], Resolution, Found] = (
        checked.files,
        checked.resolution,
        checked.inference.found,
    )
    try:
        with without_garbage_collection():
            _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(kept)
    except (pickle.PicklingError, RecursionError, TypeError, ValueError, AttributeError):
        return None
    return buffer.getvalue()


class _Pickler(pickle.Pickler):
    """Writes the packages' rows as their names: every process has these rows already."""

    def __init__(self, buffer: io.BytesIO, protocol: int) -> None:
        super().__init__(buffer, protocol)
        rows = packages_alone().program.rows
        self._names = {id(row): name for name, row in rows.items()}

    def persistent_id(self, obj: object) -> str | None:
        return self._names.get(id(obj)) if type(obj) is Row else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: str) -> Row:
        return packages_alone().program.rows[pid]
