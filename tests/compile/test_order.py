"""LANGUAGE 7.6: strict slots in declared order, list items left to right, `do` in order."""

import itertools

import pytest

from tests.oracle.probe import run


def test_strict_slots_are_evaluated_in_declared_order_however_they_are_written() -> None:
    row = """{:name :entry :parent :pair :args {:right {:parent :tick :args {:tag "right"}}
                                                :left {:parent :tick :args {:tag "left"}}}}"""
    assert run(row, "entry").tags == ["left", "right"]


def test_list_items_are_evaluated_from_left_to_right_the_ancestors_first() -> None:
    outcome = run(
        """
        {:name :two :parent :list :args {:items [{:parent :tick :args {:tag 1}} {:as :x}]}}
        {:name :entry :parent :two :args {:items [{:parent :tick :args {:tag 3}}]
                                                :x {:parent :tick :args {:tag 2}}}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ([1, 2, 3], [1, 2, 3])


def test_do_gives_the_last_of_its_steps_and_nil_without_any() -> None:
    outcome = run(
        """
        {:name :entry :parent :do :args {:steps [{:parent :tick :args {:tag "a"}}
                                                 {:parent :tick :args {:tag "b"}} "last"]}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ("last", ["a", "b"])
    assert run("{:name :entry :parent :do :args {:steps []}}", "entry").value is None


def test_inner_effects_come_before_the_effect_they_are_for() -> None:
    row = """{:name :entry :parent :tick
              :args {:tag {:parent :tick :args {:tag {:parent :tick :args {:tag "in"}}}}}}"""
    assert run(row, "entry").tags == ["in", 1, 2]


def test_strict_slots_are_evaluated_before_lazy_ones_are_asked_for() -> None:
    row = """{:name :entry :parent :get :args {:default {:parent :tick :args {:tag "default"}}
                                               :key {:parent :tick :args {:tag "key"}}
                                               :coll {:parent :do :args {:steps [
                                                 {:parent :tick :args {:tag "coll"}} nil]}}}}"""
    assert run(row, "entry").tags == ["coll", "key", "default"]


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
def test_a_shared_effect_runs_where_it_is_first_needed(order: tuple[str, ...]) -> None:
    """Needed by an arm, by a callable and in the open: whichever comes first."""
    steps = {
        "a": "{:parent :if :args {:test true :then :t}}",
        "b": "{:parent :identity :args {:value :t}}",
        "c": '{:parent :if :args {:test {:parent :do :args {:steps ["x" :t]}} :then 1}}',
    }
    between = ['{:parent :tick :args {:tag "one"}}', '{:parent :tick :args {:tag "two"}}']
    listed = " ".join(
        step
        for pair in itertools.zip_longest((steps[key] for key in order), between, fillvalue="")
        for step in pair
    )
    text = f"""
        {{:name :t :parent :tick :args {{:tag "shared"}}}}
        {{:name :entry :parent :do :args {{:steps [{listed}]}}}}
    """
    assert run(text, "entry").tags == ["shared", "one", "two"]


def test_an_arm_that_was_not_taken_leaves_a_shared_effect_to_the_next_use() -> None:
    outcome = run(
        """
        {:name :t :parent :tick :args {:tag "shared"}}
        {:name :entry :parent :list
         :args {:items [{:parent :if :args {:test {:as :early} :then :t :else "no"}}
                        {:parent :tick :args {:tag "between"}}
                        {:parent :cond :args {:clauses [false :t true :t]}}]}}
        """,
        "entry",
        early=False,
    )
    assert (outcome.value, outcome.tags) == (["no", 1, 2], ["between", "shared"])
