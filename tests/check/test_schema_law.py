"""A value that its type takes, and JSON can hold, is valid by the type's JSON Schema."""

from __future__ import annotations

import json

from hypothesis import assume, event, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from graphden.check import Contracts, json_schema
from graphden.edn import JsonProblem, to_json
from graphden.model.types import Named
from tests.check.drawing import TYPES, ends, value_of


@given(st.data())
def test_what_a_type_takes_its_schema_takes(data: st.DataObject) -> None:
    """LANGUAGE 8.2, 10.2"""
    types = {"user/it": data.draw(TYPES, "type"), "user/other": data.draw(TYPES, "other")}
    value = data.draw(value_of(types["user/it"], types), "value")
    assume(ends(types))
    violations = Contracts(types).violations(Named("user/it"), value)
    assume(not violations)
    try:
        text = to_json(value)
    except JsonProblem:
        assume(False)
    schema = json_schema("user/it", types)
    assert json.loads(json.dumps(schema)) == schema
    Draft202012Validator.check_schema(schema)
    event(type(types["user/it"]).__name__)
    assert [e.message for e in Draft202012Validator(schema).iter_errors(json.loads(text))] == []
