"""The source as the checks see it: modules with their syntax trees, read from any folder, real or made up."""

import ast
import gc
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Module:
    """One file: its dotted name, its text and its tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    def at(self, node: ast.AST) -> str:
        return f"{self.name}:{getattr(node, 'lineno', 1)}"


@dataclass(frozen=True)
class Import:
    """One imported name: `import a.b` gives ("a.b", ""), `from a import b` gives ("a", "b")."""

    module: str
    name: str
    node: ast.AST

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]


@cache
def project() -> Mapping[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def root_packages() -> tuple[str, ...]:
    return tuple(project()["tool"]["importlinter"]["root_packages"])


@cache
def product() -> tuple[Module, ...]:
    """Return every module of the product, without its tests."""
    return _kept(root_packages())


@cache
def suite() -> tuple[Module, ...]:
    return _kept(("tests",))


def _kept(packages: tuple[str, ...]) -> tuple[Module, ...]:
    """Return modules that stay for the whole run, out of the garbage collector's sight.

    It would look through millions of nodes again and again: up to 3 s in which the event loop of no later test moves.
    """
    gc.disable()
    try:
        return tuple(modules(ROOT, packages))
    finally:
        gc.freeze()
        gc.enable()


def modules(root: Path, packages: tuple[str, ...]) -> Iterator[Module]:
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            yield Module(name, path, text, ast.parse(text))


def made_up(folder: Path, files: Mapping[str, str]) -> tuple[Module, ...]:
    """Write a small tree and read it, to show a check failing."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(modules(folder, tuple(sorted({name.partition("/")[0] for name in files}))))


def imports(module: Module) -> Iterator[Import]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, "", node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (Import(node.module, alias.name, node) for alias in node.names)
