"""What an entry row takes from outside, and what of its result is shown (LANGUAGE 5.5, 8.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from graphden.check import Contracts, Inference, holds_secret, quick_test, without_variables
from graphden.check.quick import Test
from graphden.compile.support import MISSING
from graphden.errors import RunError, Span
from graphden.model.resolved import ResolvedRow
from graphden.model.types import Type
from graphden.read.problems import Spelling, first_of
from graphden.run import secrets

Check: TypeAlias = Callable[[object], object]
"""Gives a value back as one of a type, or raises RunError `contract-violation`."""


@dataclass(frozen=True, slots=True)
class _Argument:
    """`plain` tells of most right values that nothing more is to be done with them."""

    name: str
    type: Type
    required: bool
    plain: Test | None


@dataclass(frozen=True, slots=True)
class Signature:
    """What is to be known of a row to run it: `takes` are the types of its arguments, `gives`
    is that of its result; `owner` and `span` are the row and place that errors name.
    """

    name: str
    owner: str
    span: Span | None
    takes: Mapping[str, Type]
    required: frozenset[str]
    gives: Type

    @classmethod
    def of(cls, row: ResolvedRow, inference: Inference) -> Signature:
        """That of a row, by its inferred types."""
        typed = inference.row(row.id)
        return cls(
            row.row.name,
            row.row.owner,
            row.row.span,
            {name: without_variables(typed.parameters[name]) for name in row.interface},
            frozenset(name for name, each in row.interface.items() if each.required),
            typed.result,
        )


def check_of(type_: Type, types: Mapping[str, Type], contracts: Contracts) -> Check:
    """The check of a type; what it says to be secret is kept out of texts from then on."""
    check = contracts.guard(type_)
    if not holds_secret(type_, types):
        return check

    def noting(value: object) -> object:
        checked = check(value)
        secrets.note_typed(checked, type_, types)
        return checked

    return noting


class Entry:
    """A row as it is run: its arguments checked, the secrets in its result hidden."""

    def __init__(
        self, signature: Signature, types: Mapping[str, Type], contracts: Contracts
    ) -> None:
        self._signature = signature
        self._contracts = contracts
        self._types = types
        self._result = signature.gives
        self._hides = holds_secret(signature.gives, types)
        self._calls = contracts.holds_callable(signature.gives)
        self._arguments = tuple(
            self._argument(name, type_, required=name in signature.required)
            for name, type_ in signature.takes.items()
        )

    def _argument(self, name: str, type_: Type, *, required: bool) -> _Argument:
        noted = holds_secret(type_, self._types) or self._contracts.holds_callable(type_)
        return _Argument(
            name, type_, required, None if noted else quick_test(type_, self._types)
        )

    def arguments(self, given: Mapping[str, object]) -> list[object]:
        """The values in the order of the interface, `MISSING` for those not given.

        Raises RunError `missing-argument`, `unknown-argument` or `argument-type`, with all that
        is wrong.
        """
        values: list[object] = []
        taken = 0
        try:
            for each in self._arguments:
                if each.name in given:
                    value = given[each.name]
                    taken += 1
                    if each.plain is None or not each.plain(value):
                        return self._looked_at(given)
                    values.append(value)
                elif each.required:
                    return self._looked_at(given)
                else:
                    values.append(MISSING)
        except RecursionError:
            return self._looked_at(given)
        return values if taken == len(given) else self._looked_at(given)

    def shown(self, value: object) -> object:
        """The result as it is given to the caller: a secret never leaves a run, and what
        callables are called with is checked.
        """
        if self._calls:
            hidden = secrets.hiding_calls(value, self._result, self._contracts)
            value = self._contracts.to_python(self._result, hidden)
        return secrets.hide(value, self._result, self._types) if self._hides else value

    def shown_arguments(self, given: Mapping[str, object]) -> dict[str, object]:
        """Arguments as others may see them: what their types call secret is hidden."""
        types = {each.name: each.type for each in self._arguments}
        return {
            name: secrets.hide(value, types[name], self._types) if name in types else value
            for name, value in given.items()
        }

    def _looked_at(self, given: Mapping[str, object]) -> list[object]:
        wrong: list[tuple[str, str, str]] = []
        values: list[object] = []
        for each in self._arguments:
            if each.name not in given:
                if each.required:
                    message = f":{each.name} ({each.type}) is missing"
                    wrong.append(("missing-argument", message, ""))
                values.append(MISSING)
                continue
            value = given[each.name]
            secrets.note_typed(value, each.type, self._types)
            violations = self._contracts.violations(each.type, value)
            wrong.extend(
                ("argument-type", f":{each.name}: {violation}", "") for violation in violations
            )
            if not violations:
                noted = secrets.noting_calls(value, each.type, self._contracts)
                values.append(self._contracts.from_python(each.type, noted))
        known = dict.fromkeys(each.name for each in self._arguments)
        spelling = Spelling()
        listed = first_of(known) or "none"
        for name in given:
            if name not in known:
                close = spelling.nearest(name, known)
                hint = f"Did you mean :{close}?" if close else f"It takes {listed}."
                wrong.append(("unknown-argument", f":{name} is not an argument", hint))
        if wrong:
            hints = dict.fromkeys(hint for _, _, hint in wrong if hint)
            missing = [each.name for each in self._arguments if each.required]
            missing = [f'"{name}": …' for name in missing if name not in given]
            if missing:
                hints[f"Pass arguments such as {{{', '.join(missing)}}}."] = None
            raise RunError(
                wrong[0][0],
                f":{self._signature.name}: " + "; ".join(message for _, message, _ in wrong),
                hint=" ".join(hints),
                data=tuple(wrong),
                row=self._signature.owner,
                span=self._signature.span,
            )
        return values
