"""From forms to types (LANGUAGE 2.3, 8.1)."""

from __future__ import annotations

from graphden.edn import Keyword, Symbol
from graphden.edn.forms import Form, Kind
from graphden.model.types import (
    ANY,
    PRIMITIVES,
    Callable,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Record,
    Refined,
    Secret,
    TupleOf,
    Type,
    Union,
    Unresolved,
    Variable,
    Variant,
)
from graphden.read.constraints import read_constraint
from graphden.read.problems import Problems, as_keyword, did_you_mean, listed, shown

SHAPES = {
    "list": "[:list T]",
    "map": "[:map K V]",
    "tuple": "[:tuple T …]",
    "union": "[:union T …]",
    "variant": "[:variant :tag T …]",
    "fn": "[:fn {:param T …} R]",
    "secret": "[:secret T]",
}
ROW_SHAPES = {
    "type": ("a map of fields", "{:sku :text :qty :int}"),
    "refine": ("a map of a base and a constraint", "{:base :int :constraint [:> 0]}"),
    "map": ("a vector of two types", "[:keyword :int]"),
    "tuple": ("a vector of types", "[:text :int]"),
    "union": ("a vector of types", "[:int :null]"),
    "variant": ("a vector of tags and types", "[:paid :int :failed :text]"),
    "fn-type": ("a vector of parameters and a result", "[{:item :int} :text]"),
}

FIELD_KEYS = ("type", "required", "description")


def read_type(form: Form, problems: Problems) -> Type:
    """The type that `form` writes; `:any` after a problem."""
    if problems.too_deep(form, "types", "Give this one a name, as a type row of its own."):
        return ANY
    problems.level += 1
    type_ = _type(form, problems)
    problems.level -= 1
    return type_


def _type(form: Form, problems: Problems) -> Type:
    match form.value:
        case Keyword() as name if name in PRIMITIVES:
            return Primitive(name.text)
        case Keyword() as name:
            return Unresolved(name.text, form.span)
        case Symbol(name) if problems.variables:
            return Variable(name)
        case Symbol(name):
            problems.bad(
                form,
                f"{name} is a type variable, which only base functions have",
                f"Write a type's name, such as :{name}, or :any for whatever comes.",
            )
            return ANY
    if form.kind is Kind.MAP:
        return read_record(form, problems)
    if form.kind is Kind.VECTOR and form.items and isinstance(form.items[0].value, Keyword):
        head = form.items[0].value.text
        if head not in SHAPES:
            problems.bad(
                form,
                f"there is no type constructor :{head}",
                did_you_mean(head, SHAPES) or f"There are {listed(SHAPES)}.",
            )
            return ANY
        made = _constructed(head, form.items[1:], problems)
        if made is None:
            problems.bad(form, f"{shown(form)} is not a type", f"Write {SHAPES[head]}.")
        return made or ANY
    problems.bad(
        form,
        f"{shown(form)} is not a type",
        as_keyword(form, "Write a type's name such as :int, or one like [:list :int]."),
    )
    return ANY


def read_record(form: Form, problems: Problems) -> Type:
    """The record whose fields a map form writes."""
    return Record(
        tuple(
            _field(name, value, problems)
            for key, value in form.entries
            if (name := _name(key, "a record's field", problems)) is not None
        )
    )


def read_type_row(key: str, form: Form, problems: Problems) -> Type:
    """The type that a type row writes behind its role key (`:type`, `:refine`, …)."""
    match key:
        case "list":
            return ListOf(read_type(form, problems))
        case "type" if form.kind is Kind.MAP:
            return read_record(form, problems)
        case "refine" if form.kind is Kind.MAP:
            return _refinement(form, problems)
        case "map" | "tuple" | "union" | "variant" | "fn-type" if form.kind is Kind.VECTOR:
            head = "fn" if key == "fn-type" else key
            made = _constructed(head, form.items, problems)
            if made is not None:
                return made
    expected, example = ROW_SHAPES[key]
    problems.bad(
        form, f":{key} takes {expected}, not {shown(form)}", f"Write :{key} {example}."
    )
    return ANY


