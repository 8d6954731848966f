"""The numbered SQL files of a package: `0001_name.sql`, the way back `0001_name.down.sql`.

The processes of the release before go on working after a migration. What would break them, such
as dropping what they use, stands in one named `0002_name.post.sql`: it is applied when no such
process is left, and at the latest before the next migration that is not of this kind.

Numbers begin at 1 and have no gaps. A file that was applied anywhere is never changed again:
its checksum is recorded.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from graphden.errors import UsageError
from graphden.run import Package

FILE_NAME = re.compile(r"(?P<number>\d{4})_(?P<name>[a-z0-9_]+)(?P<kind>\.down|\.post)?\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of a package's schema. `down`, the file of the way back, may be missing.

    `is_post` is whether it breaks the processes of the release before.
    """

    package: str
    number: int
    name: str
    up: Path
    down: Path | None
    checksum: str
    is_post: bool = False

    def __str__(self) -> str:
        return f"{self.package} {self.number:04} {self.name}"


def migrations_of(package: Package) -> tuple[Migration, ...]:
    """The migrations of `package` in their order.

    Raises UsageError `migration-files` for a name of another form, a number that is missing or
    given twice, and a way back without a way.
    """
    if package.migrations is None:
        return ()
    ups: dict[int, Path] = {}
    downs: dict[str, Path] = {}
    for path in sorted(package.migrations.glob("*.sql")):
        match = FILE_NAME.fullmatch(path.name)
        if match is None:
            raise _wrong(package, f"{path.name} is not named like 0001_name.sql")
        if match["kind"] == ".down":
            downs[f"{match['number']}_{match['name']}"] = path
        elif ups.setdefault(int(match["number"]), path) is not path:
            raise _wrong(package, f"{path.name} has a number that is already used")
    found = tuple(
        Migration(
            package=package.name,
            number=number,
            name=_stem(up).partition("_")[2],
            up=up,
            down=downs.pop(_stem(up), None),
            checksum=_checksum(up),
            is_post=up.stem.endswith(".post"),
        )
        for number, up in ups.items()
    )
    for expected, migration in enumerate(found, start=1):
        if migration.number != expected:
            raise _wrong(package, f"number {expected:04} is missing")
    for down in downs.values():
        raise _wrong(package, f"{down.name} has no {down.name.replace('.down', '')}")
    return found


def _stem(up: Path) -> str:
    return up.stem.removesuffix(".post")


def _checksum(path: Path) -> str:
    """The same on every system: a checkout may write other ends of lines."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def _wrong(package: Package, message: str) -> UsageError:
    return UsageError(
        "migration-files",
        f"the migrations of {package.name} are in disorder: {message}",
        hint=f"Mend the files in {package.migrations}.",
    )
