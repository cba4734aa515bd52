"""Verbs: the commands of a feature in the one grammar of `/desk …`, `@dutydesk …`, the terminal and `dutydesk …`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import features
from storage.ids import JsonValue


@dataclass(frozen=True)
class Verb:
    """A verb with the tool that it calls; without a tool, the rest of its line is a question that the brain answers.

    `/desk ticket assign TCK-2026-000123 Ben` is `Verb("ticket assign", "assign_ticket", words=("ticket",),
    rest="assignee")`. How it is used stands under `help.verbs.<name>`, with an underscore for the space of a name.
    """

    name: str  # one word or two: "oncall", "ticket list"
    tool: str = ""
    words: tuple[str, ...] = ()  # arguments of one word each, in order
    rest: str = ""  # the argument that takes the rest of the line
    needs_rest: bool = False
    unsaid: Mapping[str, str] = field(default_factory=dict)  # what an argument is that was not typed
    prose: bool = False  # the rest is written in somebody's language, and is no name or number
    #: Reads all arguments from the rest of the line, where words in a row do not do.
    read: Callable[[str], Mapping[str, JsonValue]] | None = None

    @property
    def help(self) -> str:
        """Return the key of the text that shows it with an example."""
        return f"help.verbs.{self._key}"

    @property
    def menu(self) -> str:
        """Return the key of its words in the menu of a platform that has one; without words it is not there."""
        return f"menu.verbs.{self._key}"

    @property
    def _key(self) -> str:
        return self.name.replace(" ", "_")


def verbs_of(feature: str) -> tuple[Verb, ...]:
    """Return what `commands.py` of a feature has under `VERBS`; a feature without verbs has no such file."""
    if not any((Path(folder) / feature / "commands.py").exists() for folder in features.__path__):
        return ()
    verbs: tuple[Verb, ...] = import_module(f"features.{feature}.commands").VERBS
    return verbs


def every_verb() -> tuple[Verb, ...]:
    """Return the verbs of all features, without what makes a feature work: for whom only lists them."""
    folders = {path.parent.name for folder in features.__path__ for path in Path(folder).glob("*/commands.py")}
    return tuple(verb for name in sorted(folders) for verb in verbs_of(name))
