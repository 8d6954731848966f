"""What a row leaves open (LANGUAGE 5.1, 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Set
from dataclasses import dataclass, replace

from graphden.model.resolved import (
    Open,
    Parameter,
    Place,
    ResolvedRow,
    Sequence,
    Slot,
    Source,
    Use,
    Wrap,
)
from graphden.model.types import ANY, Type
from graphden.resolve.sources import constant, value_of
from graphden.resolve.types import Narrower

Targets = Callable[[str], ResolvedRow | None]


@dataclass(frozen=True, slots=True)
class Offer:
    """Open places that an argument feeds, all alike: those of references to one row."""

    type: Type
    required: bool
    default: object
    default_known: bool
    places: list[Place]
    description: str = ""


def offers(
    sources: Iterable[Source], targets: Targets, fed: Container[str]
) -> dict[str, list[Offer]]:
    """The open places in `sources` by the name that feeds them, those `fed` left out: their
    defaults are not used, so what these need is not needed.
    """
    found: dict[str, list[Offer]] = {}
    alike: dict[str, list[Place]] = {}

    def add(name: str, offer: Offer) -> None:
        if name not in fed:
            found.setdefault(name, []).append(offer)

    def visit(source: Source) -> None:
        match source:
            case Open(name=name, place=place, type=type_, default=default):
                add(name, _offer(type_, place, default))
                if default is not None and name not in fed:
                    visit(default)
            case Sequence(items=items):
                for item in items:
                    visit(item)
            case Use() | Wrap():
                _visit_reference(source)
            case _:
                pass

    def _visit_reference(ref: Use | Wrap) -> None:
        target = targets(ref.target)
        places = [ref.place]
        if isinstance(ref, Use) and not ref.renamed:
            if ref.target in alike:
                alike[ref.target].append(ref.place)
                return
            alike[ref.target] = places
        received = ref.receivers if isinstance(ref, Wrap) else ()
        for parameter in target.interface.values() if target else ():
            if parameter.name in received:
                continue
            opened = ref.renamed.get(parameter.name)
            if opened is None:
                known = (parameter.required, parameter.default, parameter.default_known)
                add(
                    parameter.name,
                    Offer(parameter.type, *known, places, parameter.description),
                )
            elif opened.default is not None:
                add(opened.name, _offer(parameter.type, opened.place, opened.default))
                if opened.name not in fed:
                    visit(opened.default)
            else:
                add(
                    opened.name,
                    Offer(
                        parameter.type,
                        parameter.required,
                        parameter.default,
                        parameter.default_known,
                        places,
                        parameter.description,
                    ),
                )

    for source in sources:
        visit(source)
    return found


def _offer(type_: Type, place: Place, default: Source | None) -> Offer:
    if default is None:
        return Offer(type_, required=True, default=None, default_known=False, places=[place])
    known = constant(default)
    value = value_of(default) if known else None
    return Offer(type_, required=False, default=value, default_known=known, places=[place])


def interface_of(
    slots: Iterable[Slot],
    offered: Mapping[str, list[Offer]],
    narrowed: Mapping[str, Type],
    required: Set[str],
    narrow: Callable[[Iterable[Type]], Type],
) -> dict[str, Parameter]:
    """The arguments of a row: its open slots first, then what its references have free."""
    found: dict[str, list[Offer]] = {}
    for slot in slots:
        declaration = slot.declaration
        if slot.source is None:
            offer = Offer(
                slot.type,
                slot.required,
                declaration.default,
                declaration.has_default,
                [slot.place],
                declaration.description,
            )
        elif isinstance(slot.source, Open):
            default = slot.source.default
            offer = _offer(slot.type, slot.place, default)
        else:
            continue
        found.setdefault(slot.name, []).append(offer)
    for name, offers_of in offered.items():
        found.setdefault(name, []).extend(offers_of)
    # References that are alike have one list of places, and all their arguments one tuple.
    origins: dict[int, tuple[Place, ...]] = {}
    parameters = {
        name: _parameter(name, each, narrowed.get(name), narrow, origins)
        for name, each in found.items()
    }
    for name in required & parameters.keys():
        parameters[name] = replace(
            parameters[name], required=True, default=None, default_known=False
        )
    return parameters


def _parameter(
    name: str,
    offered: list[Offer],
    narrowed: Type | None,
    narrow: Callable[[Iterable[Type]], Type],
    origins: dict[int, tuple[Place, ...]],
) -> Parameter:
    first = offered[0]
    if len(offered) == 1:
        known = first.default_known and not first.required
        places = origins.get(id(first.places))
        if places is None:
            places = origins[id(first.places)] = tuple(first.places)
        return Parameter(
            name,
            narrowed or first.type,
            first.required,
            first.default if known else None,
            known,
            places,
            first.description,
        )
    required = any(each.required for each in offered)
    defaults = [each for each in offered if each.default_known and not required]
    return Parameter(
        name,
        narrowed or narrow(each.type for each in offered),
        required,
        defaults[0].default if defaults else None,
        bool(defaults),
        tuple(place for each in offered for place in each.places),
        next((each.description for each in offered if each.description), ""),
    )


def narrowest(types: Iterable[Type], narrower: Narrower, bodies: Mapping[str, Type]) -> Type:
    """The narrowest of some types; where two do not relate, the one that came first."""
    found: Type | None = None
    for type_ in types:
        if found is None or found == type_:
            found = type_
        else:
            found = narrower(found, type_, bodies) or found
    return found or ANY
