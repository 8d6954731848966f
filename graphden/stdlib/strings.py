"""Text and keywords: bodies of `stdlib_graphs/strings.edn`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NoReturn
from uuid import UUID

from graphden.edn import Keyword, write
from graphden.edn.digits import digits_of
from graphden.edn.patterns import Pattern, PatternProblem, compile_pattern
from graphden.edn.writer import instant_text
from graphden.errors import RunError
from graphden.run.context import Context
from graphden.stdlib.arguments import (
    MOST_CHARACTERS,
    check_characters,
    describe,
    integer,
    invalid,
    number_text,
    text,
    wrong,
)
from graphden.stdlib.functions import functions
from graphden.stdlib.parts import items

_REFERENCE = re.compile(r"\\(?:([1-9][0-9]?)|g<(\w{1,40})>|(\\)|.?)", re.DOTALL)
"""What a backslash begins in a replacement: a group by number or by name, or a backslash."""


def as_text(value: object) -> str:
    """`value` as people read it: nil is empty, a keyword has its colon, collections are EDN."""
    if type(value) is str:
        return value
    if type(value) is int:
        return digits_of(value)
    match value:
        case None:
            return ""
        case str() | UUID() | Decimal():
            return str(value)
        case datetime() if value.tzinfo is not None:
            return instant_text(value)
        case RunError():
            return value.message
        case _:
            return write(value, lossy=True)


def too_long() -> NoReturn:
    """Raise what `str` raises for a text that is too long."""
    check_characters("str", MOST_CHARACTERS + 1)
    raise AssertionError


@functions.add(
    "str",
    inline="str",
    needs={
        "as_text": as_text,
        "digits_of": digits_of,
        "too_long": too_long,
        "MOST_CHARACTERS": MOST_CHARACTERS,
    },
)
def str_(parts: Sequence[object]) -> str:
    texts = [as_text(part) for part in parts]
    check_characters("str", sum(map(len, texts)))
    return "".join(texts)


@functions.add("subs")
def subs(string: str, start: int, end: int | None) -> str:
    length = len(text("subs", "string", string))
    stop = length if end is None else integer("subs", "end", end)
    if not 0 <= integer("subs", "start", start) <= stop <= length:
        raise invalid(
            f"subs: the part from {number_text(start)} to {number_text(stop)} does not lie "
            f"within a text of {length} characters"
        )
    return string[start:stop]


@functions.add("str-len")
def str_len(string: str) -> int:
    return len(text("str-len", "string", string))


@functions.add("byte-len")
def byte_len(string: str) -> int:
    try:
        return len(text("byte-len", "string", string).encode())
    except UnicodeEncodeError:
        raise invalid("byte-len: :string has half of a surrogate pair") from None


@functions.add("str-upper")
def str_upper(string: str) -> str:
    return text("str-upper", "string", string).upper()


@functions.add("str-lower")
def str_lower(string: str) -> str:
    return text("str-lower", "string", string).lower()


@functions.add("str-trim")
def str_trim(string: str) -> str:
    return text("str-trim", "string", string).strip()


@functions.add("blank?")
def is_blank(string: str | None) -> bool:
    return string is None or not text("blank?", "string", string).strip()


@functions.add("non-blank?")
def is_non_blank(string: str | None) -> bool:
    return string is not None and bool(text("non-blank?", "string", string).strip())


@functions.add("str-split")
def str_split(string: str, separator: str, limit: int | None) -> list[str]:
    text("str-split", "string", string)
    splits = -1
    if limit is not None:
        if integer("str-split", "limit", limit) < 1:
            raise wrong("str-split", "limit", limit, "a number of parts of 1 or more")
        splits = min(limit - 1, len(string))
    if text("str-split", "separator", separator):
        return string.split(separator, splits)
    if splits < 0 or splits >= len(string):
        return list(string)
    return [*string[:splits], string[splits:]]


@functions.add("str-join")
def str_join(coll: Sequence[object], separator: str) -> str:
    parts = [as_text(item) for item in items("str-join", "coll", coll)]
    between = len(text("str-join", "separator", separator)) * len(parts)
    check_characters("str-join", between + sum(map(len, parts)))
    return separator.join(parts)


@functions.add("str-to-keyword")
def str_to_keyword(string: str) -> Keyword:
    if isinstance(string, Keyword):
        return string
    name = text("str-to-keyword", "string", string).removeprefix(":")
    if not name:
        raise invalid(f"str-to-keyword: :string is {describe(string)}; a name is needed")
    return Keyword(name)


@functions.add("keyword-to-str")
def keyword_to_str(keyword: Keyword) -> str:
    if not isinstance(keyword, Keyword):
        raise wrong("keyword-to-str", "keyword", keyword, "a keyword")
    return keyword.text


@functions.add("name")
def name(value: Keyword | str) -> str:
    if isinstance(value, Keyword):
        # The name `/` itself has no namespace.
        return value.text.partition("/")[2] or value.text
    if isinstance(value, str):
        return value
    raise wrong("name", "value", value, "a keyword or text")


@functions.add("pr-str")
def pr_str(value: object) -> str:
    return write(value, lossy=True)


@functions.add("to-str")
def to_str(value: object) -> str:
    return as_text(value)


@functions.add("str-contains?")
def str_contains(string: str, substring: str) -> bool:
    return text("str-contains?", "substring", substring) in text(
        "str-contains?", "string", string
    )


@functions.add("str-starts-with?")
def str_starts_with(string: str, prefix: str) -> bool:
    return text("str-starts-with?", "string", string).startswith(
        text("str-starts-with?", "prefix", prefix)
    )


@functions.add("str-ends-with?")
def str_ends_with(string: str, suffix: str) -> bool:
    return text("str-ends-with?", "string", string).endswith(
        text("str-ends-with?", "suffix", suffix)
    )


@functions.add("str-replace")
def str_replace(string: str, match: str, replacement: str) -> str:
    if not text("str-replace", "match", match):
        raise invalid("str-replace: :match is empty; text to look for is needed")
    text("str-replace", "string", string)
    more = len(text("str-replace", "replacement", replacement)) - len(match)
    if more * len(string) > MOST_CHARACTERS:
        check_characters("str-replace", len(string) + more * string.count(match))
    return string.replace(match, replacement)


@functions.add("re-find?")
def re_find(string: str, pattern: str) -> bool:
    compiled = _compiled("re-find?", pattern)
    return compiled.found_in(text("re-find?", "string", string))


@functions.add("re-replace")
def re_replace(string: str, pattern: str, replacement: str, *, context: Context) -> str:
    compiled = _compiled("re-replace", pattern)
    template = _template(text("re-replace", "replacement", replacement), compiled)
    pieces: list[str] = []
    end = size = 0
    try:
        for match in compiled.matches(text("re-replace", "string", string)):
            context.check()  # one search is linear in the text, all of them may be quadratic
            pieces.append(string[end : match.start()])
            for part in template:
                piece = part if isinstance(part, str) else match.group(part) or ""
                pieces.append(piece)
                size += len(piece)
            check_characters("re-replace", size)
            end = match.end()
    except UnicodeEncodeError:
        raise invalid("re-replace: :string has half of a surrogate pair") from None
    return "".join([*pieces, string[end:]])


def _template(replacement: str, pattern: Pattern) -> list[str | int]:
    """Texts, and the numbers of the groups whose texts stand between them."""
    parts: list[str | int] = []
    end = 0
    for reference in _REFERENCE.finditer(replacement):
        number, name, escaped = reference.groups()
        group = pattern.group_numbers.get(name, name) if name else number
        parts.append(replacement[end : reference.start()])
        if escaped:
            parts.append(escaped)
        elif group is not None and str(group).isdecimal() and int(group) <= pattern.groups:
            parts.append(int(group))
        else:
            raise invalid(
                f"re-replace: :replacement has {describe(reference.group())}, but there is no "
                "such group in the pattern",
                hint="\\\\1 or \\\\g<name> stands for a group, two backslashes for one.",
            )
        end = reference.end()
    return [*parts, replacement[end:]]


def _compiled(function: str, pattern: str) -> Pattern:
    try:
        return compile_pattern(text(function, "pattern", pattern))
    except PatternProblem as problem:
        raise invalid(
            f"{function}: :pattern is no regular expression: {problem.message}",
            hint=problem.hint,
        ) from None
