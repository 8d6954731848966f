"""The keys of a row, misspelt ones taken for what they were meant to be (LANGUAGE 1.5).

A misspelt key is one problem. Its value is read as though the key were right, so that nothing
else is reported because of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphden.edn import Keyword
from graphden.edn.forms import Form, Kind
from graphden.model.rows import RowKind
from graphden.read.problems import Problems, did_you_mean, listed, nearest, shown

PARENT_KEYS = ("parent", "parents")
TYPE_KEYS = ("type", "refine", "list", "map", "tuple", "union", "variant", "fn-type")
COMMON_KEYS = ("name", "namespace", "description")
INLINE_KEYS = (*PARENT_KEYS, "args", "lambda-params", "description")
KEYS = {
    RowKind.FUNCTION: (
        *COMMON_KEYS,
        *PARENT_KEYS,
        "args",
        "return-type",
        "lambda-params",
        "expects-effects",
    ),
    RowKind.BASE: (*COMMON_KEYS, "args", "return-type", "effects"),
    RowKind.TYPE: (*COMMON_KEYS, *TYPE_KEYS),
}
ALL_KEYS = tuple(dict.fromkeys(key for keys in KEYS.values() for key in keys))
BINDING_ONLY = ("as", "ref", "value", "append", "closed", "required", "terminal")
MEANT = 1 / 4  # the part of an unknown key that may differ from the one that it is read as

WHAT = {
    RowKind.FUNCTION: "a row with a parent",
    RowKind.BASE: "a base function (a row without :parent)",
    RowKind.TYPE: "a type row",
}


@dataclass(frozen=True, slots=True)
class Entries:
    """What a row's map holds: `keys` and `values` by name, and the keys that no row has."""

    keys: Mapping[str, Form]
    values: Mapping[str, Form]
    unknown: tuple[Form, ...]

    def get(self, key: str) -> Form | None:
        """The form behind `key`, if there is one."""
        return self.values.get(key)

    @property
    def roles(self) -> list[str]:
        """The keys that make it a function or a type row."""
        return [key for key in self.keys if key in PARENT_KEYS or key in TYPE_KEYS]


def read_entries(form: Form) -> Entries:
    """The entries of a row's map by name."""
    keys: dict[str, Form] = {}
    values: dict[str, Form] = {}
    unknown = []
    for key, value in form.entries:
        if isinstance(key.value, Keyword) and key.value in ALL_KEYS:
            keys[key.value.text], values[key.value.text] = key, value
        elif key.kind is Kind.SCALAR:  # a collection as a key was refused when it was read
            unknown.append((key, value))
    for key, value in unknown:
        taken = {*keys, *(TYPE_KEYS + PARENT_KEYS if _has_role(keys) else ())}
        meant = nearest(_text(key), [k for k in ALL_KEYS if k not in taken], wrong=MEANT)
        if meant is not None:
            keys[meant], values[meant] = key, value
    return Entries(keys, values, tuple(key for key, _ in unknown))


def check_keys(entries: Entries, kind: RowKind, problems: Problems) -> None:
    """Note the keys that a row of this kind cannot have."""
    allowed = KEYS[kind]
    roles = entries.roles
    if len(roles) > 1:
        problems.bad(
            entries.keys[roles[1]],
            f":{roles[0]} and :{roles[1]} cannot stand in one row",
            "Write :parents [:a :b] for several."
            if set(roles) == set(PARENT_KEYS)
            else "A row has a parent, or describes a type, or is a base function.",
        )
    for key in entries.unknown:
        _refuse_unknown(key, allowed, "a row", problems, entries)
    for name, key in entries.keys.items():
        if name not in allowed and key not in entries.unknown and len(roles) < 2:
            problems.bad(
                key,
                f":{name} has no place in {WHAT[kind]}",
                f"It may have {listed(allowed)}.",
            )


def check_inline_keys(entries: Entries, problems: Problems) -> None:
    """Note the keys that an inline row cannot have."""
    hint = f"It may have {listed(INLINE_KEYS)}; a row of its own may have more."
    roles = [key for key in entries.roles if key in PARENT_KEYS]
    if len(roles) > 1:
        problems.bad(
            entries.keys[roles[1]],
            ":parent and :parents cannot stand in one row",
            "Write :parents [:a :b] for several.",
        )
    for key in entries.unknown:
        if _text(key) in BINDING_ONLY:
            problems.bad(key, f"{shown(key)} cannot stand in an inline row", hint)
        else:
            _refuse_unknown(key, INLINE_KEYS, "an inline row", problems, entries)
    for name, key in entries.keys.items():
        if name not in INLINE_KEYS and key not in entries.unknown:
            problems.bad(key, f":{name} cannot stand in an inline row", hint)


def _refuse_unknown(
    key: Form, allowed: tuple[str, ...], what: str, problems: Problems, entries: Entries
) -> None:
    text = _text(key)
    if not isinstance(key.value, Keyword) and text in allowed:
        message, hint = f"{shown(key)} is text, and keys are keywords", f"Write :{text}."
    else:
        message = f"{what} has no key {shown(key)}"
        listing = f"It may have {listed(allowed)}.{_perhaps_slot(key, entries)}"
        hint = did_you_mean(text, allowed) or listing
    problems.add("unknown-key", key.span, message, hint)


def _perhaps_slot(key: Form, entries: Entries) -> str:
    parent = entries.get("parent")
    if parent is None or not (
        isinstance(key.value, Keyword) and isinstance(parent.value, Keyword)
    ):
        return ""
    return f" If {shown(key)} is a slot of {shown(parent)}, write :args {{{shown(key)} …}}."


def _has_role(keys: Mapping[str, Form]) -> bool:
    return any(key in keys for key in PARENT_KEYS + TYPE_KEYS)


def _text(key: Form) -> str:
    return str.__str__(key.value) if isinstance(key.value, str) else ""
