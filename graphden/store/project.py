"""Where a project lies: the folder that has `.graphden/`."""

from __future__ import annotations

from pathlib import Path

MARKER = ".graphden"


def project_folder(start: Path | None = None) -> Path:
    """The nearest of `start` and its ancestors that has a folder `.graphden`, else `start`.

    `start` is the current folder when not given; the answer is absolute.
    """
    origin = (Path.cwd() if start is None else start).absolute()
    for folder in (origin, *origin.parents):
        if (folder / MARKER).is_dir():
            return folder
    return origin
