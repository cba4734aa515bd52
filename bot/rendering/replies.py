"""Errors to words: one table, complete by a test. What is not named here is a failure with a reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.errors import RunNotFound
from bot.rendering.cards import Reader, refusal
from bot.rendering.texts.catalogue import say
from bot.rendering.ticket_cards import category_label, field_label, when
from identity.errors import Forbidden
from tickets import errors as tickets
from tickets.config import TicketsConfig
from tickets.ticket import Priority


@dataclass(frozen=True)
class Words:
    """How errors are put into words for one reader."""

    reader: Reader
    config: TicketsConfig
    guest: bool = False

    @property
    def language(self) -> str:
        """Return the reader's language."""
        return self.reader.language

    def of(self, error: Exception) -> str | None:
        """Return the words for an expected error; None when it is not one."""
        phrase = PHRASES.get(type(error))
        return None if phrase is None else phrase(self, error)

    def say(self, key: str, **values: object) -> str:
        """Return a text of the catalogue."""
        return say(self.language, key, **values)

    def listed(self, names: tuple[str, ...]) -> str:
        """Return names in a row, as the language does it."""
        return ("、" if self.language == "zh" else ", ").join(names)

    def label(self, name: str) -> str:
        """Return what a field of a form is called."""
        return _part(self, name)

    def value(self, name: str, value: str) -> str:
        """Return what a value of a form is called: choices have words of their own."""
        if name == "category":
            return category_label(self.config, value, self.language)
        if name == "priority" and value in set(Priority):
            return self.say(f"ticket.priority.{value}")
        return value

    def fields(self, names: tuple[str, ...]) -> str:
        """Return the labels of fields in a row."""
        return self.listed(tuple(field_label(self.config, name, self.language) for name in names))


def _invalid(words: Words, error: tickets.Invalid) -> str:
    return refusal(words.language, "invalid", "; ".join(_problem(words, each) for each in error.problems))


def _problem(words: Words, problem: tickets.Problem) -> str:
    values = {"field": _part(words, problem.field), "limit": problem.limit or 0}
    return words.say(f"invalid.{problem.code}", **values, allowed=words.listed(problem.allowed))


def _part(words: Words, name: str) -> str:
    if name in ("title", "description", "category", "priority"):
        return words.say(f"ticket.field.{name}")
    if name in words.config.fields:
        return field_label(words.config, name, words.language)
    return category_label(words.config, name, words.language)


def _conflict(words: Words, error: tickets.Conflict) -> str:
    status = words.say(f"ticket.status.{error.status}")
    moment = when(error.at, words.reader)
    return words.say("ticket.conflict", number=error.number, name=error.by, when=moment, status=status)


def _already_filed(words: Words, error: tickets.AlreadyFiled) -> str:
    return words.say("draft.already_filed", number=error.number, name=error.by, when=when(error.at, words.reader))


def _discarded(words: Words, error: tickets.Discarded) -> str:
    return words.say("draft.already_discarded", name=error.by, when=when(error.at, words.reader))


#: Error → its words. Kept complete over `tickets.errors` by a test.
PHRASES: Mapping[type[Exception], Callable[[Words, Any], str]] = {
    Forbidden: lambda words, error: refusal(words.language, "guest" if words.guest else error.reason, error.permission),
    RunNotFound: lambda words, _: refusal(words.language, "not_yours", ""),
    tickets.AlreadyFiled: _already_filed,
    tickets.Ambiguous: lambda words, error: words.say("ticket.ambiguous", numbers=words.listed(error.numbers)),
    tickets.Conflict: _conflict,
    tickets.Discarded: _discarded,
    tickets.Expired: lambda words, _: words.say("draft.expired"),
    tickets.Incomplete: lambda words, error: words.say("asked_back.missing", fields=words.fields(error.missing)),
    tickets.Invalid: _invalid,
    tickets.KeyReused: lambda words, _: words.say("ticket.key_reused"),
    tickets.NotAssignable: lambda words, error: words.say("ticket.not_assignable", name=error.assignee),
    tickets.NotFound: lambda words, error: words.say("ticket.not_found", number=error.reference),
    tickets.NotYours: lambda words, error: words.say("draft.not_yours", name=error.owner),
    tickets.Stale: lambda words, _: words.say("draft.stale"),
    tickets.TooSoon: lambda words, error: refusal(words.language, "cool_down", str(max(1, round(error.left_s / 60)))),
}
