"""Bindings of names that a row's references have free (LANGUAGE 4.5, 4.6, 5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from graphden.model.resolved import Feed, Open, Place, ResolvedRow, Slot, Source, Use, Wrap
from graphden.model.rows import Argument
from graphden.model.types import ANY, Type
from graphden.read.problems import first_of
from graphden.resolve.interface import Offer, narrowest, offers
from graphden.resolve.overriding import refuse_override, refuse_terminal
from graphden.resolve.sources import reopen
from graphden.resolve.wiring import Wiring

V = TypeVar("V")


@dataclass(slots=True)
class Feeding:
    """What a row's bindings of free names come to.

    `feeds` are the names bound, `renames` those that have another name or a default from here
    on. `narrowed`, `required` and `terminal` say more of names, as in `ResolvedRow`.
    """

    feeds: dict[str, Feed]
    narrowed: dict[str, Type]
    required: set[str]
    terminal: dict[str, str]
    renames: dict[str, Open] = field(default_factory=dict)


def drawn(slots: Iterable[Slot], feeds: Mapping[str, Feed]) -> list[Source]:
    """All that a row draws on: what its slots are bound to or fall back on, and its feeds."""
    found: list[Source] = []
    for slot in slots:
        # A slot's own name is not a name of its references (LANGUAGE 5.4).
        source = slot.source.default if isinstance(slot.source, Open) else slot.source
        if source is not None:
            found.append(source)
    found.extend(each.source for each in feeds.values())
    return found


def bind_free_names(
    wiring: Wiring, parent: ResolvedRow, slots: Sequence[Slot], arguments: Sequence[Argument]
) -> Feeding:
    """Bind free names, over what the parent bound.

    Which reference is wrapped depends on the types of names that other bindings of the same row
    bring in, so this runs until the types no longer change.
    """
    if not arguments:
        return _inherited(parent)
    problems, incomplete = wiring.problems, wiring.incomplete
    known: dict[str, Type] = {}
    offered: dict[str, list[Offer]] = {}
    feeding = _inherited(parent)
    for _ in range(len(arguments) + 2):
        wiring.problems = list(problems)
        wiring.incomplete = incomplete
        feeding = _inherited(parent)
        for argument in arguments:
            _bind(wiring, parent, feeding, argument, known)
        feeds = {**parent.feeds, **feeding.feeds}
        defaults = [r.default for r in feeding.renames.values() if r.default is not None]
        offered = offers([*drawn(slots, feeds), *defaults], wiring.rows.get, {})
        before = known
        known = {
            name: narrowest([o.type for o in places], wiring.rows.narrower, wiring.rows.types)
            for name, places in offered.items()
        }
        if known == before:
            break
    for argument in arguments:
        _check_known(wiring, parent, slots, argument, offered)
    return feeding


def _inherited(parent: ResolvedRow) -> Feeding:
    return Feeding(
        dict(parent.feeds), dict(parent.narrowed), set(parent.required), dict(parent.terminal)
    )


def _bind(
    wiring: Wiring,
    parent: ResolvedRow,
    feeding: Feeding,
    argument: Argument,
    known: Mapping[str, Type],
) -> None:
    name, binding = argument.name, argument.binding
    if name in parent.terminal:
        refuse_terminal(
            wiring, parent, argument, parent.terminal[name], is_open=name in parent.interface
        )
        return
    before = parent.feeds.get(name)
    inherited = before.type if before else ANY
    type_ = feeding.narrowed.get(name) or known.get(name) or inherited
    if binding.required:
        feeding.required.add(name)
    if binding.terminal:
        feeding.terminal[name] = wiring.row.owner
    if binding.target is not None or binding.as_name is not None:
        old, bound_by = (before.source, before.bound_by) if before else (None, None)
        if refuse_override(wiring, parent, argument, old, bound_by=bound_by, type_=type_):
            return
    else:
        old = None
    if binding.type is not None:
        type_ = feeding.narrowed[name] = wiring.narrowed(name, binding, type_)
    source = wiring.bound(binding, type_, Place(wiring.row.id, (name,), binding.span), old)
    if binding.as_name is not None:
        place = Place(wiring.row.id, (name,), binding.span)
        feeding.renames[name] = Open(binding.as_name.text, place, type_, source)
        feeding.feeds.pop(name, None)
    elif source is not None:
        feeding.feeds[name] = Feed(source, type_, wiring.row.id)


def _check_known(
    wiring: Wiring,
    parent: ResolvedRow,
    slots: Sequence[Slot],
    argument: Argument,
    offered: Mapping[str, object],
) -> None:
    name = argument.name
    if name in offered or name in parent.feeds or wiring.incomplete:
        return
    known = list(dict.fromkeys([*(slot.name for slot in slots), *offered]))
    listed = first_of(known)
    them = None
    one, *others = [f":{each.text}" for each in wiring.row.parents]
    if set(offered) - set(parent.interface):
        them = f"{', '.join([one, *others])} nor what this row refers to has"
    elif others:
        them = f"{', '.join([one, *others[:-1]])} nor {others[-1]} has a slot or free argument"
    wiring.problem(
        "unknown-slot",
        argument.name_span,
        f"{one} has no slot or free argument :{name}"
        if them is None
        else f"neither {them} :{name}",
        wiring.rows.spelling.did_you_mean(name, known)
        or (f"It has {listed}." if listed else "It has none."),
    )


def rename(
    wiring: Wiring, feeding: Feeding, slots: list[Slot], arguments: Iterable[Argument]
) -> None:
    """Apply the renames of this row, all at once, to every name its references have free.

    A new name that is bound already is fed by that binding: one name is one argument (5.2).
    """
    renames = feeding.renames
    if not renames:
        return

    def captured(ref: Use | Wrap) -> frozenset[str]:
        target = wiring.rows.get(ref.target)
        names = frozenset(target.interface) if target else frozenset()
        return names - set(ref.receivers) if isinstance(ref, Wrap) else names

    for index, slot in enumerate(slots):
        match slot.source:
            case None | Open(default=None):
                pass
            case Open(default=default) as opened if default is not None:
                again = reopen(default, renames, captured)
                slots[index] = replace(slot, source=replace(opened, default=again))
            case source:
                slots[index] = replace(slot, source=reopen(source, renames, captured))
    feeding.feeds = {
        name: replace(each, source=reopen(each.source, renames, captured))
        for name, each in feeding.feeds.items()
    }
    demanded = {argument.name for argument in arguments if argument.binding.required}
    feeding.required = feeding.required - renames.keys() | {
        opened.name
        for old, opened in renames.items()
        if old in feeding.required and (opened.default is None or old in demanded)
    }
    feeding.narrowed = _moved(feeding.narrowed, renames)
    feeding.terminal = _moved(feeding.terminal, renames)


def _moved(named: Mapping[str, V], renames: Mapping[str, Open]) -> dict[str, V]:
    kept = {name: value for name, value in named.items() if name not in renames}
    for old, opened in renames.items():
        if old in named:
            kept.setdefault(opened.name, named[old])
    return kept


def check_cycles(wiring: Wiring, feeding: Feeding, arguments: Iterable[Argument]) -> None:
    """Bindings of free names may refer to each other in any order, but not in a circle."""
    feeds = feeding.feeds
    if wiring.incomplete or not feeds:
        return
    needs = {
        name: [n for n in offers([each.source], wiring.rows.get, {}) if n in feeds]
        for name, each in feeds.items()
    }
    written = {argument.name: argument.name_span for argument in arguments}
    for old, opened in feeding.renames.items():
        written.setdefault(opened.name, written[old])
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            cycle = [*path[path.index(name) :], name]
            spans = [written[step] for step in cycle if step in written]
            wiring.problem(
                "cycle",
                spans[0] if spans else wiring.row.span,
                f"the binding of :{name} needs itself: "
                + " → ".join(f":{step}" for step in cycle),
                "A binding feeds every reference that has its name free, the one it is "
                "bound to included; rename that one's argument with {:as …}.",
                notes=tuple(
                    ("then through this one", span)
                    for span in dict.fromkeys(spans[1:])
                    if span != spans[0]
                ),
            )
            wiring.incomplete = True
        elif name not in done:
            for needed in needs[name]:
                visit(needed, [*path, name])
            done.add(name)

    for name in feeds:
        visit(name, [])
