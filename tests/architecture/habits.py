"""House rules that neither ruff nor the import linter can express."""

import ast
from collections.abc import Iterable, Iterator

from tests.architecture.shape import Function
from tests.architecture.source import Module, imports

#: The one reader of the environment.
SETTINGS = "bot.settings"
#: The places that outlive whatever breaks in what they run; each says why in a comment.
BROAD_EXCEPTS = ("bot.inbox.inbox", "bot.schedules.jobs", "storage.queue.worker")
BROAD = {"Exception", "BaseException"}
#: Public methods of a service that act for nobody: housekeeping that jobs and start-up call.
ACTORLESS = {"close", "embed_pending", "expire_drafts", "open", "rebuild", "start", "warm_up"}


def environment_reads(modules: Iterable[Module]) -> Iterator[str]:
    for module in modules:
        if module.name == SETTINGS:
            continue
        for node in ast.walk(module.tree):
            if (
                isinstance(node, ast.Attribute)
                and _is_os(node.value)
                and node.attr in {"environ", "getenv", "environb"}
            ):
                yield module.at(node)
        for found in imports(module):
            if found.module == "os" and found.name in {"environ", "getenv", "environb"}:
                yield module.at(found.node)


def broad_excepts(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each handler that takes everything, unless it only cleans up and raises again."""
    for module in modules:
        if module.name in BROAD_EXCEPTS:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ExceptHandler) and _is_broad(node) and not _raises_again(node):
                yield module.at(node)


def mocks(modules: Iterable[Module]) -> Iterator[str]:
    for module in modules:
        for found in imports(module):
            if found.module.startswith("unittest.mock") or (found.module, found.name) == ("unittest", "mock"):
                yield module.at(found.node)


def actorless_methods(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each public async method of a `…Service` whose first parameter is not `actor`."""
    for module in modules:
        if not module.name.endswith(".service"):
            continue
        for service in _services(module):
            for method in service.body:
                if isinstance(method, ast.AsyncFunctionDef) and not method.name.startswith("_"):
                    names = [argument.arg for argument in method.args.args]
                    if method.name not in ACTORLESS and names[1:2] != ["actor"]:
                        yield f"{module.at(method)} {service.name}.{method.name}"


def local_imports(modules: Iterable[Module], *, allowed: Iterable[str] = ()) -> Iterator[str]:
    """Yield each import inside a function: a cycle admitting itself, or a start-up cost that hides."""
    for module in modules:
        if module.name in allowed:
            continue
        for function in (node for node in ast.walk(module.tree) if isinstance(node, Function)):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield module.at(node)


def _services(module: Module) -> Iterator[ast.ClassDef]:
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Service"):
            yield node


def _is_os(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "os"


def _is_broad(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in BROAD) for kind in kinds)


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None