def _constructed(head: str, arguments: tuple[Form, ...], problems: Problems) -> Type | None:
    """The type that a constructor makes of its arguments; None when they are not its own."""
    count = len(arguments)
    match head:
        case "fn" if count == 2 and arguments[0].kind is Kind.MAP:
            return _callable(arguments[0], arguments[1], problems)
        case "variant" if count and count % 2 == 0:
            return _variant(arguments, problems)
        case "fn" | "variant":
            return None
        case "list" | "secret" if count != 1:
            return None
        case "map" if count != 2:
            return None
        case "union" if not count:
            return None
    types = tuple(read_type(argument, problems) for argument in arguments)
    match head:
        case "list":
            return ListOf(types[0])
        case "secret":
            return Secret(types[0])
        case "map":
            return MapOf(types[0], types[1])
        case "union":
            return Union(types)
        case _:
            return TupleOf(types)


def _callable(parameters: Form, result: Form, problems: Problems) -> Type:
    return Callable(
        tuple(
            (name, read_type(value, problems))
            for key, value in parameters.entries
            if (name := _name(key, "a callable's parameter", problems)) is not None
        ),
        read_type(result, problems),
    )


def _variant(arguments: tuple[Form, ...], problems: Problems) -> Type:
    cases: dict[str, Type] = {}
    for tag, value in zip(arguments[::2], arguments[1::2], strict=True):
        name = _name(tag, "a variant's tag", problems)
        type_ = read_type(value, problems)
        if name in cases:
            problems.bad(
                tag,
                f"the variant has the tag :{name} twice",
                "Give each case a tag of its own; what one tag may hold is a [:union T …].",
            )
        elif name is not None:
            cases[name] = type_
    return Variant(tuple(cases.items()))


def _field(name: str, form: Form, problems: Problems) -> Field:
    type_form = form.get("type") if form.kind is Kind.MAP else None
    if type_form is None:
        if form.kind is Kind.MAP and any(isinstance(v.value, bool) for _, v in form.entries):
            _refuse_options(name, form, problems)
            return Field(name, ANY)
        return Field(name, read_type(form, problems))
    required = True
    for option, value in form.entries:
        if option.value == "required":
            if isinstance(value.value, bool):
                required = value.value
            else:
                problems.bad(value, f":required takes true or false, not {shown(value)}")
        elif option.value not in FIELD_KEYS:
            _refuse_option(option, problems)
    return Field(name, read_type(type_form, problems), required)


def _refuse_options(name: str, form: Form, problems: Problems) -> None:
    """Note what is wrong with a field whose options lack `:type`."""
    unknown = [option for option, _ in form.entries if option.value not in FIELD_KEYS]
    for option in unknown:
        _refuse_option(option, problems)
    if not unknown:
        problems.bad(
            form, f"the field :{name} has no :type", "Write {:type T :required false}."
        )


def _refuse_option(option: Form, problems: Problems) -> None:
    problems.add(
        "unknown-key",
        option.span,
        f"a record's field has no {shown(option)}",
        did_you_mean(shown(option).removeprefix(":"), FIELD_KEYS)
        or "It may have :type, :required (true or false) and :description.",
    )


def _refinement(form: Form, problems: Problems) -> Type:
    base, constraint = form.get("base"), form.get("constraint")
    unknown = [key for key, _ in form.entries if key.value not in ("base", "constraint")]
    for key in unknown:
        problems.add(
            "unknown-key",
            key.span,
            f":refine has no {shown(key)}",
            did_you_mean(shown(key).removeprefix(":"), ("base", "constraint"))
            or "It takes :base and :constraint.",
        )
    if unknown:
        return ANY
    if base is None or constraint is None:
        missing = "base" if base is None else "constraint"
        problems.bad(
            form, f":refine has no :{missing}", "Write :refine {:base T :constraint C}."
        )
        return ANY
    read = read_constraint(constraint, problems)
    base_type = read_type(base, problems)
    return base_type if read is None else Refined(base_type, read)


def _name(key: Form, what: str, problems: Problems) -> str | None:
    """The name that a keyword is; None, noted, when it is none."""
    if isinstance(key.value, Keyword):
        return key.value.text
    problems.bad(
        key,
        f"{what} is named by a keyword, not {shown(key)}",
        as_keyword(key, "Write a name such as :sku."),
    )
    return None
