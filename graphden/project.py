"""Where a project lies: the folder that has `.graphden/`."""

from __future__ import annotations

import os
from pathlib import Path

MARKER = ".graphden"
CACHE_VARIABLE = "GRAPHDEN_CACHE"


def project_folder(start: Path | None = None) -> Path:
    """The nearest of `start` and its ancestors that has a folder `.graphden`, else `start`.

    `start` is the current folder when not given; the answer is absolute.
    """
    origin = (Path.cwd() if start is None else start).absolute()
    for folder in (origin, *origin.parents):
        if (folder / MARKER).is_dir():
            return folder
    return origin


def cache_folder(project: Path | None = None) -> Path | None:
    """Where compiled code of a project is kept; `project` is found when not given.

    None without a folder `.graphden`, and where GRAPHDEN_CACHE is 0.
    """
    if os.environ.get(CACHE_VARIABLE) == "0":
        return None
    folder = (project_folder() if project is None else project) / MARKER
    return folder / "cache" if folder.is_dir() else None
