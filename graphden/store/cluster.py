"""The server of an embedded PostgreSQL: started, found and stopped.

Whoever calls these functions owns the door of the place. Whether the server lives is asked of
the kernel: all its processes inherit `server.lock`, so the lock is free exactly when none is
left. A number in a file cannot tell that, since numbers of processes are used again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from graphden.errors import UsageError
from graphden.store.account import server_account
from graphden.store.creation import create, environment, installation_for
from graphden.store.locks import FileLock
from graphden.store.place import Place
from graphden.store.sockets import (
    FILE,
    PORT,
    forget_socket_folder,
    is_private,
    listener,
    socket_folder,
)

Progress = Callable[[str], None]

START_PATIENCE = 900.0  # seconds: recovery after a crash replays up to a gigabyte and more
STOP_PATIENCE = 120.0  # seconds: a fast shutdown writes everything that is in memory
REMINDER = 5.0  # seconds between two words about a long wait
GLANCE = 0.005  # seconds between two looks while waiting


@dataclass(frozen=True, slots=True)
class Server:
    """A running server that accepts connections: its process and the folder of its socket."""

    process: int
    socket: Path

    @property
    def url(self) -> str:
        """Where psycopg and psql reach it."""
        host = quote(str(self.socket), safe="")
        return f"postgresql://postgres@/postgres?host={host}&port={PORT}"


def ensure_running(place: Place, progress: Progress) -> Server:
    """The server of `place`, started if need be, its data made if there are none.

    Raises UsageError `embedded-start` with the end of its log when it does not come up,
    `embedded-socket` when it runs but cannot be reached safely, and what `create`,
    `installation_for`, `server_account` and `socket_folder` raise.
    """
    started = False
    wait = _Wait(START_PATIENCE, progress)
    while True:
        lock = FileLock(place.server)
        try:
            if lock.try_own():
                if started:
                    raise _start_failed(place, "it ended at once")
                _start(place, lock, progress)
                started = True
                wait.because = "the database starts, or recovers what a crash left"
        finally:
            lock.hand_over()
        server = find(place)
        if server is not None:
            if not is_private(place, server.socket) or not (server.socket / FILE).exists():
                raise _socket_lost(server)
            place.trim_log()
            return server
        if not wait.goes_on():
            raise _start_failed(place, f"it is not ready after {START_PATIENCE:.0f} s")


def find(place: Place) -> Server | None:
    """The running server of `place`, if it accepts connections now, or has lost its socket."""
    lines = _process_file(place)
    if len(lines) < 8 or lines[7].strip() != "ready":
        return None
    folder = Path(lines[4])
    process = listener(folder, recorded=int(lines[0]))
    if process is not None:
        return Server(process, folder)
    if (folder / FILE).exists():  # nobody listens there: it was killed
        return None
    return Server(int(lines[0]), folder)


def stop(place: Place, progress: Progress) -> None:
    """Shut the server down and wait for its last process; nothing when it does not run.

    One that still starts is waited for first. One that this process may not signal is left.
    """
    told = False
    wait = _Wait(STOP_PATIENCE, progress, "the database writes what it holds in memory")
    lock = FileLock(place.server)
    try:
        while not lock.try_own():
            server = None if told else find(place)
            if server is not None:
                if server.process == 0:
                    return
                os.kill(server.process, signal.SIGINT)  # PostgreSQL's fast shutdown
                told = True
            if not wait.goes_on():
                return
        forget_socket_folder(place)
        place.trim_log()
    finally:
        lock.release()


def _start(place: Place, lock: FileLock, progress: Progress) -> None:
    """Start the server, which inherits `lock`; it is not ready yet when this returns."""
    installation = installation_for(place)
    needed = (installation.programs / "postgres", place.folder)
    account = server_account(place.folder, place.data, needed)
    if not place.data.exists():
        progress(f"making a database in {place.folder}")
        create(place, account, installation)
    progress(f"starting PostgreSQL {installation.major}")
    place.trim_log()
    _disown_process_file(place)
    folder = socket_folder(place)
    account.give(folder)
    quoted = str(folder).replace('"', '""')
    server = account.command(
        installation.program("postgres"),
        *("-D", str(place.data)),
        *("-c", "listen_addresses="),
        *("-c", f'unix_socket_directories="{quoted}"'),
        *("-c", "unix_socket_permissions=0700"),
        *("-c", f"port={PORT}"),
    )
    with place.log.open("ab") as log:
        # The shell ends at once, so that the server is nobody's child and outlives us; in a
        # session of its own, no key pressed in our terminal reaches it.
        subprocess.run(
            ["/bin/sh", "-c", '"$@" &', "sh", *server],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            check=True,
            cwd="/",
            env=environment(),
            pass_fds=(lock.descriptor,),
            start_new_session=True,
        )


def _disown_process_file(place: Place) -> None:
    """Tell a new server that the process named in a left-over `postmaster.pid` is no server.

    We own `server.lock`, so no process of the old server is left, but its number may be used
    by another one, which would keep PostgreSQL from starting. PostgreSQL ignores the number of
    the process that `PG_GRANDPARENT_PID` names, and goes on to its own check of shared memory.
    The last line, the old state, is dropped: `find` must not take the new server for ready.
    """
    path = place.data / "postmaster.pid"
    lines = _process_file(place)
    if not lines:
        path.unlink(missing_ok=True)  # empty: killed while it was written
        return
    with path.open("r+", encoding="utf-8") as file:  # one write: never empty in between
        file.write("\n".join([str(os.getpid()), *lines[1:7]]) + "\n")
        file.truncate()


def _process_file(place: Place) -> list[str]:
    """The lines of `postmaster.pid`: process, data, time, port, socket folder, …, state."""
    try:
        return (place.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []


def _socket_lost(server: Server) -> UsageError:
    return UsageError(
        "embedded-socket",
        f"the socket of the running PostgreSQL (process {server.process}) in {server.socket} "
        "is gone, or others can enter that folder",
        hint=f"End that server with `kill -INT {server.process}`, and try again.",
    )


def _start_failed(place: Place, reason: str) -> UsageError:
    return UsageError(
        "embedded-start",
        f"PostgreSQL did not start: {reason}. The end of its log:\n{place.log_tail()}",
        hint=f"The whole log is {place.log}. Where the disk is full, make room and try again.",
    )


class _Wait:
    """A wait with a limit that says now and then what it waits for."""

    def __init__(
        self, patience: float, progress: Progress, because: str = "the database is stopping"
    ) -> None:
        self.because = because
        self._progress = progress
        self._end = time.monotonic() + patience
        self._remind = time.monotonic() + REMINDER

    def goes_on(self) -> bool:
        """Wait a moment; False when the limit is reached."""
        now = time.monotonic()
        if now >= self._remind:
            self._progress(f"waiting: {self.because}")
            self._remind = now + REMINDER
        time.sleep(GLANCE)
        return now < self._end
