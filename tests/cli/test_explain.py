"""`graphden explain`: where slots and arguments come from, and what codes mean."""

from __future__ import annotations

import re

import pytest

ROWS = """\
{:name :title :parent :str-upper :args {:string {:as :item}}}
{:name :line  :parent :str :args {:parts [:title {:as :mark :value "!"}]}}
{:name :lines :parent :map :args {:func :line :coll {:as :names :type [:list :text]}}}
{:name :two   :parent :lines :args {:names ["a" "b"] :mark "?"}}
"""


def entries(run, *words):
    return {each["name"]: each for each in run("explain", *words, "--json").json["entries"]}


def actions(entry):
    """What each row of the user's did, and where."""
    return [
        (step["row"], step["line"], step["column"], [a["action"] for a in step["actions"]])
        for step in entry["steps"]
        if step["file"] == "rows.edn"
    ]


def without_library_lines(text):
    """Where the standard library declares a slot, but for the line, which may move."""
    return re.sub(r"(stdlib_graphs/\w+\.edn):\d+:\d+", r"\1", text)


def test_a_row_as_a_tree(run, rows):
    rows(ROWS)
    result = run("explain", "two")
    assert (result.code, result.err) == (0, "")
    assert without_library_lines(result.out) == (
        ":two  rows.edn:4:1\n"
        "├─ :func [:fn {:item :any} :any] = :line, called: :item goes to its :item\n"
        "│  ├─ :map declares [:fn {:item a} b]  stdlib_graphs/hof.edn\n"
        "│  └─ :lines binds it to :line  rows.edn:3:41\n"
        '├─ :names [:list :text] = ["a" "b"]\n'
        "│  ├─ :map declares [:list a]  stdlib_graphs/hof.edn\n"
        "│  ├─ :lines names it :names, narrows it to [:list :text]  rows.edn:3:53\n"
        '│  └─ :two binds it to ["a" "b"]  rows.edn:4:44\n'
        '└─ :mark :any = "?"\n'
        '   ├─ :two binds it to "?"  rows.edn:4:60\n'
        "   └─ feeds item 2 of :parts of :line (:str)  rows.edn:2:50\n"
        "      └─ :lines refers to :line in :func  rows.edn:3:41\n"
    )


def test_one_slot_alone(run, rows):
    rows(ROWS)
    assert without_library_lines(run("explain", "line", "parts").out) == (
        ":line  rows.edn:2:1\n"
        '└─ :parts [:list :any] = [:title {:as :mark :value "!"}]\n'
        "   ├─ :str declares [:list :any]  stdlib_graphs/strings.edn\n"
        '   └─ :line binds it to [:title {:as :mark :value "!"}]  rows.edn:2:42\n'
    )


@pytest.mark.parametrize("name", ["names", "coll", ":coll"])
def test_a_slot_is_found_under_every_name_it_has_had(run, rows, name):
    rows(ROWS)
    assert list(entries(run, "two", name)) == ["names"]


def test_a_free_argument_says_what_it_feeds_and_through_which_rows(run, rows):
    rows(ROWS)
    assert run("explain", "line", ":item").out == (
        ":line  rows.edn:2:1\n"
        "└─ :item :text  free, required\n"
        "   └─ feeds :string of :title (:str-upper)  rows.edn:1:49\n"
        "      └─ :line refers to :title in :parts  rows.edn:2:43\n"
    )


def test_a_default_makes_an_argument_optional(run, rows):
    rows(ROWS)
    mark = entries(run, "lines")["mark"]
    assert (mark["kind"], mark["bound"], mark["required"], mark["default"]) == (
        "free",
        False,
        False,
        '"!"',
    )


def test_an_open_slot_with_a_default_is_not_required(run, rows):
    rows('{:name :shout :parent :str-upper :args {:string {:as :text :value "hey"}}}')
    text = entries(run, "shout")["text"]
    assert (text["required"], text["default"]) == (False, '"hey"')
    assert actions(text) == [
        ("shout", 1, 49, ["renamed", "default"]),
    ]


