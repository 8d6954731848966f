"""`graphden show`: a row as a tree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphden.cli.describing import describe
from graphden.cli.opening import load_graph
from graphden.cli.output import Style, print_json, short_path
from graphden.cli.parsing import add_json, add_paths

EXAMPLE = """\
  graphden show orders-worker orders.edn
  graphden show queue-consumer"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("row", metavar="ROW", help="the row to show, private ones included")
    add_paths(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the row as a tree, or as JSON in which values and types are EDN text."""
    row = describe(load_graph(arguments.paths), arguments.row)
    if arguments.json:
        print_json(row)
    else:
        print("\n".join(_Tree(Style(sys.stdout)).of(row).lines()))
    return 0


@dataclass(slots=True)
class Branch:
    """A line of the tree and what hangs below it."""

    text: str
    below: list[Branch] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The branch as text."""
        found = [self.text]
        for branch in self.below:
            last = branch is self.below[-1]
            first, *rest = branch.lines()
            found.append(f"{'└─' if last else '├─'} {first}")
            found += [f"{'  ' if last else '│ '} {line}" for line in rest]
        return found


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
        root.below.append(Branch(f"effects {' '.join(row['effects']) or 'none'}"))
        problems = [
            Branch(f"{self._style('red', each['message'])}  {self._place(each)}")
            for each in row["diagnostics"]
        ]
        self._hang(root, "not run, because", problems)
        return root

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
