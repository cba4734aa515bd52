"""The slash grammar: one parser for every platform. A verb names a tool of the registry: no second definition."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

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
class Verb:
    """A verb's tool, its positional words, and the argument that takes the rest of the line."""

    tool: str
    words: tuple[str, ...] = ()
    rest: str = ""
    needs_rest: bool = False


#: `ticket <verb>` → what it calls.
TICKET_VERBS: Mapping[str, Verb] = {
    "assign": Verb("assign_ticket", ("ticket",), "assignee"),
    "cancel": Verb("cancel_ticket", ("ticket",), "reason"),
    "comment": Verb("comment_ticket", ("ticket",), "text", needs_rest=True),
    "list": Verb("list_tickets"),
    "reopen": Verb("reopen_ticket", ("ticket",), "reason"),
    "resolve": Verb("resolve_ticket", ("ticket",), "resolution", needs_rest=True),
    "show": Verb("show_ticket", ("ticket",)),
    "urge": Verb("urge_ticket", ("ticket",)),
}


#: Arguments that are written in a language, not names or numbers.
_PROSE = frozenset({"reason", "resolution", "text"})


@dataclass(frozen=True)
class Ask:
    """`ask <question>`."""

    question: str


@dataclass(frozen=True)
class Call:
    """A verb with its arguments."""

    tool: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class New:
    """`ticket new <what is wrong>`."""

    description: str


@dataclass(frozen=True)
class Help:
    """`help`, or a command that is not understood; `verb` when it lacks but its words."""

    verb: str = ""


@dataclass(frozen=True)
class Status:
    """`status`: what waits for the person."""


Command = Ask | Call | New | Help | Status


def parse(text: str, *, bare: bool = False) -> Command | None:
    """Return the command that a text is; None when it is plain words. `bare`: the prefix may be left out."""
    head, _, rest = text.strip().partition(" ")
    if head.casefold() == "/help":
        return Help()
    if head.casefold() == PREFIX:
        return parse_line(rest)
    return _bare(text) if bare else None


def parse_line(line: str) -> Command:
    """Return the command of a line without its prefix; what is not understood shows the help."""
    head, _, rest = line.strip().partition(" ")
    match head.casefold():
        case "ask":
            return Ask(rest.strip()) if rest.strip() else Help("ask")
        case "status" | "home":
            return Status()
        case "ticket":
            return _ticket(rest)
        case _:
            return Help()


def as_typed(words: str, *, bare: bool) -> str:
    """Return words of ours that show commands as they are typed on a platform."""
    return words.replace(f"`{PREFIX} ", "`") if bare else words


def own_words(text: str, *, bare: bool = False) -> str:
    """Return what of a text is the person's own words; a command's verbs and references are nobody's language."""
    match parse(text, bare=bare):
        case None:
            return text
        case Ask(question=words) | New(description=words):
            return words
        case Call(arguments=arguments):
            return " ".join(value for name, value in arguments.items() if name in _PROSE)
        case Help() | Status():
            return "" if text.isascii() else text
        case unknown:
            assert_never(unknown)


def _bare(text: str) -> Command | None:
    """Return the command of a text that names a verb in full; a sentence that only begins like one is plain words."""
    words = text.casefold().split()
    if text.strip().casefold() in ALONE:
        return parse_line(ALONE[text.strip().casefold()])
    asks = words[:1] == ["ask"] and len(words) > 1
    ticket = words[:1] == ["ticket"] and "".join(words[1:2]) in {"new", *TICKET_VERBS}
    return parse_line(text) if asks or ticket else None


def _ticket(line: str) -> Command:
    name, _, rest = line.strip().partition(" ")
    if name.casefold() == "new":
        return New(rest.strip()) if rest.strip() else Help("new")
    verb = TICKET_VERBS.get(name.casefold())
    if verb is None:
        return Help()
    arguments: dict[str, str] = {}
    for word in verb.words:
        value, _, rest = rest.strip().partition(" ")
        arguments[word] = value or "last"
    if verb.needs_rest and not rest.strip():
        return Help(name.casefold())
    if verb.rest and rest.strip():
        arguments[verb.rest] = rest.strip()
    return Call(verb.tool, arguments)
