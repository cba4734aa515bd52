"""What came of a person's words: a question to a database, or a question back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery

#: Values that columns hold, beside those of the catalogue: source → `table.column` → values.
Values = Mapping[str, Mapping[str, tuple[str, ...]]]
#: How the result shall be drawn; "" is for the desk to choose.
Drawn = Literal["", "chart", "table"]
#: Why a question is not answered yet.
#: - `ambiguous`: `word` can mean each of the choices
#: - `word`: `word` is understood as nothing; the choices are what the other words ask for
#: - `guess`: the same, where the message may be about something else altogether
#: - `measure`: of what? Each choice is a metric
#: - `period`: which period? Each choice is one
#: - `those`: it points back at rows that were not read; the choice is of all rows
#: - `combination`: every word is understood, but what they say together is not
UnclearReason = Literal["ambiguous", "word", "guess", "measure", "period", "combination", "those"]


@dataclass(frozen=True)
class AskedData:
    """A question that was understood: `source` is asked `query`."""

    source: str
    query: DataQuery
    drawn: Drawn = ""
    understood: tuple[str, ...] = ()  # the words that the query stands on
    left_over: tuple[str, ...] = ()  # words that add nothing
    assumed: tuple[tuple[str, str], ...] = ()  # words that the catalogue does not list, and what each was taken for


@dataclass(frozen=True)
class AskedPart:
    """One of several questions of a message, in the person's words."""

    text: str
    asked: AskedData


@dataclass(frozen=True)
class AskedParts:
    """A message of several questions: those for numbers, what the documents are asked, and what was not understood."""

    asked: tuple[AskedPart, ...]
    documents: str = ""
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadingChoice:
    """One thing that may be meant: ready to be asked, with a label in the asker's language."""

    label: str
    asked: AskedData


@dataclass(frozen=True)
class UnclearQuestion:
    """A question back. Without choices there is only `word` to say what was not understood."""

    reason: UnclearReason
    word: str = ""
    choices: tuple[ReadingChoice, ...] = ()


#: What a message is read as; None for what is no question about numbers.
ReadMessage = AskedData | AskedParts | UnclearQuestion | None


def splits(found: AskedData | UnclearQuestion) -> frozenset[tuple[str, ...]]:
    """Return by what the choices of a question back are split."""
    queries = [each.asked.query for each in found.choices] if isinstance(found, UnclearQuestion) else [found.query]
    return frozenset(each.by for each in queries if isinstance(each, MetricQuery))


def may_be_less_cost(supposed: AskedData | UnclearQuestion | None) -> bool:
    """Tell whether one choice is a difference: what was earned may be before or after cost."""
    queries = [each.asked.query for each in supposed.choices] if isinstance(supposed, UnclearQuestion) else []
    return any(isinstance(each, MetricQuery) and each.minus for each in queries)


def is_list(query: DataQuery) -> bool:
    """Tell whether rows are but listed: that is what many questions for the documents look like."""
    return isinstance(query, RowQuery) and not (query.count or query.order or query.without)


def without_days(query: DataQuery) -> DataQuery:
    """Return a query of no period, to compare what else it asks for."""
    nothing = {"period": None, "against": None} if isinstance(query, MetricQuery) else {"period": None}
    return query.model_copy(update=nothing)
