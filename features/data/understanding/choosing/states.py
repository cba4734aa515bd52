"""States that are said in another form, or without what is counted: "how many lessons did we give"."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from features.data.understanding.asked import AskedData, UnclearQuestion
from features.data.understanding.naming import Naming
from features.data.understanding.words.forms import root
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import CutWord, Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.catalog.states import is_state
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import Condition, MetricQuery

Understood = AskedData | UnclearQuestion | None


def with_state_done(asked: AskedData, catalog: Catalog, naming: Naming) -> AskedData:
    """Return a number of rows as of those that are in the state which a word says that fills: given, of "did we give".

    A number of all lessons would count those that were called off.
    """
    query = asked.query
    measured = measure_of(query, catalog) if isinstance(query, MetricQuery) else None
    counts = (measured.counts_rows and not measured.where) if measured is not None else getattr(query, "count", False)
    table = measured.table if measured is not None else getattr(query, "table", "")
    found = [each for word in asked.left_over for each in _states(word, table, catalog)] if counts else []
    if len(found) != 1 or any(each.column == found[0].refers_to for each in query.where):
        return asked
    ((state,), word) = found, next(each for each in asked.left_over if _states(each, table, catalog))
    condition = Condition(column=state.refers_to, values=(state.value,))
    narrowed = query.model_copy(update={"where": (*query.where, condition)})
    left = tuple(each for each in asked.left_over if each != word)
    return replace(asked, query=narrowed, left_over=left, assumed=(*asked.assumed, (word, naming.name(state))))


def _states(word: str, table: str, catalog: Catalog) -> list[Named]:
    """Return the states of a table that are called by what a word says is done."""
    said = word.lower()
    bare = said.removesuffix("了").removesuffix("过")
    return [
        Named("value", f"{table}.{name}", value)
        for name, column in catalog.tables[table].columns.items()
        if is_state(column)
        for value, words in column.values.items()
        if any(each == f"已{bare}" or _is_done(said, each.lower()) for each in words.every)
    ]


def _is_done(said: str, called: str) -> bool:
    """Tell whether a state is called by the participle of a verb: given, of "give"."""
    return said.isascii() and said != called and called.endswith(("ed", "en")) and root(said) == root(called)


def counts_of_states(
    words: Sequence[CutWord], understood: Callable[[tuple[CutWord, ...]], Understood], naming: Naming
) -> list[tuple[str, AskedData]]:
    """Return what "how many are open" may count: the rows of each table that has such a state, each with its name."""
    asked = [at for at, word in enumerate(words) if word.has(Sign.HOW_MANY)]
    named = {each for word in words for each in word.meanings if isinstance(each, Named)}
    if len(asked) != 1 or not named or any(each.kind != "value" for each in named):
        return []
    tables = dict.fromkeys(each.refers_to.partition(".")[0] for each in sorted(named, key=str))
    found: list[tuple[str, AskedData]] = []
    for table in tables:
        what = CutWord(naming.name(Named("table", table)), 0, 0, (Named("table", table),))
        own = [_only(word, table) for word in words]
        read = understood((*own[: asked[0] + 1], what, *own[asked[0] + 1 :]))
        if isinstance(read, AskedData):
            found.append((naming.subject(read.query), read))
    return found


def _only(word: CutWord, table: str) -> CutWord:
    """Return a word with what it means of a table alone."""
    kept = [each for each in word.meanings if not isinstance(each, Named) or each.refers_to.startswith(f"{table}.")]
    return replace(word, meanings=tuple(kept) or word.meanings)
