"""From forms to bindings: what may stand behind a name in `:args` (LANGUAGE 4)."""

from __future__ import annotations

from collections.abc import Callable

from graphden.edn import Keyword, Symbol
from graphden.edn.forms import Form, Kind
from graphden.model.rows import Binding, Inline, Items, Literal, Name, Reference, Row, Target
from graphden.read.problems import Problems
from graphden.read.types import read_type

BINDING_KEYS = frozenset(
    "as ref value type append closed required terminal description parent parents args "
    "lambda-params".split()
)
INLINE_KEYS = frozenset("description parent parents args lambda-params".split())
TARGET_KEYS = ("value", "ref", "append")

Path = tuple[str | int, ...]
InlineReader = Callable[[Form, Path, Problems], Row]


def read_binding(
    form: Form, path: Path, problems: Problems, read_inline: InlineReader
) -> Binding:
    """The binding that `form` writes; `path` is the way to it inside the row's `:args`."""
    match form.kind, form.value:
        case Kind.SCALAR, Keyword() as name:
            reference = Reference(Name(name.text, form.span), form.span)
            return Binding(form.span, reference)
        case Kind.SCALAR, Symbol(name):
            problems.add(
                "bad-row",
                form.span,
                f"the symbol {name} means nothing here",
                f'Write :{name} for a row, or "{name}" for text.',
            )
        case Kind.VECTOR, _:
            return Binding(form.span, _items(form, path, problems, read_inline))
        case Kind.MAP, _ if _is_binding_form(form):
            return _binding_form(form, path, problems, read_inline)
    return Binding(form.span, Literal(form.value, form.span))


def _is_binding_form(form: Form) -> bool:
    return any(
        isinstance(key.value, Keyword) and key.value in BINDING_KEYS for key, _ in form.entries
    )


def _items(
    form: Form,
    path: Path,
    problems: Problems,
    read_inline: InlineReader,
    *,
    append: bool = False,
    closed: bool = False,
) -> Items:
    # In a slot that takes no list the vector is one literal; problems of its items then are none.
    inside = problems if append else Problems(problems.row)
    items = []
    for index, item in enumerate(form.items):
        if item.kind is Kind.VECTOR:
            items.append(Binding(item.span, Literal(item.value, item.span)))
        else:
            items.append(read_binding(item, (*path, index), inside, read_inline))
    value = form.value
    return Items(
        value if isinstance(value, list) else [],
        tuple(items),
        form.span,
        append,
        closed,
        () if append else tuple(inside.found),
    )


def _binding_form(
    form: Form, path: Path, problems: Problems, read_inline: InlineReader
) -> Binding:
    unknown = [k for k, _ in form.entries if k.value not in BINDING_KEYS]
    known = [k.value for k, _ in form.entries if k.value in BINDING_KEYS]
    if unknown:
        problems.add(
            "bad-row",
            unknown[0].span,
            f"{unknown[0].value!r} cannot stand in a binding form"
            f" ({known[0]!r} makes this map one)",
            "If the map is data, write {:value {…}}.",
        )
        return Binding(form.span, Literal(None, form.span))
    if form.get("parent") is not None or form.get("parents") is not None:
        return _inline(form, path, problems, read_inline)

    def refuse(at: Form, message: str, hint: str = "") -> None:
        problems.add("bad-row", at.span, message, hint)

    as_name: Name | None = None
    target: Target | None = None
    type_ = None
    flags = {"required": False, "terminal": False, "closed": False}
    targets = [(k, v) for k, v in form.entries if k.value in TARGET_KEYS]
    if len(targets) > 1:
        refuse(targets[1][0], f"{targets[0][0].value!r} and {targets[1][0].value!r} exclude "
               "each other")
    for key, value in form.entries:
        match str.__str__(key.value):  # type: ignore[arg-type]
            case "as" | "ref" as role:
                if not isinstance(value.value, Keyword):
                    refuse(value, f":{role} takes a keyword")
                elif role == "as":
                    as_name = Name(value.value.text, value.span)
                else:
                    name = Name(value.value.text, value.span)
                    target = Reference(name, value.span, explicit=True)
            case "value":
                target = Literal(value.value, value.span, whole=True)
            case "append":
                if value.kind is not Kind.VECTOR:
                    refuse(value, ":append takes a vector of items")
                else:
                    closed = form.get("closed")
                    target = _items(
                        value,
                        path,
                        problems,
                        read_inline,
                        append=True,
                        closed=closed is not None and closed.value is True,
                    )
            case "type":
                type_ = read_type(value, problems)
            case "required" | "terminal" | "closed" as flag:
                if not isinstance(value.value, bool):
                    refuse(value, f":{flag} takes true or false")
                else:
                    flags[flag] = value.value
            case "args" | "lambda-params" as other:
                refuse(key, f":{other} needs a :parent beside it",
                       "If the map is data, write {:value {…}}.")
    if flags["closed"] and not (isinstance(target, Items) and target.append):
        refuse(form, ":closed goes with :append")
    if target is None and as_name is None and type_ is None and not any(flags.values()):
        refuse(form, "this binding form binds nothing", "If the map is data, write {:value {…}}.")
    if isinstance(target, Items) and as_name is not None:
        refuse(form, ":append and :as exclude each other",
               "Write {:as … :value […]} for a default.")
    return Binding(
        form.span, target, as_name, type_, flags["required"], flags["terminal"]
    )


def _inline(
    form: Form, path: Path, problems: Problems, read_inline: InlineReader
) -> Binding:
    for key, _ in form.entries:
        if key.value not in INLINE_KEYS:
            problems.add(
                "bad-row",
                key.span,
                f"{key.value!r} cannot stand in an inline row",
                "It may have :parent, :args, :lambda-params and :description.",
            )
    return Binding(form.span, Inline(read_inline(form, path, problems), form.span))
