"""The base functions of `graphden.postgres`: what each slot means stands in rows/queues.edn."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.run import Context, Functions
from graphden_postgres import operating, publishing, settling, taking

functions: Final = Functions()


@functions.add("queue-publish")
def queue_publish(
    queue: object, payload: object, delay_ms: object, key: object, *, context: Context
) -> UUID:
    return publishing.publish(queue, payload, delay_ms, key, context)


@functions.add("queue-take")
def queue_take(
    queue: object, batch: object, visibility_ms: object, wait_ms: object, *, context: Context
) -> list[object]:
    return taking.take(queue, batch, visibility_ms, wait_ms, context)


@functions.add("queue-ack")
def queue_ack(message: object, *, context: Context) -> Keyword:
    return settling.ack(message, context)


@functions.add("queue-nack")
def queue_nack(
    message: object, error: object, retry_ms: object, max_attempts: object, *, context: Context
) -> Keyword:
    return settling.nack(message, error, retry_ms, max_attempts, context)


@functions.add("queue-extend")
def queue_extend(message: object, visibility_ms: object, *, context: Context) -> Keyword:
    return settling.extend(message, visibility_ms, context)


@functions.add("queue-list")
def queue_list(*, context: Context) -> list[object]:
    return operating.list_queues(context)


@functions.add("queue-messages")
def queue_messages(
    queue: object, state: object, limit: object, *, context: Context
) -> list[object]:
    return operating.list_messages(queue, state, limit, context)


@functions.add("queue-requeue")
def queue_requeue(ids: object, *, context: Context) -> list[object]:
    return operating.requeue(ids, context)


@functions.add("queue-delete")
def queue_delete(ids: object, *, context: Context) -> list[object]:
    return operating.delete(ids, context)
