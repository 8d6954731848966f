"""What commands work on: the graph of the given files, an App, the news of a slow start."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from graphden.app import App
from graphden.checked import Checked, check
from graphden.cli.output import Style
from graphden.cli.reporting import remember
from graphden.engine import Graph
from graphden.errors import UsageError
from graphden.files import row_files, row_paths
from graphden.kept_rows import check_from
from graphden.project import cache_folder

_SLOW_SECONDS = 2.0


class Progress:
    """Tells what takes time: at once in a terminal, elsewhere only when it takes long."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._style = Style(sys.stderr)

    def __call__(self, message: str) -> None:
        now = time.monotonic()
        self._began = self._began or now
        if sys.stderr.isatty() or now - self._began >= _SLOW_SECONDS:
            print(self._style("dim", f"… {message}"), file=sys.stderr, flush=True)


def load_graph(paths: Sequence[str], *, needs_rows: bool = False) -> Graph:
    """The graph of the files and folders, by default of the files in the current folder.

    Folders in it are not entered unasked: a checkout of anything holds rows that are not meant.

    Raises UsageError `no-rows` when `needs_rows` and there is no file of rows at all.
    """
    if needs_rows:
        return Graph(check_files(paths), cache=cache_folder())
    return Graph.load(*(paths or files_here()), cache=cache_folder())


def check_files(paths: Sequence[str], before: Checked | None = None) -> Checked:
    """The checked rows of the files and folders, by default of the files in the current folder;
    what has not changed since `before`, by default what the project keeps of the last check, is
    taken from there.

    Raises UsageError `no-rows` when there is no file of rows at all; an empty one has no rows,
    and nothing is wrong with it.
    """
    texts, problems = row_files(*(paths or files_here()))
    if not texts and not problems:
        raise no_files(paths)
    if before is not None:
        return check(texts, problems, before)
    return check_from(texts, problems, cache_folder())


def no_files(paths: Sequence[str]) -> UsageError:
    """There is nothing in `paths` that a command could work on."""
    where = " ".join(paths) or "the current folder"
    below = not paths and any(row_paths("."))
    if below:
        return UsageError(
            "no-rows",
            f"there are no files of rows in {where}",
            hint="There are some in folders below: name them, or a dot for all: "
            "graphden check .",
        )
    return UsageError(
        "no-rows",
        f"there are no files of rows in {where}",
        hint="Name a file or folder of *.edn.",
    )


def refuse_file(entry: str, command: str, paths: Sequence[str]) -> None:
    """Raise UsageError when a file stands where the row of a command is named."""
    if not entry.endswith(".edn"):
        return
    row, *others = paths or ["ROW"]
    words = " ".join(["graphden", command, row, entry, *others])
    raise UsageError("wrong-use", f"{entry} is a file", hint=f"The row comes first: {words}")


def files_here() -> list[str]:
    """The files of rows in the current folder."""
    return sorted(str(path) for path in Path().glob("*.edn") if not path.name.startswith("."))


def load_branch(arguments: argparse.Namespace) -> Graph:
    """The graph of the branch, or the revision, that `--branch` names; its files are quoted as
    they were pushed. Raises UsageError when files are named too.
    """
    if arguments.paths:
        raise UsageError(
            "wrong-use",
            "rows come from files or from a branch, not from both",
            hint=f"Leave {' '.join(arguments.paths)} or --branch away.",
        )
    with open_app(arguments) as app:
        graph = app.branches.graph(arguments.branch)
    remember({name: file.text for name, file in graph.files.items()})
    return graph


def open_app(arguments: argparse.Namespace, graph: Graph | None = None) -> App:
    """An App with the database that the options name."""
    return App.open(
        [] if graph is None else [graph],
        database_url=arguments.database_url,
        progress=Progress(),
    )
