r"""Routes from files: `routing.en.yaml` and `routing.zh.yaml` of a feature hold what people say for each of its tools.

who_is_on_call:
  examples: [Who is on call for the network?]
  patterns: ['\bon call\b.*\?$']          # regular expressions over the message in lower case
  not: [How does the on-call rota work?]     # sounds alike, and is a question for the documents
"""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from agent.brains.rules.routes import ReadArguments, Route
from features.anatomy.texts import LANGUAGES


def routes_of(package: str, reading: Mapping[str, ReadArguments]) -> tuple[Route, ...]:
    """Return the routes of a feature's package: `reading` has, for each tool, what reads its arguments from words."""
    folder = Path(next(iter(import_module(package).__path__)))
    files = [yaml.safe_load((folder / f"routing.{name}.yaml").read_text(encoding="utf-8")) for name in LANGUAGES]
    unread = {tool for file in files for tool in file} - set(reading)
    if unread:
        raise LookupError(f"{package}: nothing reads the arguments of {', '.join(sorted(unread))}")
    return tuple(_route(tool, read, [file.get(tool, {}) for file in files]) for tool, read in reading.items())


def _route(tool: str, read: ReadArguments, said: list[Mapping[str, Any]]) -> Route:
    return Route(
        tool=tool,
        read=read,
        examples=tuple(each for one in said for each in one.get("examples", ())),
        patterns=tuple(re.compile(each) for one in said for each in one.get("patterns", ())),
        counterexamples=tuple(each for one in said for each in one.get("not", ())),
    )
