"""What the commands that move branches share."""

from __future__ import annotations

import sys
from typing import Any

from graphden.cli.output import Style, print_json
from graphden.cli.reporting import problem_record, report_problems
from graphden.store import Pushed, Revision


def report_pushed(pushed: Pushed, *, as_json: bool) -> None:
    """Say what came of a push, and what is still wrong with the rows."""
    if as_json:
        print_json(
            {
                "branch": pushed.branch,
                "revision": pushed.revision.id,
                "moved": pushed.moved,
                "created": pushed.created,
                "diagnostics": [problem_record(each) for each in pushed.diagnostics],
            }
        )
        return
    report_problems(pushed.diagnostics)
    where = f"{'new branch' if pushed.created else 'branch'} {pushed.branch}"
    if pushed.moved:
        print(f"{where} is at {pushed.revision.short_id}")
    else:
        print(f"{where} has this already, as {pushed.revision.short_id}")
    if pushed.diagnostics:
        note = "rows that reach these problems are not run"
        print(Style(sys.stderr)("yellow", note), file=sys.stderr)


def revision_record(revision: Revision) -> dict[str, Any]:
    """A revision as data."""
    return {
        "revision": revision.id,
        "parents": list(revision.parents),
        "files": sorted(revision.trees),
        "message": revision.message,
        "pushed-by": revision.pushed_by,
        "pushed-at": revision.pushed_at,
    }
