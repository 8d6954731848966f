"""`graphden explain`: where a row's slots and arguments come from; what a code means."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from graphden.cli.help import show
from graphden.cli.opening import load_graph, refuse_file
from graphden.cli.output import Branch, Style, print_json, short_path
from graphden.cli.pages import all_pages
from graphden.cli.parsing import add_json
from graphden.cli.provenance import explain
from graphden.errors import UsageError

EXAMPLE = """\
  graphden explain orders-worker orders.edn
  graphden explain orders-worker :queue
  graphden explain --code sealed-slot

The word behind ROW is a slot, unless there is a file or folder of that name; with a colon it
is always a slot."""

CODES = "codes/"
"""Where the pages about codes lie."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "words",
        metavar="ROW [SLOT] [PATH …]",
        nargs="*",
        help="the row, private ones included; one of its slots or arguments, by default all; "
        "files and folders of rows",
    )
    parser.add_argument("--code", metavar="CODE", help="explain the code of a problem or error")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the page of a code, or the row's slots and arguments, step by step."""
    match arguments.code, arguments.words:
        case None, []:
            raise UsageError(
                "wrong-use", "name a row, or --code CODE", hint="See graphden explain --help."
            )
        case None, [row, *rest]:
            refuse_file(row, "explain", rest)
            slot, paths = _slot_and_paths(rest)
            explained = explain(load_graph(paths), row, slot)
            if arguments.json:
                print_json(explained)
            else:
                print("\n".join(_Tree(Style(sys.stdout)).of(explained).lines()))
        case code, []:
            _explain_code(code.strip(":[]"), as_json=arguments.json)
        case _:
            raise UsageError("wrong-use", "a row and --code exclude each other")
    return 0


def _slot_and_paths(words: list[str]) -> tuple[str | None, list[str]]:
    match words:
        case [first, *rest] if first.startswith(":"):
            return first, rest
        case [first, *rest] if not (first.endswith(".edn") or Path(first).exists()):
            return first, rest
    return None, words


def _explain_code(code: str, *, as_json: bool) -> None:
    pages = all_pages()
    page = pages.get(CODES + code)
    if page is None:
        codes = [topic.removeprefix(CODES) for topic in pages if topic.startswith(CODES)]
        close = get_close_matches(code, codes, n=1)
        hint = f"Did you mean {close[0]}?" if close else "graphden help codes lists them all."
        raise UsageError("unknown-code", f"there is no page about the code {code}", hint=hint)
    show(page, as_json=as_json)


class _Tree:
    """Makes the tree of an explained row."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def of(self, explained: dict[str, Any]) -> Branch:
        entries = [self._entry(entry) for entry in explained["entries"]]
        text = f"{self._name(explained['row'])}  {self._place(explained)}"
        return Branch(text, entries or [Branch("it has neither slots nor arguments")])

    def _entry(self, entry: dict[str, Any]) -> Branch:
        text = f"{self._name(entry['name'])} {self._style('cyan', entry['type'])}"
        if entry["bound"]:
            text += f" = {entry['value']}{_receives(entry['receives'])}"
        else:
            text += f"  {self._need_of(entry)}"
        below = [Branch(f"{_told(step)}  {self._place(step)}") for step in entry["steps"]]
        needed = [self._needed(need, entry["name"]) for need in entry["needed"]]
        return Branch(text, [*below, *needed])

    def _need_of(self, entry: dict[str, Any]) -> str:
        kind = "open" if entry["kind"] == "slot" else "free"
        if entry["required"]:
            return f"{kind}, {self._style('yellow', 'required')}"
        default = entry["default"]
        return f"{kind}, {'optional' if default is None else f'default {default}'}"

    def _needed(self, need: dict[str, Any], name: str) -> Branch:
        item = "" if need["item"] is None else f"item {need['item'] + 1} of "
        text = f"feeds {item}:{need['slot']} of :{need['row']}"
        if need["base"] != need["row"]:
            text += f" (:{need['base']})"
        return Branch(f"{text}  {self._place(need)}", list(self._way(need["through"], name)))

    def _way(self, through: list[dict[str, Any]], name: str) -> Iterator[Branch]:
        """The references on the way; those to inline rows say nothing, and are left out."""
        for step in through:
            renamed = step["argument"] != name
            name = step["argument"]
            if renamed or not step["inline"]:
                yield Branch(f"{_referred(step, renamed=renamed)}  {self._place(step)}")

    def _name(self, name: str) -> str:
        return self._style("bold", f":{name}")

    def _place(self, record: dict[str, Any]) -> str:
        file, line, column = short_path(record["file"]), record["line"], record["column"]
        return self._style("dim", f"{file}:{line}:{column}")


def _told(step: dict[str, Any]) -> str:
    """A step as half a sentence: `:double bound it to 2, narrowed it to :int`."""
    return f":{step['row']} {', '.join(map(_action, step['actions']))}"


def _action(action: dict[str, Any]) -> str:
    match action:
        case {"action": "declared", "type": type_}:
            more = f", default {action['value']}" if "value" in action else ""
            return f"declares {type_}{more}{', optional' if 'optional' in action else ''}"
        case {"action": "renamed", "to": name}:
            return f"names it :{name}"
        case {"action": "left-open", "to": name}:
            return f"leaves it open as :{name}"
        case {"action": "default", "value": value}:
            return f"gives it the default {value}"
        case {"action": "added", "value": value}:
            return f"adds {value}"
        case {"action": "bound", "value": value}:
            return f"binds it to {value}"
        case {"action": "narrowed", "type": type_}:
            return f"narrows it to {type_}"
        case {"action": "closed"}:
            return "closes the list"
        case {"action": "required"}:
            return "requires it"
    return "refuses bindings below (terminal)"


def _receives(received: Iterable[dict[str, Any]]) -> str:
    told = [
        f":{each['parameter']} is ignored"
        if each["argument"] is None
        else f":{each['parameter']} goes to its :{each['argument']}"
        for each in received
    ]
    return f", called: {', '.join(told)}" if told else ""


def _referred(step: dict[str, Any], *, renamed: bool) -> str:
    to = "an inline row" if step["inline"] else f":{step['to']}"
    as_its = f", as its :{step['argument']}" if renamed else ""
    return f":{step['row']} refers to {to} in :{step['slot']}{as_its}"
