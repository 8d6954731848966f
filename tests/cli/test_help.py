"""`graphden help`: the pages of the reference, by topic."""

from __future__ import annotations

import io

import pytest

from graphden.cli import pages
from graphden.cli.output import Style
from graphden.cli.pages import Page, rendered


@pytest.fixture
def reference(folder, monkeypatch):
    """A reference of three pages."""
    root = folder / "lessons" / "reference"
    (root / "codes").mkdir(parents=True)
    (root / "language.md").write_text("# The language\n\nRows.\n")
    (root / "queues.md").write_text("# Queues\n\nPages win over commands.\n")
    (root / "codes" / "cycle.md").write_text("# cycle\n\nA row needs\nitself.\n")
    monkeypatch.setattr(pages, "folder", lambda name: folder / name)


def test_without_a_topic_commands_and_topics_are_listed(run, reference):
    result = run("help")
    assert result.code == 0
    assert result.out.startswith("usage: graphden COMMAND")
    assert result.out.endswith(
        "topics, for graphden help TOPIC:\n"
        "  codes     a folder of pages: graphden help codes lists them\n"
        "  language  The language\n"
        "  queues    Queues\n"
    )


def test_topics_as_json(run, reference):
    assert run("help", "--json").json == {
        "topics": [
            {"topic": "codes/cycle", "summary": "A row needs itself."},
            {"topic": "language", "summary": "The language"},
            {"topic": "queues", "summary": "Queues"},
        ]
    }


def test_a_folder_lists_its_pages(run, reference):
    assert run("help", "codes").out == (
        "topics, for graphden help TOPIC:\n  codes/cycle  A row needs itself.\n"
    )


@pytest.mark.parametrize("topic", ["codes/cycle", "cycle", "codes/cycle.md"])
def test_a_page(run, reference, topic):
    assert run("help", topic).out == "cycle\n\nA row needs\nitself.\n"


def test_a_page_as_json(run, reference):
    assert run("help", "language", "--json").json == {
        "topic": "language",
        "title": "The language",
        "text": "# The language\n\nRows.\n",
    }


def test_a_command_shows_its_own_help(run, reference, capsys):
    with pytest.raises(SystemExit) as ended:
        run("help", "publish")
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: graphden publish")


def test_a_page_wins_over_a_command_of_its_name(run, reference):
    assert run("help", "queues").out == "Queues\n\nPages win over commands.\n"


def test_an_unknown_topic_names_the_nearest(run, reference):
    result = run("help", "langage")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "error: there is no page langage [unknown-topic]\n"
        "  hint: Did you mean graphden help language?\n"
    )


@pytest.mark.parametrize("topic", ["../lessons/reference/language", "/etc/passwd"])
def test_only_pages_of_the_reference_are_read(run, reference, topic):
    assert run("help", topic).code == 2


def test_every_page_that_is_shipped_has_a_title_and_is_shown(run):
    for each in run("help", "--json").json["topics"]:
        shown = run("help", each["topic"])
        assert (shown.code, each["summary"] != "") == (0, True)
        assert not shown.out.startswith("#")


MARKDOWN = """\
# Title

See [bindings](bindings.md) and `:as`.

## Part

```clojure
{:name :a}

# no heading
```

> said

Wrong:
"""


def test_markdown_becomes_plain_text():
    assert rendered(Page("t", MARKDOWN), Style(io.StringIO())) == (
        "Title\n\nSee bindings and `:as`.\n\nPart\n\n"
        "    {:name :a}\n\n    # no heading\n\n    said\n\nWrong:"
    )


def test_colours_stand_on_a_terminal_only(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = rendered(Page("t", MARKDOWN), Style(Terminal()))
    assert shown.startswith("\x1b[1mTitle\x1b[0m\n")
    assert "and \x1b[36m:as\x1b[0m." in shown
    assert "    \x1b[36m{:name :a}\x1b[0m" in shown
    assert "\x1b[1;31mWrong:\x1b[0m" in shown


@pytest.mark.parametrize("topic", ["add", ":add"])
def test_the_name_of_a_row_leads_to_show(run, topic):
    assert run("help", topic).err.endswith("hint: It is a row: graphden show add\n")


def test_the_name_of_a_namespace_leads_to_show(run):
    hint = run("help", "core.strings").err.splitlines()[-1]
    row = hint.rpartition(" ")[2]
    assert "It is a namespace of rows" in hint
    assert run("show", row, "--json").json["id"] == f"core.strings/{row}"
