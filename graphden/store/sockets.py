"""Where the socket of an embedded PostgreSQL lies: in a folder that only its owner can enter.

That folder is the whole protection: the server trusts whoever reaches its socket.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from graphden.errors import UsageError
from graphden.store.place import Place

PORT = 5432  # only names the socket's file: no TCP port is opened
PATH_LIMIT = 107  # bytes in the address of a Unix socket, its closing NUL not counted
FILE = f".s.PGSQL.{PORT}"


def socket_folder(place: Place) -> Path:
    """The folder for the socket of a server that is about to start, made if need be.

    It lies beside the data, or in a private folder for temporary files where that path is too
    long, can be entered by others (some file systems ignore modes), or cannot hold sockets.
    Raises UsageError `embedded-socket` when there is no such place.
    """
    place.socket.mkdir(exist_ok=True)
    with suppress(OSError):
        place.socket.chmod(0o700)
    if _is_fit(place, place.socket):
        return place.socket
    shutil.rmtree(place.socket)
    for folder in _elsewhere(place):
        if _is_fit(place, folder):
            place.socket_record.write_text(str(folder), encoding="utf-8")
            return folder
    raise UsageError(
        "embedded-socket",
        f"neither {place.folder} nor {tempfile.gettempdir()} can hold a private Unix socket",
        hint="Set TMPDIR to a short path on a local file system, or GRAPHDEN_DATABASE_URL.",
    )


def forget_socket_folder(place: Place) -> None:
    """Remove the folder that `socket_folder` made elsewhere."""
    folder = _recorded(place)
    if folder is not None:
        if is_private(place, folder):
            shutil.rmtree(folder, ignore_errors=True)
        place.socket_record.unlink(missing_ok=True)


def is_private(place: Place, folder: Path) -> bool:
    """Whether only this user, or the account that has the data, can enter `folder`."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    owners = {os.geteuid(), place.data.stat().st_uid}
    closed = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
    return closed and status.st_uid in owners


def listener(folder: Path, recorded: int) -> int | None:
    """The process that listens on the socket in `folder`, or None when nobody does.

    The kernel tells it, 0 for one that this process cannot see, as in another container;
    where it cannot tell, the answer is `recorded`.
    """
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(folder / FILE))
        except OSError:
            return None
        if not hasattr(socket, "SO_PEERCRED"):
            return recorded
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    process, _, _ = struct.unpack("3i", credentials)
    return int(process)


def _elsewhere(place: Place) -> Iterator[Path]:
    recorded = _recorded(place)
    if recorded is not None:
        yield recorded
    for parent in dict.fromkeys((tempfile.gettempdir(), "/tmp")):  # noqa: S108
        with suppress(OSError):
            made = Path(tempfile.mkdtemp(prefix="graphden-", dir=parent))
            yield made
            made.rmdir()  # asked for the next one: this one was not fit


def _recorded(place: Place) -> Path | None:
    try:
        return Path(place.socket_record.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def _is_fit(place: Place, folder: Path) -> bool:
    """Whether a private socket can be made here, at a path that libpq reads as one path."""
    path = folder / FILE
    probe = folder / ".probe"
    too_long = len(os.fsencode(path)) > PATH_LIMIT
    if too_long or "," in str(path) or not is_private(place, folder):
        return False
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(probe))
    except OSError:
        return False
    finally:
        for leftover in (probe, path, folder / f"{FILE}.lock"):  # of a server that was killed
            leftover.unlink(missing_ok=True)
    return True
