"""From the forms of a file to its rows (LANGUAGE 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphden.edn import Keyword
from graphden.edn.forms import Form, Kind
from graphden.errors import Problem
from graphden.model.rows import Argument, Name, Row, RowKind, SlotDeclaration
from graphden.model.types import Type
from graphden.read.bindings import Path, read_binding
from graphden.read.problems import Problems, did_you_mean
from graphden.read.types import read_type, read_type_row

DEFAULT_NAMESPACE = "user"
TYPE_KEYS = ("type", "refine", "list", "map", "tuple", "union", "variant", "fn-type")
COMMON_KEYS = ("name", "namespace", "description")
KEYS = {
    RowKind.FUNCTION: (
        "parent",
        "parents",
        "args",
        "return-type",
        "lambda-params",
        "expects-effects",
    ),
    RowKind.BASE: ("args", "return-type", "effects"),
    RowKind.TYPE: TYPE_KEYS,
}
ALL_KEYS = (*COMMON_KEYS, *sorted({key for keys in KEYS.values() for key in keys}))
EFFECTS = frozenset("db network io env time random process state".split())


@dataclass(frozen=True, slots=True)
class Source:
    """The forms of one file. `package` names the package that the file belongs to."""

    file: str
    forms: tuple[Form, ...]
    package: str | None = None


def read_rows(source: Source) -> tuple[list[Row], list[Problem]]:
    """The rows of a file in order, and every problem of their shape."""
    rows: list[Row] = []
    found: list[Problem] = []
    namespace = DEFAULT_NAMESPACE
    for form in _flat(source.forms):
        if form.kind is not Kind.MAP:
            problems = Problems("")
            problems.add(
                "bad-row", form.span, "a row is a map", "Write {:name … :parent … :args …}."
            )
            found.extend(problems.found)
            continue
        if form.get("name") is None and form.get("namespace") is not None:
            reader = _RowReader(form, namespace, source.package)
            namespace = reader.header() or namespace
        else:
            reader = _RowReader(form, namespace, source.package)
            row = reader.row()
            if row is not None:
                rows.append(row)
        found.extend(reader.problems.found)
    return rows, found


def _flat(forms: Sequence[Form]) -> Iterable[Form]:
    for form in forms:
        if form.kind is Kind.VECTOR:
            yield from form.items
        else:
            yield form


class _RowReader:
    """Reads one map: a header or a row."""

    def __init__(self, form: Form, namespace: str, package: str | None) -> None:
        self.form = form
        self.namespace = namespace
        self.package = package
        name = form.get("name")
        shown = str.__str__(name.value) if name and isinstance(name.value, str) else ""
        self.problems = Problems(shown)

    def bad(self, form: Form, message: str, hint: str = "") -> None:
        self.problems.add("bad-row", form.span, message, hint)

    def header(self) -> str | None:
        for key, _ in self.form.entries:
            if key.value not in ("namespace", "description"):
                self.bad(
                    key,
                    f"{key.value!r} cannot stand in a header",
                    "A map without :name sets the :namespace of the rows after it; "
                    "a row needs a :name.",
                )
        return self._namespace_of(self.form)

    def _namespace_of(self, form: Form) -> str | None:
        value = form.get("namespace")
        if value is None:
            return None
        if not isinstance(value.value, str) or "/" in value.value or not value.value:
            self.bad(
                value, ":namespace takes a keyword or text without a slash, such as :orders.api"
            )
            return None
        return str.__str__(value.value)

    def row(self) -> Row | None:
        """The row, or None when it has no usable name."""
        form = self.form
        name = form.get("name")
        if name is None:
            self.bad(form, "this row has no :name", "Give it one, such as :name :double.")
            return None
        if not isinstance(name.value, Keyword) or "/" in name.value:
            self.bad(
                name,
                ":name takes a keyword without a namespace",
                "The namespace is set by :namespace, in the row or in the file's header.",
            )
            return None
        namespace = self._namespace_of(form) or self.namespace
        kind, role = self._kind()
        self._check_keys(kind)
        text = name.value.text
        return self._build(form, f"{namespace}/{text}", namespace, text, text, kind, role)

    def _kind(self) -> tuple[RowKind, str | None]:
        roles = [
            key
            for key, _ in self.form.entries
            if key.value in ("parent", "parents") or key.value in TYPE_KEYS
        ]
        if len(roles) > 1:
            self.bad(
                roles[1],
                f"{roles[0].value!r} and {roles[1].value!r} cannot stand in one row",
                "A row has a parent, or describes a type, or is a base function.",
            )
        if not roles:
            return RowKind.BASE, None
        role = str.__str__(roles[0].value)  # type: ignore[arg-type]
        return (RowKind.TYPE if role in TYPE_KEYS else RowKind.FUNCTION), role

    def _check_keys(self, kind: RowKind) -> None:
        allowed = (*COMMON_KEYS, *KEYS[kind])
        for key, _ in self.form.entries:
            if key.value in allowed or key.value in ("parent", "parents", *TYPE_KEYS):
                continue
            text = str.__str__(key.value) if isinstance(key.value, str) else str(key.value)
            if text in ALL_KEYS:
                self.bad(key, f":{text} has no place in {_article(kind)}")
            else:
                self.problems.add(
                    "unknown-key",
                    key.span,
                    f"a row has no key {key.value!r}",
                    did_you_mean(text, allowed) or f"It may have {_listed(allowed)}.",
                )

    def _build(
        self,
        form: Form,
        row_id: str,
        namespace: str,
        name: str,
        owner: str,
        kind: RowKind,
        role: str | None,
        *,
        inline: bool = False,
    ) -> Row:
        problems = self.problems
        name_form = form.get("name") or form
        role_form = form.get(role) if role else None
        slots: tuple[SlotDeclaration, ...] = ()
        arguments: tuple[Argument, ...] = ()
        body: Type | None = None
        match kind:
            case RowKind.BASE:
                slots = self._slots(form.get("args"))
            case RowKind.FUNCTION:
                arguments = self._arguments(form.get("args"), row_id, namespace, owner)
            case RowKind.TYPE:
                if role is not None and role_form is not None:
                    body = read_type_row(role, role_form, problems)
        return_form = form.get("return-type")
        return Row(
            id=row_id,
            namespace=namespace,
            name=name,
            owner=owner,
            span=form.span,
            kind=kind,
            name_span=name_form.span,
            parents=self._parents(form),
            arguments=arguments,
            slots=slots,
            type=body,
            return_type=None if return_form is None else read_type(return_form, problems),
            lambda_params=self._lambda_params(form.get("lambda-params")),
            expects_effects=self._effects(form.get("expects-effects")),
            effects=self._effects(form.get("effects")) or frozenset(),
            description=self._description(form.get("description")),
            package=self.package,
            inline=inline,
        )

    def _parents(self, form: Form) -> tuple[Name, ...]:
        single, several = form.get("parent"), form.get("parents")
        forms: tuple[Form, ...] = ()
        if single is not None:
            forms = (single,)
        elif several is not None:
            if several.kind is not Kind.VECTOR or not several.items:
                self.bad(several, ":parents takes a vector of rows", "Write :parents [:a :b].")
                return ()
            forms = several.items
        names = []
        for parent in forms:
            if isinstance(parent.value, Keyword):
                names.append(Name(parent.value.text, parent.span))
            else:
                self.bad(parent, "a parent is named by a keyword, such as :add")
        return tuple(names)

    def _arguments(
        self, form: Form | None, row_id: str, namespace: str, owner: str
    ) -> tuple[Argument, ...]:
        if form is None:
            return ()
        if form.kind is not Kind.MAP:
            self.bad(form, ":args takes a map from slots to bindings")
            return ()

        def read_inline(inner: Form, path: Path, _: Problems) -> Row:
            where = ".".join(map(str, path))
            role = "parent" if inner.get("parent") is not None else "parents"
            inner_id = f"{row_id}>{where}"
            name = f"{row_id.partition('/')[2]}>{where}"
            return self._build(
                inner, inner_id, namespace, name, owner, RowKind.FUNCTION, role, inline=True
            )

        found = []
        for key, value in form.entries:
            if not isinstance(key.value, Keyword):
                self.bad(key, f"a slot is named by a keyword, not {key.value!r}")
                continue
            name = key.value.text
            binding = read_binding(value, (name,), self.problems, read_inline)
            found.append(Argument(name, key.span, binding))
        return tuple(found)

    def _slots(self, form: Form | None) -> tuple[SlotDeclaration, ...]:
        if form is None:
            return ()
        if form.kind is not Kind.MAP:
            self.bad(form, ":args takes a map from slots to types")
            return ()
        return tuple(
            self._slot(key.value.text, key, value)
            for key, value in form.entries
            if isinstance(key.value, Keyword)
        )

    def _slot(self, name: str, key: Form, form: Form) -> SlotDeclaration:
        type_form = form.get("type") if form.kind is Kind.MAP else None
        if type_form is None:
            return SlotDeclaration(name, read_type(form, self.problems), key.span)
        options: dict[str, object] = {}
        for option, value in form.entries:
            text = str.__str__(option.value) if isinstance(option.value, str) else ""
            if text not in ("type", "required", "value", "lazy", "description"):
                self.problems.add(
                    "unknown-key",
                    option.span,
                    f"a slot has no {option.value!r}",
                    did_you_mean(text, ("type", "required", "value", "lazy", "description")),
                )
            options[text] = value.value
        return SlotDeclaration(
            name=name,
            type=read_type(type_form, self.problems),
            span=key.span,
            required=options.get("required", True) is True and "value" not in options,
            default=options.get("value"),
            has_default="value" in options,
            lazy=options.get("lazy") is True,
            description=str(options.get("description", "")),
        )

    def _lambda_params(self, form: Form | None) -> tuple[Name, ...] | None:
        if form is None:
            return None
        if form.kind is not Kind.VECTOR or not all(
            isinstance(item.value, Keyword) for item in form.items
        ):
            self.bad(form, ":lambda-params takes a vector of argument names")
            return None
        return tuple(
            Name(item.value.text, item.span)
            for item in form.items
            if isinstance(item.value, Keyword)
        )

    def _effects(self, form: Form | None) -> frozenset[str] | None:
        if form is None:
            return None
        if form.kind not in (Kind.SET, Kind.VECTOR):
            self.bad(form, "effects are a set, such as #{:db :io}")
            return None
        for item in form.items:
            if not isinstance(item.value, Keyword) or item.value not in EFFECTS:
                self.bad(
                    item,
                    f"there is no effect {item.value!r}",
                    f"There are {_listed(sorted(EFFECTS))}.",
                )
        return frozenset(str.__str__(i.value) for i in form.items if isinstance(i.value, str))

    def _description(self, form: Form | None) -> str:
        if form is None:
            return ""
        if not isinstance(form.value, str) or isinstance(form.value, Keyword):
            self.bad(form, ":description takes text")
            return ""
        return form.value


def _article(kind: RowKind) -> str:
    return {
        RowKind.FUNCTION: "a row with a parent",
        RowKind.BASE: "a base function (a row without :parent)",
        RowKind.TYPE: "a type row",
    }[kind]


def _listed(names: Iterable[str]) -> str:
    return " ".join(f":{name}" for name in names)



