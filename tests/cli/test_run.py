"""`graphden run`: values, arguments, errors."""

from __future__ import annotations

import signal
from uuid import UUID

import pytest

DOUBLE = "{:name :double-each :parent :map :args {:func :double :coll [1 2 3]}}\n" + (
    "{:name :double :parent :mul :args {:nums [{:as :item} {:as :factor}]}}"
)


def test_the_value_is_printed_as_edn(run, rows):
    rows(DOUBLE)
    result = run("run", "double-each", "--arg", "factor=3")
    assert (result.code, result.out, result.err) == (0, "[3 6 9]\n", "")


def test_the_value_as_json(run, rows):
    rows(DOUBLE)
    assert run("run", "double-each", "--args", '{"factor": 3}', "--json").json == {
        "value": [3, 6, 9]
    }


def test_files_may_follow_options(run, rows, folder):
    path = rows(DOUBLE, "elsewhere.edn")
    assert run("run", "double-each", "--arg", "factor=2", str(path)).out == "[2 4 6]\n"


def test_rows_of_packages_run_without_any_file(run):
    assert run("run", "add", "--arg", "nums=[1, 2]").out == "3\n"


def test_no_database_is_started_for_it(run, folder):
    run("run", "add", "--arg", "nums=[1, 2]")
    assert list(folder.iterdir()) == []


def test_a_failure_points_at_the_row(run, rows):
    """LANGUAGE 9.2"""
    rows("{:name :half :parent :div :args {:nums [1 :nought]}}\n{:name :nought :parent :sub "
         ":args {:nums [1 1]}}")  # fmt: skip
    result = run("run", "half", "--json")
    assert result.code == 1
    error = result.json["error"]
    assert (error["code"], error["row"], error["file"]) == (
        "division-by-zero",
        "half",
        "rows.edn",
    )
    assert (error["line"], error["column"]) == (1, 1)


def test_a_failure_shows_the_rows_that_led_there(run, rows):
    rows("{:name :outer :parent :add :args {:nums [1 :inner]}}\n"
         "{:name :inner :parent :div :args {:nums [1 0]}}")  # fmt: skip
    result = run("run", "outer")
    assert (result.code, result.out) == (1, "")
    assert "rows.edn:2" in result.err
    assert "through :outer  rows.edn:1" in result.err
    assert "Traceback" not in result.err


def test_an_unknown_row_names_the_nearest(run):
    result = run("run", "mull", "--json")
    assert result.code == 1
    assert result.json == {
        "error": {
            "code": "unknown-row",
            "message": "there is no row :mull",
            "row": None,
            "file": None,
            "line": None,
            "column": None,
            "hint": "Did you mean :mul?",
            "notes": [],
        }
    }


def test_a_row_with_diagnostics_is_not_run_and_says_why(run, rows):
    rows('{:name :worker :parent :pg-queue-consumer :args {:queue "q" :handler :parse}}\n'
         '{:name :parse :parent :parse-json :args {:string "{}"}}')  # fmt: skip
    result = run("run", "worker")
    assert result.code == 1
    assert "not run: 1 problem to mend first [row-has-diagnostics]" in result.err
    assert "keywordize" in result.err


def test_text_that_is_not_json_is_told_to_be_quoted(run, rows):
    rows("{:name :greet :parent :str-upper :args {:string {:as :name :type :text}}}")
    result = run("run", "greet", "--arg", "name=Ada")
    assert result.code == 2
    assert "the value of --arg name is not JSON; :name takes :text" in result.err
    assert """write --arg name='"Ada"'.""" in result.err
    assert run("run", "greet", "--arg", 'name="Ada"').out == '"ADA"\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--arg", "factor"), "--arg factor has no value"),
        (
            ("--arg", "factor=1", "--args", '{"factor": 2}'),
            "the argument factor is given twice",
        ),
        (("--args", "[1]"), "--args is not a JSON object"),
        (("--args", "{"), "--args is not JSON"),
        (("--timeout", "soon"), "'soon' is not a number of milliseconds"),
    ],
)
def test_wrong_arguments_are_wrong_use(run, rows, words, message):
    rows(DOUBLE)
    result = run("run", "double-each", *words)
    assert result.code == 2
    assert message in result.err


ECHO = "{{:name :echo :parent :identity :args {{:value {{:as :x :type {}}}}}}}"


