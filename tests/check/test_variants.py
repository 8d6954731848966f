"""Values of variants: computed by parts, and what is said of wrong ones (LANGUAGE 2.3, 8.5)."""

from __future__ import annotations

import pytest

from graphden import RunError
from graphden.check import Verdict, fit
from graphden.edn import Keyword
from graphden.model.types import (
    ANY,
    NULL,
    Constraint,
    ListOf,
    Named,
    Primitive,
    Refined,
    TupleOf,
    Union,
    Variant,
)
from tests.read.reports import only, report, run

KEYWORD, TEXT, INT = Primitive("keyword"), Primitive("text"), Primitive("int")
ROWS = """
{:name :outcome :variant [:sent :text :refused :int]}
{:name :taker :parent :identity :args {:value {:as :o :type :outcome}}}
"""
COMPUTED = ROWS + (
    "{:name :v :parent :outcome :args {:value {:parent :list :args {:items ITEMS}}}}"
    "{:name :w :parent :taker :args {:o {:parent :list :args {:items ITEMS}}}}"
)
TAGS = "The tags: :sent with :text, :refused with :int."


TYPES = {"kind": Refined(KEYWORD, Constraint("in", ([Keyword("sent"), Keyword("refused")],)))}
SENT = Refined(KEYWORD, Constraint("=", (Keyword("sent"),)))
OUTCOME = Variant((("sent", TEXT), ("refused", INT)))
EITHER = Union((TEXT, INT))


@pytest.mark.parametrize(
    ("actual", "expected", "verdict"),
    [
        (TupleOf((SENT, TEXT)), OUTCOME, Verdict.FITS),
        (TupleOf((SENT, INT)), OUTCOME, Verdict.DIFFERS),
        (TupleOf((SENT, ANY)), OUTCOME, Verdict.GUARD),
        (TupleOf((SENT, TEXT, TEXT)), OUTCOME, Verdict.DIFFERS),
        (TupleOf((SENT,)), OUTCOME, Verdict.DIFFERS),
        (TupleOf((TEXT, TEXT)), OUTCOME, Verdict.DIFFERS),
        (TupleOf((KEYWORD, TEXT)), OUTCOME, Verdict.DIFFERS),
        (TupleOf((ANY, TEXT)), OUTCOME, Verdict.GUARD),
        (TupleOf((ANY, NULL)), OUTCOME, Verdict.DIFFERS),
        (TupleOf((Named("kind"), TEXT)), OUTCOME, Verdict.DIFFERS),
        (
            TupleOf((Named("kind"), TEXT)),
            Variant((("sent", TEXT), ("refused", EITHER))),
            Verdict.FITS,
        ),
        (TupleOf((Named("kind"), EITHER)), Variant((("sent", EITHER),)), Verdict.DIFFERS),
        (ListOf(ANY), OUTCOME, Verdict.DIFFERS),
        (Primitive("jsonb"), OUTCOME, Verdict.GUARD),
        (OUTCOME, Variant((*OUTCOME.cases, ("late", NULL))), Verdict.FITS),
        (Variant((*OUTCOME.cases, ("late", NULL))), OUTCOME, Verdict.DIFFERS),
        (Variant((("sent", INT),)), Variant((("sent", Primitive("float")),)), Verdict.FITS),
        (Variant((("sent", INT),)), Primitive("jsonb"), Verdict.FITS),
        (Variant((("sent", Primitive("bytes")),)), Primitive("jsonb"), Verdict.DIFFERS),
    ],
    ids=lambda each: str(each)[:40],
)
def test_8_2_what_fits_a_variant(actual, expected, verdict):
    assert fit(actual, expected, TYPES).verdict is verdict


@pytest.mark.parametrize("row", ["v", "w"])
def test_8_5_a_tag_and_a_computed_part_make_a_variant(row):
    text = COMPUTED.replace("ITEMS", "[{:value :sent} {:as :code :type :text}]")
    assert report(text) == []
    assert run(text, row, code="x") == ["sent", "x"]


def test_8_5_a_computed_tag_is_looked_at_when_it_comes():
    text = COMPUTED.replace("ITEMS", "[{:as :tag} {:as :code :type :text}]")
    assert report(text) == []
    assert run(text, "w", tag="sent", code="x") == ["sent", "x"]
    for wrong in ("snet", "refused"):
        with pytest.raises(RunError) as caught:
            run(text, "w", tag=wrong, code="x")
        assert caught.value.code == "contract-violation"


def test_8_5_one_of_several_tags_fits_when_all_of_them_do():
    tag = "{:parent :if :args {:test {:as :t} :then {:value :sent} :else {:value OTHER}}}"
    items = f"[{tag} {{:as :code :type :text}}]"
    text = COMPUTED.replace("ITEMS", items)
    assert len(report(text.replace("OTHER", ":refused"))) == 2
    assert report(text.replace("OTHER", ":sent")) == []


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ("[{:value :snet} {:as :code :type :text}]", "gives [:tuple :keyword :text]"),
        (
            "[{:value :sent} {:as :code :type :int}]",
            "gives [:tuple :keyword :int]; at :sent it is :int, not :text",
        ),
    ],
)
def test_8_5_a_computed_list_that_is_no_variant(items, said):
    text = (
        ROWS
        + f"{{:name :w :parent :taker :args {{:o {{:parent :list :args {{:items {items}}}}}}}}}"
    )
    problem = only(text)
    assert problem.code == "type-mismatch"
    assert problem.message == f":o takes :outcome, and this row {said}"


@pytest.mark.parametrize(
    ("literal", "said"),
    [
        ('[:snet "x"]', "no tag :snet; did you mean :sent?"),
        ('["other" "x"]', "no tag :other"),
        ("[:sent 5]", "at [1] expected :text, got 5"),
    ],
)
def test_9_1_what_is_wrong_in_a_literal_variant(literal, said):
    problem = only(ROWS + f"{{:name :v :parent :outcome :args {{:value {literal}}}}}")
    assert problem.message == f":value takes :outcome, and this is {literal}; {said}"
    assert problem.hint == f"Write one of the tags and what it holds. {TAGS}"


def test_9_1_variants_inside_other_values():
    text = ROWS + (
        "{:name :post :type {:last [:union :outcome :null] :all [:list :outcome]}}"
        "{:name :v :parent :identity :args {:value {:type :post :value {:last [:sent 5] :all "
        "[[:refused 1] [:refsed 2]]}}}}"
    )
    message = only(text).message
    assert "at :last[1] expected :text, got 5" in message
    assert "at :all[1] no tag :refsed; did you mean :refused?" in message


def test_9_1_a_binding_in_a_literal_vector_is_data():
    problem = only(ROWS + "{:name :v :parent :outcome :args {:value [:refused {:as :x}]}}")
    assert problem.hint == (
        "Inside a literal vector everything is data, also {:as :x}; to bind a part write "
        f"{{:parent :list :args {{:items [{{:value :refused}} {{:as :x}}]}}}}. {TAGS}"
    )


def test_8_7_a_secret_variant_shows_nothing_of_the_literal():
    text = (
        "{:name :key :variant [:token [:secret :int]]}"
        '{:name :v :parent :key :args {:value [:token "hunter2"]}}'
    )
    problem = only(text)
    assert "hunter2" not in problem.message + problem.hint
