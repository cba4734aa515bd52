"""Tests that could not fail: those that assert nothing, and those that assert only in a loop over what may be empty.

What asserts: `assert`, `pytest.raises` and its like, and a call of a helper of the tests that surely does so itself.
A loop counts where it surely runs: over what is written there, a constant of a module, a counted range, or a name that
the test made of such.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.architecture.source import Module, imports

_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: What asserts though no `assert` stands in it: of pytest and hypothesis, and what waits for a condition, in time.
_ASSERTING = frozenset({"raises", "warns", "fail", "run_state_machine_as_test", "until"})
#: What counts, pairs or orders: as long as what it is given.
_THROUGH = {
    "chain", "dict", "enumerate", "items", "keys", "list", "map", "product", "reversed", "set", "sorted", "split",
    "tuple", "values", "zip",
}  # fmt: skip


@dataclass
class _Helpers:
    """The functions of the tests that surely assert: by module and name, and methods by their name alone."""

    functions: set[tuple[str, str]] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)

    def asserts(self, node: ast.AST, names: Mapping[str, tuple[str, str]]) -> bool:
        match node:
            case ast.Assert():
                return True
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Call(func=ast.Name(id="expect")))):
                return name.startswith(("to_", "not_to_"))  # of a page in a browser
            case ast.Call(func=ast.Name(id=name)):
                return name in _ASSERTING or names.get(name) in self.functions
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in _ASSERTING or name in self.methods
            case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
                return True
        return False


@dataclass
class Judged:
    """The tests that assert nothing, and those that assert only in loops that may not run."""

    without: list[str] = field(default_factory=list)
    only_in_loops: list[str] = field(default_factory=list)


def judged(modules: Iterable[Module]) -> Judged:
    """Return what is wrong with the tests of these modules."""
    known = [(module, _names(module)) for module in modules]
    helpers, found = _helpers(known), Judged()
    for module, names in known:
        if not module.path.name.startswith("test_"):
            continue
        for _, test in _functions(module.tree):
            if not test.name.startswith("test_") or _asserts(_surely(test, names), helpers, names):
                continue
            asserts = _asserts(ast.walk(test), helpers, names)
            (found.only_in_loops if asserts else found.without).append(f"{module.at(test)} {test.name}")
    return found


def _asserts(nodes: Iterable[ast.AST], helpers: _Helpers, names: Mapping[str, tuple[str, str]]) -> bool:
    return any(helpers.asserts(node, names) for node in nodes)


def _names(module: Module) -> dict[str, tuple[str, str]]:
    """Return what a name of a module stands for: the module and the name where it is defined."""
    own = {node.name: (module.name, node.name) for node in ast.walk(module.tree) if isinstance(node, _Function)}
    taken = {
        alias.asname or alias.name: (found.module, alias.name)
        for found in imports(module)
        if isinstance(found.node, ast.ImportFrom)
        for alias in found.node.names
    }
    return taken | own


def _helpers(modules: Iterable[tuple[Module, Mapping[str, tuple[str, str]]]]) -> _Helpers:
    """Return the helpers that surely assert, themselves or through what they call."""
    known = [
        (module.name, names, is_method, function.name, _surely(function, names))
        for module, names in modules
        for is_method, function in _functions(module.tree)
    ]
    found = _Helpers()
    while True:
        more = _Helpers(set(found.functions), set())
        methods: dict[str, list[bool]] = defaultdict(list)
        for module, names, is_method, name, reached in known:
            asserts = _asserts(reached, found, names)
            if is_method:
                methods[name].append(asserts)
            elif asserts:
                more.functions.add((module, name))
        more.methods = {name for name, each in methods.items() if all(each)}
        if more == found:
            return found
        found = more


def _functions(tree: ast.AST, *, in_class: bool = False) -> Iterator[tuple[bool, _Function]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Function):
            yield in_class, node
        yield from _functions(node, in_class=isinstance(node, ast.ClassDef))


def _surely(function: _Function, names: Mapping[str, tuple[str, str]]) -> list[ast.AST]:
    """Return what may assert and is surely reached."""
    filled = {name for name in names if name.lstrip("_").isupper()}
    return [node for node in _reached(function.body, filled) if isinstance(node, ast.Assert | ast.Call | ast.Raise)]


def _reached(body: Iterable[ast.stmt], filled: set[str]) -> Iterator[ast.AST]:
    """Yield what is surely reached of these statements; `filled` are the names of what surely holds something."""
    known = set(filled)
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                continue
            case ast.For(iter=over, body=inner) | ast.AsyncFor(iter=over, body=inner):
                yield from ast.walk(over)
                if _holds(over, known):
                    yield from _reached(inner, known)
            case ast.While(test=test, body=inner):
                yield from (*ast.walk(test), *_reached(inner, known))
            case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
                yield from (node for each in items for node in ast.walk(each))
                yield from _reached(inner, known)
            case ast.If(test=test, body=inner, orelse=other):
                yield from (*ast.walk(test), *_reached(inner, known), *_reached(other, known))
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=last):
                handled = [each for handler in handlers for each in handler.body]
                yield from _reached([*inner, *handled, *other, *last], known)
            case ast.Match(cases=cases):
                yield from _reached([each for case in cases for each in case.body], known)
            case _:
                yield from ast.walk(statement)
        known |= _named(statement, known)


def _named(statement: ast.stmt, filled: set[str]) -> set[str]:
    """Return the names that a statement gives to what surely holds something."""
    match statement:
        case ast.Assign(value=ast.Tuple(elts=values), targets=[ast.Tuple(elts=targets)]):
            pairs = [*zip(targets, values, strict=False)]
        case ast.Assign(value=value, targets=[target]) | ast.AnnAssign(value=ast.expr() as value, target=target):
            pairs = [(target, value)]
        case _:
            return set()
    return {name.id for name, value in pairs if isinstance(name, ast.Name) and _holds(value, filled)}


def _holds(value: ast.expr, filled: set[str]) -> bool:  # noqa: C901, PLR0911, PLR0912 - a line for each kind
    """Say whether this surely holds something."""
    match value:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return any(not isinstance(each, ast.Starred) or _holds(each.value, filled) for each in elements)
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.Constant(value=constant):
            return bool(constant)
        case ast.Name(id=name):
            return name in filled or name.lstrip("_").isupper()
        case ast.Attribute(attr=name) if name.isupper():
            return True
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return _holds(inner, filled)
        case ast.BinOp(left=left, right=right):
            return _holds(left, filled) or _holds(right, filled)
        case ast.Call(func=ast.Name(id="range"), args=args):
            return bool(args)
        case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[ast.keyword(value=ast.Constant(value=True))]):
            return any(_holds(each, filled) for each in args)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[_, *_] as args) if name in _THROUGH:
            return all(_holds(each, filled) for each in (args[1:] if name == "map" else args))
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _THROUGH:
            return _holds(inner, filled)
        case ast.ListComp(generators=[each]) | ast.GeneratorExp(generators=[each]) | ast.SetComp(generators=[each]):
            return not each.ifs and _holds(each.iter, filled)
        case ast.DictComp(generators=[each]):
            return not each.ifs and _holds(each.iter, filled)
    return False
