"""How messages name rows that are written inline: never by a made name (LANGUAGE 9.1)."""

from __future__ import annotations

import pytest

from tests.read.reports import only

UPPER = "{:parent :str-upper :args {:string {:as :item}}}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{{:name :r :parent :map :args {{:coll [1] :func {UPPER}}}}}",
            "this inline row is called with :item (:int), which would go to its :item, and "
            "that takes :text",
        ),
        (
            "{:name :p :parent :identity :args {:value {:parent :str-upper :args {:string "
            "{:parent :get :args {:coll {:as :m} :key {:value :a}}}}}}}"
            "{:name :r :parent :p :args {:m {:a 1}}}",
            ":string takes :text, and this row gives :int",
        ),
    ],
)
def test_9_1_an_inline_row_has_no_name(text, said):
    problem = only(text)
    told = problem.message + problem.hint + "".join(label for label, _ in problem.notes)
    assert ">" not in told
    assert said in problem.message
