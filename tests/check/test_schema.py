"""Type rows as JSON Schema."""

from __future__ import annotations

import pytest

from graphden import Graph, UsageError

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


def test_what_json_cannot_hold_is_said() -> None:
    with pytest.raises(UsageError) as caught:
        schema("step")
    assert caught.value.code == "no-json"


def test_a_row_that_is_no_type_is_said() -> None:
    with pytest.raises(UsageError) as caught:
        schema("add")
    assert caught.value.code == "no-type"
