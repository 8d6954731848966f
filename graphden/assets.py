"""Where the product's own files lie: the standard library's rows, the lessons.

An installed wheel carries them in `graphden/_assets/NAME`; a checkout (and an editable install
of one) has them as `NAME` beside the package.
"""

from __future__ import annotations

from pathlib import Path

from graphden.errors import UsageError


def folder(name: str) -> Path:
    """The folder `name` of the product's own files, such as `stdlib_graphs`.

    Raises UsageError `asset-missing` when the installation lacks it.
    """
    package = Path(__file__).resolve().parent
    for candidate in (package / "_assets" / name, package.parent / name):
        if candidate.is_dir():
            return candidate
    raise UsageError(
        "asset-missing",
        f"this installation of graphden has no folder {name}",
        hint="Install graphden again; its own files are incomplete.",
    )