@pytest.mark.parametrize(
    ("type_", "given", "value"),
    [
        (":uuid", '"2f1e8a52-4b0c-4f6d-9a39-3c7f3b1f0a11"',
         '#uuid "2f1e8a52-4b0c-4f6d-9a39-3c7f3b1f0a11"'),
        (":timestamptz", '"2026-01-02T03:04:05Z"', '#inst "2026-01-02T03:04:05Z"'),
        (":keyword", '"done"', ":done"),
        (":keyword", '":done"', ":done"),
        (":decimal", '"1.10"', "1.10M"),
        (":decimal", "2", "2M"),
        (":text", '":done"', '":done"'),
        ("[:list :keyword]", '["a", "b"]', "[:a :b]"),
        ("[:map :keyword :uuid]", '{"id": "2f1e8a52-4b0c-4f6d-9a39-3c7f3b1f0a11"}',
         '{:id #uuid "2f1e8a52-4b0c-4f6d-9a39-3c7f3b1f0a11"}'),
        ("[:union :text :keyword]", '"done"', '"done"'),
        ("[:union :null :keyword]", '"done"', ":done"),
        ("[:tuple :int :keyword]", '[1, "a"]', "[1 :a]"),
    ],
)  # fmt: skip
def test_json_becomes_what_the_type_asks_for(run, rows, type_, given, value):
    rows(ECHO.format(type_))
    result = run("run", "echo", "--arg", f"x={given}")
    assert (result.out, result.err) == (f"{value}\n", "")


def test_a_record_is_converted_field_by_field(run, rows):
    rows("{:name :shape :type {:id :uuid :note :text}}" + ECHO.format(":shape"))
    given = '{"id": "2f1e8a52-4b0c-4f6d-9a39-3c7f3b1f0a11", "note": "x"}'
    value = run("run", "echo", "--arg", f"x={given}", "--json").json["value"]
    assert value == {"id": "2f1e8a52-4b0c-4f6d-9a39-3c7f3b1f0a11", "note": "x"}


def test_what_does_not_fit_its_type_is_refused_by_the_run(run, rows):
    """LANGUAGE 5.5"""
    rows(ECHO.format(":uuid"))
    result = run("run", "echo", "--arg", 'x="no-uuid"', "--json")
    assert (result.code, result.json["error"]["code"]) == (1, "argument-type")


def test_a_value_without_a_form_in_json(run, rows):
    rows("{:name :members :parent :const :args {:value {:value #{1 2}}}}")
    assert run("run", "members").out == "#{1 2}\n"
    result = run("run", "members", "--json")
    assert (result.code, result.json["error"]["code"]) == (1, "invalid-argument")


def test_a_deadline_cancels_the_run(run, rows):
    """LANGUAGE 7.5"""
    rows("{:name :long :parent :sleep :args {:ms 60000}}")
    result = run("run", "long", "--timeout", "20", "--json")
    assert (result.code, result.json["error"]["code"]) == (1, "deadline-exceeded")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_the_run(start, rows, number):
    rows('{:name :long :parent :do :args {:steps [{:parent :log :args {:level "info" :message '
         '"begun" :data nil}} {:parent :sleep :args {:ms 60000}}]}}')  # fmt: skip
    process = start("run", "long", "--json")
    process.logged("begun")
    process.signal(number)
    assert process.ended() == 1
    assert '"code":"cancelled"' in process.rest(process.out)[0]


def test_no_row_can_catch_the_signal(start, rows):
    rows('{:name :long :parent :try :args {:body :work :on-throw :nothing}}'
         "{:name :nothing :parent :const :args {:value 1}}"
         '{:name :work :parent :do :args {:steps [{:parent :log :args {:level "info" :message '
         '"begun" :data nil}} {:parent :sleep :args {:ms 60000}}]}}')  # fmt: skip
    process = start("run", "long")
    process.logged("begun")
    process.signal(signal.SIGINT)
    assert process.ended() == 1


def test_a_call_that_never_returns_is_left_behind(start, rows, gate):
    rows('{:name :long :parent :do :args {:steps [{:parent :log :args {:level "info" :message '
         '"begun" :data nil}} {:parent :pass-gate :args {:path "gate"}}]}}')  # fmt: skip
    process = start("run", "long")
    process.logged("begun")
    process.signal(signal.SIGINT)
    assert process.ended() == 1
    assert "left behind" in process.rest(process.err)[0]


def test_uuids_are_values(run, rows):
    rows("{:name :fresh :parent :uuid}")
    UUID(run("run", "fresh", "--json").json["value"])