def test_an_argument_renamed_on_the_way_tells_each_name(run, rows):
    rows(
        ROWS
        + "{:name :greet :parent :line :args {:item {:as :who}}}\n"
        + "{:name :hello :parent :greet :args {:who {:as :name :required true}}}"
    )
    assert run("explain", "hello", "item").out == (
        ":hello  rows.edn:6:1\n"
        "└─ :name :text  free, required\n"
        "   ├─ :greet names it :who  rows.edn:5:42\n"
        "   ├─ :hello names it :name, requires it  rows.edn:6:42\n"
        "   └─ feeds :string of :title (:str-upper)  rows.edn:1:49\n"
        "      └─ :line refers to :title in :parts, as its :item  rows.edn:2:43\n"
    )


def test_items_of_several_rows_each_with_their_place(run, rows):
    rows("{:name :base :parent :add :args {:nums [1]}}\n"
         "{:name :more :parent :base :args {:nums {:append [2 3] :closed true}}}")  # fmt: skip
    nums = entries(run, "more")["nums"]
    assert nums["value"] == "[1 2 3]"
    assert actions(nums) == [
        ("base", 1, 40, ["bound"]),
        ("more", 2, 41, ["added", "closed"]),
    ]
    assert nums["steps"][2]["actions"][0]["value"] == "[2 3]"


def test_narrowed_and_terminal_slots(run, rows):
    rows("{:name :p :parent :identity :args {:value {:type :port :terminal true}}}")
    value = entries(run, "p")["value"]
    assert value["type"] == ":port"
    assert value["steps"][1]["actions"] == [
        {"action": "narrowed", "type": ":port"},
        {"action": "terminal"},
    ]


def test_a_declared_default(run):
    assert entries(run, "range", "step")["step"]["steps"][0]["actions"] == [
        {"action": "declared", "type": ":int", "value": "1"}
    ]


def test_an_optional_slot_without_a_default(run):
    assert entries(run, "subs", "end")["end"]["steps"][0]["actions"] == [
        {"action": "declared", "type": ":int", "optional": True}
    ]


def test_one_name_feeds_several_places_each_told_once(run, rows):
    rows("{:name :a :parent :str-upper :args {:string {:as :x}}}\n"
         "{:name :b :parent :str-lower :args {:string {:as :x}}}\n"
         "{:name :both :parent :str :args {:parts [:a :b :a]}}")  # fmt: skip
    needed = entries(run, "both")["x"]["needed"]
    assert [(each["row"], each["slot"], each["line"]) for each in needed] == [
        ("a", "string", 1),
        ("b", "string", 2),
    ]


def test_an_own_slot_and_a_reference_may_share_a_name(run, rows):
    # LANGUAGE 5.2
    rows("{:name :t :parent :not :args {:value {:as :else}}}\n"
         '{:name :c :parent :if :args {:test :t :then "yes"}}')  # fmt: skip
    found = entries(run, "c")["else"]
    assert (found["kind"], found["required"]) == ("slot", True)
    assert [(each["row"], each["slot"]) for each in found["needed"]] == [("t", "value")]


def test_the_parameter_of_a_call_that_is_ignored(run, rows):
    rows("{:name :m :parent :map :args {:func :one :coll [1]}}\n"
         "{:name :one :parent :const :args {:value 1}}")  # fmt: skip
    assert entries(run, "m")["func"]["receives"] == [{"parameter": "item", "argument": None}]
    assert "= :one, called: :item is ignored\n" in run("explain", "m").out


def test_inline_rows_are_no_steps_of_the_way(run, rows):
    rows("{:name :t :parent :neg :args {:number {:parent :abs :args {:number {:as :n}}}}}")
    assert run("explain", "t", "n").out == (
        ":t  rows.edn:1:1\n"
        "└─ :n :numeric  free, required\n"
        "   └─ feeds :number of :t (:abs)  rows.edn:1:68\n"
    )


