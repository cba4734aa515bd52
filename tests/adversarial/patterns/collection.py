"""Collects every regular expression of the product, with where it stands and how it is used.

Compiled ones are found by walking what the modules hold (containers, dataclasses, closures); those that stand in a
function are taken from its source, with the names of its module; routing files come in by the routes made of them.
"""

import ast
import builtins
import dataclasses
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

import regex

from tests.architecture.source import Module, imports

#: What the functions of `re` do with a text: `findall` and `sub` try again after each match, as `finditer` does.
_WAYS = {
    "match": "match",
    "fullmatch": "fullmatch",
    "search": "search",
    **dict.fromkeys(("sub", "subn", "split", "findall", "finditer"), "finditer"),
}
#: How a pattern is tried of which nobody can say how it is used.
_ANY_WAY = frozenset({"search", "finditer", "fullmatch"})


@dataclass(frozen=True)
class Expression:
    """One regular expression: where it stands, itself, and how it meets texts."""

    place: str
    pattern: re.Pattern[Any] | regex.Pattern[Any]
    ways: frozenset[str]


def expressions(modules: Iterable[Module]) -> tuple[Expression, ...]:
    """Return every regular expression of these modules, each once."""
    sources = tuple(modules)
    used = _ways_by_name(sources)
    found: dict[tuple[Any, int], Expression] = {}
    for source in sources:
        if not any(one.module in ("re", "regex") for one in imports(source)):
            continue  # what it holds was compiled elsewhere
        module = importlib.import_module(source.name)
        for expression in (*_held(module, used), *_written(source, module)):
            key = (expression.pattern.pattern, expression.pattern.flags)
            known = found.get(key)
            ways = expression.ways | (known.ways if known else frozenset())
            found[key] = Expression(known.place if known else expression.place, expression.pattern, ways)
    return tuple(found.values())


def walked(name: str, value: object) -> Iterator[Expression]:
    """Yield the patterns that a value holds, to be tried in any way."""
    yield from (Expression(place, pattern, _ANY_WAY) for place, pattern in _walk(name, value, set()))


def _held(module: ModuleType, used: Mapping[str, set[str]]) -> Iterator[Expression]:
    for name, value in vars(module).items():
        if isinstance(value, ModuleType) or name.startswith("__"):
            continue
        for place, pattern in _walk(f"{module.__name__}.{name}", value, set()):
            ways = used.get(_known(module.__name__, name)) if pattern is value else None
            yield Expression(place, pattern, frozenset(ways or _ANY_WAY))


def _walk(place: str, value: object, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern | regex.Pattern):
        yield place, value
    for name, one in [*_parts(value, place.partition(".")[0])]:
        yield from _walk(f"{place}{name}", one, seen)


def _parts(value: object, package: str) -> Iterator[tuple[str, object]]:
    """Yield what a container, a function, a class of that package, a dataclass or a bound method holds."""
    match value:
        case Mapping():
            for key, one in [*value.items()]:
                yield from ((f"[{str(key)[:30]!r}]", each) for each in (key, one))
        case list() | tuple() | set() | frozenset():
            yield from ((f"[{number}]", one) for number, one in enumerate(value))
        case FunctionType():
            yield from ((f"<{number}>", _content(cell)) for number, cell in enumerate(value.__closure__ or ()))
            yield "()", value.__defaults__ or ()
        case type():
            own = vars(value).items() if value.__module__.partition(".")[0] == package else ()
            yield from ((f".{name}", one) for name, one in own)
        case MethodType():
            yield from ((".__self__", value.__self__), (".__func__", value.__func__))
        case partial():
            yield from ((".func", value.func), (".args", value.args), (".keywords", value.keywords))
        case _ if dataclasses.is_dataclass(value):
            yield from ((f".{each.name}", getattr(value, each.name, None)) for each in dataclasses.fields(value))


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not yet filled
        return None


def _ways_by_name(sources: Iterable[Module]) -> Mapping[str, set[str]]:
    """Return, for each name, the methods that are called on it anywhere; a name that is handed on is used anyhow.

    Names that begin with an underscore are those of their module: "module._NAME".
    """
    used: defaultdict[str, set[str]] = defaultdict(set)
    for source in sources:
        called: set[int] = set()
        for node in ast.walk(source.tree):
            on = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
            if on is not None and on.attr in _WAYS and (name := _last_name(on.value)):
                used[_known(source.name, name)].add(_WAYS[on.attr])
                called.add(id(on.value))
        for node in ast.walk(source.tree):
            handed = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
            if handed and id(node) not in called and (name := _last_name(node)) and name.isupper():
                used[_known(source.name, name)] |= _ANY_WAY
    return used


def _known(module: str, name: str) -> str:
    return f"{module}.{name}" if name.startswith("_") else name


def _last_name(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


class _Word(str):
    """A word in the place of what only a call knows, whatever is asked of it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "_Word":
        return self

    def __call__(self, *_: object, **__: object) -> "_Word":
        return self


class _Names(dict[str, object]):
    """The names of a module, and a word for every other."""

    def __missing__(self, name: str) -> object:
        if hasattr(builtins, name):
            raise KeyError(name)
        return _Word("word")


def _written(source: Module, module: ModuleType) -> Iterator[Expression]:
    """Yield the patterns that functions hand to `re`, with "word" for what only a call knows."""
    functions = (each for each in ast.walk(source.tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    for node in {inner for function in functions for inner in ast.walk(function)}:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        of_re = _last_name(node.func.value) in ("re", "regex")
        if not of_re or node.func.attr not in {*_WAYS, "compile"} or not node.args:
            continue
        ways = _ANY_WAY if node.func.attr == "compile" else frozenset({_WAYS[node.func.attr]})
        try:
            pattern = _evaluated(node.args[0], module)
        except Exception as error:
            raise AssertionError(f"{source.at(node)}: the pattern is not readable: {error!r}") from error
        said = [ast.unparse(each) for each in (*node.args[1:], *(keyword.value for keyword in node.keywords))]
        flags = [_evaluated(ast.parse(each, mode="eval").body, module) for each in said if each.startswith("re.")]
        known = sum({each.value for each in flags if isinstance(each, re.RegexFlag)})
        if isinstance(pattern, re.Pattern | regex.Pattern):
            yield Expression(source.at(node), pattern, ways)
        elif isinstance(pattern, str | bytes):
            library = regex if _last_name(node.func.value) == "regex" else re
            yield Expression(source.at(node), library.compile(pattern, known), ways)


def _evaluated(node: ast.expr, module: ModuleType) -> Any:
    code = compile(ast.Expression(body=node), module.__name__, "eval")
    return eval(code, _Names(vars(module)))
