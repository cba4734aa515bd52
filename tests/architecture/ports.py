"""Ports and their implementations, found by the names of their methods, as Python finds them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.architecture.shape import Function
from tests.architecture.source import Module


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
    for module in modules:
        for port in _classes(module):
            if not _is_protocol(port):
                continue
            wanted = _members(port, bases)
            yield Port(
                port.name,
                module.name,
                tuple(
                    f"{other.name}.{node.name}"
                    for other, node in classes
                    if not _is_protocol(node) and wanted <= _members(node, bases)
                ),
                tuple(other.name for other in modules if _names(other, port)),
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
    plain = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in plain)


def _members(node: ast.ClassDef, bases: Mapping[str, ast.ClassDef]) -> set[str]:
    """Return what a class declares and inherits: methods, annotated names, and what its methods set on `self`."""
    found = {each.name for each in node.body if isinstance(each, Function)} - {"__init__"}
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=targets):
                found |= {name for target in targets if (name := _name(target))}
            case ast.AnnAssign(target=target):
                found.add(_name(target))
    for base in node.bases:
        parent = bases.get(_name(base.value if isinstance(base, ast.Subscript) else base))
        if parent is not None and parent is not node:
            found |= _members(parent, bases)
    return found


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _names(module: Module, port: ast.ClassDef) -> bool:
    """Say whether a module names the port, other than by defining it."""
    return any(isinstance(node, ast.expr) and _name(node) == port.name for node in ast.walk(module.tree))
