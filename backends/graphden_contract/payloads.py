"""Payloads as the text that is stored: the same for every backend (QUEUES 2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from graphden.edn import JsonProblem, payload_text, payload_value
from graphden.errors import RunError
from graphden_contract.limits import MAX_PAYLOAD_BYTES


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload ready to be stored."""

    text: str

    def digest(self) -> bytes:
        """What two equal payloads share, whatever the order of their keys."""
        import hashlib

        ordered = payload_text(_ordered(payload_value(self.text)))
        return hashlib.sha256(ordered.encode()).digest()


def payload_of(value: object) -> Payload:
    """`value` as it will be stored.

    Raises RunError `invalid-payload` with the path inside it when JSON cannot carry it, and
    `payload-too-large` with its size and the limit in bytes.
    """
    try:
        text = payload_text(value)
    except JsonProblem as problem:
        raise RunError(
            "invalid-payload",
            f"the payload cannot be stored: {problem}",
            hint="Publish only what JSON can carry: text, numbers, booleans, nil, "
            "lists, and maps with text or keyword keys.",
            data={"path": list(problem.path)},
        ) from None
    size = len(text.encode())
    if size > MAX_PAYLOAD_BYTES:
        raise RunError(
            "payload-too-large",
            f"the payload has {size:,} bytes; a message carries at most {MAX_PAYLOAD_BYTES:,}",
            hint="Store it elsewhere and publish where it is.",
            data={"size": size, "limit": MAX_PAYLOAD_BYTES},
        )
    return Payload(text)


def payload_read(text: str) -> object:
    """The value that was published as `text`.

    Raises RunError `invalid-payload` for text that no publish of ours wrote: others can write
    into a database.
    """
    try:
        found: object = payload_value(text)
    except JsonProblem as problem:
        raise RunError(
            "invalid-payload", f"the stored payload cannot be read: {problem}"
        ) from None
    return found


def _ordered(value: object) -> object:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def key_conflict(key: str, first: UUID) -> RunError:
    """The error for a key that message `first` was published with, but with another payload."""
    return RunError(
        "key-conflict",
        f"the key {key!r} was published to this queue with another payload, as message {first}",
        hint="Use a new key for a new payload.",
        data={"id": first},
    )
