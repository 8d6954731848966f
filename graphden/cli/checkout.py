"""`graphden checkout`: a revision back as files."""

from __future__ import annotations

import argparse
from pathlib import Path

from graphden.cli.opening import open_app
from graphden.cli.output import print_json
from graphden.cli.parsing import add_branch, add_database, add_json
from graphden.errors import UsageError

EXAMPLE = """\
  graphden checkout --branch main
  graphden checkout --branch 5f2c91 --into before"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_branch(parser, "the branch, or the beginning of a revision's id")
    parser.add_argument(
        "--into", metavar="FOLDER", default=".", help="by default the current folder"
    )
    parser.add_argument(
        "--force", action="store_true", help="write over files that are there and differ"
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the files as they were pushed; nothing when one would be written over."""
    with open_app(arguments) as app:
        revision = app.branches.revision(arguments.branch)
        texts = app.branches.files(revision.id)
    folder = Path(arguments.into)
    contents = {
        folder / name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()
    }
    if not arguments.force:
        _refuse_to_lose(contents)
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise UsageError(
            "unwritable-file", f"{error.filename} cannot be written: {error.strerror}"
        ) from error
    written = sorted(map(str, contents))
    if arguments.json:
        print_json({"revision": revision.id, "files": written})
    else:
        for name in written:
            print(name)
    return 0


def _refuse_to_lose(contents: dict[Path, bytes]) -> None:
    others = [
        path
        for path, content in contents.items()
        if path.exists() and not (path.is_file() and path.read_bytes() == content)
    ]
    if others:
        names = ", ".join(sorted(map(str, others)))
        raise UsageError(
            "file-exists",
            f"{names} would be written over; nothing was written",
            hint="--force writes over them; --into FOLDER writes elsewhere.",
        )
