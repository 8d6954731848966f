"""LANGUAGE 7.3: an argument is evaluated at most once, also when several threads need it."""

import threading

from tests.oracle.probe import run

PATIENCE = 20.0
"""Seconds until what a test waits for counts as never happening."""


def test_threads_that_need_a_captured_value_at_the_same_time_get_one() -> None:
    outcome = run(
        """
        {:name :reads :parent :pair :args {:left {:as :item} :right {:as :x}}}
        {:name :entry :parent :in-threads
         :args {:func :reads :coll [0 1 2 3 4 5 6 7] :x {:parent :tick :args {:tag "once"}}}}
        """,
        "entry",
    )
    assert outcome.value == [[item, 1] for item in range(8)]
    assert outcome.tags == ["once"]


def test_threads_that_need_a_failed_value_all_get_its_error() -> None:
    outcome = run(
        """
        {:name :reads :parent :try :lambda-params []
         :args {:body {:parent :identity :args {:value {:as :x}}}
                :on-throw {:parent :throwable-message :args {:ex {:as :exception}}}}}
        {:name :entry :parent :in-threads
         :args {:func :reads :coll [0 1 2 3] :x {:parent :boom :args {:tag "once"}}}}
        """,
        "entry",
    )
    assert outcome.value == ["ValueError: boom"] * 4
    assert outcome.tags == ["once"]


def test_each_call_in_a_thread_is_an_activation_of_its_own() -> None:
    outcome = run(
        """
        {:name :note :parent :tick :args {:tag {:as :item}}}
        {:name :twice-noted :parent :list :args {:items [:note :note]}}
        {:name :entry :parent :in-threads :args {:func :twice-noted :coll [0 1 2 3]}}
        """,
        "entry",
    )
    assert sorted(outcome.tags) == [0, 1, 2, 3]
    assert all(first == second for first, second in outcome.value)


def test_the_helper_of_a_heartbeat_shares_what_the_work_captured() -> None:
    """The beat runs in another thread; the body waits until it has run."""
    beat = threading.Event()
    given: list[tuple[str, object]] = []

    def note(value: object) -> None:
        given.append(("beat", value))
        beat.set()

    def wait(value: object) -> None:
        given.append(("body", value))
        assert beat.wait(PATIENCE)

    outcome = run(
        """
        {:name :item-and-x :parent :pair :args {:left {:as :item} :right {:as :x}}}
        {:name :beats :parent :call :lambda-params [:item]
         :args {:func {:as :note} :arg :item-and-x}}
        {:name :works :parent :call :lambda-params [:item]
         :args {:func {:as :wait} :arg :item-and-x}}
        {:name :entry :parent :with-heartbeat
         :args {:coll [7] :body :works :beat :beats :interval-ms 1
                :x {:parent :tick :args {:tag "once"}}}}
        """,
        "entry",
        note=note,
        wait=wait,
    )
    assert outcome.error is None
    assert outcome.tags == ["once"]
    assert given.count(("body", [7, 1])) == 1
    assert ("beat", [7, 1]) in given
