"""Types: how they relate, what values they take, and what is wrong with those of a graph."""

from graphden.check.callables import check_handings
from graphden.check.contracts import Contracts, Violation
from graphden.check.relate import Relation, narrower, relate

__all__ = ["Contracts", "Relation", "Violation", "check_handings", "narrower", "relate"]
