"""Options and arguments of commands, by argparse; wrong ones become UsageError."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from graphden.errors import UsageError

_CHOICES = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
_UNKNOWN = re.compile(r"unrecognized arguments: (-[^ =]*)")


class Parser(argparse.ArgumentParser):
    """The parser of one command."""

    def __init__(self, name: str, summary: str, example: str) -> None:
        super().__init__(
            prog=f"graphden {name}",
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"example:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.has_actions = False

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments; paths may stand before and after options. Raises UsageError."""
        return self.parse_args(words) if self.has_actions else self.parse_intermixed_args(words)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse found wrong."""
        raise UsageError("wrong-use", message, hint=self._hint(message))

    def _hint(self, message: str) -> str:
        from difflib import get_close_matches

        close: list[str] = []
        if found := _CHOICES.search(message):
            close = get_close_matches(found[1], re.findall(r"[\w-]+", found[2]), n=1)
        elif found := _UNKNOWN.search(message):
            close = get_close_matches(found[1], self._option_string_actions, n=1)
        if close:
            return f"Did you mean {close[0]}?"
        return f"{self.prog} --help shows how it is used."


class ActionParser(argparse.ArgumentParser):
    """The parser of one action of a command, such as `queues messages`."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse found wrong."""
        hint = f"{self.prog} --help shows how it is used."
        raise UsageError("wrong-use", message, hint=hint)


def actions(parser: Parser) -> argparse._SubParsersAction[ActionParser]:
    """Where the actions of a command are added; the chosen one becomes `action`."""
    parser.has_actions = True
    return parser.add_subparsers(
        dest="action", metavar="ACTION", title="actions", parser_class=ActionParser
    )


def add_action(
    chosen: argparse._SubParsersAction[ActionParser], name: str, summary: str, example: str
) -> ActionParser:
    """Add an action that takes `--json` and `--database-url`, as its command does."""
    action: ActionParser = chosen.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_json(action, inherited=True)
    add_database(action, inherited=True)
    return action


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the files and folders of rows; none means the current folder."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="files and folders of rows; by default the *.edn files of the current folder",
    )


def add_branch(parser: argparse.ArgumentParser, purpose: str, *, required: bool = True) -> None:
    """Add `--branch`."""
    parser.add_argument("-b", "--branch", metavar="B", required=required, help=purpose)


def add_json(parser: argparse.ArgumentParser, *, inherited: bool = False) -> None:
    """Add `--json`; `inherited` when the parser above has it too."""
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS if inherited else False,
        help="print JSON, for programs",
    )


def add_database(parser: argparse.ArgumentParser, *, inherited: bool = False) -> None:
    """Add `--database-url`; `inherited` when the parser above has it too."""
    parser.add_argument(
        "--database-url",
        metavar="URL",
        default=argparse.SUPPRESS if inherited else None,
        help="the PostgreSQL to use, instead of GRAPHDEN_DATABASE_URL or an embedded one",
    )


def milliseconds(text: str) -> float:
    """A number of milliseconds, 0 or more, for an option's `type`."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of milliseconds")
    return number
