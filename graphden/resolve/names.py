"""Looking names up (LANGUAGE 1.2–1.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from graphden.errors import Problem, Span
from graphden.model.rows import Row, RowKind
from graphden.read.problems import nearest


class Names:
    """All rows of a graph by name. Rows of packages see rows of packages only."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows: dict[str, Row] = {}
        self.duplicates: list[tuple[Row, Row]] = []
        self._by_name: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            if row.id in self.rows:
                self.duplicates.append((self.rows[row.id], row))
            else:
                self.rows[row.id] = row
                if not row.inline:
                    self._by_name[row.name].append(row)

    def find(self, name: str, by: Row, span: Span, *, kind: str = "row") -> Row | Problem:
        """The row that `name`, written in row `by`, means; else the problem."""

        def problem(code: str, message: str, hint: str) -> Problem:
            return Problem(code, message, hint, by.owner, span)

        def visible(row: Row) -> bool:
            return by.package is None or row.package is not None

        if "/" in name:
            row = self.rows.get(name)
            found = [row] if row is not None and not row.inline and visible(row) else []
        else:
            own = self.rows.get(f"{by.namespace}/{name}")
            if own is not None and visible(own):
                return own
            found = [row for row in self._by_name.get(name, ()) if visible(row)]
        reachable = [
            row for row in found if not row.private or row.namespace == by.namespace
        ]
        match reachable:
            case [row]:
                return row
            case []:
                if found:
                    return problem(
                        "private-row",
                        f":{name} is private to the namespace {found[0].namespace}",
                        "Rows whose names begin with _ can be referred to in their own "
                        "namespace only.",
                    )
                return self._unknown(name, by, problem, kind)
            case several:
                ids = ", ".join(sorted(f":{row.id}" for row in several))
                return problem(
                    "ambiguous-name",
                    f":{name} may mean {ids}",
                    f"Write the one you mean in full, such as :{several[0].id}.",
                )

    def _unknown(
        self, name: str, by: Row, problem: Callable[[str, str, str], Problem], kind: str
    ) -> Problem:
        known = {
            shown
            for row in self.rows.values()
            if not row.inline
            and (kind != "type" or row.kind is RowKind.TYPE)
            and (not row.private or row.namespace == by.namespace)
            for shown in ((row.id,) if "/" in name else (row.name,))
        }
        close = nearest(name, known)
        hint = f"Did you mean :{close}?" if close else ""
        if kind == "type":
            return problem("unknown-type", f"there is no type :{name}", hint)
        data = f"If it is data, write {{:value :{name}}}."
        if kind == "row":
            hint = f"{hint} {data}".strip()
        return problem("unknown-row", f"there is no row :{name}", hint)
