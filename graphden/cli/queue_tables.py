"""Queues and messages as tables, for people."""

from __future__ import annotations

from datetime import datetime

from graphden.cli.output import print_table
from graphden.edn import to_json
from graphden.queues import Map, Maps

STATES = ("pending", "delayed", "claimed", "lapsed", "dead")
_PAYLOAD_WIDTH = 60
_QUEUE_TITLES = ("QUEUE", *map(str.upper, STATES), "OLDEST", "RATE", "")


def print_queues(found: Maps) -> None:
    """Every queue with its counts; the rate is the messages taken in the last minute."""
    if not found:
        print("no queues")
        return
    print_table(
        _QUEUE_TITLES,
        [
            (
                queue["queue"],
                *(queue[state] for state in STATES),
                _age(queue["oldest-ms"]),
                f"{queue['rate']}/min",
                "paused" if queue["paused"] else "",
            )
            for queue in found
        ],
    )


def print_messages(found: Maps) -> None:
    """Messages with their states; of a claimed one, DUE is when its claim ends."""
    print_table(
        ("ID", "STATE", "ATTEMPTS", "DUE", "PAYLOAD", "ERROR"),
        [
            (
                message["id"],
                message["state"],
                message["attempts"],
                _moment(message["due"] or message["claimed-until"]),
                _short(to_json(message["payload"])),
                _error(message["error"]),
            )
            for message in found
        ],
    )


def print_results(found: Maps) -> None:
    """What became of each message that was asked for."""
    for each in found:
        reason = f": {each['reason']}" if each["reason"] else ""
        print(f"{each['id']}  {each['result'].text}{reason}")


def _error(error: Map | None) -> str | None:
    if error is None:
        return None
    place = f" ({error['place']})" if error["place"] else ""
    return f"{error['type']}: {error['message']}{place}"


def _moment(when: datetime | None) -> str | None:
    """The local time, with the date unless it is today."""
    if when is None:
        return None
    local = when.astimezone()
    is_today = local.date() == datetime.now().astimezone().date()
    return local.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M:%S")


def _age(milliseconds: float | None) -> str | None:
    if milliseconds is None:
        return None
    for size, unit in ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")):
        if milliseconds >= size:
            return f"{milliseconds / size:.0f} {unit}"
    return f"{milliseconds:.0f} ms"


def _short(text: str) -> str:
    return text if len(text) <= _PAYLOAD_WIDTH else f"{text[: _PAYLOAD_WIDTH - 1]}…"
