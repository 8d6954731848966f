"""Files of rows: found, and read once for each text; and the rows that packages bring."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from graphden import stdlib
from graphden.edn import lines_of, read_all
from graphden.errors import Problem, ReadError, Span, UsageError
from graphden.model.rows import Row
from graphden.read import Source, read_rows
from graphden.read.problems import nearest
from graphden.run import Package, installed_packages


@dataclass(frozen=True, slots=True)
class RowFile:
    """A file's text, the rows in it, and what is wrong with their shape."""

    name: str
    text: str
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]


def read_file(
    name: str, text: str, package: str | None = None, before: RowFile | None = None
) -> RowFile:
    """The rows of a text. Those that stand `before` as they stand here are the same objects."""
    forms, errors = read_all(text, name)
    rows, problems = read_rows(Source(name, tuple(forms), package))
    if before is not None:
        rows = list(_as_before(rows, lines_of(text), before))
    return RowFile(name, text, tuple(rows), (*map(_syntax, errors), *problems))


def _as_before(rows: Iterable[Row], lines: list[str], before: RowFile) -> Iterator[Row]:
    """The rows; those of `before` that are the same for the rows that are: a row is made of its
    text, its place and its namespace.
    """
    were = {row.id: row for row in before.rows}
    old_lines = lines_of(before.text)
    for row in rows:
        old = were.get(row.id)
        part = slice(row.span.line - 1, row.span.end_line)
        same = old is not None and old.span == row.span and old_lines[part] == lines[part]
        yield old if old is not None and same else row


def _syntax(error: ReadError) -> Problem:
    return Problem(error.code, error.message, error.hint, "", error.span, notes=error.notes)


@lru_cache(maxsize=1)
def packages() -> tuple[Package, ...]:
    """The standard library and every installed package."""
    return (stdlib.package, *installed_packages())


@lru_cache(maxsize=1)
def package_texts() -> tuple[tuple[str, str, str], ...]:
    """The files of rows that the packages bring: package, name and text of each."""
    return tuple(
        (package.name, str(path), path.read_text("utf-8"))
        for package in packages()
        for path in sorted(package.rows.glob("*.edn"))
    )


def package_files() -> Iterator[RowFile]:
    """The rows that the packages bring."""
    for package, name, text in package_texts():
        yield read_file(name, text, package)


def row_files(*paths: str | Path) -> tuple[dict[str, str], list[Problem]]:
    """The files of rows that paths name: names and texts, and a problem for each without text.

    Raises UsageError for a path that is not there or cannot be read.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for path in row_paths(*paths):
        try:
            texts[str(path)] = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            problems.append(_not_text(path, error))
        except OSError as error:
            raise UsageError(
                "unreadable-file", f"{path} cannot be read: {error.strerror}"
            ) from error
    return texts, problems


def _not_text(path: Path, error: UnicodeDecodeError) -> Problem:
    before = bytes(error.object[: error.start])
    line = before.count(b"\n") + 1
    column = error.start - (before.rfind(b"\n") + 1) + 1
    return Problem(
        "syntax",
        "this file is not UTF-8 text",
        "Save it as UTF-8.",
        "",
        Span(str(path), line, column, line, column + 1),
    )


def row_paths(*paths: str | Path) -> Iterator[Path]:
    """The files of rows that paths name, each once: files as they are, and all `*.edn` below
    folders. Raises UsageError `no-such-file`.
    """
    seen: set[Path] = set()
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(_rows_below(path))
        elif path.exists():
            found = [path]
        else:
            raise _missing(path)
        for each in found:
            if not each.is_file():
                raise UsageError(
                    "unreadable-file",
                    f"{each} cannot be read: it is no regular file",
                    hint="Rows stand in regular files; a pipe or a device may never end.",
                )
            if each.resolve() not in seen:
                seen.add(each.resolve())
                yield each


def _missing(path: Path) -> UsageError:
    beside = path.parent
    others = [p for p in beside.iterdir() if p.is_dir() or p.suffix] if beside.is_dir() else []
    close = nearest(path.name, sorted(other.name for other in others))
    hint = f"You are in {Path.cwd()}." if not path.is_absolute() else ""
    if close is not None:
        hint = f"Did you mean {beside / close}? {hint}".strip()
    return UsageError("no-such-file", f"there is no file or folder {path}", hint=hint)


def _rows_below(folder: Path) -> Iterator[Path]:
    """The files of rows in a folder; hidden folders and Python environments are not entered."""
    for here, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and not Path(here, name, "pyvenv.cfg").exists()
        ]
        yield from (
            Path(here, name)
            for name in files
            if name.endswith(".edn") and not name.startswith(".")
        )
