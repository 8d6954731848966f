"""The pages of the reference, below `lessons/reference`: found by topic, and rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphden.assets import folder
from graphden.cli.output import Style

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]+\)")
_SIGNALS = {"Wrong:": "red", "Right:": "green"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page. `topic` is its file below the reference, without `.md`: `codes/cycle`."""

    topic: str
    text: str

    @property
    def title(self) -> str:
        """Its first line."""
        return self.text.partition("\n")[0].removeprefix("# ")

    @property
    def summary(self) -> str:
        """A line for lists: the title, or, where that only repeats the topic, what follows."""
        if self.title != self.topic.rpartition("/")[2]:
            return self.title
        return " ".join(self.text.split("\n\n")[1].split())


def all_pages() -> dict[str, Page]:
    """Every page by its topic."""
    root = folder("lessons") / "reference"
    found = {}
    for path in sorted(root.rglob("*.md")):
        topic = path.relative_to(root).with_suffix("").as_posix()
        found[topic] = Page(topic, path.read_text(encoding="utf-8"))
    return found


def rendered(page: Page, style: Style) -> str:
    """A page for a terminal: headings and blocks set apart, without Markdown's marks."""
    return "\n".join(_lines(page.text, style))


def _lines(text: str, style: Style) -> Iterator[str]:
    fenced = False
    for line in text.rstrip().splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            yield f"    {style('cyan', line)}".rstrip()
        elif line.startswith("#"):
            yield style("bold", line.lstrip("#").strip())
        elif line.startswith("> "):
            yield f"    {style('yellow', line.removeprefix('> '))}"
        elif line in _SIGNALS:
            yield style(_SIGNALS[line], line)
        else:
            yield _inline(line, style)


def _inline(line: str, style: Style) -> str:
    """A line of prose: links by their words, code in colour where there is any."""
    line = _LINK.sub(r"\1", line)
    return _CODE.sub(lambda found: style("cyan", found[1]), line) if style.enabled else line
