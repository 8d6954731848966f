"""Secrets stay in (LANGUAGE 8.7): what is made of one is one, unless types know better."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphden import Graph, RunError
from graphden.model.types import ANY, Secret, TupleOf, Variant
from graphden.run.secrets import HIDDEN, clean, clean_in, note, note_typed

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
{:name :held :parent :identity :args {:value {:as :login :type :login}}}
{:name :all :parent :list :args {:items [:held]}}
{:name :merged :parent :merge :args {:maps {:as :given :ref :all}}}
{:name :word :parent :identity :args {:value {:as :word :type [:secret :text]}}}
{:name :grouped :parent :group-by :args {:key-fn :identity :coll [:word]}}
{:name :keyed :parent :update-keys
 :args {:m {:value {:a 1}} :f {:parent :identity :args {:value :word} :lambda-params []}}}
{:name :either-way :parent :if
 :args {:test true :then :word :else {:parent :parse-json :args {:string "1"}}}}
{:name :differs :parent :assert-eq :args {:actual :word :expected "x"}}
{:name :caught :parent :try
 :args {:body :differs :on-throw {:parent :ex-data :args {:ex {:as :exception}}}}}
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
        ("grouped", {"word": "s3cr3t"}),
        ("keyed", {"word": "s3cr3t"}),
        ("either-way", {"word": "s3cr3t"}),
        ("caught", {"word": "s3cr3t"}),
    ],
)
def test_8_7_what_is_made_of_a_secret_is_hidden(
    entry: str, arguments: dict[str, object]
) -> None:
    assert Graph.parse(ROWS).run(entry, arguments) == HIDDEN


def test_8_7_a_field_that_is_no_secret_is_shown() -> None:
    assert Graph.parse(ROWS).run("tries", {"login": LOGIN}) == 1


@pytest.mark.parametrize(
    "row",
    [
        ":parent :str :args {:parts [:word-of]} :return-type [:secret :text]",
        ":parent :identity :args {:value {:ref :word-of :type [:secret :text]}}",
        ":parent :identity :args {:value :word :word :word-of}",
        ":parent :map :args {:func {:parent :identity"
        " :args {:value {:as :item :type [:secret :text]}}} :coll [:word-of]}",
    ],
)
def test_8_7_what_comes_to_where_a_secret_is_taken_becomes_one(row: str) -> None:
    of = "{:name :word-of :parent :str :args {:parts [{:as :given}]}}"
    graph = Graph.parse(f"{ROWS}{of}{{:name :r {row}}}")
    assert list(graph.diagnostics) == []
    assert graph.run("r", {"given": "s3cr3t"}) in (HIDDEN, [HIDDEN])


def test_8_7_what_is_made_of_a_secret_does_not_flow_on() -> None:
    rows = "{:name :leak :parent :str :args {:parts [:any-of]}}"
    [problem] = Graph.parse(ROWS + rows).diagnostics
    assert (problem.code, problem.row) == ("secret-flow", "leak")


def test_8_7_what_is_merged_of_a_default_is_hidden_where_it_is_secret() -> None:
    assert Graph.parse(ROWS).run("merged", {"login": LOGIN}) == {
        "password": HIDDEN,
        "tries": HIDDEN,
    }


@pytest.mark.parametrize(
    "row",
    [
        ":parent :comp :args {:functions [:identity"
        " {:parent :identity :args {:value :word} :lambda-params []}]}",
        ":parent :non-blank-text :args {:value :word}",
        ":parent :tries-only :args {:value :held}",
        ":parent :any-list :args {:value :words}",
    ],
)
def test_8_7_a_secret_does_not_get_out_of_sight(row: str) -> None:
    more = """
{:name :tried :type {:tries :int}}
{:name :tries-only :parent :identity :args {:value {:as :value :type :tried}}}
{:name :any-list :parent :identity :args {:value {:as :value :type :sequence}}}
{:name :words :parent :list :args {:items [:word]}}
"""
    [problem] = Graph.parse(f"{ROWS}{more}{{:name :leak {row}}}").diagnostics
    assert (problem.code, problem.row) == ("secret-flow", "leak")


@pytest.mark.parametrize(
    "row",
    [
        ':parent :log :args {:level "info" :message "m" :data GIVEN}',
        ":parent :throw :args {:exception GIVEN}",
        ":parent :box :args {:v GIVEN}",
        ":parent :not-one :args {:value GIVEN}",
        ":parent :reset :args {:a {:parent :atom :args {:initial-value 1}} :v GIVEN}",
    ],
    ids=["log", "throw", "record", "refinement", "cell"],
)
@pytest.mark.parametrize(
    "given",
    ["{:as :given :type [:secret :text]}", '{:value "s3cr3t" :type [:secret :text]}'],
    ids=["argument", "literal"],
)
def test_8_7_what_writes_keeps_or_throws_what_it_gets_takes_no_secret(
    row: str, given: str
) -> None:
    rows = f"""
{{:name :box :type {{:v :any}}}}
{{:name :not-one :refine {{:base :any :constraint [:not= 1]}}}}
{{:name :leak {row.replace("GIVEN", given)}}}
"""
    problems = Graph.parse(rows).diagnostics
    assert {(problem.code, problem.row) for problem in problems} == {("secret-flow", "leak")}


def test_8_7_a_record_with_a_place_for_a_secret_takes_one() -> None:
    row = "{:name :kept :parent :login :args {:password :word :tries 1}}"
    graph = Graph.parse(ROWS + row)
    assert list(graph.diagnostics) == []
    assert graph.run("kept", {"word": "s3cr3t"}) == {"password": HIDDEN, "tries": 1}


def test_8_7_the_data_of_an_error_tells_no_secret() -> None:
    with pytest.raises(RunError) as caught:
        Graph.parse(ROWS).run("differs", {"word": "s3cr3t"})
    assert caught.value.data == {"actual": HIDDEN, "expected": "x"}
    assert "s3cr3t" not in str(caught.value)


def test_8_7_no_error_text_shows_a_secret() -> None:
    with pytest.raises(RunError) as caught:
        Graph.parse(ROWS).run("tries", {"login": {"password": 12345, "tries": 1}})
    assert "12345" not in str(caught.value)


def test_8_7_what_stands_beside_a_secret_is_shown() -> None:
    with pytest.raises(RunError) as caught:
        Graph.parse(ROWS).run("tries", {"login": {"password": 12345, "tries": "many"}})
    assert "got a secret" in caught.value.message
    assert 'expected :int, got "many"' in caught.value.message


def test_8_7_what_a_claim_makes_secret_is_in_no_error_text(monkeypatch):
    monkeypatch.setenv("GRAPHDEN_TEST_TOKEN", "hunter2-by-claim")
    graph = Graph.parse("""
        {:name :token :parent :env :return-type [:secret :text]
         :args {:name "GRAPHDEN_TEST_TOKEN"}}
        {:name :compared :parent :assert-eq :args {:actual :token :expected "other"}}
    """)
    with pytest.raises(RunError) as caught:
        graph.run("compared")
    error = caught.value
    assert "hunter2-by-claim" not in f"{error} {error.data} {error.hint}"


DIFFERS = """
{:name :given :parent :identity :args {:value {:as :secret :type [:secret :any]}}}
{:name :differs :parent :assert-eq :args {:actual :given :expected "x"}}
"""


@pytest.mark.parametrize(
    ("secret", "tells"),
    [
        ('quo"te\nline', "quo"),
        ("hunter-two-and-more-" * 20, "hunter-two"),
        (datetime(2024, 3, 4, 5, 6, 7, tzinfo=UTC), "2024"),
        (b"hunter-bytes", "hunter"),
    ],
    ids=["escaped", "cut", "date", "bytes"],
)
def test_8_7_a_secret_is_in_no_error_in_another_form(secret: object, tells: str) -> None:
    with pytest.raises(RunError) as caught:
        Graph.parse(DIFFERS).run("differs", {"secret": secret})
    assert tells not in f"{caught.value} {caught.value.data} {caught.value.hint}"


def test_8_7_a_noted_secret_is_cleaned_from_what_writes_it_otherwise() -> None:
    note('pass"word/é1')
    for form in ('pass\\"word/é1', 'pass\\"word/\\u00e91', "pass%22word%2F%C3%A91", 'pass"wo…'):
        assert clean(f"it was {form}.").startswith(f"it was {HIDDEN}")


def test_8_7_a_secret_too_short_to_tell_mangles_no_other_text() -> None:
    note(["x", 7, "is"])
    assert clean("x is 7") == "x is 7"


def test_8_7_the_secret_of_a_tuple_is_in_no_error_text() -> None:
    note_typed(("of-a-tuple", 1), TupleOf((Secret(ANY), ANY)), {})
    note_typed(["token", "of-a-case"], Variant((("token", Secret(ANY)),)), {})
    assert clean("of-a-tuple of-a-case") == f"{HIDDEN} {HIDDEN}"


def test_8_7_what_a_given_callable_gives_as_a_secret_is_noted() -> None:
    rows = """{:name :called :parent :call :args
     {:func {:as :f :type [:fn {:arg :any} [:secret :text]]} :arg {:value 1}}}"""
    graph = Graph.parse(rows)
    assert graph.run("called", {"f": lambda _: "given-by-a-call"}) == HIDDEN
    assert clean("given-by-a-call") == HIDDEN


VAULT = """
{:name :opening :fn-type [{:arg :any} [:secret :text]]}
{:name :vault :type {:open :opening :label :text}}
{:name :open-of :parent :get :return-type :opening
 :args {:coll {:as :v :type :vault} :key {:value :open}}}
{:name :opened :parent :call :args {:arg 1 :func :open-of}}
{:name :first :parent :get :args {:coll {:as :vaults :type [:tuple :vault :int]} :key 0}}
{:name :first-opened :parent :opened :args {:v :first}}
{:name :word :parent :identity :lambda-params []
 :args {:value {:as :key :type [:secret :text]}}}
{:name :made :parent :vault :args {:open :word :label "made"}}
"""


@pytest.mark.parametrize("row", ["opened", "first-opened"])
def test_8_7_what_a_callable_inside_data_gives_as_a_secret_is_noted(row: str) -> None:
    graph = Graph.parse(VAULT)
    assert graph.diagnostics == ()
    vault = {"open": lambda _: f"inside-{row}", "label": "given"}
    given = {"v": vault} if row == "opened" else {"vaults": [vault, 1]}
    assert clean(f"inside-{row}") == f"inside-{row}"
    assert graph.run(row, given) == HIDDEN
    assert clean(f"inside-{row}") == HIDDEN
    vault["open"] = lambda _: 5
    with pytest.raises(RunError, match="not \\[:secret :text\\]: expected :text, got a secret"):
        graph.run(row, given)


def test_8_7_what_a_callable_inside_a_result_gives_is_hidden() -> None:
    made = Graph.parse(VAULT).run("made", {"key": "never-shown"})
    assert made["label"] == "made"
    assert made["open"](1) == HIDDEN


def test_8_7_a_value_that_shares_its_parts_is_cleaned_in_one_walk() -> None:
    note("shared-by-many")
    value: list[object] = ["it is shared-by-many"]
    for _ in range(60):
        value = [value, value]
    cleaned = clean_in(value)
    for _ in range(60):
        assert isinstance(cleaned, list)
        assert cleaned[0] is cleaned[1]
        cleaned = cleaned[0]
    assert cleaned == [f"it is {HIDDEN}"]
    note(value)


def test_8_7_a_secret_number_of_many_digits_is_noted_and_cleaned() -> None:
    secret = 10**6_000 + 1
    note(secret)
    assert clean_in([secret, 10**6_000]) == [HIDDEN, 10**6_000]
