"""The folder of an embedded PostgreSQL and what lies in it.

data/            the data of the server, made in one step or not at all
socket/          its socket, or `socket-folder`, a file that names where that is instead
server.log       what the server says; an older part is in server.log.1
door.lock        owned by whoever starts or stops the server
users.lock       shared by every process that uses it
server.lock      owned by every process of the server itself, inherited from its start
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

LOG_LIMIT = 4 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class Place:
    """The paths of one embedded PostgreSQL. `folder` is absolute, without symbolic links."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def socket(self) -> Path:
        return self.folder / "socket"

    @property
    def socket_record(self) -> Path:
        return self.folder / "socket-folder"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def door(self) -> Path:
        return self.folder / "door.lock"

    @property
    def users(self) -> Path:
        return self.folder / "users.lock"

    @property
    def server(self) -> Path:
        return self.folder / "server.lock"

    def prepare(self) -> None:
        """Make the folder and its small files; safe to do at the same time as others.

        What root makes in the project of an ordinary user belongs to that user.
        Raises OSError when the folder cannot be made or used.
        """
        missing = [p for p in (self.folder, *self.folder.parents) if not p.exists()]
        for folder in reversed(missing):
            # 0711: the account that root runs the server under must pass, not look.
            folder.mkdir(mode=0o711 if folder == self.folder else 0o755, exist_ok=True)
            _belong_to_parent(folder)
        ignore = self.folder / ".gitignore"
        for path in (self.door, self.users, self.server, self.log, ignore):
            if not path.exists():
                path.touch(mode=0o600)
                _belong_to_parent(path)
        if not ignore.stat().st_size:
            ignore.write_text("*\n", encoding="utf-8")
        if not os.access(self.folder, os.W_OK) or not os.access(self.door, os.W_OK):
            raise PermissionError(None, "it belongs to another user")

    def trim_log(self) -> None:
        """Move a log beyond `LOG_LIMIT` aside; the server appends to what is left."""
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.with_name("server.log.1").write_bytes(self.log.read_bytes())
            os.truncate(self.log, 0)

    def log_tail(self, lines: int = 8) -> str:
        """The last lines that the server said."""
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 8192))
            text = log.read().decode("utf-8", errors="replace")
        return "\n".join(text.splitlines()[-lines:])


def _belong_to_parent(path: Path) -> None:
    owner = path.parent.stat()
    if os.geteuid() == 0 != owner.st_uid:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
