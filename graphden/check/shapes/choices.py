"""What choices give: one of their parts; and claims, which nil does not survive."""

from __future__ import annotations

from graphden.check.shapes.use import Rule, Use
from graphden.check.values import without_null
from graphden.model.resolved import Constant, Sequence
from graphden.model.types import NULL, Type


def _if(use: Use) -> Type | None:
    return use.join(use.type("then"), use.optional("else"))


def _cond(use: Use) -> Type | None:
    items = use.items("clauses")
    if items is None or len(items) % 2:
        return None
    source = use.sources["clauses"]
    last = source.items[-2] if isinstance(source, Sequence) and source.items else None
    always = isinstance(last, Constant) and last.value not in (None, False)
    return use.join(*items[1::2], *(() if always else (NULL,)))


def _case(use: Use) -> Type | None:
    items = use.items("clauses")
    if items is None or len(items) % 2:
        return None
    return use.join(*items[1::2], use.optional("default"))


def _do(use: Use) -> Type | None:
    items = use.items("steps")
    return None if items is None else items[-1] if items else NULL


def _coalesce(use: Use) -> Type | None:
    return use.join(without_null(use.or_null("value")), use.type("default"))


def _not_null(use: Use) -> Type | None:
    return without_null(use.or_null("value"))


RULES: dict[str, Rule] = {
    "core.logic/if": _if,
    "core.logic/cond": _cond,
    "core.logic/case": _case,
    "core.logic/coalesce": _coalesce,
    "core.logic/assert": _not_null,
    "core.logic/assert-some": _not_null,
    "core.control/do": _do,
}
