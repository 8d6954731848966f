"""What other languages call the things of this one, where the letters do not tell."""

from __future__ import annotations

_ALSO = {
    # types and their constructors
    "text": "string str varchar",
    "bool": "boolean",
    "int": "integer long",
    "float": "double",
    "numeric": "number",
    "decimal": "bigdec bigdecimal",
    "null": "nil none",
    "jsonb": "json object",
    "timestamptz": "timestamp datetime instant",
    "list": "array",
    "fn": "function lambda",
    # keys of rows and binding forms
    "args": "arguments params inputs",
    "description": "doc docs docstring",
    "parent": "extends inherits base",
    "return-type": "return returns result",
    "required": "optional",
    "value": "default literal",
    "as": "rename",
    # constraints
    ">": "gt",
    ">=": "gte min at-least",
    "<": "lt",
    "<=": "lte max at-most",
    "not=": "!= not",
    "in": "enum one-of",
    "matches": "match regex re",
    # rows of the library
    "add": "plus +",
    "sub": "minus -",
    "mul": "times multiply *",
    "div": "divide /",
    "eq": "= equals",
    "count": "length size",
    "log": "print println",
    "reduce": "fold",
}

OTHER_WORDS = {other: word for word, others in _ALSO.items() for other in others.split()}
