"""The size of things, measured the same way for everybody."""

import ast
from collections.abc import Iterable, Iterator

from tests.architecture.source import Module

MAX_FUNCTION = 80
MAX_MODULE = 500
MAX_ENTRIES = 12

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(module: Module) -> Iterator[Function]:
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            yield node


def length(function: Function) -> int:
    """Return the lines of a function from its `def` to its end, decorators not counted."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def long_functions(modules: Iterable[Module]) -> Iterator[str]:
    for module in modules:
        for function in functions(module):
            if length(function) > MAX_FUNCTION:
                yield f"{module.at(function)} {function.name} has {length(function)} lines"


def long_modules(modules: Iterable[Module]) -> Iterator[str]:
    for module in modules:
        if module.lines > MAX_MODULE:
            yield f"{module.name} has {module.lines} lines"


def busy_packages(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each `__init__.py` that holds more, or less, than a docstring."""
    for module in modules:
        if module.is_package and (len(module.tree.body) != 1 or ast.get_docstring(module.tree) is None):
            yield module.name


def full_folders(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each folder of modules with more entries than one sees at a glance; `__init__.py` is none."""
    for folder in sorted({module.path.parent for module in modules}):
        entries = {path.name for path in folder.iterdir()} - {"__init__.py", "__pycache__"}
        if len(entries) > MAX_ENTRIES:
            package = next(module for module in modules if module.path.parent == folder)
            name = package.name if package.is_package else package.name.rpartition(".")[0]
            yield f"{name} has {len(entries)} entries"
