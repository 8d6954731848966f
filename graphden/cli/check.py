"""`graphden check`: every problem of the rows in some files."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from graphden.checked import Checked
from graphden.cli.opening import check_files, files_here
from graphden.cli.output import Style, print_json
from graphden.cli.parsing import add_json, add_paths
from graphden.cli.reporting import problem_record, report, report_problems
from graphden.cli.watching import changes
from graphden.errors import GraphdenError, Problem

EXAMPLE = """\
  graphden check orders.edn shared/
  graphden check orders.edn --watch"""

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""What empties a terminal, what was scrolled away included."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_paths(parser)
    parser.add_argument(
        "-w", "--watch", action="store_true", help="check again on every save, until Ctrl-C"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what is wrong; 1 when anything is. Watching ends with 0."""
    if arguments.watch:
        return _watch(arguments.paths, as_json=arguments.json)
    checked = check_files(arguments.paths)
    problems, count = checked.problems, _count(checked)
    if arguments.json:
        print_json(_record(problems))
    else:
        report_problems(problems)
        if not problems:
            print(_verdict(problems, count))
    return 1 if problems else 0


def _count(checked: Checked) -> int:
    return sum(len(file.rows) for file in checked.files.values())


def _watch(paths: Sequence[str], *, as_json: bool) -> int:
    """Check now and on each change. What is wrong with the paths themselves ends it only at the
    start: a file may be away for a moment while it is saved.
    """
    checked: Checked | None = None
    try:
        for _ in changes(lambda: paths or files_here()):
            if sys.stdout.isatty() and not as_json:
                print(CLEAR, end="", flush=True)
            began = time.perf_counter()
            try:
                checked = check_files(paths, checked)
            except GraphdenError as error:
                if checked is None:
                    raise
                report(error, as_json=as_json)
                continue
            problems, count = checked.problems, _count(checked)
            ms = (time.perf_counter() - began) * 1000
            if as_json:
                print_json({**_record(problems), "ms": ms})
                continue
            report_problems(problems)
            note = f"{ms:.0f} ms; watching, Ctrl-C ends"
            print(f"{_verdict(problems, count)}  {Style(sys.stdout)('dim', note)}", flush=True)
    except KeyboardInterrupt:
        pass
    return 0


def _verdict(problems: Sequence[Problem], count: int) -> str:
    if problems:
        return f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'}"
    return f"{count} {'row' if count == 1 else 'rows'}, no problems"


def _record(problems: Sequence[Problem]) -> dict[str, object]:
    return {
        "problems": [problem_record(p) for p in problems if p.structural],
        "diagnostics": [problem_record(p) for p in problems if not p.structural],
    }
