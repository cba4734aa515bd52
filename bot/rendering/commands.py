"""One grammar of commands for every platform, made from the verbs of the features and the shell's own two."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from features.anatomy.verbs import Verb
from language.spelling import nearest
from storage.ids import JsonValue

#: What a command starts with where the platform has no slash commands of its own.
PREFIX = "/desk"
#: Commands of one word that are understood alone where a platform has none of its own.
ALONE: Mapping[str, str] = {
    "help": "help",
    "home": "home",
    "status": "status",
    "主页": "home",
    "帮助": "help",
    "状态": "status",
    "首页": "home",
}


@dataclass(frozen=True)
class Ask:
    """A question for the brain."""

    question: str


@dataclass(frozen=True)
class Call:
    """A verb with its arguments; `prose`: what of it is written in somebody's language."""

    tool: str
    arguments: Mapping[str, JsonValue]
    prose: str = field(default="", compare=False)


@dataclass(frozen=True)
class Usage:
    """A verb that lacks its words."""

    verb: Verb


@dataclass(frozen=True)
class Unknown:
    """What is no verb, and the verbs that come nearest to it."""

    said: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Help:
    """`help`."""


@dataclass(frozen=True)
class Status:
    """`status`: what waits for the person."""


Command = Ask | Call | Usage | Unknown | Help | Status


class Grammar:
    """Reads commands."""

    def __init__(self, verbs: Iterable[Verb]) -> None:
        self.verbs = {verb.name: verb for verb in verbs}
        self._groups = {name.partition(" ")[0] for name in self.verbs if " " in name}

    def parse(self, text: str, *, bare: bool = False) -> Command | None:
        """Return the command that a text is; None when it is plain words. `bare`: the prefix may be left out."""
        head, _, rest = text.strip().partition(" ")
        if head.casefold() == "/help":
            return Help()
        if head.casefold() == PREFIX:
            return self.parse_line(rest)
        return self._bare(text) if bare else None

    def parse_line(self, line: str) -> Command:
        """Return the command of a line without its prefix."""
        head, _, rest = line.strip().partition(" ")
        name = head.casefold()
        match name:
            case "" | "help":
                return Help()
            case "status" | "home":
                return Status()
            case _ if name in self._groups:
                second, _, behind = rest.strip().partition(" ")
                whole = f"{name} {second.casefold()}"
                if whole in self.verbs:
                    return _command(self.verbs[whole], behind.strip())
                if name not in self.verbs:
                    return Unknown(whole, self._nearest(whole)) if second else Help()
            case _:
                pass
        verb = self.verbs.get(name)
        return Unknown(name, self._nearest(name)) if verb is None else _command(verb, rest.strip())

    def own_words(self, text: str, *, bare: bool = False) -> str:
        """Return what of a text is the person's own words; a verb and its references are nobody's language."""
        match self.parse(text, bare=bare):
            case None:
                return text
            case Ask(question=words) | Call(prose=words):
                return words
            case Help() | Status() | Usage() | Unknown():
                return "" if text.isascii() else text
            case unknown:
                assert_never(unknown)

    def _bare(self, text: str) -> Command | None:
        """Return the command of a text that names a verb in full; one that only begins like one is plain words."""
        plain = " ".join(text.casefold().split())
        if plain in ALONE:
            return self.parse_line(ALONE[plain])
        verb = next((each for name, each in self.verbs.items() if f"{plain} ".startswith(f"{name} ")), None)
        asks_nothing = verb is not None and not verb.tool and plain == verb.name
        return None if verb is None or asks_nothing else self.parse_line(text)

    def _nearest(self, name: str) -> tuple[str, ...]:
        return nearest(name, (*self.verbs, "help", "status"))


def as_typed(words: str, *, bare: bool) -> str:
    """Return words of ours that show commands as they are typed on a platform."""
    return words.replace(f"`{PREFIX} ", "`") if bare else words


def _command(verb: Verb, line: str) -> Command:
    """Return the command of a verb with what stands behind it."""
    if verb.needs_rest and not line:
        return Usage(verb)
    if not verb.tool:
        return Ask(line)
    if verb.read is not None:
        return Call(verb.tool, verb.read(line), line if verb.prose else "")
    arguments: dict[str, JsonValue] = {**verb.unsaid}
    rest = line
    for word in verb.words:
        value, _, rest = rest.strip().partition(" ")
        if value:
            arguments[word] = value
    if verb.needs_rest and not rest.strip():
        return Usage(verb)
    if verb.rest and rest.strip():
        arguments[verb.rest] = rest.strip()
    return Call(verb.tool, arguments, rest.strip() if verb.prose else "")
