"""Payloads as the text that is stored: the same for every backend (QUEUES 2.5)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from uuid import UUID

from graphden.edn import JsonProblem, payload_text, payload_value
from graphden.errors import RunError
from graphden_contract.limits import (
    MAX_BULK,
    MAX_BULK_BYTES,
    MAX_PAYLOAD_BYTES,
    of_item,
    refused,
    shown,
)


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload ready to be stored: JSON text of `size` bytes in UTF-8."""

    text: str
    size: int

    def digest(self) -> bytes:
        """What two equal payloads share, whatever the order of their keys.

        A hash of the hashes of all scalars and empty collections with the ways that lead to
        them: an order that a database can compute too, without recursion.
        """
        from hashlib import sha256

        leaves: list[bytes] = []
        nodes: list[tuple[bytes, object]] = [(b"", payload_value(self.text))]
        while nodes:
            way, value = nodes.pop()
            if isinstance(value, dict) and value:
                for key, part in value.items():
                    nodes.append((sha256(way + b"." + key.encode()).digest(), part))
            elif isinstance(value, list) and value:
                for index, part in enumerate(value):
                    nodes.append((sha256(way + b"#%d" % index).digest(), part))
            else:
                leaves.append(sha256(way + b"=" + _leaf(value)).digest())
        return sha256(b"".join(sorted(leaves))).digest()


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
    return Payload(text, size)


def payloads_of(values: object) -> list[Payload]:
    """A list of payloads as they will be stored, 10,000 and 64 MiB at most.

    Raises RunError `invalid-argument`, and what `payload_of` raises with its `item`.
    """
    if not isinstance(values, list | tuple):
        raise refused("payloads", f"must be a list, not {shown(values)}")
    if len(values) > MAX_BULK:
        raise refused(
            "payloads",
            f"must be at most {MAX_BULK:,}, not {len(values):,}",
            hint="Publish them in several calls.",
        )
    payloads: list[Payload] = []
    for item, value in enumerate(values):
        try:
            payloads.append(payload_of(value))
        except RunError as problem:
            raise of_item(problem, item) from None
    size = sum(payload.size for payload in payloads)
    if size > MAX_BULK_BYTES:
        raise RunError(
            "payload-too-large",
            f"the payloads have {size:,} bytes; one call carries at most {MAX_BULK_BYTES:,}",
            hint="Publish them in several calls.",
            data={"size": size, "limit": MAX_BULK_BYTES},
        )
    return payloads


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


def _leaf(value: object) -> bytes:
    """A scalar or empty collection; numbers of different kinds are different."""
    match value:
        case str():
            return b"s" + value.encode()
        case float():
            return b"f" + struct.pack(">d", value).hex().encode()
        case dict():
            return b"o"
        case list():
            return b"a"
        case None | bool():
            return payload_text(value).encode()
    return b"i" + payload_text(value).encode()


def key_conflict(key: str, first: UUID) -> RunError:
    """The error for a key that message `first` was published with, but with another payload."""
    return RunError(
        "key-conflict",
        f"the key {key!r} was published to this queue with another payload, as message {first}",
        hint="Use a new key for a new payload.",
        data={"id": first},
    )
