"""The base functions of `graphden.memory`: what each slot means stands in rows/queues.edn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from graphden.edn import Keyword
from graphden.run import Context, Functions
from graphden_contract import (
    BATCH,
    DELAY_MS,
    VISIBILITY_MS,
    WAIT_MS,
    Retries,
    key_name,
    key_names,
    payload_of,
    payloads_of,
    queue_name,
)
from graphden_memory import operating, settling
from graphden_memory.broker import broker

functions: Final = Functions()


@functions.add("memory-publish")
def memory_publish(
    queue: object, payload: object, delay_ms: object, key: object, *, context: Context
) -> UUID:
    named = key_name(key)
    [published] = broker(context).publish(
        queue_name(queue),
        [payload_of(payload)],
        DELAY_MS.read("delay-ms", delay_ms),
        None if named is None else [named],
        context,
    )
    return published


@functions.add("memory-publish-many")
def memory_publish_many(
    queue: object, payloads: object, delay_ms: object, keys: object, *, context: Context
) -> list[UUID]:
    checked = payloads_of(payloads)
    return broker(context).publish(
        queue_name(queue),
        checked,
        DELAY_MS.read("delay-ms", delay_ms),
        key_names(keys, len(checked)),
        context,
        is_bulk=True,
    )


@functions.add("memory-take")
def memory_take(
    queue: object, batch: object, visibility_ms: object, wait_ms: object, *, context: Context
) -> list[dict[Keyword, object]]:
    return broker(context).take(
        queue_name(queue),
        BATCH.read("batch", batch),
        VISIBILITY_MS.read("visibility-ms", visibility_ms),
        WAIT_MS.read("wait-ms", wait_ms),
        context,
    )


@functions.add("memory-ack")
def memory_ack(message: object, *, context: Context) -> Keyword:
    return settling.ack(message, context)


@functions.add("memory-nack")
def memory_nack(
    message: object,
    error: object,
    retry_ms: object,
    max_attempts: object,
    backoff: Callable[[int], object] | None,
    *,
    context: Context,
) -> Keyword:
    return settling.nack(message, error, Retries(retry_ms, max_attempts, backoff), context)


@functions.add("memory-extend")
def memory_extend(message: object, visibility_ms: object, *, context: Context) -> Keyword:
    return settling.extend(message, visibility_ms, context)


@functions.add("memory-list")
def memory_list(*, context: Context) -> list[object]:
    return operating.list_queues(context)


@functions.add("memory-messages")
def memory_messages(
    queue: object, state: object, limit: object, *, context: Context
) -> list[object]:
    return operating.list_messages(queue, state, limit, context)


@functions.add("memory-requeue")
def memory_requeue(ids: object, *, context: Context) -> list[object]:
    return operating.requeue(ids, context)


@functions.add("memory-delete")
def memory_delete(ids: object, *, context: Context) -> list[object]:
    return operating.delete(ids, context)


@functions.add("memory-purge")
def memory_purge(
    queue: object, state: object, force: object, *, context: Context
) -> dict[Keyword, object]:
    return operating.purge(queue, state, force, context)


@functions.add("memory-pause")
def memory_pause(queue: object, *, context: Context) -> None:
    operating.pause(queue, context)


@functions.add("memory-resume")
def memory_resume(queue: object, *, context: Context) -> None:
    operating.resume(queue, context)


@functions.add("memory-retain")
def memory_retain(queue: object, dead_ms: object, *, context: Context) -> None:
    operating.retain(queue, dead_ms, context)
