"""Ports and their implementations, found by the names of methods and parameters, as Python finds them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.architecture.shape import Function
from tests.architecture.source import Module

#: The members of a class by their names, each with the names of its parameters; an attribute has none.
Members = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Port:
    """A `Protocol`: the classes that have all its members, and the other modules that name it."""

    name: str
    module: str
    implementations: tuple[str, ...]
    callers: tuple[str, ...]


def ports(modules: Iterable[Module], *, fakes: Iterable[Module] = ()) -> Iterator[Port]:
    """Yield every port of the modules; `fakes` may implement one and call none."""
    modules = tuple(modules)
    classes = [(module, node) for module in [*modules, *fakes] for node in _classes(module)]
    bases = {node.name: node for _, node in classes}
    offered = [
        (f"{module.name}.{node.name}", _members(node, bases)) for module, node in classes if not _is_protocol(node)
    ]
    named = {
        module.name: {_name(node) for node in ast.walk(module.tree) if isinstance(node, ast.expr)} for module in modules
    }
    for module in modules:
        for node in filter(_is_protocol, _classes(module)):
            wanted = _members(node, bases)
            yield Port(
                node.name,
                module.name,
                tuple(name for name, members in offered if _fits(wanted, members)),
                tuple(name for name, names in named.items() if node.name in names),
            )


def repeated_classes(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each class name that stands in more than one module."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        for node in _classes(module):
            homes[node.name].append(module.name)
    for name, found in sorted(homes.items()):
        if len(found) > 1:
            yield f"{name}: {', '.join(sorted(found))}"


def _classes(module: Module) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef))


def _is_protocol(node: ast.ClassDef) -> bool:
    return "Protocol" in map(_name, node.bases)


def _members(node: ast.ClassDef, bases: Mapping[str, ast.ClassDef]) -> Members:
    """Return what a class declares and inherits, and what its methods set."""
    found: dict[str, frozenset[str]] = {}
    for base in node.bases:
        parent = bases.get(_name(base))
        if parent is not None and parent is not node:
            found |= _members(parent, bases)
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=targets):
                found |= {_name(target): frozenset() for target in targets}
            case ast.AnnAssign(target=target):
                found[_name(target)] = frozenset()
    for method in node.body:
        if isinstance(method, Function) and method.name != "__init__":
            arguments = [*method.args.args, *method.args.kwonlyargs][1:]
            found[method.name] = frozenset(each.arg.lstrip("_") for each in arguments)
    return found


def _fits(wanted: Members, offered: Members) -> bool:
    return all(name in offered and parameters <= offered[name] for name, parameters in wanted.items())


def _name(node: ast.expr) -> str:
    match node:
        case ast.Subscript(value=inner):
            return _name(inner)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
