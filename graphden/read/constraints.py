"""From forms to the constraints of refinements (LANGUAGE 8.3)."""

from __future__ import annotations

from decimal import Decimal

from graphden.edn import Keyword
from graphden.edn.forms import Form, Kind
from graphden.edn.patterns import PatternProblem, compile_pattern
from graphden.model.types import Constraint
from graphden.read.problems import Problems, nearest, shown

COMPARISONS = (">", ">=", "<", "<=")

SHAPES = {
    **{operator: f"[:{operator} n]" for operator in COMPARISONS},
    "=": "[:= v]",
    "not=": "[:not= v]",
    "in": "[:in [v …]]",
    "matches": '[:matches "re"]',
    "and": "[:and constraint …]",
    "or": "[:or constraint …]",
}


def read_constraint(form: Form, problems: Problems) -> Constraint | None:
    """The constraint that `form` writes, or None after a problem."""
    hint = "One :and, or one :or, takes any number of constraints."
    if problems.too_deep(form, "constraints", hint):
        return None
    problems.level += 1
    constraint = _constraint(form, problems)
    problems.level -= 1
    return constraint


def _constraint(form: Form, problems: Problems) -> Constraint | None:
    if form.kind is Kind.VECTOR and form.items and isinstance(form.items[0].value, Keyword):
        operator, operands = form.items[0].value.text, form.items[1:]
        values = tuple(operand.value for operand in operands)
        match operator, values:
            case (("=" | "not="), (_,)):
                return Constraint(operator, values)
            case (_, (number,)) if operator in COMPARISONS and _is_number(number):
                return Constraint(operator, values)
            case ("in", (list() | frozenset(),)):
                return Constraint(operator, values)
            case ("matches", (str() as pattern,)) if not isinstance(pattern, Keyword):
                return _matches(pattern, operands[0], problems)
            case (("and" | "or"), (_, *_)):
                parts = [read_constraint(operand, problems) for operand in operands]
                kept = tuple(part for part in parts if part is not None)
                return Constraint(operator, kept) if len(kept) == len(parts) else None
    problems.add("bad-constraint", form.span, f"{shown(form)} is not a constraint", _hint(form))
    return None


def _hint(form: Form) -> str:
    head = form.items[0].value if form.kind is Kind.VECTOR and form.items else None
    if not isinstance(head, Keyword):
        return f"There are {' '.join(SHAPES.values())}."
    if head.text in COMPARISONS:
        return f"Write {SHAPES[head.text]}, where n is a number."
    if head.text in SHAPES:
        return f"Write {SHAPES[head.text]}."
    match head.text, [shown(operand) for operand in form.items[1:]]:
        case (("between" | "range"), (least, most)):
            return f"Write [:and [:>= {least}] [:<= {most}]]."
    meant = nearest(head.text, SHAPES)
    return (
        f"Did you mean {SHAPES[meant]}?" if meant else f"There are {' '.join(SHAPES.values())}."
    )


def _matches(pattern: str, form: Form, problems: Problems) -> Constraint | None:
    try:
        compile_pattern(pattern)
    except PatternProblem as problem:
        problems.add(
            "bad-constraint",
            form.span,
            f"the pattern {shown(form)} cannot be read: {problem.message}",
            problem.hint,
        )
        return None
    return Constraint("matches", (pattern,))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
