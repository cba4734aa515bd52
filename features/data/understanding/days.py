"""Questions for the day on which something was done with one thing: "when did Riverside open"."""

from collections.abc import Sequence

from features.data.understanding.asking import is_guidance
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import CutWord, Named, Vocabulary
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Condition, RowQuery

_WHEN = ("when", "什么时候", "哪天", "哪一天")


def day_of_one(words: Sequence[CutWord], vocabulary: Vocabulary, catalog: Catalog) -> RowQuery | None:
    """Return the query of a day of the one thing that is named; None where more is said, or less."""
    guided = [word for word in words if word.text.lower().startswith(_WHEN)]
    if not guided or any(is_guidance(word) and word not in guided for word in words):
        return None
    ones = {
        each: word for word in words for each in word.meanings if _is_one(each, catalog) and isinstance(each, Named)
    }
    if len(ones) != 1:
        return None
    ((one, name),) = ones.items()
    table, label = catalog.place(one.refers_to)
    days: set[str] = set()
    for word in words:
        found = {each.refers_to for each in vocabulary.all_of(word) if _is_day(each, table, catalog)}
        days |= found
        if not (found or word is name or word in guided or word.has(Sign.FILLER)):
            return None
    if len(days) != 1:
        return None
    where = (Condition(column=one.refers_to, values=(one.value,)),)
    return RowQuery(table=table, columns=(f"{table}.{label}", days.pop()), where=where)


def _is_one(meaning: object, catalog: Catalog) -> bool:
    """Tell whether it is the name of a row."""
    if not isinstance(meaning, Named) or meaning.kind != "value":
        return False
    table, name = catalog.place(meaning.refers_to)
    return catalog.tables[table].label == name


def _is_day(named: Named, table: str, catalog: Catalog) -> bool:
    if named.kind != "column" or named.refers_to.partition(".")[0] != table:
        return False
    return catalog.column(named.refers_to).type in ("date", "time")
