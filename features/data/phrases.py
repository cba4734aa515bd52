"""What is in the way of an answer from a database, in words. Kept complete over `queries.sql.errors` by a test."""

from collections.abc import Mapping

from features.anatomy.feature import Phrase
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from queries.sql import errors


def in_words(reader: Reader, error: errors.SqlError) -> str:
    """Return an error as a person reads it."""
    return PHRASES[type(error)](reader, error)


def _refused(reader: Reader, error: errors.StatementRefused) -> str:
    return say(reader.language, f"data.refused.{error.code}", detail=error.detail)


def _costly(reader: Reader, error: errors.TooCostly) -> str:
    return say(reader.language, "data.too_costly", rows=in_round_figures(error.rows, reader.language))


def _unavailable(reader: Reader, error: errors.SourceUnavailable) -> str:
    return say(reader.language, "data.unavailable", name=error.name, why=error.why)


def _slow(reader: Reader, error: errors.QueryTooSlow) -> str:
    return say(reader.language, "data.too_slow", seconds=f"{error.seconds:g}")


PHRASES: Mapping[type[Exception], Phrase] = {
    errors.StatementRefused: _refused,
    errors.TooCostly: _costly,
    errors.SourceUnavailable: _unavailable,
    errors.QueryTooSlow: _slow,
    errors.QueryFailed: lambda reader, error: say(reader.language, "data.failed", detail=str(error)),
    errors.NameTaken: lambda reader, _error: say(reader.language, "data.name_taken"),
    errors.NoSuchQuestion: lambda reader, _error: say(reader.language, "data.no_such_question"),
    errors.TooManySchedules: lambda reader, _error: say(reader.language, "data.sent.too_many"),
    errors.NoSuchSchedule: lambda reader, _error: say(reader.language, "data.sent.not_yours"),
    errors.QueryNotPossible: lambda reader, error: say(reader.language, "data.not_possible", detail=str(error)),
    errors.SourcesInvalid: lambda reader, error: say(reader.language, "data.invalid", detail=str(error)),
}


def in_round_figures(rows: int, language: str) -> str:
    """Return a count as people say it: "40 million", 4000 万."""
    if language == "zh":
        return f"{rows / 10_000:,.0f} 万" if rows >= 10_000 else f"{rows:,}"
    for size, word in ((1_000_000_000, "billion"), (1_000_000, "million")):
        if rows >= size:
            return f"{rows / size:.2g} {word}" if rows < 10 * size else f"{rows / size:,.0f} {word}"
    digits = max(len(str(rows)) - 2, 0)
    return f"{round(rows, -digits):,}"
