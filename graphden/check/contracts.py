"""Types as run-time checks: each type becomes one pydantic-core validator, once."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphden.check.calls import FROM_PYTHON, TO_PYTHON, UNKNOWN, Calls
from graphden.check.hidden import secret_at
from graphden.check.quick import Test, quick_test
from graphden.check.validators import LEVELS, PREDICATES, TooDeep, gave_up, validator_of
from graphden.edn import write
from graphden.errors import RunError
from graphden.model.types import Primitive, Type, Variable

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator


@dataclass(frozen=True, slots=True)
class Violation:
    """Where a value is not what its type says: `path` inside the value, expected, came."""

    path: tuple[object, ...]
    expected: str
    came: str

    def __str__(self) -> str:
        way = "".join(f":{s}" if isinstance(s, str) else f"[{s}]" for s in self.path)
        if self.came == "nothing" and way:
            return f"the field {way} is missing"
        where = f"at {way} " if way else ""
        return f"{where}expected {self.expected}, got {self.came}"


SHOWN, SAID = 60, 500
"""Characters that are shown of a value, and of what was expected."""


class Contracts:
    """The checks of one graph's types."""

    def __init__(self, types: Mapping[str, Type]) -> None:
        self.types = types
        self._validators: dict[Type, SchemaValidator] = {}
        self._tests: dict[Type, Test] = {}
        self._calls = Calls(types, self.checked)

    def _holds(self, type_: Type, value: object) -> bool:
        """Whether a value is plainly of a type; if not, it may be so all the same."""
        test = self._tests.get(type_)
        if test is None:
            test = self._tests[type_] = quick_test(type_, self.types)
        try:
            return test(value)
        except RecursionError:
            return False

    def violations(self, type_: Type, value: object) -> tuple[Violation, ...]:
        """Everything in which `value` is not what `type_` says."""
        match type_:
            case Primitive("any") | Variable():
                return ()
            case Primitive(name) if name in PREDICATES and PREDICATES[name](value):
                return ()
        if self._holds(type_, value):
            return ()
        from pydantic_core import ValidationError

        validator = self._validators.get(type_)
        if validator is None:
            validator = self._validators[type_] = validator_of(type_, self.types)
        try:
            validator.validate_python(value)
        except TooDeep:
            return (_deep(value),)
        except ValidationError as error:
            if gave_up(error):
                return (_deep(value),)
            return tuple(
                self._violation(found, type_) for found in error.errors(include_url=False)
            )
        return ()

    def guard(self, type_: Type) -> Function[[object], object]:
        """A function that gives its argument back, or raises RunError `contract-violation`.

        A callable, also one inside other data, is given back so that each of its calls is
        checked: what it is called with, and what it gives.
        """
        check = self.checked(type_)
        if not self._calls.any_in(type_):
            return check
        return lambda value: self._calls.wrap(type_, check(value), UNKNOWN)

    def from_python(self, type_: Type, value: object) -> object:
        """A value of `type_` that Python gives, as rows may rely on it: what its callables give
        is checked, and what Python calls the callables with that it is given.
        """
        return self._calls.wrap(type_, value, FROM_PYTHON)

    def to_python(self, type_: Type, value: object) -> object:
        """A value of `type_` that rows made, as it is given to Python: what its callables are
        called with is checked.
        """
        return self._calls.wrap(type_, value, TO_PYTHON)

    def holds_callable(self, type_: Type) -> bool:
        """Whether a value of this type is or holds a callable."""
        return self._calls.any_in(type_)

    def checked(self, type_: Type) -> Function[[object], object]:
        """As `guard`, but of a callable it is only asked to be one."""
        holds = quick_test(type_, self.types)

        def check(value: object) -> object:
            try:
                if holds(value):
                    return value
            except RecursionError:
                pass  # too deep for a test; the validators know their limit
            violations = self.violations(type_, value)
            if not violations:
                return value
            listed = "; ".join(map(str, violations))
            raise RunError("contract-violation", f"not {type_}: {listed}", data=violations)

        return check

    def _violation(self, found: Any, type_: Type) -> Violation:
        context = found.get("ctx", {})
        path = tuple(step for step in found["loc"] if step != "[key]")
        if found["type"] == "missing":
            return Violation(path, "a value", "nothing")
        secret = secret_at(type_, found["loc"], self.types)
        came = "a secret" if secret else _came(found["input"])
        return Violation(path, _cut(str(context.get("expected", found["msg"])), SAID), came)


def _deep(value: object) -> Violation:
    return Violation((), f"nesting of at most {LEVELS} levels", _came(value))


def _came(value: object) -> str:
    return _cut(write(value, most=SHOWN), SHOWN)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}…"
