"""LANGUAGE 9.2: a failure names its row, file and line, and the rows that led there."""

import traceback

import pytest

from graphden import Graph
from graphden.errors import RunError
from graphden.run import Context


def failure(text: str, entry: str, **arguments: object) -> RunError:
    with pytest.raises(RunError) as caught:
        Graph.parse(text, file="rows.edn").run(entry, arguments)
    return caught.value


def way(error: RunError) -> list[tuple[str, str]]:
    """The trail as row and line:column."""
    return [(frame.row, str(frame.span).removeprefix("rows.edn:")) for frame in error.trail]


THREE_DEEP = """\
{:name :report :parent :list :args {:items ["mean" :mean]}}
{:name :mean :parent :identity
 :args {:value :ratio}}
{:name :ratio :parent :div :args {:nums [1 {:as :n}]}}
"""


def test_a_failure_three_rows_deep_names_its_row_its_place_and_the_rows_in_order() -> None:
    error = failure(THREE_DEEP, "report", n=0)
    assert error.code == "division-by-zero"
    assert error.row == "ratio"
    assert str(error.span) == "rows.edn:4:1"
    assert way(error) == [("report", "1:52"), ("mean", "3:16"), ("ratio", "4:1")]


def test_the_traceback_shows_no_generated_code() -> None:
    error = failure(THREE_DEEP, "report", n=0)
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    assert not [file for file in files if file.startswith("<graphden")]
    assert "<graphden" not in str(error)


def test_the_python_cause_stays_attached() -> None:
    error = failure("{:name :a :parent :boom :args {:tag 1}}", "a")
    assert error.code == "base-function-error"
    assert error.message == "ValueError: boom"
    assert isinstance(error.__cause__, ValueError)
    names = [frame.name for frame in traceback.extract_tb(error.__cause__.__traceback__)]
    assert names[-1] == "boom"  # the line that raised can be found


def test_a_failure_in_an_inline_row_is_the_row_s_at_the_inline_place() -> None:
    error = failure(
        "{:name :outer :parent :identity\n :args {:value {:parent :boom :args {:tag 1}}}}",
        "outer",
    )
    assert (error.row, str(error.span)) == ("outer", "rows.edn:2:25")
    assert way(error) == [("outer", "2:25")]


def test_the_trail_goes_through_callables_each_row_once() -> None:
    error = failure(
        """\
{:name :step :parent :div :args {:nums [{:as :item} 0]}}
{:name :inner :parent :map :args {:func :step :coll {:as :item}}}
{:name :outer :parent :map :args {:func :inner :coll [[1]]}}
{:name :entry :parent :do :args {:steps [:outer]}}
""",
        "entry",
    )
    assert way(error) == [
        ("entry", "4:42"),
        ("outer", "3:41"),
        ("inner", "2:41"),
        ("step", "1:1"),
    ]


def test_the_trail_of_a_callable_called_elsewhere_goes_through_who_called_it() -> None:
    error = failure(
        """\
{:name :handler :parent :boom :args {:tag {:as :message}}}
{:name :works :parent :call :args {:func {:as :handle} :arg 1}}
{:name :turn :parent :do :args {:steps [:works]}}
{:name :entry :parent :identity :args {:value :turn :handle :handler}}
""",
        "entry",
    )
    assert [row for row, _ in way(error)] == ["entry", "turn", "works", "handler"]
    assert error.row == "handler"


def test_recursion_does_not_repeat_itself_in_the_trail() -> None:
    error = failure(
        """\
{:name :step :parent :if
 :args {:test {:parent :lt :args {:nums [{:as :input} 1]}}
        :then {:parent :boom :args {:tag {:as :input}}}
        :else {:parent :call :args {:func {:as :self}
                                    :arg {:parent :sub :args {:nums [{:as :input} 1]}}}}}}
{:name :entry :parent :fix :args {:step :step :input 20}}
""",
        "entry",
    )
    assert [row for row, _ in way(error)] == ["entry", "step"]
    assert str(error.span) == "rows.edn:3:24"


def test_a_failure_that_is_caught_knows_its_place_too() -> None:
    graph = Graph.parse(
        """\
{:name :bad :parent :boom :args {:tag 1}}
{:name :entry :parent :try
 :args {:body :bad :on-throw {:parent :ex-describe :args {:ex {:as :exception}}}}}
""",
        file="rows.edn",
    )
    value = graph.run("entry", context=Context())
    assert value == {
        "type": "ValueError",
        "message": "ValueError: boom",
        "place": "bad rows.edn:1",
        "data": None,
    }


def test_a_remembered_failure_still_points_at_the_row_it_arose_in() -> None:
    error = failure(
        """\
{:name :bad :parent :boom :args {:tag 1}}
{:name :reads :parent :identity :args {:value {:as :x}}}
{:name :entry :parent :list
 :args {:items [{:parent :try :args {:body :reads :on-throw {:parent :const :args {:value 0}}}}
                :reads]
        :x :bad}}
""",
        "entry",
    )
    assert (error.row, str(error.span)) == ("bad", "rows.edn:1:1")
    assert isinstance(error.__cause__, ValueError)


def test_an_error_raised_again_is_the_same_error() -> None:
    error = failure(
        """\
{:name :bad :parent :throw
 :args {:exception {:parent :ex-info :args {:message "no" :data {:value {:k 1}}}}}}
{:name :entry :parent :try
 :args {:body :bad :on-throw {:parent :throw :args {:exception {:as :exception}}}}}
""",
        "entry",
    )
    assert (error.code, error.message, error.data) == ("thrown", "no", {"k": 1})
    assert error.row == "bad"


def test_a_failure_in_another_thread_names_its_row() -> None:
    error = failure(
        """\
{:name :bad :parent :boom :args {:tag 1}}
{:name :entry :parent :in-thread :args {:body :bad}}
""",
        "entry",
    )
    assert error.row == "bad"
    assert [row for row, _ in way(error)] == ["entry", "bad"]


def test_an_error_that_cannot_say_itself_is_a_failure_like_others() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError("mute")

    def raising(_: object) -> None:
        raise MuteError

    graph = Graph.parse("{:name :m :parent :map :args {:coll [1]}}")
    with pytest.raises(RunError, match=r"MuteError: \(its text cannot be had: RuntimeError\)"):
        graph.run("m", {"func": raising})


def test_a_text_without_end_is_cut() -> None:
    def raising(_: object) -> None:
        raise ValueError("x" * 2_000_000)

    graph = Graph.parse("{:name :m :parent :map :args {:coll [1]}}")
    with pytest.raises(RunError) as caught:
        graph.run("m", {"func": raising})
    assert len(caught.value.message) < 10_100
    assert caught.value.message.endswith("… (cut)")
