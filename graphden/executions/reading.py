"""From rows of the database to what they tell: executions, and the tree below one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from graphden.executions.model import Execution, Fate, Kind, Message, Status, Step
from graphden.executions.values import failure_of

Row: TypeAlias = tuple[Any, ...]

_FATES: Mapping[str, Fate] = {
    "done": Fate.DONE,
    "retry": Fate.WAITING,
    "dead": Fate.DEAD,
    "requeue": Fate.WAITING,
    "delete": Fate.DELETED,
    "purge": Fate.DELETED,
}


def execution_of(row: Row) -> Execution:
    """The execution in a row that has the columns of `read_execution.sql`."""
    identity, kind, status, *middle, cut, hidden, actor = row[:11]
    entry, digest, arguments, result, error = middle
    return Execution(
        identity,
        Kind(kind),
        Status(status),
        entry,
        digest,
        arguments,
        result,
        None if error is None else failure_of(error),
        frozenset(cut or ()),
        hidden,
        actor,
        *row[11:],
    )


def messages_below(
    execution: UUID, links: Iterable[Row], steps: Sequence[Execution]
) -> tuple[Message, ...]:
    """The messages that an execution published, with what happened to them, level by level.

    `links` are rows of `list_downstream.sql`, `steps` what happened to the messages in them, in
    order.
    """
    published: defaultdict[UUID, list[tuple[UUID, str, datetime]]] = defaultdict(list)
    for publisher, message, queue, at in links:
        published[publisher].append((message, queue, at))
    happened: defaultdict[UUID, list[Execution]] = defaultdict(list)
    for step in steps:
        if step.message_id is not None:
            happened[step.message_id].append(step)

    def below(publisher: UUID) -> tuple[Message, ...]:
        return tuple(
            Message(
                id=message,
                queue=queue,
                published=at,
                fate=fate_of(happened[message]),
                steps=tuple(Step(step, below(step.id)) for step in happened[message]),
            )
            for message, queue, at in sorted(published[publisher], key=lambda link: link[2])
        )

    return below(execution)


def fate_of(steps: Iterable[Execution]) -> Fate:
    """What has become of a message to which this happened, in order."""
    fate = Fate.WAITING
    for step in steps:
        said = step.outcome if step.kind is Kind.OPERATOR else step.settlement
        fate = _FATES.get(said or "", fate)
    return fate
