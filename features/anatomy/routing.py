r"""Routes from files: `routing.en.yaml` and `routing.zh.yaml` of a feature hold what people say for each of its tools.

put_on_call:
  examples: ['Put {colleague} on call for {team}']
  patterns: ['\bon call\b.*\?$']          # regular expressions over the message in lower case
  not: [How does the on-call rota work?]     # sounds alike, and is a question for the documents
  arguments:                                 # the files of both languages make one declaration
    team: {kind: choice, words: {network: [network, the net]}, ask: which_team}
    colleague: {kind: person, ask: which_colleague}
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agent.brains.rules.routes import ReadArguments, Route
from agent.brains.rules.slots import PLACE, ArgumentSlot, SlotKind, SlotReader
from features.anatomy.texts import LANGUAGES, read_yaml


class RoutingError(ValueError):
    """A routing file says something that cannot be followed; told when the desk starts."""


class _RoutingEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Argument(_RoutingEntry):
    kind: SlotKind | None = None
    words: dict[str, list[str]] = Field(default_factory=dict)
    ask: str = ""


_Arguments = Annotated[
    dict[str, _Argument], BeforeValidator(lambda said: {name: one or {} for name, one in (said or {}).items()})
]


class _Said(_RoutingEntry):
    """What one language's file says of one tool."""

    examples: list[str] = Field(default_factory=list)
    patterns: list[str] = Field(default_factory=list)
    counterexamples: list[str] = Field(default_factory=list, alias="not")
    arguments: _Arguments = Field(default_factory=dict)


def routes_of(package: str, reading: Mapping[str, ReadArguments] | None = None) -> tuple[Route, ...]:
    """Return the routes of a feature's package, from its files.

    `reading` has, by tool, what reads arguments that cannot be declared. Raises `RoutingError` for what is wrong.
    """
    folder = Path(next(iter(import_module(package).__path__)))
    reading = reading or {}
    files = [_file(folder / f"routing.{language}.yaml") for language in LANGUAGES]
    tools = list(dict.fromkeys(tool for file in files for tool in file))
    if strange := set(reading) - set(tools):
        raise RoutingError(f"{package}: no examples for {', '.join(sorted(strange))}")
    return tuple(_route(tool, [file[tool] for file in files if tool in file], reading.get(tool)) for tool in tools)


def _file(path: Path) -> Mapping[str, _Said]:
    try:
        return _said(path, path.stat().st_mtime_ns)
    except ValueError as error:
        raise RoutingError(f"{path.parent.name}/{path.name}: {error}") from error


@cache
def _said(path: Path, _written: int) -> Mapping[str, _Said]:
    """Read a file once; whoever opens many desks reads the same ones again."""
    said: Mapping[str, Any] = read_yaml(path)
    return {tool: _Said.model_validate(one or {}) for tool, one in said.items()}


def _route(tool: str, said: list[_Said], read: ReadArguments | None) -> Route:
    examples = tuple(each for one in said for each in one.examples)
    slots = _slots(tool, said)
    places = {name for example in examples for name in PLACE.findall(example)}
    if read is None and (unknown := places - {slot.name for slot in slots}):
        raise RoutingError(f"{tool}: {', '.join(sorted(unknown))} in an example is none of its arguments")
    return Route(
        tool=tool,
        read=read or SlotReader(slots, examples),
        examples=examples,
        patterns=tuple(re.compile(each) for one in said for each in one.patterns),
        counterexamples=tuple(each for one in said for each in one.counterexamples),
    )


def _slots(tool: str, said: list[_Said]) -> tuple[ArgumentSlot, ...]:
    """Return the arguments with what both languages say of them, in the order in which they are first named."""
    names = dict.fromkeys(name for one in said for name in one.arguments)
    return tuple(_slot(tool, name, [one.arguments[name] for one in said if name in one.arguments]) for name in names)


def _slot(tool: str, name: str, said: list[_Argument]) -> ArgumentSlot:
    words: dict[str, list[str]] = defaultdict(list)
    for one in said:
        for value, called in one.words.items():
            words[value].extend(called)
    kinds = {one.kind for one in said if one.kind is not None} or {SlotKind.CHOICE if words else SlotKind.TEXT}
    codes = {one.ask for one in said if one.ask} or {""}
    if len(kinds) > 1 or len(codes) > 1:
        raise RoutingError(f"{tool}: the languages disagree about {name}")
    kind, ask = kinds.pop(), codes.pop()
    if (kind is SlotKind.CHOICE) != bool(words):
        raise RoutingError(f"{tool}: {name} has words and is no choice, or is a choice and has none")
    return ArgumentSlot(name, kind, words, ask)
