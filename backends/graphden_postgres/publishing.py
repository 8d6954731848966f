"""Publishing: when it returns, the message is durable; when it raises, the error says which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

import psycopg

from graphden.errors import RunError
from graphden.run import Context
from graphden_contract import (
    DELAY_MS,
    KEY_LIFETIME_MS,
    key_conflict,
    key_name,
    payload_of,
    queue_name,
)
from graphden_postgres.connections import Connections, Row, connections
from graphden_postgres.failures import explained
from graphden_postgres.statements import statement

_KEY_CONFLICT: Final = "GD001"

_BEFORE_COMMIT: Final = ("22", "23", "25", "28", "3F", "42")
"""Classes of errors that storing raises and waking, which follows its commit, cannot."""


def publish(
    queue: object, payload: object, delay_ms: object, key: object, context: Context
) -> UUID:
    """Store one message and wake who waits for it; its id.

    Raises RunError: `invalid-argument`, `invalid-payload`, `payload-too-large`, `key-conflict`
    and `queue-unavailable` stored nothing; `publish-unknown` carries the `id` that the message
    has if it was stored.
    """
    checked = payload_of(payload)
    named = key_name(key)
    values = {
        "id": uuid4(),
        "queue": queue_name(queue),
        "payload": checked.text,
        "delay_ms": DELAY_MS.read("delay-ms", delay_ms),
        "trace_id": context.trace_id,
        "parent_execution_id": context.execution_id,
        "key": named,
        "digest": None if named is None else checked.digest(),
        "key_lifetime_ms": KEY_LIFETIME_MS,
    }
    return _Publication(connections(context), values).store()


@dataclass(frozen=True, slots=True)
class _Publication:
    """One message on its way into the database."""

    pool: Connections
    values: Mapping[str, object]

    def store(self) -> UUID:
        try:
            with self.pool.use() as connection:
                sent = self._send(connection)
        except psycopg.Error as error:
            # Raised by connecting only: nothing was sent.
            raise explained(error) from None
        return sent if sent is not None else self._after_break()

    def _send(self, connection: psycopg.Connection[Row]) -> UUID | None:
        """The message's id, or None when the answer does not say whether it is stored."""
        try:
            rows = connection.execute(statement("publish"), self.values).fetchall()
        except psycopg.Error as error:
            state = error.sqlstate
            if state == _KEY_CONFLICT:
                raise self._key_conflict(error) from None
            if state is not None and state.startswith(_BEFORE_COMMIT):
                raise explained(error) from None
            return None
        return _id(rows)

    def _after_break(self) -> UUID:
        """Find out, if it can be found out, whether the message is stored."""
        name = "find_message" if self.values["key"] is None else "publish"
        try:
            rows = self.pool.rows(statement(name), self.values)
        except psycopg.Error as error:
            if error.sqlstate == _KEY_CONFLICT:
                raise self._key_conflict(error) from None
            rows = []
        if rows:
            return _id(rows)
        raise RunError(
            "publish-unknown",
            "the connection broke while the message was stored: "
            "it may be stored, or handled already, or not",
            hint="Look for its id. Publishing again is safe only with a :key.",
            data={"id": self.values["id"]},
        )

    def _key_conflict(self, error: psycopg.Error) -> RunError:
        return key_conflict(str(self.values["key"]), UUID(error.diag.message_detail or ""))


def _id(rows: Sequence[Row]) -> UUID:
    found = rows[0][0]
    if not isinstance(found, UUID):
        raise TypeError(found)
    return found
