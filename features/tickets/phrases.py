"""What the tickets refuse, in words. Kept complete over `tickets.errors` by a test."""

from collections.abc import Callable, Mapping
from typing import Any

from features.anatomy.feature import Phrase
from features.anatomy.reader import Reader, when
from features.anatomy.spoken import refusal
from features.anatomy.texts import say
from features.tickets.rendering import category_label, field_label
from tickets import errors
from tickets.config import TicketsConfig
from tickets.ticket import Priority

_OWN_FIELDS = ("title", "description", "category", "priority")


def phrases(config: TicketsConfig) -> Mapping[type[Exception], Phrase]:
    """Return each error of the tickets with its words."""

    def invalid(reader: Reader, error: errors.Invalid) -> str:
        problems = (_problem(reader, config, each) for each in error.problems)
        return refusal(reader.language, "invalid", "; ".join(problems))

    def incomplete(reader: Reader, error: errors.Incomplete) -> str:
        names = (field_label(config, name, reader.language) for name in error.missing)
        return say(reader.language, "asked_back.missing", fields=_listed(reader, tuple(names)))

    return {**_PHRASES, errors.Incomplete: incomplete, errors.Invalid: invalid}


def form_row(reader: Reader, config: TicketsConfig, name: str, value: str) -> tuple[str, str]:
    """Return a field of a draft's form and its value as people read them: choices have words of their own."""
    if name == "category":
        value = category_label(config, value, reader.language)
    elif name == "priority" and value in set(Priority):
        value = say(reader.language, f"ticket.priority.{value}")
    return _part(reader, config, name), value


def _problem(reader: Reader, config: TicketsConfig, problem: errors.FieldProblem) -> str:
    values = {"field": _part(reader, config, problem.field), "limit": problem.limit or 0}
    return say(reader.language, f"invalid.{problem.code}", **values, allowed=_listed(reader, problem.allowed))


def _part(reader: Reader, config: TicketsConfig, name: str) -> str:
    if name in _OWN_FIELDS:
        return say(reader.language, f"ticket.field.{name}")
    label = field_label if name in config.fields else category_label
    return label(config, name, reader.language)


def _listed(reader: Reader, names: tuple[str, ...]) -> str:
    """Return names in a row, as the language does it."""
    return ("、" if reader.language == "zh" else ", ").join(names)


def _conflict(reader: Reader, error: errors.Conflict) -> str:
    status = say(reader.language, f"ticket.status.{error.status}")
    at = when(error.at, reader)
    return say(reader.language, "ticket.conflict", number=error.number, name=error.by, when=at, status=status)


def _already_filed(reader: Reader, error: errors.AlreadyFiled) -> str:
    at = when(error.at, reader)
    return say(reader.language, "draft.already_filed", number=error.number, name=error.by, when=at)


def _discarded(reader: Reader, error: errors.Discarded) -> str:
    return say(reader.language, "draft.already_discarded", name=error.by, when=when(error.at, reader))


def _too_soon(reader: Reader, error: errors.TooSoon) -> str:
    return refusal(reader.language, "cool_down", str(max(1, round(error.left_s / 60))))


#: Errors whose words need no configuration.
_PHRASES: Mapping[type[Exception], Callable[[Reader, Any], str]] = {
    errors.AlreadyFiled: _already_filed,
    errors.Ambiguous: lambda reader, error: say(
        reader.language, "ticket.ambiguous", numbers=_listed(reader, error.numbers)
    ),
    errors.Conflict: _conflict,
    errors.Discarded: _discarded,
    errors.Expired: lambda reader, _: say(reader.language, "draft.expired"),
    errors.KeyReused: lambda reader, _: say(reader.language, "ticket.key_reused"),
    errors.NotAssignable: lambda reader, error: say(reader.language, "ticket.not_assignable", name=error.assignee),
    errors.NotFound: lambda reader, error: say(reader.language, "ticket.not_found", number=error.reference),
    errors.NotYours: lambda reader, error: say(reader.language, "draft.not_yours", name=error.owner),
    errors.Stale: lambda reader, _: say(reader.language, "draft.stale"),
    errors.TooSoon: _too_soon,
}
