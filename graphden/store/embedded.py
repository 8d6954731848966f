"""The embedded PostgreSQL: one server for all processes of a project, while any uses it.

Every process that uses it shares `users.lock`, which the kernel drops together with the
process, however that ends. Who joins or leaves owns `door.lock` meanwhile. The one who leaves
and could own `users.lock` was the last, and stops the server.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from graphden.errors import UsageError
from graphden.store.cluster import Progress, Server, ensure_running, stop
from graphden.store.locks import FileLock
from graphden.store.place import Place


@dataclass(eq=False, slots=True)
class _Membership:
    """What this process holds of one place, for all who joined it here."""

    users: FileLock
    count: int = 0


class _Memberships:
    """The places this process uses. A forked child starts with none."""

    def __init__(self) -> None:
        self.mutex = threading.Lock()
        self.by_place: dict[Place, _Membership] = {}

    def forget(self) -> None:
        """Start anew after a fork, whose other threads, and their locks, are gone."""
        self.mutex = threading.Lock()
        self.by_place = {}


_memberships = _Memberships()
os.register_at_fork(after_in_child=_memberships.forget)


def _silent(_message: str) -> None:
    pass


class EmbeddedServer:
    """One use of a project's own PostgreSQL, from `join` to `close`.

    It must be closed in the process that joined; a forked child joins for itself.
    """

    def __init__(self, place: Place, membership: _Membership, url: str) -> None:
        self.url = url
        self._place = place
        self._membership = membership
        self._closed = False

    @classmethod
    def join(cls, folder: Path, *, progress: Progress | None = None) -> Self:
        """Use the server whose data lie in `folder`, made and started when it does not run.

        `progress` is told in a few words what takes time. Raises UsageError with a code that
        begins with `embedded-`: no wheel, data of another version, an unusable folder, …
        """
        say = progress or _silent
        place = Place(folder.resolve())
        try:
            with _memberships.mutex:
                membership, server = _enter(place, say)
        except OSError as error:
            raise UsageError(
                "embedded-folder",
                f"the folder {place.folder} for the embedded PostgreSQL cannot be used: "
                f"{error.strerror or error}",
                hint="Make it writable for this user, make room on the disk, or set "
                "GRAPHDEN_DATABASE_URL.",
            ) from error
        return cls(place, membership, server.url)

    def close(self, *, progress: Progress | None = None) -> None:
        """Use it no longer; the last one of all processes stops the server and waits for it."""
        with _memberships.mutex:
            if self._closed:
                return
            self._closed = True
            if _memberships.by_place.get(self._place) is not self._membership:
                return  # in a forked child, or the folder was removed and made again
            self._membership.count -= 1
            if self._membership.count == 0:
                del _memberships.by_place[self._place]
                _leave(self._place, self._membership, progress or _silent)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def _door(place: Place, progress: Progress) -> Iterator[None]:
    """Alone among all processes: the time to start or to stop the server of `place`."""
    lock = FileLock(place.door)
    try:
        if not lock.try_own():
            progress("waiting for another process that starts or stops the database")
            lock.own()
        yield
    finally:
        lock.release()


def _enter(place: Place, progress: Progress) -> tuple[_Membership, Server]:
    """Count one more user of `place` in this process, and see that its server runs."""
    place.prepare()
    with _door(place, progress):
        membership = _memberships.by_place.get(place)
        if membership is not None and not membership.users.is_of(place.users):
            membership.users.release()  # the folder was removed and made again
            membership = None
        if membership is None:
            membership = _Membership(FileLock(place.users))
            membership.users.share()
        try:
            server = ensure_running(place, progress)
        except BaseException:
            if membership.count == 0:
                _stop_if_last(place, membership, progress)
            raise
        membership.count += 1
        _memberships.by_place[place] = membership
        return membership, server


def _leave(place: Place, membership: _Membership, progress: Progress) -> None:
    try:
        with _door(place, progress):
            _stop_if_last(place, membership, progress)
    except FileNotFoundError:
        pass  # somebody removed the folder, and with it the server's reason to run
    finally:
        membership.users.release()


def _stop_if_last(place: Place, membership: _Membership, progress: Progress) -> None:
    membership.users.release()
    others = FileLock(place.users)
    try:
        if others.try_own():
            stop(place, progress)
    finally:
        others.release()


@atexit.register
def _leave_all() -> None:
    with _memberships.mutex:
        for place, membership in _memberships.by_place.items():
            _leave(place, membership, _silent)
        _memberships.by_place.clear()
