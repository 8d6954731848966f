"""Code of rows that a cache keeps: found again by what it is made of.

Code is kept under the digest of all that it is made of: the row and every row that it looks up,
at any remove, as they are written and where they stand; what each name in them means; what the
compiler knows of the base functions among them; the engine and the Python that compile them. So
an edit finds the code of what it does not reach, in whichever process that was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from graphden.cache import Cache, digest, engine_digest
from graphden.checked import Checked
from graphden.compile import Written
from graphden.compile.keeping import dump, load
from graphden.compile.spans import Variant
from graphden.edn import lines_of
from graphden.model.rows import Row
from graphden.resolve import inline_rows
from graphden.run import secrets


class KeptCode:
    """The code of one graph's rows in a cache, which other graphs may share."""

    def __init__(self, checked: Checked, folder: Path) -> None:
        self._checked = checked
        self._cache = Cache(folder)
        self._lines: dict[str, list[str]] = {}
        self._digests: dict[str, bytes] = {}
        self._secret: dict[str, bool] = {}

    def written(
        self, row: str, variant: Variant, filename: str, write: Callable[[], Written]
    ) -> Written:
        """The code of an entry row, as code of the file `filename`; what `write` gives is kept
        when there was none.
        """
        inference = self._checked.inference
        if inference.gave_up:
            # What is known of a row with too many uses depends on which of them came first.
            return write()
        reached = self._reached(row)
        key = self._key(row, variant, reached)
        kept = self._cache.get(key)
        if kept is not None:
            return load(kept, filename)
        made = write()
        if not inference.gave_up and not self._hold_secrets(reached):
            content = dump(made)
            if content is not None:
                self._cache.put(key, content)
        return made

    def _reached(self, row: str) -> list[Row]:
        """The rows written at top level that the code of a row is made of, in a fixed order."""
        resolution = self._checked.resolution
        first = resolution.program.rows[row].written
        found = {first}
        waiting = [first]
        while waiting:
            for meant in resolution.looked_up.get(waiting.pop(), {}).values():
                new = set(meant) - found
                found |= new
                waiting += new
        return [resolution.names.written[each] for each in sorted(found)]

    def _key(self, row: str, variant: Variant, reached: list[Row]) -> bytes:
        return digest((engine_digest(), row, repr(variant), *map(self._digest, reached)))

    def _digest(self, row: Row) -> bytes:
        found = self._digests.get(row.id)
        if found is None:
            found = self._digests[row.id] = digest(self._parts(row))
        return found

    def _parts(self, row: Row) -> Iterator[str]:
        """What a row is made of: place, text, names with what they mean, bodies."""
        span = row.span
        lines = self._lines.get(span.file)
        if lines is None:
            lines = self._lines[span.file] = lines_of(self._checked.text(span.file))
        yield from (row.id, row.package or "", span.file)
        yield from map(str, (span.line, span.column, span.end_line, span.end_column))
        yield from lines[span.line - 1 : span.end_line]
        for name, meant in sorted(self._checked.resolution.looked_up.get(row.id, {}).items()):
            yield from ("name", name, *meant)
        for each in (row, *inline_rows(row)):
            body = self._checked.bodies.get(each.id)
            if body is not None:
                yield from ("body", each.id, body.inline or "", repr(body.template))
                yield from ("takes", *body.parameters, *sorted(body.needs))
                yield f"{body.takes_context} {body.takes_types}"

    def _hold_secrets(self, rows: list[Row]) -> bool:
        """Whether rows hold a secret: it would come into a file."""
        return any(map(self._holds_secret, rows))

    def _holds_secret(self, row: Row) -> bool:
        found = self._secret.get(row.id)
        if found is None:
            program = self._checked.program
            ids = (each.id for each in (row, *inline_rows(row)))
            known = (each for each in ids if each in program.resolved)
            found = self._secret[row.id] = secrets.are_literals(program, known)
        return found
