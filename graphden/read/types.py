"""From forms to types (LANGUAGE 2.3, 8.1, 8.3)."""

from __future__ import annotations

import re

from graphden.edn import Keyword, Symbol, write
from graphden.edn.forms import Form, Kind
from graphden.model.types import (
    ANY,
    PRIMITIVES,
    Callable,
    Constraint,
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
from graphden.read.problems import Problems, did_you_mean

CONSTRUCTORS = ("list", "map", "tuple", "union", "variant", "fn", "secret")
COMPARISONS = (">", ">=", "<", "<=", "=", "not=")


def read_type(form: Form, problems: Problems) -> Type:
    """The type that `form` writes; `:any` after a problem."""
    match form.value:
        case Keyword() as name if name in PRIMITIVES:
            return Primitive(name.text)
        case Keyword() as name:
            return Unresolved(name.text, form.span)
        case Symbol(name):
            return Variable(name)
    if form.kind is Kind.MAP:
        return read_record(form, problems)
    if form.kind is Kind.VECTOR and form.items and isinstance(form.items[0].value, Keyword):
        return _constructed(form, form.items[0].value.text, form.items[1:], problems)
    problems.add(
        "bad-row",
        form.span,
        f"{_short(form)} is not a type",
        "Write a type's name such as :int, or one like [:list :int].",
    )
    return ANY


def read_record(form: Form, problems: Problems) -> Type:
    """The record whose fields a map form writes."""
    fields: list[Field] = []
    for key, value in form.entries:
        if not isinstance(key.value, Keyword):
            problems.add(
                "bad-row", key.span, f"a record's field is named by a keyword, not {_short(key)}"
            )
            continue
        required = True
        if value.kind is Kind.MAP and value.get("type") is not None:
            type_form = value.get("type") or value
            for option, flag in value.entries:
                if option.value == "required" and isinstance(flag.value, bool):
                    required = flag.value
                elif option.value not in ("type", "description"):
                    problems.add(
                        "unknown-key",
                        option.span,
                        f"a record's field has no {_short(option)}",
                        "It may have :type, :required (true or false) and :description.",
                    )
            value = type_form
        fields.append(Field(key.value.text, read_type(value, problems), required))
    return Record(tuple(fields))


def read_type_row(key: str, form: Form, problems: Problems) -> Type:
    """The type that a type row writes behind its role key (`:type`, `:refine`, …)."""
    match key:
        case "type" if form.kind is Kind.MAP:
            return read_record(form, problems)
        case "refine" if form.kind is Kind.MAP:
            return _refinement(form, problems)
        case "list":
            return ListOf(read_type(form, problems))
        case "map" | "tuple" | "union" | "variant" if form.kind is Kind.VECTOR:
            return _constructed(form, key, form.items, problems)
        case "fn-type" if form.kind is Kind.VECTOR:
            return _constructed(form, "fn", form.items, problems)
    expected = {
        "type": "a map of fields, such as {:sku :text :qty :int}",
        "refine": "a map {:base T :constraint C}",
    }.get(key, "a vector of types")
    problems.add("bad-row", form.span, f":{key} takes {expected}")
    return ANY


def _constructed(
    form: Form, head: str, arguments: tuple[Form, ...], problems: Problems
) -> Type:
    types = [read_type(a, problems) for a in arguments] if head not in ("fn", "variant") else []
    match head:
        case "list" if len(types) == 1:
            return ListOf(types[0])
        case "map" if len(types) == 2:
            return MapOf(types[0], types[1])
        case "tuple":
            return TupleOf(tuple(types))
        case "union" if types:
            return Union(tuple(types))
        case "secret" if len(types) == 1:
            return Secret(types[0])
        case "fn" if len(arguments) == 2 and arguments[0].kind is Kind.MAP:
            parameters = tuple(
                (key.value.text, read_type(value, problems))
                for key, value in arguments[0].entries
                if isinstance(key.value, Keyword)
            )
            return Callable(parameters, read_type(arguments[1], problems))
        case "variant" if arguments and len(arguments) % 2 == 0:
            tags = arguments[::2]
            if all(isinstance(tag.value, Keyword) for tag in tags):
                return Variant(
                    tuple(
                        (Keyword(str.__str__(tag.value)).text, read_type(value, problems))  # type: ignore[arg-type]
                        for tag, value in zip(tags, arguments[1::2], strict=True)
                    )
                )
    shapes = {
        "list": "[:list T]",
        "map": "[:map K V]",
        "union": "[:union T …]",
        "secret": "[:secret T]",
        "fn": "[:fn {:param T …} R]",
        "variant": "[:variant :tag T …]",
    }
    if head in shapes:
        problems.add(
            "bad-row", form.span, f"{_short(form)} is not a type", f"Write {shapes[head]}."
        )
    else:
        problems.add(
            "bad-row",
            form.span,
            f"there is no type constructor :{head}",
            did_you_mean(head, CONSTRUCTORS) or f"There are {_listed(CONSTRUCTORS)}.",
        )
    return ANY


def _refinement(form: Form, problems: Problems) -> Type:
    base, constraint = form.get("base"), form.get("constraint")
    for key, _ in form.entries:
        if key.value not in ("base", "constraint"):
            problems.add("unknown-key", key.span, f":refine has no {_short(key)}")
    if base is None or constraint is None:
        problems.add("bad-row", form.span, ":refine takes a map {:base T :constraint C}")
        return ANY
    read = read_constraint(constraint, problems)
    base_type = read_type(base, problems)
    return base_type if read is None else Refined(base_type, read)


def read_constraint(form: Form, problems: Problems) -> Constraint | None:
    """The constraint that `form` writes (LANGUAGE 8.3), or None after `bad-constraint`."""
    if form.kind is Kind.VECTOR and form.items and isinstance(form.items[0].value, Keyword):
        operator, operands = form.items[0].value.text, form.items[1:]
        values = tuple(operand.value for operand in operands)
        match operator, values:
            case ("=" | "not=", (_,)):
                return Constraint(operator, values)
            case (op, (number,)) if op in COMPARISONS and _is_number(number):
                return Constraint(operator, values)
            case ("in", (list() | frozenset(),)):
                return Constraint(operator, values)
            case ("matches", (str() as pattern,)) if not isinstance(pattern, Keyword):
                try:
                    re.compile(pattern)
                except re.error as error:
                    problems.add(
                        "bad-constraint", operands[0].span, f"the pattern cannot be read: {error}"
                    )
                    return None
                return Constraint(operator, values)
            case ("and" | "or", (_, *_)):
                parts = [read_constraint(operand, problems) for operand in operands]
                kept = tuple(part for part in parts if part is not None)
                return Constraint(operator, kept) if len(kept) == len(parts) else None
    problems.add(
        "bad-constraint",
        form.span,
        f"{_short(form)} is not a constraint",
        "There are [:> n] [:>= n] [:< n] [:<= n] [:= v] [:not= v] [:in [v …]] "
        '[:matches "re"] [:and …] [:or …].',
    )
    return None


def _is_number(value: object) -> bool:
    return not isinstance(value, (bool, str)) and hasattr(value, "__abs__")


def _short(form: Form) -> str:
    text = write(form.value, lossy=True)
    return text if len(text) <= 40 else text[:37] + "…"


def _listed(names: tuple[str, ...]) -> str:
    return " ".join(f":{name}" for name in names)
