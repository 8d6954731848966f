"""The type that is inferred of a base function's result admits what it gives (LANGUAGE 8.4).

Each is used by a row that leaves its slots open under types of their own, so that the checker
knows of them no more than those types; it runs with values that are of them.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import assume, event, given
from hypothesis import strategies as st

from graphden import Graph, RunError
from graphden.check import Contracts
from graphden.check.values import type_of
from graphden.edn import Keyword, write
from graphden.model.rows import RowKind
from graphden.model.types import (
    ANY,
    Callable,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Record,
    Refined,
    TupleOf,
    Type,
    Union,
    Variable,
)
from graphden.resolve import item_type
from tests.check.drawing import NAMES, VALUES

CALLABLES = """
{:name :same :parent :identity :args {:value {:as :in}}}
{:name :named :parent :str :args {:parts [{:as :in}]}}
{:name :counted :parent :count :args {:coll {:parent :list :args {:items [{:as :in}]}}}}
{:name :a-of :parent :get :args {:coll {:as :in} :key {:value :a} :default nil}}
{:name :first-of :parent :get :args {:coll {:as :in} :key 0 :default nil}}
{:name :wrapped :parent :list :args {:items [{:as :in} 1]}}
{:name :is-there :parent :some? :args {:value {:as :in}}}
{:name :five :parent :const :args {:value 5}}
{:name :added :parent :assoc :args {:map {:value {:b "b"}} :key {:value :a} :value {:as :in}}}
"""
MADE = [":same", ":named", ":counted", ":a-of", ":first-of", ":wrapped", ":is-there", ":five",
        ":added", ":some?", ":identity"]  # fmt: skip

GRAPH = Graph.parse(CALLABLES)
SKIPPED = {"throw", "sleep", "sleep-until-ms", "loop-until-stopped", "loop-until-interrupted",
           "schedule", "with-heartbeat", "fix"}  # fmt: skip
FUNCTIONS = sorted(
    row.name
    for row in GRAPH.program.rows.values()
    if row.kind is RowKind.BASE
    and row.namespace.startswith("core.")
    and row.namespace != "core.queues"
    and row.name not in SKIPPED
)

SUITED = {
    "cell": [
        "{:parent :cell :args {:initial-value 1}}",
        '{:parent :atom :args {:initial-value "x"}}',
    ],
    "failure": [
        '{:parent :ex-info :args {:message "m" :data {:a 1}}}',
        "{:parent :try :args {:body {:parent :div :args {:nums [1 0]}} :on-throw :identity}}",
    ],
    "cron": ['"0 12 * * *"', '"*/5 1-3 * * 1"'],
    "type": ["{:value :int}", "{:value [:list :text]}", "{:value [:union :null :bool]}"],
}
"""Bindings that what is drawn by type alone would hardly ever be."""
SLOTS = {
    ("deref", "a"): SUITED["cell"],
    ("swap", "a"): SUITED["cell"],
    ("reset", "a"): SUITED["cell"],
    ("throwable-message", "ex"): SUITED["failure"],
    ("ex-describe", "ex"): SUITED["failure"],
    ("ex-data", "ex"): SUITED["failure"],
    ("cron-parse", "expression"): SUITED["cron"],
    ("cron-fire-after", "expression"): SUITED["cron"],
    ("digest-hex", "algorithm"): ['"sha256"', "{:value :md5}"],
    ("is-a?", "type"): SUITED["type"],
    ("parse-int", "string"): ['"7"', '"-10"'],
    ("parse-json", "string"): ['"{\\"a\\": [1.5, null]}"', '"3"'],
    ("parse-uuid", "string"): ['"4fcf8b4e-2f7c-4a51-9d02-6d8b4a0f1d11"'],
}

NUMBERS = {
    "int": st.integers(-3, 9),
    "float": st.sampled_from([0.5, -1.5, 2.0]) | st.integers(-3, 3),
    "decimal": st.sampled_from(["0.5", "2", "-1"]).map(Decimal),
}


@st.composite
def typed(draw: st.DrawFn, expected: Type, depth: int = 2) -> tuple[Type, Any]:
    """A type that fits what is expected, and a value of it."""
    match expected:
        case Primitive("any" | "jsonb") | Variable():
            return draw(anything(depth))
        case Primitive("numeric"):
            kind = draw(st.sampled_from(sorted(NUMBERS)))
            return Primitive(kind), draw(NUMBERS[kind])
        case Primitive("int" | "float" | "decimal" as kind):
            return expected, draw(NUMBERS[kind])
        case Primitive("bool"):
            return expected, draw(st.booleans())
        case Primitive("null"):
            return expected, None
        case Primitive("text"):
            return expected, draw(st.sampled_from(["a", "", "1", "b a", "[1]", "a,b"]))
        case Primitive("keyword"):
            keyword = Keyword(draw(st.sampled_from(NAMES)))
            return draw(st.sampled_from([expected, type_of(keyword)])), keyword
        case ListOf(item):
            return draw(lists(item, depth - 1))
        case TupleOf(items):
            parts = [draw(typed(each, depth - 1)) for each in items]
            return TupleOf(tuple(t for t, _ in parts)), [v for _, v in parts]
        case MapOf():
            return draw(maps(depth - 1))
        case Union(members):
            own, value = draw(typed(draw(st.sampled_from(members)), depth))
            if Primitive("null") in members and draw(st.booleans()):
                return Union((own, Primitive("null"))), draw(st.sampled_from([value, None]))
            return own, value
        case Refined(base, _):
            return expected, draw(typed(base))[1]
    assume(False)
    raise AssertionError


@st.composite
def lists(draw: st.DrawFn, item: Type, depth: int) -> tuple[Type, Any]:
    parts = draw(st.lists(typed(item, depth), max_size=3))
    values = [value for _, value in parts]
    if draw(st.booleans()):
        return TupleOf(tuple(own for own, _ in parts)), values
    inside = [own for own, _ in parts] or [draw(typed(item, depth))[0]]
    return ListOf(inside[0] if len(inside) == 1 else Union(tuple(inside))), values


@st.composite
def maps(draw: st.DrawFn, depth: int) -> tuple[Type, Any]:
    known = {name: draw(typed(ANY, depth)) for name in draw(st.sets(st.sampled_from(NAMES)))}
    kind = draw(st.sampled_from(["record", "map", "literal"]))
    values = {name: value for name, (_, value) in known.items()}
    if kind == "map":
        inside = [own for own, _ in known.values()] or [Primitive("int")]
        return MapOf(Primitive("text"), Union(tuple(inside))), values
    if kind == "literal":
        literal = {Keyword(name): value for name, value in values.items()}
        return type_of(literal), literal
    fields = []
    for name, (own, _) in known.items():
        # Not every field of the value is one that the type tells of.
        if draw(st.integers(0, 3)):
            required = draw(st.booleans())
            fields.append(Field(name, own, required))
            if not required and draw(st.booleans()):
                del values[name]
    if draw(st.booleans()):
        values = {Keyword(name): value for name, value in values.items()}
    return Record(tuple(fields)), values


@st.composite
def anything(draw: st.DrawFn, depth: int) -> tuple[Type, Any]:
    kinds = ["int", "float", "decimal", "text", "keyword", "null", "bool", "any", "literal"]
    if depth > 1:
        kinds.append("union")
    if depth > 0:
        kinds += ["list", "list", "map", "map"]
    kind = draw(st.sampled_from(kinds))
    match kind:
        case "any":
            return draw(st.sampled_from([ANY, Primitive("jsonb")])), draw(VALUES)
        case "literal":
            value = draw(VALUES)
            return type_of(value), value
        case "union":
            members = draw(st.lists(anything(depth - 1), min_size=2, max_size=3))
            value = draw(st.sampled_from([value for _, value in members]))
            return Union(tuple(own for own, _ in members)), value
        case "list":
            return draw(lists(ANY, depth - 1))
        case "map":
            return draw(maps(depth - 1))
    return draw(typed(Primitive(kind)))


def written(type_: Type) -> bool:
    """Whether a row can write the type: not that of a literal, or of a record without name."""
    match type_:
        case Primitive(name):
            return name != "never"
        case ListOf(item):
            return written(item)
        case MapOf(key, value):
            return written(key) and written(value)
        case TupleOf(inner) | Union(inner):
            return bool(inner) and all(map(written, inner))
    return False


@given(st.sampled_from(FUNCTIONS), st.data())
def test_8_4_what_a_function_gives_is_of_the_inferred_type(
    function: str, data: st.DataObject
) -> None:
    base = GRAPH.program.rows[GRAPH.resolved(function).id]
    rows, bindings, arguments = [], [], {}
    for slot in base.slots:
        if not slot.required and data.draw(st.booleans(), f"leave out {slot.name}"):
            continue
        suited = SLOTS.get((function, slot.name))
        if suited is not None and data.draw(st.integers(0, 3), f"is suited: {slot.name}"):
            bindings.append(f":{slot.name} {data.draw(st.sampled_from(suited), slot.name)}")
            continue
        binding, type_row, value = data.draw(bound(slot.name, slot.type), slot.name)
        bindings.append(f":{slot.name} {binding}")
        rows += type_row
        arguments.update(value)
    rows.append(f"{{:name :r :parent :{function} :args {{{' '.join(bindings)}}}}}")
    graph = Graph.parse(CALLABLES + "\n".join(rows))
    assume(not graph.diagnostics)
    inferred = graph._inference.row("user/r").result
    try:
        result = graph.run("r", arguments)
    except RunError as error:
        assume(error.code == "base-function-error")
        raise
    event(function)
    assert Contracts(graph.program.types).violations(inferred, result) == ()


@st.composite
def bound(draw: st.DrawFn, name: str, type_: Type) -> tuple[str, list[str], dict[str, Any]]:
    """How a slot is bound, with which rows, and with which argument from outside."""
    if isinstance(type_, Callable):
        result, value = draw(typed(type_.result))
        if written(result) and draw(st.booleans()):
            takes = " ".join(f":{each} :any" for each, _ in type_.parameters)
            binding = f"{{:as :call-{name} :type [:fn {{{takes}}} {result}]}}"
            return binding, [], {f"call-{name}": lambda *_: value}
        return draw(st.sampled_from(MADE)), [], {}
    item = item_type(type_, {})
    if isinstance(item, Callable):
        return f"[{' '.join(draw(st.lists(st.sampled_from(MADE), max_size=3)))}]", [], {}
    if item is not None and draw(st.booleans()):
        parts = draw(st.lists(argument(name, item), max_size=3))
        named = [
            (text.replace("ARG", f"{name}-{i}"), row, value)
            for i, (text, row, value) in enumerate(parts)
        ]
        items = " ".join(text for text, _, _ in named)
        rows = [
            r.replace("ARG", f"{name}-{i}") for i, (_, row, _) in enumerate(named) for r in row
        ]
        given_ = {f"{name}-{i}": v for i, (_, _, value) in enumerate(named) for v in value}
        return f"[{items}]", rows, given_
    text, row, value = draw(argument(name, type_))
    outer = f"the-{name}"
    return (
        text.replace("ARG", outer),
        [r.replace("ARG", outer) for r in row],
        dict(zip([outer], value, strict=False)),
    )


@st.composite
def argument(draw: st.DrawFn, name: str, type_: Type) -> tuple[str, list[str], list[Any]]:
    """A literal, a row that gives one, or an argument under a type of its own."""
    own, value = draw(typed(type_))
    kind = draw(st.sampled_from(["literal", "row", "argument", "argument"]))
    if kind == "literal":
        return f"{{:value {write(value)}}}", [], []
    if kind == "row":
        row = f"{{:name :ARG-row :parent :const :args {{:value {{:value {write(value)}}}}}}}"
        return "{:ref :ARG-row}", [row], []
    if isinstance(own, Record) and all(written(field.type) for field in own.fields):
        fields = " ".join(map(str, own.fields))
        row = f"{{:name :ARG-type :type {{{fields}}}}}"
        return "{:as :ARG :type :ARG-type}", [row], [value]
    if written(own):
        return f"{{:as :ARG :type {own}}}", [], [value]
    return f"{{:value {write(value)}}}", [], []
