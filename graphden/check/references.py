"""The types of what stands behind a slot or a name: literals, references, callables."""

from __future__ import annotations

from dataclasses import replace

from graphden.check.findings import Finding, describe, mismatch, subject
from graphden.check.fit import NEVER, fit
from graphden.check.gathered import Gathered
from graphden.check.guarded import known_behind, known_in_calls
from graphden.check.solve import Solver, variables
from graphden.check.typed import ASKED, Typed, Unproved
from graphden.check.values import join, type_of
from graphden.check.verdicts import Verdict
from graphden.model.plan import GuardKey
from graphden.model.resolved import Constant, Open, Sequence, Source, Use, Wrap
from graphden.model.types import ANY, NULL, Callable, ListOf, Type
from graphden.resolve import as_callable, item_type
from graphden.resolve.matching import display


class References(Gathered):
    """A row, and what it hands to the rows it refers to."""

    def source(self, source: Source, expected: Type) -> Type:
        match source:
            case Constant(value=value):
                return type_of(value)
            case Use():
                return self.use(source)
            case Wrap():
                callable_ = as_callable(expected, self.types)
                return self.wrap(source, callable_) if callable_ else ANY
            case Open(name=name, default=default):
                given = self.name(name) if name not in self.unknown else source.type
                if default is None:
                    may_lack = name in self.absent or name in self.optional
                    return join((given, NULL), self.types) if may_lack else given
                return join((given, self.source(default, expected)), self.types)
            case Sequence(items=items):
                item = item_type(expected, self.types) or ANY
                return ListOf(join((self.source(i, item) for i in items), self.types))

    def name(self, name: str) -> Type:
        """The type of a name that references draw on."""
        if name in self.overrides:
            return self.overrides[name]
        feed = self.row.feeds.get(name)
        if feed is None:
            found = self.environment.get(name)
            if found is None:
                parameter = self.row.interface.get(name)
                found = ANY if parameter is None else parameter.type
            return found
        if name not in self.feeds:
            self.feeds[name] = ANY
            self.feeds[name] = self.handed_over(feed.source, feed.type)
            if isinstance(feed.source, Constant):
                self.literal(feed.source, feed.type, name)
        return self.feeds[name]

    def handed_over(self, source: Source, expected: Type) -> Type:
        """The type of what stands for a name of another row: the variables in what is expected
        are those of another signature, not of this row's.
        """
        before = self.solver, self.elsewhere
        self.solver, self.elsewhere = Solver(self.types), True
        try:
            return self.source(source, expected)
        finally:
            self.solver, self.elsewhere = before

    def use(self, ref: Use) -> Type:
        if not self.overrides and (known := self.used.get(id(ref))) is not None:
            return known
        result = self._use(ref)
        if not self.overrides and not self.row.feeds:
            self.used[id(ref)] = result
        return result

    def _use(self, ref: Use) -> Type:
        override = self.overrides.get(ASKED + ref.target)
        if override is not None and not ref.renamed:
            known = replace(self.rows.row(ref.target), result=override)
            self.references[ref.place] = ref, known
            return override
        alike = not (self.overrides or self.row.feeds or ref.renamed)
        same = self.same.get(ref.target) if alike else None
        if same is not None:
            return self.noted(ref, *same).result
        before = len(self.guards), len(self.findings)
        given, optional = self.captured(ref)
        if alike and before == (len(self.guards), len(self.findings)):
            typed = self.rows.instance(ref.target, given, optional)
            self.same[ref.target] = given, optional, typed
        return self.referred(ref, given, optional).result

    def referred(
        self, ref: Use | Wrap, given: dict[str, Type], optional: frozenset[str]
    ) -> Typed:
        """The row referred to as it is used here, and what is wrong with it so."""
        typed = self.rows.instance(ref.target, given, optional)
        return self.noted(ref, given, optional, typed)

    def noted(
        self, ref: Use | Wrap, given: dict[str, Type], optional: frozenset[str], typed: Typed
    ) -> Typed:
        """What is wrong with a row as it is used here, noted at the reference."""
        self.references[ref.place] = ref, typed
        self.adopt(typed, ref)
        self.bound_callables(ref, typed, given, optional)
        return typed

    def captured(self, ref: Use | Wrap) -> tuple[dict[str, Type], frozenset[str]]:
        """The types of what a reference hands to the row it refers to, each checked, and the
        names of what it hands over only if it is given itself.
        """
        received = ref.receivers if isinstance(ref, Wrap) else ()
        wanted = self.rows.row(ref.target).parameters
        found: dict[str, Type] = {}
        optional = set()
        known = self.overrides
        if known:
            found.update(known_behind(self, ref))
            if isinstance(ref, Wrap):
                self.overrides = known_in_calls(self)
        for name, expected in wanted.items():
            if name in received:
                continue
            opened = ref.renamed.get(name)
            outer = name if opened is None else opened.name
            is_fed = outer in self.row.feeds
            is_absent = outer in self.absent and not is_fed
            default = None if opened is None else opened.default
            if not (is_fed or outer in self.environment):
                if default is not None:
                    found[name] = self.default(ref, name, outer, default, expected)
                continue
            if is_absent and opened is None:
                continue
            if default is None:
                actual = self.name(outer)
                if is_absent or (outer in self.optional and not is_fed):
                    optional.add(name)
            elif is_absent:
                found[name] = self.default(ref, name, outer, default, expected)
                continue
            else:
                other = self.default(ref, name, outer, default, expected)
                actual = join((self.name(outer), other), self.types)
            found[name] = self.handed(ref, name, actual, expected, outer)
        self.overrides = known
        return found, frozenset(optional)

    def default(
        self, ref: Use | Wrap, name: str, outer: str, source: Source, expected: Type
    ) -> Type:
        """The type of a default, which must be what the row says of the name `outer`."""
        actual = self.handed_over(source, expected)
        said = self.row.narrowed.get(outer)
        if said is None or as_callable(said, self.types) is not None:
            return actual
        if isinstance(source, Constant):
            if not self.rows.contracts.violations(said, source.value):
                return actual
            self.literal(source, said, outer)
            return expected
        found = fit(actual, said, self.types)
        if found:
            return actual
        if found.verdict is Verdict.GUARD:
            key = (ref.place.row, *ref.place.path, "to", name)
            self.guard(key, said, Unproved(subject(source, self.program), actual, source.place))
            return said
        what = describe(source, actual, self.program)
        self.report(mismatch(found, source.place, outer, said, what))
        return expected

    def handed(
        self, ref: Use | Wrap, name: str, actual: Type, expected: Type, outer: str
    ) -> Type:
        """What an argument of a reference is taken to be, after its check."""
        if actual is expected:
            return actual
        verdict = fit(actual, expected, self.types)
        secret = bool(verdict) and self.becomes_secret(actual, expected)
        if verdict and not secret:
            return actual
        feed = self.row.feeds.get(outer)
        if verdict.verdict is Verdict.GUARD or secret:
            key = (ref.place.row, *ref.place.path, "to", name)
            if feed is None:
                why = Unproved(f"the argument :{outer}", actual, ref.place)
            else:
                what = subject(feed.source, self.program)
                why = Unproved(what, actual, feed.source.place)
            self.guard(key, expected, why)
        elif feed is not None and isinstance(feed.source, Constant):
            self.literal(feed.source, expected, outer)
        else:
            place = ref.place if feed is None else feed.source.place
            what = f":{outer} is {actual}"
            if feed is not None:
                what = describe(feed.source, actual, self.program)
            target = self.program.rows[ref.target].name
            code = "argument-conflict" if feed is None else None
            self.report(mismatch(verdict, place, name, expected, what, of=target, code=code))
        return expected

    def wrap(self, ref: Wrap, wanted: Callable) -> Callable:
        """The callable that a row makes, given what it will be called with."""
        target = self.rows.row(ref.target)
        environment, optional = self.captured(ref)
        given: list[tuple[str, Type]] = []
        for (parameter, type_), receiver in zip(wanted.parameters, ref.receivers, strict=True):
            known = self.handed_by_call(type_, target, receiver)
            given.append((parameter, known))
            if receiver is not None:
                expected = target.parameters[receiver]
                environment[receiver] = self.received(ref, parameter, receiver, known, expected)
        return Callable(tuple(given), self.referred(ref, environment, optional).result)

    def bound_callables(
        self, ref: Use | Wrap, typed: Typed, given: dict[str, Type], optional: frozenset[str]
    ) -> None:
        """Check the callables that a reference hands over, as the row called calls them."""
        received = ref.receivers if isinstance(ref, Wrap) else ()
        for name in typed.doubted.difference(received):
            opened = ref.renamed.get(name)
            outer = name if opened is None else opened.name
            feed = self.row.feeds.get(outer)
            if feed is not None:
                self.doubt(
                    feed.source, (ref.place.row, *ref.place.path, "to", name), given[name]
                )
            elif outer in self.environment:
                self.doubted.add(outer)
        for name, opened in ref.renamed.items():
            default = opened.default
            if name not in given or not isinstance(default, (Use, Wrap)):
                continue
            # What the callers may give hides what the default takes.
            type_ = self.handed_over(default, self.rows.row(ref.target).parameters[name])
            if isinstance(type_, Callable):
                known = {**given, name: type_}
                alone = self.rows.instance(ref.target, known, optional - {name})
                self.adopt(alone, ref)
                if name in alone.doubted:
                    self.doubt(default, None, type_)

    def doubt(self, source: Source, key: GuardKey | None, type_: Type) -> None:
        """Check what a callable is called with; `key` is where it comes to the row that calls
        it, or None where another may come the same way.
        """
        match source:
            case Wrap(place=place) as ref:
                wanted = self.rows.row(ref.target).parameters
                for receiver in ref.receivers:
                    if receiver is not None and not fit(ANY, wanted[receiver], self.types):
                        why = Unproved(f":{receiver} of the call", ANY, place)
                        way = (place.row, *place.path, "to", receiver)
                        self.guard(way, wanted[receiver], why)
            case Open(name=name, default=default):
                self.doubted.add(name)
                if default is not None:
                    self.doubt(default, None, type_)
            case Use(place=place) if key is not None and isinstance(type_, Callable):
                what = subject(source, self.program)
                checked = Callable(type_.parameters, ANY)
                self.guard(key, checked, Unproved(f"what {what} is called with", ANY, place))

    def handed_by_call(self, type_: Type, target: Typed, receiver: str | None) -> Type:
        """The type of a call's parameter; a variable that nothing fixes takes what is asked."""
        open_ = variables(type_) - self.solver.known.keys()
        if self.elsewhere and open_ and isinstance(type_, Callable):
            return ANY if receiver is None else target.parameters[receiver]
        if open_ and receiver is not None and not isinstance(type_, Callable):
            self.solver.learn(type_, target.parameters[receiver], receiver)
        unknown = NEVER if isinstance(type_, Callable) else ANY
        return self.solver.apply(type_, unknown)

    def received(
        self, ref: Wrap, parameter: str, receiver: str, given: Type, expected: Type
    ) -> Type:
        verdict = fit(given, expected, self.types)
        secret = bool(verdict) and self.becomes_secret(given, expected)
        if verdict and not secret:
            return given
        if verdict.verdict is Verdict.GUARD or secret:
            key = (ref.place.row, *ref.place.path, "to", receiver)
            self.guard(key, expected, Unproved(f":{parameter} of the call", given, ref.place))
            return expected
        name = display(self.program.rows[ref.target])
        hint = (
            f"Narrow or rename :{receiver} in {name}."
            if receiver == parameter
            else f"Bind :{receiver} in {name} to ignore what the call hands over, or open a "
            f"slot under that name with {{:as :{parameter}}}."
        )
        self.report(
            Finding(
                verdict.code,
                ref.place,
                f"{name} is called with :{parameter} ({given}), which would go to its "
                f":{receiver}, and that takes {expected}",
                hint,
            )
        )
        return expected
