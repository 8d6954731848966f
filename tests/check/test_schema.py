"""Type rows as JSON Schema."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from graphden import Graph, RunError, UsageError

ROWS = """
{:name :order :type {:sku :text :qty :count :note {:type :text :required false} :id :uuid}}
{:name :count :refine {:base :int :constraint [:and [:> 0] [:<= 99]]}}
{:name :tree  :type {:value :int :children [:list :tree]}}
{:name :state :refine {:base :keyword :constraint [:in [:open :done]]}}
{:name :pair  :tuple [:int [:union :text :null]]}
{:name :sizes :map [:keyword :int]}
{:name :step  :fn-type [{:item :int} :int]}
"""


def schema(name: str) -> dict[str, object]:
    found = Graph.parse(ROWS).json_schema(name)
    assert found.pop("$schema") == "https://json-schema.org/draft/2020-12/schema"
    return found


def test_a_record_names_its_types_and_keeps_extra_fields() -> None:
    assert schema("order") == {
        "title": "order",
        "type": "object",
        "properties": {
            "sku": {"type": "string"},
            "qty": {"$ref": "#/$defs/user.count"},
            "note": {"type": "string"},
            "id": {"type": "string", "format": "uuid"},
        },
        "required": ["sku", "qty", "id"],
        "$defs": {
            "user.count": {
                "allOf": [
                    {"type": "integer"},
                    {"allOf": [{"exclusiveMinimum": 0}, {"maximum": 99}]},
                ]
            }
        },
    }


def test_a_type_that_holds_itself_refers_to_itself() -> None:
    reference = {"$ref": "#/$defs/user.tree"}
    assert schema("tree") == {
        "title": "tree",
        **reference,
        "$defs": {
            "user.tree": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "children": {"type": "array", "items": reference},
                },
                "required": ["value", "children"],
            }
        },
    }


def test_keywords_are_strings() -> None:
    assert schema("state") == {
        "title": "state",
        "allOf": [{"type": "string"}, {"enum": ["open", "done"]}],
    }


def test_tuples_and_maps() -> None:
    assert schema("pair") == {
        "title": "pair",
        "type": "array",
        "prefixItems": [
            {"type": "integer"},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ],
        "minItems": 2,
        "maxItems": 2,
    }
    assert schema("sizes") == {
        "title": "sizes",
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }


def schema_of(row: str) -> dict[str, object]:
    found = Graph.parse(f"{{:name :it {row}}}").json_schema("it")
    return {key: found[key] for key in found if key not in ("$schema", "title")}


def test_what_json_cannot_hold_is_said() -> None:
    with pytest.raises(UsageError) as caught:
        schema("step")
    assert caught.value.code == "no-json"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (":type {:a {:type [:list :bytes] :required false}}", ":it → :a → item is :bytes, and"),
        (":variant [:go [:fn {} :int]]", ":it → :go is [:fn {} :int], and"),
        (":map [:int :text]", ":it is a map with the keys :int, and"),
    ],
)
def test_what_json_cannot_hold_is_said_with_where_it_stands(row: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        schema_of(row)
    assert caught.value.code == "no-json"
    assert caught.value.message.startswith(said)


def test_keys_of_maps_may_be_constrained() -> None:
    assert schema_of(":map [:non-empty-text :int]") == {
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/core.refinements.non-empty-text"},
        "additionalProperties": {"type": "integer"},
        "$defs": {
            "core.refinements.non-empty-text": {
                "allOf": [{"type": "string"}, {"not": {"const": ""}}]
            }
        },
    }


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        ('[:matches "^[A-Z]{3}-\\\\d+$"]', {"pattern": r"^[A-Z]{3}-\d+$"}),
        ('[:matches "(?i)tea"]', {"$comment": "matches the RE2 pattern (?i)tea"}),
        ('[:matches "tea\\\\z"]', {"$comment": r"matches the RE2 pattern tea\z"}),
        ('[:matches "a\\\\\\\\z"]', {"pattern": r"a\\z"}),
        ('[:not= "a"]', {"not": {"const": "a"}}),
        # A keyword :a is not the text "a", but here only texts can come.
        ("[:not= :a]", {}),
        ('[:or [:= "a"] [:in ["b" "c"]]]', {"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]}),
    ],
)
def test_constraints_of_texts(constraint: str, said: dict[str, object]) -> None:
    assert schema_of(f":refine {{:base :text :constraint {constraint}}}") == {
        "allOf": [{"type": "string"}, said]
    }


def test_literals_are_as_json_has_them() -> None:
    found = schema_of(":refine {:base :any :constraint [:in [{:a :b} 1.5M #{1} nil]]}")
    assert found == {"allOf": [{}, {"enum": [{"a": "b"}, 1.5, None]}]}


def test_names_are_escaped_where_they_are_referred_to() -> None:
    found = Graph.parse("{:name :a->b :list :a->b}").json_schema("a->b")
    assert found["$ref"] == "#/$defs/user.a-%3Eb"
    validator = Draft202012Validator(found)
    assert validator.is_valid([[], [[]]])
    assert not validator.is_valid([[1]])


def test_a_variant_is_a_tag_and_a_value_of_its_type() -> None:
    """The schema and the check when it runs agree."""
    graph = Graph.parse(
        "{:name :outcome :variant [:paid :int :refused :text]}"
        "{:name :take :parent :identity :args {:value {:as :value :type :outcome}}}"
    )
    validator = Draft202012Validator(graph.json_schema("outcome"))
    for good in (["paid", 1], ["refused", "no"]):
        assert validator.is_valid(good)
        assert graph.run("take", {"value": good}) == good
    for bad in (["paid", "no"], ["lost", 1], ["paid"], ["paid", 1, 2], [[], 1], "paid"):
        assert not validator.is_valid(bad)
        with pytest.raises(RunError) as caught:
            graph.run("take", {"value": bad})
        assert caught.value.code == "argument-type"


def test_a_row_that_is_no_type_is_said() -> None:
    with pytest.raises(UsageError) as caught:
        schema("add")
    assert caught.value.code == "no-type"