def test_a_queue_consumer_tells_who_bound_what_far_below(run, rows):
    rows('{:name :w :parent :pg-queue-consumer :args {:queue "q" :handler :h}}\n'
         '{:name :h :parent :const :args {:value 1}}')  # fmt: skip
    take = entries(run, "w", "take")["take"]
    assert take["steps"][-1]["row"] == "pg-queue-consumer"
    way = take["needed"][0]["through"]
    assert (way[0]["row"], way[0]["to"], way[0]["slot"]) == ("queue-consumer", "_loop", "body")


def test_private_base_and_type_rows_can_be_explained(run):
    assert run("explain", ":_turn").code == 0
    assert list(entries(run, "add")) == ["nums"]
    assert list(entries(run, "port")) == ["value"]


def test_a_row_without_slots(run):
    assert run("explain", "uuid").out.endswith("└─ it has neither slots nor arguments\n")


def test_a_chain_of_a_thousand_references(run, rows):
    links = "".join(
        f"{{:name :r{i} :parent :neg :args {{:number :r{i + 1}}}}}\n" for i in range(1000)
    )
    rows(links + "{:name :r1000 :parent :abs :args {:number {:as :end}}}")
    [need] = entries(run, "r0")["end"]["needed"]
    assert (need["row"], len(need["through"])) == ("r1000", 1000)
    assert run("explain", "r0").code == 0


def test_the_second_word_is_a_path_when_there_is_one(run, rows, folder):
    rows(ROWS)
    rows("{:name :else :parent :uuid}", "else.edn")
    assert set(entries(run, "line", "rows.edn")) == {"parts", "mark", "item"}
    assert run("explain", "line", "else.edn", "--json").json["error"]["code"] == "unknown-row"


def test_a_colon_makes_it_a_slot(run, rows, folder):
    rows(ROWS)
    (folder / "parts").mkdir()
    assert list(entries(run, "line", ":parts")) == ["parts"]


def test_a_path_may_follow_the_slot(run, rows):
    rows(ROWS, "other.edn")
    assert list(entries(run, "line", "parts", "other.edn")) == ["parts"]


def test_an_unknown_slot_names_the_nearest(run, rows):
    rows(ROWS)
    result = run("explain", "line", "prats")
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        "error: :line has no slot or argument :prats [unknown-slot]\n"
        "  hint: Did you mean :parts?\n"
    )


def test_an_unknown_row(run, rows):
    rows(ROWS)
    result = run("explain", "lien", "--json")
    assert (result.code, result.json["error"]["code"]) == (1, "unknown-row")


def test_a_code(run):
    result = run("explain", "--code", "cycle")
    assert result.code == 0
    assert result.out.startswith("cycle\n\nA row needs itself:")
    assert "Wrong:\n\n    {:name :net   :parent :sub" in result.out
    assert "```" not in result.out
    assert "\x1b" not in result.out


@pytest.mark.parametrize("written", [":cycle", "[cycle]"])
def test_a_code_as_it_stands_in_a_message(run, written):
    assert run("explain", "--code", written).out.startswith("cycle\n")


def test_a_code_as_json(run):
    page = run("explain", "--code", "cycle", "--json").json
    assert (page["topic"], page["title"]) == ("codes/cycle", "cycle")
    assert page["text"].startswith("# cycle\n")


def test_an_unknown_code_names_the_nearest(run):
    result = run("explain", "--code", "unknown-rwo")
    assert result.code == 2
    assert result.err == (
        "error: there is no page about the code unknown-rwo [unknown-code]\n"
        "  hint: Did you mean unknown-row?\n"
    )


@pytest.mark.parametrize("words", [[], ["line", "--code", "cycle"]])
def test_a_row_or_a_code_is_needed_and_not_both(run, words):
    assert run("explain", *words).code == 2
