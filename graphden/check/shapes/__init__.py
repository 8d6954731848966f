"""Base functions whose result depends on more than their signature says (LANGUAGE 8.4).

Each has a rule, from what is known of one use of it to the type of its result. A rule never
says more than is true of every run.
"""

from graphden.check.shapes import choices, lists, lookups, maps, numbers
from graphden.check.shapes.use import Analysed, Rule, Use
from graphden.model.types import Type

__all__ = ["Analysed", "result_of"]

RULES: dict[str, Rule] = {
    **numbers.RULES,
    **choices.RULES,
    **lists.RULES,
    **lookups.RULES,
    **maps.RULES,
}


def result_of(function: str, analysed: Analysed, inferred: Type) -> Type | None:
    """What is known of the result beyond `inferred`, if anything."""
    rule = RULES.get(function)
    return None if rule is None else rule(Use(analysed, inferred))
