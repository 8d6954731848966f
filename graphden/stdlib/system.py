"""JSON, identifiers, digests, environment, log: bodies of `stdlib_graphs/system.edn`."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from uuid import UUID, uuid4

from graphden.edn import JsonProblem, Keyword, from_json, to_json
from graphden.edn.digits import integer
from graphden.errors import RunError
from graphden.stdlib.arguments import describe, invalid, text, wrong
from graphden.stdlib.functions import functions
from graphden.stdlib.logs import write_line

_INT = re.compile(r"[+-]?[0-9]+")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@functions.add("parse-json")
def parse_json(string: str, keywordize: bool) -> object:
    text("parse-json", "string", string)
    try:
        return from_json(string, keywordize=keywordize)
    except JsonProblem as problem:
        raise RunError("malformed-json", f"parse-json: {problem}") from None


@functions.add("to-json-string")
@functions.add("to-json")
def to_json_string(data: object) -> str:
    try:
        return to_json(data)
    except JsonProblem as problem:
        raise invalid(f"to-json-string: {problem}", hint=problem.hint) from None


@functions.add("parse-int")
def parse_int(string: str) -> int:
    if _INT.fullmatch(text("parse-int", "string", string)):
        return integer(string)
    raise wrong("parse-int", "string", string, "text of decimal digits")


@functions.add("parse-uuid")
def parse_uuid(string: str) -> UUID:
    if _UUID.fullmatch(text("parse-uuid", "string", string)):
        return UUID(string)
    raise wrong("parse-uuid", "string", string, "text of the form of a uuid, 8-4-4-4-12")


@functions.add("uuid")
def uuid() -> UUID:
    return uuid4()


@functions.add("env")
def env(name: str) -> str | None:
    if text("env", "name", name) and "\0" not in name and "=" not in name:
        with suppress(UnicodeEncodeError):
            return os.environ.get(name)
    raise wrong("env", "name", name, "the name of an environment variable")


@functions.add("log")
def log(level: str, message: object, data: object) -> None:
    write_line(level, message, data)


@functions.add("log-warn")
def log_warn(message: object, data: object) -> None:
    write_line("warn", message, data)


@functions.add("digest-hex")
def digest_hex(algorithm: str, s: str) -> str:
    named = algorithm.text if isinstance(algorithm, Keyword) else algorithm
    name = text("digest-hex", "algorithm", named).lower()
    found = name if name in _fixed_length() else _without_dash(name)
    if found not in _fixed_length():
        known = ", ".join(sorted(_fixed_length()))
        raise invalid(
            f"digest-hex: :algorithm is {describe(algorithm)}; one of {known} is needed"
        )
    try:
        content = text("digest-hex", "s", s).encode()
    except UnicodeEncodeError:
        raise invalid("digest-hex: :s has half of a surrogate pair") from None
    import hashlib

    return hashlib.new(found, content, usedforsecurity=False).hexdigest()


@cache
def _fixed_length() -> frozenset[str]:
    """The algorithms whose digests have one length."""
    import hashlib

    names = hashlib.algorithms_guaranteed
    return frozenset(name for name in names if not name.startswith("shake"))


def _without_dash(name: str) -> str:
    """`sha-256` -> `sha256`, `sha3-256` -> `sha3_256`."""
    return re.sub(r"^sha-", "sha", name).replace("-", "_")
