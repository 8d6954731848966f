"""Generated code made readable: what its names stand for decides what they are called."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from graphden.compile import Source
from graphden.eject.literals import literal
from graphden.eject.naming import Names, identifier, short

PREFIXES = {"c": "", "k": "compute_", "l": "get_", "f": "", "v": ""}
"""What stands before the name of the row that a local of the generated code is about."""

KNOWN = ("context", "ending")
"""Names that the generated code of every row has."""

WORDS = {"e": "error", "a": "folded", "p": "item"}
"""Names of locals that no row and no argument names."""


def name_locals(source: Source, named: dict[str, str], names: Names) -> None:
    """Name the functions, parameters and variables of a module. What a function binds may be
    called like what others bind beside it, never like what is bound around it.
    """
    functions = _functions_in(source.module.body)
    bound = [dict(_own_names(source, function)) for function in _all(functions)]
    for function in functions:
        if function.name not in named:
            named[function.name] = names.give(row_at(source, function.lineno))
    # What a function hands to one that is not inside of it has one name in both.
    several = Counter(name for own in bound for name in own)
    for name, wanted in (item for own in bound for item in own.items()):
        if several[name] > 1 and name not in named:
            named[name] = names.give(wanted)
    waiting = [(function, names) for function in functions]
    while waiting:
        function, outer = waiting.pop()
        inside = outer.inner()
        for name, wanted in _own_names(source, function):
            if name not in named:
                free = wanted if wanted != named[function.name] else "result"
                named[name] = inside.give(free)
        waiting += [(each, inside) for each in _functions_in(_of_function(function))]


def _own_names(source: Source, function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """What a function binds, in the order of the text, and what each should be called."""
    for node in _of_function(function):
        match node:
            case ast.FunctionDef(name=name):
                yield name, PREFIXES[name[0]] + row_at(source, node.lineno)
            case ast.arg(arg=name) if name not in KNOWN:
                yield name, _local(source, name, function.lineno)
            case ast.ExceptHandler(name=str() as name):
                yield name, WORDS["e"]
            case ast.Name(id=name, ctx=ast.Store()) if name not in KNOWN:
                yield name, _local(source, name, node.lineno)


def _local(source: Source, name: str, line: int) -> str:
    if name in source.arguments:
        argument = source.arguments[name].strip("_")
        return identifier(argument, "argument") if argument else "unused"
    return WORDS.get(name[0]) or PREFIXES[name[0]] + row_at(source, line)


def _of_function(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, those inside inner functions left out."""
    waiting: list[ast.AST] = [*reversed((*function.args.args, *function.body))]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            waiting += reversed([*ast.iter_child_nodes(node)])


def _functions_in(nodes: Iterable[ast.AST]) -> list[ast.FunctionDef]:
    return [node for node in nodes if isinstance(node, ast.FunctionDef)]


def _all(functions: list[ast.FunctionDef]) -> Iterator[ast.FunctionDef]:
    for function in functions:
        yield function
        yield from _all(_functions_in(_of_function(function)))


def asks(module: ast.Module) -> bool:
    """Whether values of any type are asked whether they are true, in LANGUAGE 7.1's sense."""
    return any(
        isinstance(node, ast.Compare) and len(node.ops) == 2 for node in ast.walk(module)
    )


def row_at(source: Source, line: int) -> str:
    """The row that a line is of, as Python writes names."""
    return short(source.lines[line - 1].row)


def defaults_of(module: ast.Module, fits: Callable[[str, object], bool]) -> dict[str, object]:
    """The arguments for which one literal stands wherever they are not given, and these
    literals; they are written so no more: the argument has that default.
    """
    uses: dict[str, int] = {}
    found: dict[str, list[ast.Constant]] = {}
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                uses[name] = uses.get(name, 0) + 1
            case ast.IfExp() if (choice := _default(node)) is not None:
                found.setdefault(choice[0], []).append(choice[1])
    chosen: dict[str, object] = {
        name: constants[0].value
        for name, constants in found.items()
        if uses[name] == 2 * len(constants)
        and len({(type(each.value), each.value) for each in constants}) == 1
        and fits(name, constants[0].value)
    }
    _Without(chosen).visit(module)
    return chosen


def _default(node: ast.expr) -> tuple[str, ast.Constant] | None:
    """The argument and the literal of `literal if argument is MISSING else argument`."""
    match node:
        case ast.IfExp(
            test=ast.Compare(
                left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Name(id="MISSING")]
            ),
            body=ast.Constant() as default,
            orelse=ast.Name(id=other),
        ) if name == other:
            return name, default
    return None


class _Without(ast.NodeTransformer):
    def __init__(self, chosen: Mapping[str, object]) -> None:
        self._chosen = chosen

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        choice = _default(node)
        return node.orelse if choice is not None and choice[0] in self._chosen else node


class Renamed(ast.NodeTransformer):
    """Writes every name and every literal as people do."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._names.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if node.name is not None:
            node.name = self._names.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        self.generic_visit(node)
        values: list[ast.expr] = []
        for each in node.values:
            alike = isinstance(each, ast.BoolOp) and type(each.op) is type(node.op)
            values += each.values if isinstance(each, ast.BoolOp) and alike else [each]
        node.values = values
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.copy_location(literal(node.value), node)
