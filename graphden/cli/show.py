"""`graphden show`: a row as a tree; or the types of all it reaches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from graphden.cli.describing import describe
from graphden.cli.inferred import inferred
from graphden.cli.opening import load_branch, load_graph, refuse_file
from graphden.cli.output import Branch, Style, print_json, short_path
from graphden.cli.parsing import add_branch, add_database, add_json, add_paths

EXAMPLE = """\
  graphden show orders-worker orders.edn
  graphden show queue-consumer
  graphden show orders-worker orders.edn --types
  graphden show orders-worker --branch main"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("row", metavar="ROW", help="the row to show, private ones included")
    add_paths(parser)
    add_branch(
        parser,
        "take the rows from this branch, or revision, of the database",
        required=False,
    )
    parser.add_argument(
        "--types",
        action="store_true",
        help="the inferred types of everything it reaches, and where values are checked",
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the row as a tree, or as JSON in which values and types are EDN text."""
    refuse_file(arguments.row, "show", arguments.paths)
    graph = load_branch(arguments) if arguments.branch else load_graph(arguments.paths)
    found = (inferred if arguments.types else describe)(graph, arguments.row)
    if arguments.json:
        print_json(found)
    else:
        tree = _Tree(Style(sys.stdout))
        root = tree.of_types(found) if arguments.types else tree.of(found)
        print("\n".join(root.lines()))
    return 0


class _Tree:
    """Makes the tree of a described row."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def of(self, row: dict[str, Any]) -> Branch:
        root = Branch(f"{self._name(row['row'])}  {self._place(row)}")
        if row["description"]:
            root.below.append(Branch(row["description"]))
        if row["type"]:
            root.below.append(Branch(f"type {row['type']}"))
        self._hang(root, "parents", self._parents(row["parents"]))
        base = row["parents"][-1]["row"] if row["parents"] else row["row"]
        self._hang(root, f"slots of :{base}", [self._slot(slot) for slot in row["slots"]])
        fed = [self._feed(feed) for feed in row["fed"]]
        self._hang(root, "bound for the rows it refers to", fed)
        arguments = [self._argument(argument) for argument in row["arguments"]]
        self._hang(root, "open: its arguments", arguments or [Branch("none")])
        root.below.append(Branch(f"result {row['result']}"))
        if row["variables"]:
            letters = ", ".join(row["variables"])
            said = "is any type" if len(row["variables"]) == 1 else "are any types"
            root.below.append(Branch(f"{letters} {said}, each the same wherever it stands"))
        root.below.append(Branch(f"effects {' '.join(row['effects']) or 'none'}"))
        self._hang(root, "not run, because", self._problems(row["diagnostics"]))
        return root

    def of_types(self, found: dict[str, Any]) -> Branch:
        rows = found["rows"]
        trees = [Branch(f"{self._head(row)}  {self._place(row)}") for row in rows]
        for row, tree in zip(rows, trees, strict=True):
            if tree is trees[0]:
                self._hang(tree, "open: its arguments", self._arguments(row))
            elif row["arguments"]:
                listed = (self._argument_type(each) for each in row["arguments"])
                tree.below.append(Branch(f"takes {', '.join(listed)}"))
            self._hang(tree, "checked when it runs", self._checks(row))
            below = [self._reference(each, rows, trees) for each in row["references"]]
            self._hang(tree, "refers to", below)
        self._hang(trees[0], "not run, because", self._problems(found["diagnostics"]))
        return trees[0]

    def _arguments(self, row: dict[str, Any]) -> list[Branch]:
        return [
            Branch(
                f"{self._argument_type(each)}  "
                f"{self._style('yellow', 'required') if each['required'] else 'optional'}"
            )
            for each in row["arguments"]
        ]

    def _argument_type(self, argument: dict[str, Any]) -> str:
        return f"{self._name(argument['name'])} {self._style('cyan', argument['type'])}"

    def _checks(self, row: dict[str, Any]) -> list[Branch]:
        return [
            Branch(
                f"{each['checked']} must be {self._style('cyan', each['expected'])}, and "
                f"{each['comes']} is {self._style('cyan', each['of_type'])}  "
                f"{self._place(each)}"
            )
            for each in row["checks"]
        ]

    def _reference(
        self, reference: dict[str, Any], rows: list[dict[str, Any]], trees: list[Branch]
    ) -> Branch:
        number: int = reference["number"]
        if reference["repeated"]:
            return Branch(f"{self._head(rows[number])}  {self._style('dim', 'as above')}")
        if reference["as"] == "callable":
            trees[number].text += "  callable"
        return trees[number]

    def _head(self, row: dict[str, Any]) -> str:
        return f"{self._style('bold', row['row'])} → {self._style('cyan', row['result'])}"

    def _problems(self, diagnostics: Sequence[dict[str, Any]]) -> list[Branch]:
        return [
            Branch(f"{self._style('red', each['message'])}  {self._place(each)}")
            for each in diagnostics
        ]

    def _hang(self, root: Branch, title: str, branches: Sequence[Branch]) -> None:
        if branches:
            root.below.append(Branch(self._style("bold", title), list(branches)))

    def _parents(self, parents: Sequence[dict[str, Any]]) -> list[Branch]:
        chain: list[Branch] = []
        for parent in reversed(parents):
            kind = {"base": "  base function", "type": "  type"}.get(parent["kind"], "")
            text = f"{self._name(parent['row'])}{kind}  {self._place(parent)}"
            chain = [Branch(text, chain)]
        return chain

    def _slot(self, slot: dict[str, Any]) -> Branch:
        text = f"{self._name(slot['name'])} {self._style('cyan', slot['type'])}"
        if slot["declared_as"] != slot["name"]:
            text += f" (slot :{slot['declared_as']})"
        if slot["bound"]:
            return Branch(f"{text} = {slot['value']}{self._by(slot)}")
        return Branch(f"{text}  open, {self._need(slot)}")

    def _feed(self, feed: dict[str, Any]) -> Branch:
        type_ = self._style("cyan", feed["type"])
        return Branch(f"{self._name(feed['name'])} {type_} = {feed['value']}{self._by(feed)}")

    def _argument(self, argument: dict[str, Any]) -> Branch:
        type_ = self._style("cyan", argument["type"])
        text = f"{self._name(argument['name'])} {type_}  {self._need(argument)}"
        origins = dict.fromkeys(
            f"for :{origin['argument']} of :{origin['row']}  {self._place(origin)}"
            for origin in argument["from"]
        )
        return Branch(text, [Branch(origin) for origin in origins])

    def _need(self, argument: dict[str, Any]) -> str:
        if argument["required"]:
            return self._style("yellow", "required")
        default = argument["default"]
        return "optional" if default is None else f"default {default}"

    def _by(self, bound: dict[str, Any]) -> str:
        return f"  bound by :{bound['by']}  {self._place(bound)}"

    def _name(self, name: str) -> str:
        return self._style("bold", f":{name}")

    def _place(self, record: dict[str, Any]) -> str:
        return self._style("dim", f"{short_path(record['file'])}:{record['line']}")
