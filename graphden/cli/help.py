"""`graphden help`: the pages of the reference."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from difflib import get_close_matches

from graphden.cli import COMMANDS, HELP, main
from graphden.cli.output import Style, print_json
from graphden.cli.pages import Page, all_pages, rendered
from graphden.cli.parsing import add_json
from graphden.errors import UsageError
from graphden.files import package_files

EXAMPLE = """\
  graphden help
  graphden help language
  graphden help codes/sealed-slot"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "topic",
        metavar="TOPIC",
        nargs="?",
        help="a page, a folder of pages, or a command; without it, all topics are listed",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a page, or what pages there are."""
    pages = all_pages()
    if arguments.topic is None:
        if not arguments.json:
            print(HELP)
        _list(pages.values(), as_json=arguments.json)
        return 0
    topic = arguments.topic.removesuffix(".md").strip("/")
    page = _page(topic, pages)
    inside = [each for each in pages.values() if each.topic.startswith(f"{topic}/")]
    if page is not None:
        show(page, as_json=arguments.json)
    elif inside:
        _list(inside, as_json=arguments.json, folded=False)
    elif topic in COMMANDS:
        return main([topic, "--help"])
    else:
        raise _unknown(topic, pages)
    return 0


def show(page: Page, *, as_json: bool) -> None:
    """Print a page, or its topic, title and Markdown as JSON."""
    if as_json:
        print_json({"topic": page.topic, "title": page.title, "text": page.text})
    else:
        print(rendered(page, Style(sys.stdout)))


def _page(topic: str, pages: dict[str, Page]) -> Page | None:
    """The page of that topic, or the only one whose last part it is."""
    if topic in pages:
        return pages[topic]
    found = [page for page in pages.values() if page.topic.endswith(f"/{topic}")]
    return found[0] if len(found) == 1 else None


def _list(pages: Iterable[Page], *, as_json: bool, folded: bool = True) -> None:
    """Print what pages there are; `folded` shows a folder as one line."""
    if as_json:
        listed = [{"topic": page.topic, "summary": page.summary} for page in pages]
        print_json({"topics": listed})
        return
    lines: dict[str, str] = {}
    for page in pages:
        folder, slash, _ = page.topic.partition("/")
        if slash and folded:
            lines.setdefault(folder, f"a folder of pages: graphden help {folder} lists them")
        else:
            lines[page.topic] = page.summary
    width = max(map(len, lines), default=0)
    style = Style(sys.stdout)
    print("topics, for graphden help TOPIC:")
    for topic, summary in lines.items():
        print(f"  {style('bold', topic)}{' ' * (width - len(topic))}  {summary}")


def _unknown(topic: str, pages: dict[str, Page]) -> UsageError:
    names = {name.rpartition("/")[2]: name for name in pages}
    close = get_close_matches(topic.rpartition("/")[2], names, n=1)
    rows = [row for file in package_files() for row in file.rows]
    wanted = topic.removeprefix(":")
    if any(wanted in {row.name, row.id} for row in rows):
        hint = f"It is a row: graphden show {wanted}"
    elif inside := [row.name for row in rows if row.namespace == wanted]:
        hint = f"It is a namespace of rows, such as :{inside[0]}: graphden show {inside[0]}"
    elif close:
        hint = f"Did you mean graphden help {names[close[0]]}?"
    else:
        hint = "graphden help lists the topics; graphden show ROW shows a row."
    return UsageError("unknown-topic", f"there is no page {topic}", hint=hint)
