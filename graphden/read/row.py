"""From one map to one row (LANGUAGE 2), the rows written inside it included."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphden.edn import Keyword
from graphden.edn.forms import Form
from graphden.model.rows import Argument, Row, RowKind, SlotDeclaration
from graphden.model.types import Type
from graphden.read.bindings import Path, read_arguments
from graphden.read.declarations import (
    read_description,
    read_effects,
    read_lambda_params,
    read_parents,
    read_slots,
)
from graphden.read.keys import (
    TYPE_KEYS,
    Entries,
    check_inline_keys,
    check_keys,
    read_entries,
)
from graphden.read.problems import Problems, as_keyword, shown
from graphden.read.types import read_type, read_type_row

INLINE_LEVELS = 100
"""How many rows may be written inside each other."""


@dataclass(frozen=True, slots=True)
class _Identity:
    """Who a row is: the row itself, and the row at top level that it stands in."""

    id: str
    name: str
    namespace: str
    owner: str
    package: str | None
    level: int = 0

    def inside(self, path: Path) -> _Identity:
        """An inline row at `path` inside the `:args` of this one."""
        way = ".".join(map(str, path))
        return _Identity(
            f"{self.id}>{way}",
            f"{self.name}>{way}",
            self.namespace,
            self.owner,
            self.package,
            self.level + 1,
        )


def read_row(
    form: Form, entries: Entries, namespace: str, package: str | None, problems: Problems
) -> Row | None:
    """The row that a map writes; None, noted, when it has no usable name."""
    name = entries.get("name")
    if name is None:
        problems.bad(form, "this row has no :name", "Give it one, such as :name :double.")
        return None
    if not isinstance(name.value, Keyword) or "/" in name.value:
        problems.bad(
            name,
            f":name takes a keyword without a namespace, not {shown(name)}",
            as_keyword(
                name, "The namespace is set by :namespace, in the row or in the file's header."
            ),
        )
        return None
    text = name.value.text
    own = read_namespace(entries.get("namespace"), problems) or namespace
    kind = _kind(entries)
    check_keys(entries, kind, problems)
    return _build(
        form, entries, kind, _Identity(f"{own}/{text}", text, own, text, package), problems
    )


def read_namespace(form: Form | None, problems: Problems) -> str | None:
    """The namespace behind `:namespace`."""
    if form is None:
        return None
    if isinstance(form.value, str) and form.value and "/" not in form.value:
        return str.__str__(form.value)
    problems.bad(
        form,
        f":namespace takes a keyword or text without a slash, not {shown(form)}",
        "Write :orders.api, say.",
    )
    return None


def _kind(entries: Entries) -> RowKind:
    roles = entries.roles
    if not roles:
        return RowKind.BASE
    return RowKind.TYPE if roles[0] in TYPE_KEYS else RowKind.FUNCTION


def _build(
    form: Form, entries: Entries, kind: RowKind, identity: _Identity, problems: Problems
) -> Row:
    before = len(problems.found)
    problems.variables = kind is RowKind.BASE
    slots: tuple[SlotDeclaration, ...] = ()
    arguments: tuple[Argument, ...] = ()
    body: Type | None = None
    match kind:
        case RowKind.BASE:
            # Only packages have bodies; that this row has none is the one thing to say of it.
            said = problems if identity.package else Problems(problems.row, variables=True)
            slots = read_slots(entries.get("args"), said)
        case RowKind.FUNCTION:

            def read_inline(inner: Form, path: Path, problems: Problems) -> Row | None:
                if identity.level == INLINE_LEVELS:
                    problems.bad(
                        inner,
                        f"rows stand inside each other at most {INLINE_LEVELS} levels deep",
                        "Write this one as a row of its own, with a name, and refer to it.",
                    )
                    return None
                parts = read_entries(inner)
                check_inline_keys(parts, problems)
                return _build(inner, parts, kind, identity.inside(path), problems)

            arguments = read_arguments(entries.get("args"), problems, read_inline)
        case RowKind.TYPE:
            role = entries.roles[0]
            body = read_type_row(role, entries.values[role], problems)
    return_form = entries.get("return-type")
    row = Row(
        id=identity.id,
        namespace=identity.namespace,
        name=identity.name,
        owner=identity.owner,
        span=form.span,
        kind=kind,
        name_span=(entries.get("name") or form).span,
        parents=read_parents(entries.get("parent"), entries.get("parents"), problems),
        arguments=arguments,
        slots=slots,
        type=body,
        return_type=None if return_form is None else read_type(return_form, problems),
        lambda_params=read_lambda_params(entries.get("lambda-params"), problems),
        expects_effects=read_effects(entries.get("expects-effects"), problems),
        effects=read_effects(entries.get("effects"), problems) or frozenset(),
        description=read_description(entries.get("description"), problems),
        package=identity.package,
        inline=identity.name != identity.owner,
    )
    return replace(row, flawed=True) if len(problems.found) > before else row
