"""Executions and what they caused, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from graphden.cli.output import Branch, Style
from graphden.cli.traces import duration
from graphden.executions import Execution, Fate, Kind, Message, Status, Step, Story

_COLOURS = {
    Status.PENDING: "yellow",
    Status.SUCCEEDED: "green",
    Status.FAILED: "red",
    Status.CANCELLED: "yellow",
    Fate.WAITING: "yellow",
    Fate.DONE: "green",
    Fate.DEAD: "red",
    Fate.DELETED: "dim",
}
_ENDS = {
    "failed": "failed",
    "later": "asked for later",
    "give-up": "gave up",
    "died": "died",
    "lapsed": "attempts used up by workers that died",
    "lost": "handled, but its claim was over",
}
_LONGEST = 10_000
"""Characters of a value that are shown to people."""
_SHORT = 100
"""Characters of an error in a line of a tree."""


def drawn(story: Story, style: Style) -> list[str]:
    """An execution and what it caused, as lines."""
    lines = _facts(story.execution, style)
    tree = Branch("", [_message(each, style) for each in story.published])
    lines += tree.lines()[1:]
    if not story.complete:
        lines.append(style("dim", "… and more messages, which are not shown"))
    return lines


def drawn_steps(steps: Iterable[Execution], style: Style) -> list[str]:
    """What happened to a message, as lines."""
    return Branch("", [_step(Step(each), style) for each in steps]).lines()[1:]


def took(execution: Execution) -> str | None:
    """How long an execution ran, for people."""
    if execution.took is None or execution.kind is Kind.OPERATOR:
        return None
    return duration(execution.took.total_seconds() * 1e9)


def moment(at: datetime) -> str:
    """A time with its day, in the zone of whoever looks."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _facts(execution: Execution, style: Style) -> list[str]:
    status = style(_COLOURS[execution.status], execution.status.value)
    lines = [f"{execution.kind.value} {execution.id}: {execution.entry or '-'}, {status}"]
    ran = took(execution)
    facts = {
        "started": moment(execution.started) + (f", took {ran}" if ran else ""),
        "by": execution.actor,
        "trace": execution.trace_id,
        "parent": execution.parent_id,
        "rerun of": execution.rerun_of,
        "digest": execution.digest,
        "cancel": execution.cancel_by and f"asked for by {execution.cancel_by}",
        "message": execution.message_id and f"{execution.message_id} in {execution.queue}",
        "attempt": execution.attempt,
        "outcome": execution.outcome,
        "arguments": _value(execution, "arguments", execution.arguments),
        "result": _value(execution, "result", execution.result),
    }
    lines += [f"  {name:10} {value}" for name, value in facts.items() if value is not None]
    error = execution.error
    if error is not None:
        lines.append(f"  {'error':10} {style('red', error.code)}: {error.message}")
        if error.place is not None:
            lines.append(f"  {'':10} in :{error.row} ({error.place})")
        lines += [f"  {'':10}   via :{row} ({place})" for row, place in error.trail[:-1]]
        if error.hint:
            lines.append(f"  {'':10} hint: {error.hint}")
    return lines


def _value(execution: Execution, name: str, text: str | None) -> str | None:
    if text is None:
        return None
    mark = " (not all of it was recorded)" if name in execution.cut else ""
    if len(text) > _LONGEST:
        return f"{text[:_LONGEST]}… ({len(text):,} characters: see --json){mark}"
    return text + mark


def _message(message: Message, style: Style) -> Branch:
    fate = style(_COLOURS[message.fate], message.fate.value)
    text = f"message {message.id} in {message.queue}: {fate}"
    return Branch(text, [_step(step, style) for step in message.steps])


def _step(step: Step, style: Style) -> Branch:
    execution = step.execution
    at = moment(execution.started)
    if execution.kind is Kind.OPERATOR:
        text = f"{execution.outcome} by {execution.actor}, {at}"
    else:
        end = _ENDS.get(execution.outcome or "", execution.outcome or "?")
        then = {"retry": ", to be tried again", "dead": ", dead"}.get(
            execution.settlement or "", ""
        )
        colour = _COLOURS[execution.status]
        ran = took(execution)
        text = f"{style(colour, end)}{then}, {at}"
        if execution.outcome != "lapsed":
            text = f"attempt {execution.attempt}: {text}"
        if execution.outcome != "died" and ran:
            text += f", {ran}"
        if execution.entry:
            text += f", :{execution.entry}"
        if execution.error is not None:
            text += f" ({execution.error.code}: {_short(execution.error.message)})"
    return Branch(text, [_message(each, style) for each in step.published])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}…"


def story_record(story: Story) -> dict[str, Any]:
    """A story as data."""
    return {
        **execution_record(story.execution),
        "published": [_message_record(each) for each in story.published],
        "complete": story.complete,
    }


def execution_record(execution: Execution) -> dict[str, Any]:
    """An execution as data. Values are EDN text."""
    error = execution.error
    return {
        "id": execution.id,
        "kind": execution.kind.value,
        "status": execution.status.value,
        "entry": execution.entry,
        "digest": execution.digest,
        "arguments": execution.arguments,
        "result": execution.result,
        "error": None
        if error is None
        else {
            "code": error.code,
            "message": error.message,
            "row": error.row,
            "place": error.place,
            "hint": error.hint,
            "trail": [{"row": row, "place": place} for row, place in error.trail],
        },
        "cut": sorted(execution.cut),
        "hidden": execution.hidden,
        "actor": execution.actor,
        "trace-id": execution.trace_id,
        "parent-id": execution.parent_id,
        "rerun-of": execution.rerun_of,
        "started": execution.started,
        "ended": execution.ended,
        "cancel-by": execution.cancel_by,
        "message-id": execution.message_id,
        "queue": execution.queue,
        "attempt": execution.attempt,
        "outcome": execution.outcome,
        "settlement": execution.settlement,
    }


def _message_record(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "queue": message.queue,
        "published": message.published,
        "fate": message.fate.value,
        "steps": [
            {
                **execution_record(step.execution),
                "published": [_message_record(each) for each in step.published],
            }
            for step in message.steps
        ],
    }
