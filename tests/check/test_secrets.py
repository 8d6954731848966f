"""Secrets stay in (LANGUAGE 8.7): what is made of one is one, unless types know better."""

from __future__ import annotations

import pytest

from graphden import Graph, RunError
from graphden.run.secrets import HIDDEN

ROWS = """
{:name :login :type {:password [:secret :text] :tries :int}}
{:name :pair :tuple [[:secret :text] :int]}
{:name :either :variant [:token [:secret :text]]}
{:name :any-of :parent :get
 :args {:coll {:as :login :type :login} :key {:as :key} :default nil}}
{:name :tries :parent :get
 :args {:coll {:as :login :type :login} :key {:value :tries} :default nil}}
{:name :of-pair :parent :get
 :args {:coll {:as :pair :type :pair} :key {:as :key} :default nil}}
{:name :of-either :parent :get
 :args {:coll {:as :either :type :either} :key 1 :default nil}}
{:name :as-text :parent :pr-str :args {:value {:as :login :type :login}}}
"""
LOGIN = {"password": "s3cr3t", "tries": 1}


@pytest.mark.parametrize(
    ("entry", "arguments"),
    [
        ("any-of", {"login": LOGIN, "key": "password"}),
        ("of-pair", {"pair": ["s3cr3t", 1], "key": 0}),
        ("of-either", {"either": ["token", "s3cr3t"]}),
        ("as-text", {"login": LOGIN}),
    ],
)
def test_8_7_what_is_made_of_a_secret_is_hidden(
    entry: str, arguments: dict[str, object]
) -> None:
    assert Graph.parse(ROWS).run(entry, arguments) == HIDDEN


def test_8_7_a_field_that_is_no_secret_is_shown() -> None:
    assert Graph.parse(ROWS).run("tries", {"login": LOGIN}) == 1


def test_8_7_what_is_made_of_a_secret_does_not_flow_on() -> None:
    rows = "{:name :leak :parent :str :args {:parts [:any-of]}}"
    [problem] = Graph.parse(ROWS + rows).diagnostics
    assert (problem.code, problem.row) == ("secret-flow", "leak")


def test_8_7_no_error_text_shows_a_secret() -> None:
    with pytest.raises(RunError) as caught:
        Graph.parse(ROWS).run("tries", {"login": {"password": 12345, "tries": 1}})
    assert "12345" not in str(caught.value)
