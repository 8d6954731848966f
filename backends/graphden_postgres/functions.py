"""The base functions of `graphden.postgres`: what each slot means stands in rows/queues.edn.

Each imports its module when it first runs: every program loads this package, and one that uses
no database must not pay for the driver's start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.run import Context, Functions
from graphden_contract import Retries

functions: Final = Functions()


@cache
def _settling() -> ModuleType:
    """Asked for once a message, where an import statement would show."""
    from graphden_postgres import settling

    return settling


@functions.add("queue-publish")
def queue_publish(
    queue: object, payload: object, delay_ms: object, key: object, *, context: Context
) -> UUID:
    from graphden_postgres.publishing import publish

    return publish(queue, payload, delay_ms, key, context)


@functions.add("queue-publish-many")
def queue_publish_many(
    queue: object, payloads: object, delay_ms: object, keys: object, *, context: Context
) -> list[UUID]:
    from graphden_postgres.publishing import publish_many

    return publish_many(queue, payloads, delay_ms, keys, context)


@functions.add("queue-take")
def queue_take(
    queue: object,
    batch: object,
    visibility_ms: object,
    wait_ms: object,
    record: object,
    *,
    context: Context,
) -> list[dict[Keyword, object]]:
    from graphden_postgres.taking import take

    return take(queue, batch, visibility_ms, wait_ms, record=record, context=context)


@functions.add("queue-ack")
def queue_ack(message: object, *, context: Context) -> Keyword:
    settlement: Keyword = _settling().ack(message, context)
    return settlement


@functions.add("queue-nack")
def queue_nack(
    message: object,
    error: object,
    retry_ms: object,
    max_attempts: object,
    backoff: Callable[[int], object] | None,
    *,
    context: Context,
) -> Keyword:
    from graphden_postgres.settling import nack

    return nack(message, error, Retries(retry_ms, max_attempts, backoff), context)


@functions.add("queue-extend")
def queue_extend(message: object, visibility_ms: object, *, context: Context) -> Keyword:
    from graphden_postgres.settling import extend

    return extend(message, visibility_ms, context)


@functions.add("queue-list")
def queue_list(*, context: Context) -> list[object]:
    from graphden_postgres.operating import list_queues

    return list_queues(context)


@functions.add("queue-messages")
def queue_messages(
    queue: object, state: object, limit: object, *, context: Context
) -> list[object]:
    from graphden_postgres.operating import list_messages

    return list_messages(queue, state, limit, context)


@functions.add("queue-requeue")
def queue_requeue(ids: object, *, context: Context) -> list[object]:
    from graphden_postgres.operating import requeue

    return requeue(ids, context)


@functions.add("queue-delete")
def queue_delete(ids: object, *, context: Context) -> list[object]:
    from graphden_postgres.operating import delete

    return delete(ids, context)


@functions.add("queue-purge")
def queue_purge(
    queue: object, state: object, force: object, *, context: Context
) -> dict[Keyword, object]:
    from graphden_postgres.operating import purge

    return purge(queue, state, force, context)


@functions.add("queue-pause")
def queue_pause(queue: object, *, context: Context) -> None:
    from graphden_postgres.operating import pause

    pause(queue, context)


@functions.add("queue-resume")
def queue_resume(queue: object, *, context: Context) -> None:
    from graphden_postgres.operating import resume

    resume(queue, context)


@functions.add("queue-retain")
def queue_retain(queue: object, dead_ms: object, *, context: Context) -> None:
    from graphden_postgres.operating import retain

    retain(queue, dead_ms, context)
