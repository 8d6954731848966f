"""`graphden types`: type rows, and their JSON Schema."""

from __future__ import annotations

import pytest

ROWS = """
{:name :order :description "What is bought." :type {:sku :text :lines [:list :line]}}
{:name :line  :tuple [:text :positive-int]}
{:name :_own  :list :int}
{:name :total :parent :add :args {:nums [1 2]}}
"""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("options", [[], ["--json"], ["rows.edn"]])
def test_a_type_row_as_json_schema(run, rows, options):
    rows(ROWS)
    result = run("types", "line", *options)
    assert (result.code, result.err) == (0, "")
    assert result.json == {
        "$schema": DIALECT,
        "title": "line",
        "type": "array",
        "prefixItems": [
            {"type": "string"},
            {"$ref": "#/$defs/core.refinements.positive-int"},
        ],
        "minItems": 2,
        "maxItems": 2,
        "$defs": {
            "core.refinements.positive-int": {
                "allOf": [{"type": "integer"}, {"exclusiveMinimum": 0}]
            }
        },
    }


@pytest.mark.parametrize("paths", [[], ["rows.edn"], ["."]])
def test_without_a_row_they_are_listed_ones_own_first(run, rows, paths):
    rows(ROWS)
    result = run("types", *paths)
    lines = [line.split(maxsplit=1) for line in result.out.splitlines()]
    assert result.code == 0
    assert [name for name, _ in lines[:3]] == ["row", "order", "line"]
    assert "{:sku :text :lines [:list :line]}" in lines[1][1]
    assert lines[1][1].endswith("rows.edn:2")
    assert "positive-int" in [name for name, _ in lines[3:]]
    assert not {"_own", "total"} & {name for name, _ in lines}


def test_the_list_as_json(run, rows):
    rows(ROWS)
    order, line = run("types", "--json").json["types"][:2]
    assert order == {
        "row": "order",
        "id": "user/order",
        "type": "{:sku :text :lines [:list :line]}",
        "description": "What is bought.",
        "file": "rows.edn",
        "line": 2,
        "column": 1,
    }
    assert line["description"] is None


def test_a_folder_with_a_rows_name(run, rows, folder):
    rows(ROWS)
    (folder / "order").mkdir()
    assert run("types", ":order").json["title"] == "order"


def test_what_has_no_schema_is_wrong_use(run, rows):
    rows(ROWS + "{:name :job :type {:then [:fn {:item :int} :int]}}")
    assert "there is no row :ordr" in run("types", "ordr").err
    assert "[no-type]" in run("types", "total").err
    result = run("types", "job")
    assert result.code == 2
    assert result.err.startswith(
        "error: :job → :then is [:fn {:item :int} :int], and JSON holds neither bytes nor "
        "callables [no-json]\n"
    )
