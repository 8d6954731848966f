"""What is being published: the values that its statements take, and the errors that name it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

import psycopg

from graphden.errors import RunError
from graphden.run import Context, publisher
from graphden_contract import (
    DELAY_MS,
    KEY_LIFETIME_MS,
    Payload,
    key_conflict,
    of_item,
    queue_name,
)
from graphden_postgres.failures import explained

_KEY_CONFLICT: Final = "GD001"


@dataclass(frozen=True, slots=True)
class Publication:
    """Messages for one queue. `keys`, unless None, has one for each; `is_bulk` is whether
    errors name items.
    """

    ids: list[UUID]
    queue: str
    payloads: list[str]
    delay_ms: float
    trace_id: UUID | None
    parent_execution_id: UUID | None
    keys: list[str] | None
    digests: list[bytes] | None
    is_bulk: bool

    def one(self) -> dict[str, object]:
        """The values of the only message, which has no key."""
        return {
            "id": self.ids[0],
            "queue": self.queue,
            "payload": self.payloads[0],
            "delay_ms": self.delay_ms,
            "trace_id": self.trace_id,
            "parent_execution_id": self.parent_execution_id,
        }

    def all(self) -> dict[str, object]:
        """The values of all messages."""
        return {
            "ids": self.ids,
            "queue": self.queue,
            "payloads": self.payloads,
            "delay_ms": self.delay_ms,
            "trace_id": self.trace_id,
            "parent_execution_id": self.parent_execution_id,
            "keys": self.keys,
            "digests": self.digests,
            "key_lifetime_ms": KEY_LIFETIME_MS,
        }

    def unknown(self) -> RunError:
        """The connection broke during the commit, and what became of it cannot be found out."""
        if self.is_bulk:
            return RunError(
                "publish-unknown",
                "the connection broke while the messages were stored: "
                "all may be stored, or handled already, or none",
                hint="Look for their ids. Publishing again is safe only with :keys.",
                data={"ids": self.ids},
            )
        return RunError(
            "publish-unknown",
            "the connection broke while the message was stored: "
            "it may be stored, or handled already, or not",
            hint="Look for its id. Publishing again is safe only with a :key.",
            data={"id": self.ids[0]},
        )

    def refused(self, error: psycopg.Error) -> RunError:
        """Why the database stored nothing."""
        if error.sqlstate != _KEY_CONFLICT or self.keys is None:
            return explained(error)
        item = int(error.diag.message_hint or 0)
        conflict = key_conflict(self.keys[item], UUID(error.diag.message_detail or ""))
        return of_item(conflict, item) if self.is_bulk else conflict


def publication(
    queue: object,
    payloads: Sequence[Payload],
    delay_ms: object,
    keys: list[str] | None,
    context: Context,
    *,
    is_bulk: bool,
) -> Publication:
    """New messages of this run, their ids chosen now. Raises RunError `invalid-argument`."""
    trace_id, execution_id = publisher(context)
    return Publication(
        ids=[uuid4() for _ in payloads],
        queue=queue_name(queue),
        payloads=[payload.text for payload in payloads],
        delay_ms=DELAY_MS.read("delay-ms", delay_ms),
        trace_id=trace_id,
        parent_execution_id=execution_id,
        keys=keys,
        digests=None if keys is None else [payload.digest() for payload in payloads],
        is_bulk=is_bulk,
    )
