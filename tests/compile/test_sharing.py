"""LANGUAGE 7.2 and 7.3: what is evaluated once, and what anew."""

import itertools

from tests.oracle.probe import run

TICK = "{:name :t :parent :tick :args {:tag 1}}"


def test_ten_messages_handled_by_a_row_that_ignores_its_message_give_ten_effects() -> None:
    row = "{:name :entry :parent :for-each :args {:func :t :coll [0 1 2 3 4 5 6 7 8 9]}}"
    assert run(TICK + row, "entry").count == 10


def test_a_loop_reads_its_clock_and_its_queue_anew() -> None:
    outcome = run(
        """
        {:name :turn :parent :pair :lambda-params []
         :args {:left :clock :right {:parent :tick :args {:tag "queue"}}}}
        {:name :entry :parent :map :args {:func :turn :coll [0 0]}}
        """,
        "entry",
    )
    assert outcome.value == [[1, 2], [3, 4]]


def test_one_reference_used_twice_in_an_activation_runs_once() -> None:
    row = "{:name :entry :parent :list :args {:items [:t :t :t]}}"
    outcome = run(TICK + row, "entry")
    assert (outcome.value, outcome.count) == ([1, 1, 1], 1)


def test_a_diamond_runs_its_shared_corner_once() -> None:
    outcome = run(
        TICK
        + """
        {:name :left :parent :pair :args {:left "l" :right :t}}
        {:name :right :parent :pair :args {:left "r" :right :t}}
        {:name :entry :parent :pair :args {:left :left :right :right}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.count) == ([["l", 1], ["r", 1]], 1)


def test_two_inline_rows_are_two_rows_though_they_read_the_same() -> None:
    row = """{:name :entry :parent :pair :args {:left {:parent :tick :args {:tag 1}}
                                                :right {:parent :tick :args {:tag 1}}}}"""
    assert run(row, "entry").count == 2


def test_the_same_row_with_other_sources_is_another_use_even_for_equal_values() -> None:
    outcome = run(
        """
        {:name :note :parent :tick :args {:tag {:as :x}}}
        {:name :a :parent :identity :args {:value :note :x 5}}
        {:name :b :parent :identity :args {:value :note :x 5}}
        {:name :entry :parent :list :args {:items [:a :b :a]}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ([1, 2, 1], [5, 5])


def test_one_argument_is_one_source_on_every_way_it_is_handed_down() -> None:
    outcome = run(
        """
        {:name :note :parent :tick :args {:tag {:as :x}}}
        {:name :renamed :parent :identity :args {:value :note :x {:as :y}}}
        {:name :entry :parent :pair :args {:left :renamed :right :note :y {:as :x}}}
        """,
        "entry",
        x=5,
    )
    assert (outcome.value, outcome.tags) == ([1, 1], [5])


def test_a_callable_bound_in_two_places_is_two_sources() -> None:
    outcome = run(
        TICK
        + """
        {:name :use :parent :call-noargs :args {:func {:as :f}}}
        {:name :a :parent :identity :args {:value :use :f :t}}
        {:name :b :parent :identity :args {:value :use :f :t}}
        {:name :entry :parent :list :args {:items [:a :b :a]}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.count) == ([1, 2, 1], 2)


def test_an_effect_used_outside_and_inside_a_callable_runs_for_each_activation() -> None:
    row = """{:name :entry :parent :pair
              :args {:left :t :right {:parent :map :args {:func :t :coll [0 0]}}}}"""
    assert run(TICK + row, "entry").value == [1, [2, 3]]


def test_within_one_call_an_effect_runs_once() -> None:
    outcome = run(
        TICK
        + """
        {:name :body :parent :list :lambda-params [] :args {:items [:t :t]}}
        {:name :entry :parent :map :args {:func :body :coll [0 0]}}
        """,
        "entry",
    )
    assert outcome.value == [[1, 1], [2, 2]]


def test_a_row_that_calls_what_it_is_given_has_the_effects_of_that() -> None:
    outcome = run(
        TICK
        + """
        {:name :use :parent :call-noargs :lambda-params [] :args {:func {:as :f}}}
        {:name :entry :parent :map :args {:func :use :coll [0 0 0] :f :t}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.count) == ([1, 2, 3], 3)


def test_so_it_does_when_the_callable_comes_in_a_record() -> None:
    outcome = run(
        TICK
        + """
        {:name :tools :type {:tool [:fn {} :any]}}
        {:name :tool :parent :get :return-type [:fn {} :any]
         :args {:coll {:as :box :type :tools} :key "tool" :default nil}}
        {:name :use :parent :call-noargs :lambda-params [] :args {:func :tool}}
        {:name :box-of-t :parent :tools :args {:tool :t}}
        {:name :entry :parent :map :args {:func :use :coll [0 0 0] :box :box-of-t}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.count) == ([1, 2, 3], 3)


def test_so_it_does_when_the_callable_comes_from_python() -> None:
    calls = itertools.count(1)
    text = """
        {:name :use :parent :call-noargs :lambda-params [] :args {:func {:as :f}}}
        {:name :entry :parent :map :args {:func :use :coll [0 0 0]}}
    """
    outcome = run(text, "entry", f=lambda: next(calls))
    assert outcome.value == [1, 2, 3]


def test_what_failed_fails_again_with_the_same_error_and_no_second_effect() -> None:
    outcome = run(
        """
        {:name :bad :parent :boom :args {:tag 1}}
        {:name :caught :parent :identity :args {:value {:as :exception}}}
        {:name :reads :parent :identity :args {:value {:as :x}}}
        {:name :try-a :parent :try :args {:body :reads :on-throw :caught}}
        {:name :try-b :parent :try :args {:body :reads :on-throw :caught}}
        {:name :entry :parent :list :args {:items [:try-a :try-b] :x :bad}}
        """,
        "entry",
    )
    first, second = outcome.value
    assert first.__cause__ is second.__cause__
    assert outcome.count == 1


def test_so_does_what_ended_in_a_system_exit() -> None:
    """LANGUAGE 11: `try` catches it, so it is a failure like others."""
    outcome = run(
        """
        {:name :bad :parent :leave :args {:tag 1}}
        {:name :reads :parent :identity :args {:value {:as :x}}}
        {:name :one :parent :const :args {:value 1}}
        {:name :two :parent :const :args {:value 2}}
        {:name :entry :parent :list
         :args {:items [{:parent :try :args {:body :reads :on-throw :one}}
                        {:parent :try :args {:body :reads :on-throw :two}}]
                :x :bad}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.count) == ([1, 2], 1)


# LANGUAGE 7.3


def test_an_argument_with_effects_is_evaluated_once_in_the_activation_that_binds_it() -> None:
    outcome = run(
        """
        {:name :reads :parent :pair :args {:left {:as :item} :right {:as :x}}}
        {:name :entry :parent :map :args {:func :reads :coll [7 8 9] :x :clock}}
        """,
        "entry",
    )
    assert outcome.value == [[7, 1], [8, 1], [9, 1]]


def test_an_argument_bound_inside_a_callable_is_evaluated_in_each_call() -> None:
    outcome = run(
        """
        {:name :reads :parent :list :args {:items [{:as :x} {:as :x}]}}
        {:name :binds :parent :identity :lambda-params [] :args {:value :reads :x :clock}}
        {:name :entry :parent :map :args {:func :binds :coll [0 0]}}
        """,
        "entry",
    )
    assert outcome.value == [[1, 1], [2, 2]]


def test_an_inherited_binding_is_bound_anew_by_each_descendant() -> None:
    outcome = run(
        """
        {:name :noted :parent :tick :args {:tag {:as :y}}}
        {:name :reads :parent :identity :args {:value {:as :x}}}
        {:name :binds :parent :list :args {:items [:reads :reads] :x :noted}}
        {:name :one :parent :binds :args {:y "one"}}
        {:name :two :parent :binds :args {:y "two"}}
        {:name :entry :parent :list :args {:items [:one :two :one]}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ([[1, 1], [2, 2], [1, 1]], ["one", "two"])


def test_a_binding_reached_inside_and_outside_a_callable_is_bound_in_each_activation() -> None:
    outcome = run(
        TICK
        + """
        {:name :reads :parent :identity :args {:value {:as :x}}}
        {:name :binds :parent :list :lambda-params [] :args {:items [:reads :reads] :x :t}}
        {:name :entry :parent :pair
         :args {:left :binds :right {:parent :map :args {:func :binds :coll [0 0]}}}}
        """,
        "entry",
    )
    assert outcome.value == [[1, 1], [[2, 2], [3, 3]]]


def test_a_row_that_reaches_time_or_random_is_evaluated_at_each_use() -> None:
    outcome = run(
        """
        {:name :now :parent :identity :args {:value :clock}}
        {:name :die :parent :roll :args {:tag 6}}
        {:name :entry :parent :list :args {:items [:now :now :die :die]}}
        """,
        "entry",
    )
    assert outcome.value == [1, 2, 3, 4]


def test_a_default_that_feeds_many_is_one_source() -> None:
    outcome = run(
        """
        {:name :reads :parent :identity :args {:value {:as :x}}}
        {:name :listed :parent :list :args {:items [:reads]}}
        {:name :both :parent :pair :args {:left :reads :right :listed}}
        {:name :entry :parent :identity :args {:value :both :x {:as :x :ref :clock}}}
        """,
        "entry",
    )
    assert outcome.value == [1, [1]]


def test_what_comes_to_a_literal_runs_its_effects_once() -> None:
    loop = run(
        TICK
        + """
        {:name :loop :parent :for-each :args {:func :t :coll [1 2]}}
        {:name :entry :parent :list :args {:items [:loop :loop]}}
        """,
        "entry",
    )
    assert (loop.value, loop.count) == ([None, None], 2)
    steps = run(
        TICK
        + """
        {:name :steps :parent :do :args {:steps [:t 7]}}
        {:name :entry :parent :list :args {:items [:steps :steps]}}
        """,
        "entry",
    )
    assert (steps.value, steps.count) == ([7, 7], 1)
