"""The packages' rows as they were read and checked once, for every process that starts later.

The snapshot lies where Python keeps the compiled modules of this package, and is trusted as
they are: whoever can write there can write our code. It is read when it is of the same rows,
engine and Python, and written anew when it is not. Where Python may not write compiled modules,
none is written.
"""

from __future__ import annotations

import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

from graphden.cache import digest, engine_digest, sealed, unsealed, write_whole
from graphden.check import Found
from graphden.files import RowFile, package_texts
from graphden.resolve import Resolution

READABLE = 0o644


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The packages' files, what they resolve to, and the types found of their rows."""

    files: tuple[RowFile, ...]
    resolution: Resolution
    found: Found


def read() -> Snapshot | None:
    """The snapshot of the packages that are installed, if there is one."""
    try:
        content = place().read_bytes()
    except (OSError, NotImplementedError):
        return None
    payload = unsealed(_key(), content)
    if payload is None:
        return None
    found: Snapshot = pickle.loads(payload)  # noqa: S301
    return found


def write(snapshot: Snapshot) -> None:
    """Keep a snapshot, if that is possible."""
    if sys.dont_write_bytecode:
        return
    with suppress(OSError, NotImplementedError):
        payload = pickle.dumps(snapshot, pickle.HIGHEST_PROTOCOL)
        place().parent.mkdir(parents=True, exist_ok=True)
        write_whole(place(), sealed(_key(), payload), READABLE)


def place() -> Path:
    """The file that the snapshot is. Raises NotImplementedError where Python keeps none."""
    module = Path(cache_from_source(__file__))
    return module.with_name(f"packages.{sys.implementation.cache_tag}.rows")


def _key() -> bytes:
    return digest((engine_digest(), *(part for file in package_texts() for part in file)))
