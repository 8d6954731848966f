"""Rows and bodies agree: every base function has both, with the same slots."""

import importlib

import pytest

from graphden.edn import Form, Keyword, Symbol, read, write
from graphden.run import parameter_name
from graphden.stdlib import package

TOPICS = (
    "arithmetic",
    "logic",
    "collections",
    "hof",
    "strings",
    "control",
    "processes",
    "system",
    "refinements",
)
WITH_BODIES = TOPICS[:-1]
EFFECTS = {"db", "network", "io", "env", "time", "random", "process", "state"}


def rows_of(topic: str) -> list[Form]:
    path = package.rows / f"{topic}.edn"
    return read(path.read_text(encoding="utf-8"), path.name)


def base_functions(topic: str) -> list[Form]:
    return [row for row in rows_of(topic)[1:] if row.get("args")]


BASE_FUNCTIONS = {
    row.get("name").value: row for topic in WITH_BODIES for row in base_functions(topic)
}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_file_begins_with_its_namespace(topic):
    """LANGUAGE 1.1, 1.3"""
    header = rows_of(topic)[0]

    assert header.get("namespace").value == Keyword(f"core.{topic}")
    assert header.get("description").value


def test_every_row_has_a_body_and_every_body_a_row():
    """LANGUAGE 2.2"""
    assert {body.name for body in package.functions} == set(BASE_FUNCTIONS)


@pytest.mark.parametrize("name", BASE_FUNCTIONS)
def test_the_parameters_of_a_body_are_the_slots_of_its_row(name):
    """LANGUAGE 2.2"""
    slots = tuple(key.value.text for key, _ in BASE_FUNCTIONS[name].get("args").entries)

    assert package.functions.get(name).parameters == tuple(map(parameter_name, slots))


@pytest.mark.parametrize("topic", WITH_BODIES)
def test_bodies_stand_in_the_module_of_their_file(topic):
    module = importlib.import_module(f"graphden.stdlib.{topic}")

    homes = {
        package.functions.get(row.get("name").value).function for row in base_functions(topic)
    }

    assert {function.__module__ for function in homes} == {module.__name__}


@pytest.mark.parametrize("topic", TOPICS)
def test_every_row_says_what_it_is(topic):
    for row in rows_of(topic)[1:]:
        assert row.get("description").value.endswith("."), row.get("name").value


def test_the_effects_are_those_of_the_language():
    """LANGUAGE 8.6"""
    named = {
        effect
        for row in BASE_FUNCTIONS.values()
        if row.get("effects")
        for effect in row.get("effects").value
    }

    assert named <= EFFECTS


@pytest.mark.parametrize("effect", ["time", "random"])
def test_only_what_reads_a_clock_or_chance_is_never_shared(effect):
    """LANGUAGE 7.3"""
    having = {
        name
        for name, row in BASE_FUNCTIONS.items()
        if row.get("effects") and effect in row.get("effects").value
    }

    known = {"time": {"current-time-ms"}, "random": {"uuid", "exponential-backoff"}}
    assert having == known[effect]


def test_every_type_variable_of_a_result_stands_in_a_slot():
    """LANGUAGE 8.1: what nothing binds, nothing solves."""
    for name, row in BASE_FUNCTIONS.items():
        wanted = variables(row.get("return-type").value)
        assert wanted <= variables(row.get("args").value), name


def variables(type_: object) -> set[str]:
    match type_:
        case Symbol():
            return {type_.name}
        case list():
            return set().union(*map(variables, type_))
        case dict():
            return set().union(*map(variables, type_.values()))
        case _:
            return set()


# LANGUAGE 11, word for word: `x=1` has a default, `x?` may be left out.
VOCABULARY = """
add nums|sub nums|mul nums|div nums|mod dividend divisor|quot dividend divisor|neg number
abs number|eq values|neq values|lt nums|lte nums|gt nums|gte nums
and values|or values|not value|some? value|nil? value|zero? number|is-a? value type
if test then else?|cond clauses|case value clauses default?|coalesce value default|assert value
assert-some value|assert-eq actual expected|const value|identity value|equal? a b
first coll|rest coll|vec coll|count coll|empty? coll|reverse coll|sort coll|flatten coll
distinct coll|cons item coll|list items|conj coll item|get coll key default?
get-in map path default?|assoc map key value|dissoc map key|contains? coll key|keys map|vals map
merge maps|into to from|assoc-in m path v|update-in m path f|range start=0 end step=1
repeat count item|take count coll|drop count coll|concat colls|select-keys m ks|zipmap keys vals
update-vals m f|update-keys m f|postwalk f coll|pairs->map entries|position-in coll value
map func coll|filter pred coll|some pred coll|every? pred coll|find-first pred coll
reduce func init coll|group-by key-fn coll|sort-by key-fn coll|for-each func coll
constantly value _item?|comp functions
str parts|subs string start end?|str-len string|byte-len string|str-upper string
str-lower string|str-trim string|blank? string|non-blank? string
str-split string separator limit?|str-join coll separator=""|str-to-keyword string
str-contains? string substring|str-starts-with? string prefix
str-replace string match replacement|re-find? string pattern
do steps|try body on-throw|throw exception|ex-data ex|throwable-message ex|invoke func arg
call func arg|call-noargs func|fix step input|atom initial-value|cell initial-value|swap a func
reset a v|deref a
current-time-ms|sleep ms|loop-until-stopped body|loop-until-interrupted body
parse-json string keywordize=true|to-json-string data|to-json data|env name|uuid
digest-hex algorithm s|log-warn message data?
"""


@pytest.mark.parametrize("entry", VOCABULARY.strip().replace("\n", "|").split("|"))
def test_the_vocabulary_has_the_slots_of_the_public_one(entry):
    """LANGUAGE 11"""
    name, *slots = entry.split()

    assert [shown(key, slot) for key, slot in BASE_FUNCTIONS[name].get("args").entries] == slots


def shown(key: Form, slot: Form) -> str:
    name = key.value.text
    if slot.get("required") is None:
        return name
    default = slot.get("value")
    if default is None:
        return f"{name}?"
    return f"{name}={write(default.value)}"


LAZY = {
    "and": {"values"},
    "or": {"values"},
    "if": {"then", "else"},
    "cond": {"clauses"},
    "case": {"clauses", "default"},
    "coalesce": {"default"},
    "get": {"default"},
    "get-in": {"default"},
}


def test_exactly_the_parts_that_may_stay_untaken_are_lazy():
    """LANGUAGE 7.1"""
    lazy = {
        name: {key.value.text for key, slot in row.get("args").entries if slot.get("lazy")}
        for name, row in BASE_FUNCTIONS.items()
    }

    assert {name: slots for name, slots in lazy.items() if slots} == LAZY


def test_control_forms_are_offered_for_writing_in_place():
    inline = {body.name: body.inline for body in package.functions if body.inline}

    control = {"if", "cond", "case", "and", "or", "coalesce", "do", "try", "fix"}
    loops = {"map", "filter", "reduce", "for-each"}
    parts = {"get", "assoc", "merge", "zipmap", "list", "str"}
    assert inline == {name: name for name in control | loops | parts} | {
        "call": "call",
        "invoke": "call",
    }
