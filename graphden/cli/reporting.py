"""Errors and problems for people, with the line they are in, and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from graphden.cli.output import Style, print_json, short_path
from graphden.edn import caret, lines_of
from graphden.errors import (
    GraphdenError,
    GraphError,
    Notes,
    Problem,
    ReadError,
    RunError,
    Span,
    UsageError,
)
from graphden.run import masking, secrets

_TRAIL = 8
"""How many of the rows that led to a failure are shown."""

_FAILED = ("database-un", "database-version", "embedded-", "migration-", "schema-")
"""UsageErrors that whoever gave the command did not make: the database is away, or too new."""


def exit_code(error: GraphdenError) -> int:
    """1 when what was asked for failed, 2 when it was asked for wrongly."""
    wrong_use = isinstance(error, UsageError) and not error.code.startswith(_FAILED)
    return 2 if wrong_use else 1


def report(error: GraphdenError, *, as_json: bool) -> None:
    """Print an error, its problems included, to stderr, or as JSON to stdout."""
    if as_json:
        print_json({"error": error_record(error)})
        return
    _lines.cache_clear()
    match error:
        case GraphError(problems=problems):
            report_problems(problems)
        case RunError(code="row-has-diagnostics", data=tuple() as problems):
            report_problems(problems)
            _say(error.code, f"not run: {_count(len(problems))} to mend first", None, "", "")
        case RunError():
            _say(
                error.code,
                error.message,
                error.span,
                error.row or "",
                error.hint,
                notes=error.notes,
            )
            _report_trail(error)
        case _:
            _say(error.code, error.message, error.span, "", error.hint)


def report_problems(problems: tuple[Problem, ...]) -> None:
    """Print problems to standard error, each with its line."""
    _lines.cache_clear()
    for problem in problems:
        _say(
            problem.code,
            problem.message,
            problem.span,
            problem.row,
            problem.hint,
            notes=problem.notes,
        )


def error_record(error: GraphdenError) -> dict[str, Any]:
    """An error as data: code, message, row, file, line, column, hint, notes."""
    row = error.row if isinstance(error, RunError) else None
    if isinstance(error, GraphError):
        row = error.problems[0].row
    return _record(
        error.code, error.message, row, error.span, error.hint, notes=_notes_of(error)
    )


def problem_record(problem: Problem) -> dict[str, Any]:
    """A problem as data, with the keys of `error_record`."""
    return _record(
        problem.code,
        problem.message,
        problem.row,
        problem.span,
        problem.hint,
        notes=problem.notes,
    )


def place(span: Span) -> str:
    """A place as people read it: file:line:column."""
    return f"{short_path(span.file)}:{span.line}:{span.column}"


def _notes_of(error: GraphdenError) -> Notes:
    match error:
        case GraphError(problems=(first, *_)):
            return first.notes
        case RunError(notes=notes) | ReadError(notes=notes):
            return notes
    return ()


def _record(
    code: str, message: str, row: str | None, span: Span | None, hint: str, *, notes: Notes
) -> dict[str, Any]:
    return {
        "code": code,
        "message": message,
        "row": row or None,
        "file": None if span is None else span.file,
        "line": None if span is None else span.line,
        "column": None if span is None else span.column,
        "hint": hint or None,
        "notes": [
            {"label": label, "file": at.file, "line": at.line, "column": at.column}
            for label, at in notes
        ],
    }


def _count(problems: int) -> str:
    return "1 problem" if problems == 1 else f"{problems} problems"


def _say(
    code: str, message: str, span: Span | None, row: str, hint: str, *, notes: Notes = ()
) -> None:
    style = Style(sys.stderr)
    lines = [f"{style('red', 'error')}: {message} {style('dim', f'[{code}]')}"]
    if span is not None:
        lines.extend(_framed(f"  {place(span)}{f' in :{row}' if row else ''}", span))
    for label, at in notes:
        lines.extend(_framed(f"  {style('cyan', label)}: {place(at)}", at))
    if hint:
        lines.append(f"  {style('cyan', 'hint')}: {hint}")
    print("\n".join(lines), file=sys.stderr)


def _framed(title: str, span: Span) -> list[str]:
    frame = caret(_lines(span.file), span, lambda line: secrets.mask(masking.mask(line)))
    return [title, frame] if frame else [title]


def _report_trail(error: RunError) -> None:
    above = [frame for frame in reversed(error.trail[:-1]) if frame.span is not None]
    for frame in above[:_TRAIL]:
        where = "" if frame.span is None else place(frame.span)
        print(f"  through :{frame.row}  {where}", file=sys.stderr)
    if len(above) > _TRAIL:
        print(f"  … and {len(above) - _TRAIL} more", file=sys.stderr)


def remember(texts: Mapping[str, str]) -> None:
    """Quote these texts, by names of files, instead of what files of these names hold."""
    _remembered.update(texts)


_remembered: dict[str, str] = {}


@cache
def _lines(file: str) -> list[str]:
    """The lines of a file, to show some of them; none when it cannot be read. They are kept for
    one report only: a file may change between two.
    """
    if file in _remembered:
        return lines_of(_remembered[file])
    try:
        return lines_of(Path(file).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return []
