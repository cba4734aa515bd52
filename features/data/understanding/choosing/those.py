"""Words that point back at rows that were spoken of: "of those", "how much money is that", "their budget", 其中.

A number of all rows is no answer to them: it is bounded by what bounded those rows, or nobody knows of which it is.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from features.data.understanding.asked import AskedData
from features.data.understanding.naming import table_of
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import CutWord, Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, RowQuery

#: What narrows those rows: "how many of them".
_AMONG = r"\b(?:of|among)\s(?:them|those|these|which|whom)\b|其中|(?:[他它她]们|这些|那些)(?:当?中|里)"
_OF_THOSE = re.compile(_AMONG, re.IGNORECASE)
_BACK = re.compile(
    rf"{_AMONG}|\b(?:(?:of|among)\s(?:that|it)|them|they|their|theirs|those|these(?!\s(?:days|weeks|months|years)))\b"
    r"|[他它她]们|[这那]些(?![天日周月年])|[这那]里面|[这那]当中|^(?:里[面边头]|当中)|^[这那]是",
    re.IGNORECASE,
)
#: What is said of a thing that stands before it: "how many orders did they place", "how many orders are these".
_SAID_OF = re.compile(
    r"\b(?:is|are|was|were|do|does|did|have|has|had)\s"
    r"(?:they|these|those|(?:that|this|it)(?=[?!.,;]|$|\s(?:in|worth|all|altogether|together)\b))",
    re.IGNORECASE,
)


def is_of_those(text: str) -> bool:
    """Tell whether a message asks for a part of the rows that were spoken of: "how many of them", 其中."""
    return _OF_THOSE.search(text) is not None


def points_back(text: str, words: Iterable[CutWord]) -> bool:
    """Tell whether a message points back at rows that it does not name itself."""
    said_of, back = _SAID_OF.search(text), _BACK.search(text)
    found = said_of or back
    if found is None:
        return False
    named = [word for word in words if word.end <= found.start() and _names_rows(word)]
    return len(named) <= (1 if said_of is not None else 0)


def _names_rows(word: CutWord) -> bool:
    sure = (each for each in word.meanings if each not in word.supposed)
    return any(isinstance(each, Named) and each.kind in ("table", "metric", "value") for each in sure)


def names_period(words: Iterable[CutWord]) -> bool:
    """Tell whether it is said of which time something is."""
    return any(isinstance(each, DaySpan) for word in words for each in word.meanings)


def bounded(found: AskedData, before: AskedData, catalog: Catalog, words: Iterable[CutWord]) -> AskedData | None:
    """Return a question in these words, bounded as the rows of the one before it; None where that cannot be."""
    query, earlier, words = found.query, before.query, tuple(words)
    counts_change = _is_change(query) and not names_period(words) and any(word.has(Sign.HOW_MANY) for word in words)
    if found.source != before.source or not _keeps_choice(query, earlier) or counts_change:
        return None  # "how many of those fell through" asks for no change against the month before
    table, other = table_of(query, catalog), table_of(earlier, catalog)
    columns = {each.column for each in _conditions(query)}
    if any(_excludes(one, other) for one in _conditions(query) for other in earlier.where):
        return None  # who works at home is none of those in Chengdu
    lacking = tuple(each for each in earlier.where if each.column not in columns)
    if any(catalog.path(table, each.column.partition(".")[0]) is None for each in lacking):
        return None
    changed: dict[str, object] = {"where": (*lacking, *query.where)} if lacking else {}
    if earlier.period is not None and query.period is None and not names_period(words):
        if table != other or earlier.time:
            return None  # what was ordered last month is not who was hired then
        changed["period"] = earlier.period
    elif earlier.period is not None and table != other:
        return None
    return replace(found, query=query.model_copy(update=changed)) if changed else found


def _is_change(query: DataQuery) -> bool:
    return isinstance(query, MetricQuery) and query.against is not None


def _keeps_choice(query: DataQuery, earlier: DataQuery) -> bool:
    """Tell whether rows that were chosen by more than their conditions are still those."""
    if isinstance(earlier, RowQuery):
        chosen = earlier.without is not None or (earlier.rows is not None and bool(earlier.order))
        return not chosen or (isinstance(query, RowQuery) and query.without == earlier.without)
    if isinstance(query, RowQuery):
        return not (earlier.rows or earlier.having or earlier.part or earlier.against)
    parts = {each.column for each in _conditions(query)}
    kept = (query.rows is not None or earlier.rows is None) and (query.having or not earlier.having)
    timed = query.weekdays == earlier.weekdays and query.hours == earlier.hours
    return bool(kept) and timed and all(each.column in parts for each in earlier.part)


def _excludes(one: Condition, other: Condition) -> bool:
    """Tell whether no row has a value of both."""
    alike = one.column == other.column and one.operator == other.operator == "is"
    return alike and not {*one.values} & {*other.values}


def _conditions(query: DataQuery) -> tuple[Condition, ...]:
    return (*query.where, *query.part) if isinstance(query, MetricQuery) else query.where
