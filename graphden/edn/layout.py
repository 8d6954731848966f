"""The one layout of files of rows.

A line has 96 columns, in code points. Tokens stay as they were written, in their order;
commas and spaces go. What is laid out again stays as it is.

- Every row starts a line. Where there were blank lines between rows, one stays; there are none
  inside of a row.
- A row stands on one line when it fits there and has no `:description`; else it has one entry
  a line, under its first key.
- A map that does not fit has one entry a line as well, but a map that binds or declares a slot,
  such as `{:type :int :description "…"}`, is filled: as many entries a line as fit, its
  description on a line of its own.
- A vector, list or set that does not fit is filled when it holds scalars only, else it has one
  item a line. The vector behind `:clauses` has a test and its result a line.
- In a map with one entry a line the values start in one column, but not in a row. Neighbouring
  rows on one line each are a table when they have the same keys: their second keys start in one
  column, their third ones … Neither where it would cost a line break. Comments behind
  neighbouring lines start in one column.
- A comment stays behind what it is behind, or on its own line. A closing bracket behind a
  comment has its own line. `#_` touches what it discards.
- Lines end like the last line of the text. A byte order mark goes.
"""

from __future__ import annotations

from graphden.edn.layout_printer import Printer
from graphden.edn.layout_tokens import Tokens
from graphden.edn.reader import read


def format_text(text: str, file: str = "<text>") -> str:
    """`text` in the one layout; it reads as the same forms, with the same comments.

    Raises ReadError, for the first flaw of a text that cannot be read; its place names `file`.
    """
    read(text, file)
    text = text.removeprefix("\ufeff")
    # The last line break of what is laid out already is never one inside of a text.
    before, line_feed, _ = text.rpartition("\n")
    newline = "\r\n" if line_feed and before.endswith("\r") else "\n"
    return Printer(Tokens(text), newline).print()
