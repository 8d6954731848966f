"""`graphden fmt`: files of rows in their one layout."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from graphden.cli.opening import no_files
from graphden.cli.output import Style, print_json, short_path
from graphden.cli.parsing import add_json, add_paths
from graphden.cli.reporting import problem_record, report_problems
from graphden.edn import read_all
from graphden.edn.layout import format_text
from graphden.errors import Problem, ReadError, UsageError
from graphden.files import row_files

EXAMPLE = """\
  graphden fmt orders.edn shared/
  graphden fmt --check --diff
  graphden fmt --stdin < orders.edn"""

_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file, its text as it is and as it should be."""

    file: str
    before: str
    after: str

    @property
    def changes(self) -> bool:
        """Is it not laid out yet?"""
        return self.before != self.after

    def diff(self) -> list[str]:
        """What changes, as lines of a unified diff that `patch` understands."""
        before, after = _LINES.findall(self.before), _LINES.findall(self.after)
        lines: list[str] = []
        for line in unified_diff(before, after, self.file, self.file):
            lines.append(line.removesuffix("\n"))
            if not line.endswith("\n"):
                lines.append("\\ No newline at end of file")
        return lines


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_paths(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 when a file would change",
    )
    parser.add_argument(
        "--diff", action="store_true", help="write nothing; show what would change"
    )
    parser.add_argument(
        "--stdin", action="store_true", help="read rows from standard input, print them"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Lay out files, all or none: 1 when one cannot be read, or would change in a check."""
    if arguments.stdin:
        return _run_on_standard_input(arguments)
    files, problems = _lay_out(arguments.paths)
    changing = [each for each in files if each.changes]
    if not (problems or arguments.check or arguments.diff):
        for each in changing:
            replace(Path(each.file), each.after)
    if arguments.json:
        print_json(
            {
                "files": [_record(each, arguments) for each in files],
                "problems": [problem_record(problem) for problem in problems],
            }
        )
    elif problems:
        report_problems(tuple(problems))
        print("no file was changed", file=sys.stderr)
    elif arguments.diff:
        _print_diffs(changing)
    else:
        _print_summary(files, changing, check=arguments.check)
    return 1 if problems or (arguments.check and changing) else 0


def replace(path: Path, text: str) -> None:
    """Put `text` into a file at once: who reads it finds the old text or the new, whole.

    A link stays one, and the file keeps its mode. Raises UsageError `unwritable-file`.
    """
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=".graphden-", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            shutil.copymode(target, name)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink()
            raise
    except OSError as error:
        raise UsageError(
            "unwritable-file", f"{path} cannot be written: {error.strerror}"
        ) from error


def _lay_out(paths: list[str]) -> tuple[list[Formatted], list[Problem]]:
    files: list[Formatted] = []
    texts, problems = row_files(*(paths or ["."]))
    if not texts and not problems:
        raise no_files(paths)
    for file, text in texts.items():
        try:
            files.append(Formatted(file, text, format_text(text, file)))
        except ReadError:
            _, errors = read_all(text, file)
            problems += (Problem(e.code, e.message, e.hint, "", e.span) for e in errors)
    return files, problems


def _run_on_standard_input(arguments: argparse.Namespace) -> int:
    if arguments.paths:
        raise UsageError(
            "wrong-use", "--stdin takes no PATH", hint="Leave out the one or the other."
        )
    try:
        text = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise UsageError("syntax", "standard input is not UTF-8 text") from None
    rows = Formatted("<stdin>", text, format_text(text, "<stdin>"))
    if arguments.json:
        print_json({"text": rows.after, **_record(rows, arguments)})
    elif arguments.diff:
        _print_diffs([rows])
    elif not arguments.check:
        sys.stdout.write(rows.after)
    return 1 if arguments.check and rows.changes else 0


def _record(formatted: Formatted, arguments: argparse.Namespace) -> dict[str, Any]:
    record: dict[str, Any] = {"file": formatted.file, "changed": formatted.changes}
    if arguments.diff:
        record["diff"] = "\n".join(formatted.diff())
    return record


def _print_diffs(files: list[Formatted]) -> None:
    style = Style(sys.stdout)
    colours = {"-": "red", "+": "green", "@": "cyan"}
    for each in files:
        for line in each.diff():
            colour = colours.get(line[:1])
            print(style(colour, line) if colour else line)


def _print_summary(files: list[Formatted], changing: list[Formatted], *, check: bool) -> None:
    for each in changing:
        print(short_path(each.file))
    noun = "file" if len(files) == 1 else "files"
    print(f"{len(changing)} of {len(files)} {noun} {'would change' if check else 'changed'}")
