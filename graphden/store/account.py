"""Under which account the embedded PostgreSQL runs.

PostgreSQL refuses to run as root. An ordinary user runs it as himself. Root runs it under the
account that owns the project, else under `postgres` or `nobody`; nothing that Graphden did not
make changes its owner or its mode, and no account is created.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphden.errors import UsageError

ROOT = 0
FALLBACKS = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the server. `prefix` is put before a command to become that account."""

    user: int
    group: int
    prefix: tuple[str, ...] = ()

    def command(self, *words: str) -> list[str]:
        """`words` as a command that runs under this account."""
        return [*self.prefix, *words]

    def give(self, path: Path) -> None:
        """Make this account the owner of `path`, which this process has just made."""
        if self.prefix:
            os.chown(path, self.user, self.group, follow_symlinks=False)


def server_account(folder: Path, data: Path, needed: Sequence[Path]) -> Account:
    """The account for the server of `folder`, whose data lie, once they exist, in `data`.

    `needed` are paths that the server must reach. Raises UsageError `embedded-owner` when the
    data belong to somebody else, and `embedded-root` when root finds no account to use.
    """
    me = os.geteuid()
    owner = data.stat().st_uid if data.exists() else None
    if me != ROOT:
        if owner not in {None, me}:
            raise UsageError(
                "embedded-owner",
                f"the database in {data} belongs to another user (uid {owner})",
                hint="Run as that user, or set GRAPHDEN_DATABASE_URL.",
            )
        return Account(me, os.getegid())
    entry = _entry(folder.stat().st_uid if owner is None else owner)
    return Account(entry.pw_uid, entry.pw_gid, _becoming(entry, needed))


def _entry(owner: int) -> pwd.struct_passwd:
    """The account of `owner`, or a fallback where that is root or has no name."""
    if owner != ROOT:
        try:
            return pwd.getpwuid(owner)
        except KeyError:
            pass
    for name in FALLBACKS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise UsageError(
        "embedded-root",
        "PostgreSQL does not run as root, and there is no account `postgres` or `nobody`",
        hint="Run as an ordinary user, or set GRAPHDEN_DATABASE_URL.",
    )


def _becoming(entry: pwd.struct_passwd, needed: Iterable[Path]) -> tuple[str, ...]:
    """The words that turn root into the account of `entry` and let it reach what it needs.

    Where a folder on the way is closed to others (a project under /root), the server keeps one
    power of root's, to pass file permissions; opening other people's folders would be worse.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise UsageError(
            "embedded-root",
            "PostgreSQL does not run as root, and the program `setpriv` is missing",
            hint="Install util-linux, run as an ordinary user, or set GRAPHDEN_DATABASE_URL.",
        )
    plain = (
        setpriv,
        f"--reuid={entry.pw_uid}",
        f"--regid={entry.pw_gid}",
        "--clear-groups",
        "--inh-caps=-all",
        "--ambient-caps=-all",
    )
    keeping = (
        *plain[:-2],
        "--inh-caps=-all,+dac_override",
        "--ambient-caps=+dac_override",
        # access(2), with which initdb looks for its programs, forgets the power otherwise.
        "--securebits=+no_setuid_fixup",
    )
    for prefix in (plain, keeping):
        if all(_reaches(prefix, path) for path in needed):
            return prefix
    raise UsageError(
        "embedded-root",
        f"the account {entry.pw_name} cannot reach {', '.join(map(str, needed))}",
        hint="Run as an ordinary user, move the project, or set GRAPHDEN_DATABASE_URL.",
    )


def _reaches(prefix: tuple[str, ...], path: Path) -> bool:
    check = subprocess.run(
        [*prefix, "/bin/sh", "-c", 'test -x "$1"', "sh", str(path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd="/",
    )
    return check.returncode == 0
