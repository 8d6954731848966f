"""Whether a value is of a type that is given as data: what `is-a?` asks at run time.

The type is a primitive, a type row by its name, or a list, map, tuple or union of such.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from graphden.check.validators import PREDICATES
from graphden.edn.values import Keyword, Symbol
from graphden.run.registry import TypeRows
from graphden.stdlib.arguments import describe, invalid


def is_of_type(value: object, type_: object, rows: TypeRows) -> bool:
    """Whether `value` is of `type_`: a keyword, or a list that begins with one (LANGUAGE 8.1).

    Raises RunError `invalid-argument` for what is no type, and for a name that several type
    rows have.
    """
    if isinstance(type_, list | tuple) and type_ and isinstance(type_[0], str):
        return _is_built(value, type_[0], type_[1:], rows)
    if not isinstance(type_, str):
        raise _no_type(type_)
    test = PREDICATES.get(type_) or _type_row(type_, rows)
    return test(value)


def _type_row(name: str, rows: TypeRows) -> Callable[[object], bool]:
    """The test of the type row with this full name, or else the only one of this bare name."""
    plain = name.text if isinstance(name, Keyword) else name
    if plain in rows:
        return rows[plain]
    found = [row for row in rows if row.rpartition("/")[2] == plain]
    if len(found) == 1:
        return rows[found[0]]
    if found:
        ids = ", ".join(f":{row}" for row in sorted(found))
        raise invalid(f"is-a?: :type is :{plain}, which may mean {ids}; write it in full")
    raise _no_type(name)


def _is_built(value: object, head: str, parts: Sequence[object], rows: TypeRows) -> bool:
    def fits(value: object, type_: object) -> bool:
        return is_of_type(value, type_, rows)

    match head, len(parts):
        case "list", 1:
            return isinstance(value, list | tuple) and all(
                fits(item, parts[0]) for item in value
            )
        case "map", 2:
            return isinstance(value, Mapping) and all(
                fits(key, parts[0]) and fits(entry, parts[1]) for key, entry in value.items()
            )
        case "tuple", count:
            return (
                isinstance(value, list | tuple)
                and len(value) == count
                and all(map(fits, value, parts))
            )
        case "union", _:
            return any(fits(value, part) for part in parts)
        case "secret", 1:
            return fits(value, parts[0])
        case "fn", _:
            return callable(value)
        case _:
            raise _no_type([Keyword(head), *parts])


def _no_type(type_: object) -> Exception:
    shown = str(type_) if isinstance(type_, Keyword | Symbol) else describe(type_)
    return invalid(
        f"is-a?: :type is {shown}, which is no type that can be asked for",
        hint="Ask for a primitive type, a type row, or a list, map, tuple or union of such.",
    )
