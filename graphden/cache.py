"""Bytes kept in a folder under a key, for what takes long to make and can always be made again.

Nothing in the folder is trusted but for what this user alone could have written there, and of
that only what is whole and was written for the key that is asked for. A folder that cannot be
read or written is as good as an empty one: a cache that fails is never an error.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path

LIMIT = 64 * 1024 * 1024
"""Bytes that a folder may hold; what was used least recently goes first."""

TOUCH_S = 3600
"""How exactly the last use of a file is known: it is noted anew after so many seconds."""

ROOMS = ("check", "compile", "edn", "model", "read", "resolve", "run", "stdlib")
"""The folders of this package that the engine needs."""

MAGIC = b"graphden cache 1\n"
_DIGEST = hashlib.sha256().digest_size
_HERE = str(Path(__file__).parent)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Cache:
    """A folder of bytes by key. Safe to use from several threads and processes at once."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self._limit = limit
        self._unlooked = limit  # bytes written since the folder's size was looked at

    def get(self, key: bytes) -> bytes | None:
        """What was put under `key`; None when it is not there, or not to be trusted."""
        path = self._path(key)
        try:
            self._refuse_strangers()
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                status = os.fstat(handle)
                if not stat.S_ISREG(status.st_mode) or _is_strange(status):
                    return None
                if time.time() - status.st_mtime > TOUCH_S:
                    with suppress(OSError):
                        os.utime(handle)
                content = file.read()
        except OSError:
            return None
        return unsealed(key, content)

    def put(self, key: bytes, payload: bytes) -> None:
        """Keep `payload` under `key`, if that is possible."""
        with suppress(OSError):
            self._prepare()
            content = sealed(key, payload)
            write_whole(self._path(key), content, 0o600)
            self._unlooked += len(content)
            if self._unlooked >= self._limit // 16:
                self._unlooked = 0
                self._trim()

    def _path(self, key: bytes) -> Path:
        return self.folder / key.hex()

    def _prepare(self) -> None:
        # No parents are made: nothing is kept where there is no folder to keep it in. And what
        # root made in somebody else's project, that user could not use.
        if self.folder.parent.stat().st_uid != os.geteuid():
            raise PermissionError(None, "it belongs to another user", str(self.folder.parent))
        try:
            self.folder.mkdir(mode=0o700)
        except FileExistsError:
            self._refuse_strangers()
        else:
            write_whole(self.folder / ".gitignore", b"*\n", 0o600)

    def _refuse_strangers(self) -> None:
        """What is read may become code: nobody else may write into the folder."""
        status = self.folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or _is_strange(status):
            raise PermissionError(None, "others may write here", str(self.folder))

    def _trim(self) -> None:
        """Remove what was used least recently, down to three quarters of the limit."""
        files: list[tuple[float, int, str]] = []
        with os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):  # others may trim meanwhile
                    status = entry.stat(follow_symlinks=False)
                    files.append((status.st_mtime, status.st_size, entry.path))
        left = sum(size for _, size, _ in files)
        if left <= self._limit:
            return
        for _, size, path in sorted(files):
            if left <= self._limit * 3 // 4:
                return
            with suppress(OSError):
                Path(path).unlink()
            left -= size


def digest(parts: Iterable[str | bytes]) -> bytes:
    """The SHA-256 of some parts: other parts, or the same parted otherwise, give another."""
    found = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(b"%d:" % len(encoded))
        found.update(encoded)
    return found.digest()


def sealed(key: bytes, payload: bytes) -> bytes:
    """What is written of `payload`: with it, that it is whole, and for which key."""
    return MAGIC + digest((key, payload)) + payload


def unsealed(key: bytes, content: bytes) -> bytes | None:
    """The payload that was sealed for `key`; None of anything else."""
    payload = content[len(MAGIC) + _DIGEST :]
    return payload if content == sealed(key, payload) else None


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """Write the whole file or none, whoever else writes it and whenever this process ends.

    Raises OSError.
    """
    unfinished = path.with_name(f".{os.urandom(8).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(unfinished, flags, mode), "wb") as file:
            file.write(content)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@lru_cache(maxsize=1)
def engine_digest() -> bytes:
    """What makes rows of text and code of rows: the rooms of the engine, edn_format, Python."""
    import edn_format

    parts: list[str | bytes] = [MAGIC_NUMBER, sys.version]
    rooms = (os.path.join(_HERE, room) for room in ROOMS)  # noqa: PTH118
    for folder in (_HERE, *rooms, str(Path(edn_format.__file__).parent)):
        for path in _modules(folder):
            # Some hundred files at each start: pathlib and buffers would take twice the time.
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                parts += [path, os.read(handle, os.fstat(handle).st_size)]
            finally:
                os.close(handle)
    return digest(parts)


def _modules(folder: str) -> Iterator[str]:
    folders = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                yield entry.path
            elif entry.is_dir() and folder != _HERE and entry.name != "__pycache__":
                folders.append(entry.path)
    for inside in folders:
        yield from _modules(inside)


def _is_strange(status: os.stat_result) -> bool:
    return status.st_uid != os.geteuid() or bool(status.st_mode & _OTHERS_WRITE)
