"""Literals where a variant is taken: which tag is wrong, or what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphden.check.contracts import Contracts, Violation
from graphden.check.examples import example
from graphden.check.findings import NoTag, literal, short
from graphden.check.fit import Types, opened
from graphden.check.values import without_null
from graphden.check.within import way
from graphden.edn import Keyword
from graphden.model.types import Secret, Type, Variant
from graphden.read.problems import LISTED, Spelling

FORMS = ("as", "ref", "value", "parent", "parents")
"""The keys that tell a binding from a map of data."""


def inside_variants(
    violations: Iterable[Violation],
    expected: Type,
    value: object,
    contracts: Contracts,
    spelling: Spelling,
) -> Iterator[Violation]:
    """`violations` of a literal, those of a variant by the part that is wrong."""
    for violation in violations:
        variant = variant_at(expected, violation.path, contracts.types)
        match variant, part_at(value, violation.path):
            case Variant(cases), [str() as tag, held]:
                known = dict(cases)
                if tag not in known:
                    yield _no_tag(violation, tag, known, spelling)
                    continue
                inner = contracts.violations(known[tag], held)
                found = inside_variants(inner, known[tag], held, contracts, spelling)
                for each in found:
                    yield _moved(each, (*violation.path, 1))
            case _:
                yield violation


def _no_tag(violation: Violation, tag: str, known: Iterable[str], spelling: Spelling) -> NoTag:
    came = violation.expected, violation.came
    name = tag.text if isinstance(tag, Keyword) else tag
    return NoTag(violation.path, *came, name, spelling.nearest(name, known))


def _moved(violation: Violation, way: tuple[object, ...]) -> Violation:
    path = (*way, *violation.path)
    if isinstance(violation, NoTag):
        return NoTag(path, violation.expected, violation.came, violation.tag, violation.near)
    return Violation(path, violation.expected, violation.came)


def variant_at(expected: Type, path: tuple[object, ...], types: Types) -> Variant | None:
    """The variant that a type asks for at `path`."""
    inside = way(expected, path, types).type
    if inside is None:
        return None
    inside = opened(without_null(opened(inside, types)), types)
    if isinstance(inside, Secret):
        return None
    return inside if isinstance(inside, Variant) else None


def part_at(value: object, path: Iterable[object]) -> object:
    """What a literal holds at `path`; None where it holds nothing."""
    for step in path:
        match value:
            case dict():
                value = next((v for k, v in value.items() if k == step), None)
            case list() | tuple() if isinstance(step, int) and step < len(value):
                value = value[step]
            case _:
                return None
    return value


def hint_of_variant(
    violations: Iterable[Violation], expected: Type, value: object, types: Types
) -> str:
    """What to do about a literal that is no value of a variant; else nothing."""
    for violation in violations:
        variant = variant_at(expected, violation.path, types)
        if variant is not None:
            return tags_hint(variant, part_at(value, violation.path), types)
    return ""


def tags_hint(variant: Variant, value: object, types: Types) -> str:
    """How a value of a variant is written; `value` is the literal that is none."""
    cases = variant.cases
    tags = ", ".join(f":{tag} with {short(type_)}" for tag, type_ in cases[:LISTED])
    if len(cases) > LISTED:
        tags += f" and {len(cases) - LISTED:,} more"
    tag, held = variant.cases[0]
    match value:
        case [str() as given, inner]:
            form = _form(inner)
            if form:
                tag = next((each for each, _ in variant.cases if each == given), tag)
                return (
                    f"Inside a literal vector everything is data, also {literal(inner)}; to "
                    f"bind a part write {{:parent :list :args {{:items [{{:value :{tag}}} "
                    f"{literal(inner)}]}}}}. The tags: {tags}."
                )
    such = example(held, types)
    shown = f", such as [:{tag} {such}]" if such and "…" not in such else ""
    return f"Write one of the tags and what it holds{shown}. The tags: {tags}."


def _form(value: object) -> bool:
    return isinstance(value, dict) and any(key == form for key in value for form in FORMS)
