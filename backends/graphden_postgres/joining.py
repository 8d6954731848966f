"""Publishing as part of a transaction of the user's own (QUEUES 2.4)."""

from __future__ import annotations

from uuid import UUID

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row

from graphden.errors import RunError
from graphden_contract import shown
from graphden_postgres.connections import Connections, Row
from graphden_postgres.failures import explained
from graphden_postgres.publications import Publication
from graphden_postgres.statements import statement


def store_within(transaction: object, messages: Publication, pool: Connections) -> list[UUID]:
    """Make messages part of what the psycopg connection `transaction` commits; their ids.

    What is refused leaves the user's transaction as it was. A connection in autocommit mode and
    outside of a transaction commits at once, and a break then is `publish-unknown`.
    """
    if not isinstance(transaction, psycopg.Connection):
        raise RunError(
            "invalid-argument",
            f"the transaction must be a psycopg.Connection, not {shown(transaction)}",
            hint="From other drivers call the SQL function graphden.publish.",
        )
    is_alone = transaction.info.transaction_status is TransactionStatus.IDLE
    commits = transaction.autocommit and is_alone
    try:
        cursor = psycopg.Cursor(transaction, row_factory=tuple_row)
        if is_alone and not commits:
            # Else the block below would be a transaction of its own, not a part of the user's.
            cursor.execute(statement("join"))
        with cursor, transaction.transaction():
            values = {**messages.all(), "queue_id": _queue_id(messages.queue, cursor, pool)}
            [[stored, _]] = cursor.execute(statement("put_many"), values).fetchall()
    except psycopg.OperationalError as error:
        if commits and error.sqlstate is None:
            raise messages.unknown() from None
        raise explained(error) from None
    except psycopg.Error as error:
        raise messages.refused(error) from None
    # The user may have taught the connection to read uuids as something else.
    return [UUID(str(each)) for each in stored]


def _queue_id(queue: str, cursor: psycopg.Cursor[Row], pool: Connections) -> int:
    """The queue's id. A new one is named by a connection of ours, which commits at once: named
    in a long transaction, it would make everybody wait who uses the queue. One that this
    transaction has named itself is only seen inside of it.
    """
    rows = cursor.execute(statement("find_queue"), {"queue": queue}).fetchall()
    rows = rows or [*pool.ask("name_queue", {"queue": queue})]
    found: int = rows[0][0]
    return found
