"""Publishing: when it returns, the messages are durable; when it raises, the error says which.

In a run that belongs to a transaction of the user's they are part of that instead.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

import psycopg

from graphden.run import Context
from graphden_contract import key_name, key_names, payload_of, payloads_of
from graphden_postgres.connections import Connections, Session, connections
from graphden_postgres.failures import explained
from graphden_postgres.joining import store_within
from graphden_postgres.publications import Publication, publication
from graphden_postgres.statements import statement

_MAYBE_STORED: Final = ("08", "57P", "58", "XX")
"""Classes of errors that can also come when the commit is done: the session or server ends."""


def publish(
    queue: object, payload: object, delay_ms: object, key: object, context: Context
) -> UUID:
    """Store one message and wake who waits for it; its id.

    Raises RunError: `invalid-argument`, `invalid-payload`, `payload-too-large`, `key-conflict`
    and `queue-unavailable` stored nothing; `publish-unknown` carries the `id` that the message
    has if it was stored.
    """
    checked, named = payload_of(payload), key_name(key)
    keys = None if named is None else [named]
    message = publication(queue, [checked], delay_ms, keys, context, is_bulk=False)
    return _store(message, context)[0]


def publish_many(
    queue: object, payloads: object, delay_ms: object, keys: object, context: Context
) -> list[UUID]:
    """Store messages, all or none, and wake who waits for them; their ids, in order.

    Raises what `publish` raises; the data of an error that is about one message has its `item`,
    counted from 0, and that of `publish-unknown` has all `ids`.
    """
    checked = payloads_of(payloads)
    named = key_names(keys, len(checked))
    messages = publication(queue, checked, delay_ms, named, context, is_bulk=True)
    return _store(messages, context) if checked else []


def _store(messages: Publication, context: Context) -> list[UUID]:
    pool = connections(context)
    if context.transaction is not None:
        return store_within(context.transaction, messages, pool)
    try:
        with pool.use() as connection:
            sent = _send(messages, connection)
    except psycopg.Error as error:
        # Raised by connecting only: nothing was sent.
        raise explained(error) from None
    return sent if sent is not None else _after_break(messages, pool)


def _send(messages: Publication, connection: Session) -> list[UUID] | None:
    """The ids, or None when the answer does not say whether the messages are stored."""
    try:
        if messages.is_bulk or messages.keys is not None:
            cursor = connection.run(statement("publish_many"), messages.all())
            stored: list[UUID] = cursor.fetchall()[0][0]
        else:
            cursor = connection.run(statement("publish"), messages.one())
            stored = [cursor.fetchall()[0][0]]
    except psycopg.Error as error:
        if error.sqlstate is None or error.sqlstate.startswith(_MAYBE_STORED):
            return None
        raise messages.refused(error) from None
    return stored


def _after_break(messages: Publication, pool: Connections) -> list[UUID]:
    """Find out, if it can be found out, whether the messages are stored."""
    try:
        if messages.keys is None:
            found = pool.rows(statement("find_messages"), {"ids": messages.ids})
            # All or none: one that is there, or still there, speaks for the others.
            stored = messages.ids if found else None
        else:
            stored = pool.rows(statement("publish_many"), messages.all())[0][0]
    except psycopg.Error as error:
        if error.sqlstate is not None and error.sqlstate.startswith("GD"):
            raise messages.refused(error) from None
        stored = None
    if stored is None:
        raise messages.unknown()
    return stored
