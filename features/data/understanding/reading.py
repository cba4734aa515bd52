"""A person's words about the numbers of a catalogue, read to a query, a question back, or as none of its business.

A wrong number is worse than none: a word that is understood as nothing, or that has no part in the query, makes it a
question back or leaves it to the documents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

from features.data.understanding.asked import (
    AskedData,
    Drawn,
    ReadingChoice,
    ReadMessage,
    UnclearQuestion,
    UnclearReason,
    Values,
    is_list,
    may_be_less_cost,
    splits,
)
from features.data.understanding.asking import (
    LISTED,
    asks,
    asks_twice,
    fits,
    is_bare,
    is_bounded,
    is_guidance,
    is_of_another,
    is_of_one,
    is_of_rows,
    is_of_several,
    is_of_shares,
    is_strong,
    lacks_period,
    names_table,
    only_narrows,
    stands_on_catalogue,
    sums_up,
    unknown,
    untold_those,
    values_in,
    with_its_number,
    with_measures,
    with_periods,
)
from features.data.understanding.choosing.days import day_of_one
from features.data.understanding.choosing.likely import Likely, is_clear, is_measured_so, likely
from features.data.understanding.choosing.metrics import chosen
from features.data.understanding.choosing.people import is_either, persons_in_full, who_meant
from features.data.understanding.choosing.states import counts_of_states, with_state_done
from features.data.understanding.choosing.those import bounded, is_of_those, names_period, points_back
from features.data.understanding.composing.composition import compose
from features.data.understanding.composing.following import asks_of_it, refined
from features.data.understanding.heeding import require_heeded
from features.data.understanding.naming import Naming, table_of, taken_for
from features.data.understanding.parts import Reads, apart, parts_of
from features.data.understanding.words.items import (
    Item,
    MeasureMissing,
    NotComposed,
    PeriodMissing,
    ranked_thing,
    readings,
)
from features.data.understanding.words.lexicon import vocabulary_of
from features.data.understanding.words.mending.mistyped import spelt
from features.data.understanding.words.mending.torn import mended
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import CutWord, Named, Vocabulary
from language.synonyms.short_forms import written_out
from queries.sql.catalog.catalog import Catalog
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.building import built
from queries.sql.metrics.measures import measure_of, time_of
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery

#: Ways to read a message that are tried.
_MOST_READINGS = 256
_MOST_WORDS = 40
#: Things by which "the best" may be meant.
_MOST_WAYS = 2
#: Words that nobody knows, beside which the others may still ask for something.
_MOST_UNKNOWN = 2
#: A longer message is not cut into questions, and no name is looked for in pieces of it.
_MOST_CHARS = 300
#: The names of rows of a database of which somebody knows none.
NOTHING_KNOWN: Mapping[str, tuple[str, ...]] = {}


def read(
    text: str,
    *,
    catalogs: Mapping[str, Catalog],
    known: Values,
    today: date,
    language: str,
    before: AskedData | None = None,
) -> AskedData | UnclearQuestion | None:
    """Return what a message asks of the databases; None when it is no question about their numbers.

    `before` is the question of the thread that it may go on from.
    """
    text = written_out(text)
    found: list[AskedData | UnclearQuestion] = []
    for source, catalog in catalogs.items():
        earlier = before if before is not None and before.source == source else None
        vocabulary = vocabulary_of(catalog, known.get(source, NOTHING_KNOWN))
        reader = CatalogReader(source, catalog, vocabulary, today, language)
        answer = reader.read(spelt(text, vocabulary), earlier) or (reader.of_states(text) if earlier is None else None)
        if answer is not None:
            found.append(answer)
    asked = [answer for answer in found if isinstance(answer, AskedData)]
    if len(asked) > 1:
        choices = tuple(ReadingChoice(each.source, each) for each in asked)
        return UnclearQuestion("ambiguous", text.strip(), choices)
    return next(iter(asked or found), None)


def read_all(
    text: str,
    *,
    catalogs: Mapping[str, Catalog],
    known: Values,
    today: date,
    language: str,
    before: AskedData | None = None,
) -> ReadMessage:
    """Return the same of a message that may ask several things."""

    def one(piece: str, earlier: AskedData | None) -> AskedData | UnclearQuestion | None:
        return read(piece, catalogs=catalogs, known=known, today=today, language=language, before=earlier)

    def words(piece: str) -> Iterator[CutWord]:
        for source, catalog in catalogs.items():
            yield from vocabulary_of(catalog, known.get(source, NOTHING_KNOWN)).cut(piece, today)

    found = one(text, before)
    twice = len(text) <= _MOST_CHARS and asks_twice(tuple(words(text)))
    if isinstance(found, AskedData) and not is_of_several(found) and not twice:
        return found
    names = any(isinstance(each, Named) for word in words(text) for each in word.meanings)
    if len(text) > _MOST_CHARS or not names or (is_of_shares(found) and not twice):
        return found
    reads = Reads(
        one,
        things=lambda piece: [word.text for word in words(piece) if names_table(word)],
        values=lambda piece: values_in(words(piece)),
        counts=lambda piece: any(word.has(Sign.HOW_MANY, Sign.SHARE) for word in words(piece)),
        is_empty=lambda piece: all(word.has(Sign.FILLER) for word in words(piece)),
        names_period=lambda piece: names_period(words(piece)),
        is_period=lambda piece: all(word.has(Sign.FILLER) or names_period([word]) for word in words(piece)),
        fits=lambda asked: fits(asked, catalogs[asked.source], today),
        lacks_period=lambda asked: lacks_period(asked, catalogs[asked.source]),
        points_back=lambda piece: points_back(piece, words(piece)),
        of_those=lambda piece, asked, wider: bounded(asked, wider, catalogs[asked.source], words(piece)),
    )
    if isinstance(found, AskedData) and twice:
        parts = parts_of(text, before, reads)
        told = parts is not None and (len(parts.asked) > 1 or bool(parts.left))
        alike = parts is not None and told and len({is_bounded(part.asked.query) for part in parts.asked}) == 1
        within = parts is not None and told and all(is_of_those(part.text) for part in parts.asked[1:])
        # else nobody said of which rows the second one is
        return parts if alike or within else UnclearQuestion("combination")
    if isinstance(found, AskedData):  # of several values together, or of each
        return apart(text, before, reads) or found
    parts = parts_of(text, before, reads)
    if parts is not None and len(parts.asked) == 1 and not parts.documents and not parts.left:
        return parts.asked[0].asked
    return parts or found


@dataclass(frozen=True)
class CatalogReader:
    """Reads messages with the words of one catalogue."""

    source: str
    catalog: Catalog
    vocabulary: Vocabulary
    today: date
    language: str

    @cached_property
    def _words(self) -> Naming:
        return Naming(self.catalog, "zh" if self.language == "zh" else "en")

    def read(self, text: str, before: AskedData | None) -> AskedData | UnclearQuestion | None:
        """Return what a message asks, as it stands or with the words of a metric's name put together."""
        found = self._fitting(self._as_it_stands(text, before), text)
        lacks = found is None or (
            isinstance(found, UnclearQuestion) and (not found.choices or found.reason == "measure")
        )
        if not lacks or len(text) > _MOST_CHARS:
            return found
        plainer = [text, *mended(text, self.catalog, self.vocabulary.knows)]
        others = [self._as_it_stands(each, before) for each in plainer[1:]]
        asked = {each.query.model_dump_json(): each for each in others if isinstance(each, AskedData)}
        if len(asked) == 1:
            return next(iter(asked.values()))
        readings = (self._fitting(self._as_it_stands(each, before, supposing=True), text) for each in plainer)
        supposed = next((each for each in readings if each is not None), None)
        asks_more = isinstance(supposed, UnclearQuestion) and bool(supposed.choices)
        asks_already = isinstance(found, UnclearQuestion) and bool(found.choices) and not may_be_less_cost(supposed)
        if isinstance(supposed, AskedData) or (asks_more and not asks_already):
            return supposed
        back = next((each for each in others if isinstance(each, UnclearQuestion) and each.choices), None)
        told = self._fitting(self._without_the_unknown(text, before, found), text)
        tried = (self._likely(each) for each in plainer if before is None)
        probable = next((one for one in tried if one is not None), None)
        if isinstance(told, UnclearQuestion) and told.reason == "guess":
            told = probable or told
        chosen_from = isinstance(found, UnclearQuestion) and bool(found.choices) and found.reason != "measure"
        if told is not None or chosen_from or (found is not None and before is not None):
            return told or found
        if isinstance(probable, UnclearQuestion) and found is not None and not splits(probable) <= splits(found):
            return found  # "our biggest customers" are no number of regions
        return probable or found or back or self._bare(text)

    def of_states(self, text: str) -> UnclearQuestion | None:
        """Return which rows "how many are open" may count, where nothing else is said."""
        words = self.vocabulary.cut(text, self.today)
        if len(words) > _MOST_WORDS or unknown(words) or any(map(is_guidance, words)):
            return None
        found = counts_of_states(words, lambda each: self.understood(each, None), self._words)
        choices = tuple(ReadingChoice(label, asked) for label, asked in found)
        return UnclearQuestion("ambiguous", text.strip(), choices) if choices else None

    def _bare(self, text: str) -> UnclearQuestion | None:
        """Return the list that "overdue projects" may ask for, where nobody else knows what it is about."""
        words = self.vocabulary.cut(text, self.today, supposing=True)
        listed = self.understood((LISTED, *words), None) if is_bare(words) else None
        return UnclearQuestion("guess", "", (self.choice(listed),)) if isinstance(listed, AskedData) else None

    def _fitting(self, found: AskedData | UnclearQuestion | None, text: str) -> AskedData | UnclearQuestion | None:
        """Return what was read as far as it is measured in what was asked for: kilos are no number of entries."""
        if isinstance(found, AskedData):
            found = with_state_done(found, self.catalog, self._words)
            return found if is_measured_so(found.query, self.catalog, text) else None
        if found is None or not found.choices:
            return found
        choices = tuple(each for each in found.choices if is_measured_so(each.asked.query, self.catalog, text))
        return replace(found, choices=choices) if choices else None

    def _likely(self, text: str) -> AskedData | UnclearQuestion | None:
        """Return the numbers that a message is probably about, to be pressed; the one that all words speak for."""
        words = self.vocabulary.cut(text, self.today, supposing=True)
        if not words or len(words) > _MOST_WORDS or any(map(is_guidance, words)):
            return None
        found = likely(words, self.catalog)
        asked = [(each, one) for each in found for one in self._ways(each)]
        if not asked:
            return None
        if is_clear([each for each, _ in asked]):
            return asked[0][1]
        word = next(iter(unknown(words)), "")
        choices = {each.label: each for each in (self.choice(one) for _, one in asked)}
        return UnclearQuestion("guess" if word else "measure", word, tuple(choices.values()))

    def _ways(self, each: Likely) -> list[AskedData]:
        """Return what a message asks of a number: for a mere "best", by each thing that it may be split by."""
        found = self.understood(each.words, None)
        if found is not None or not any(word.has(Sign.TOP, Sign.BOTTOM) for word in each.words):
            return [found] if isinstance(found, AskedData) else []
        metric = self.catalog.metrics.get(each.meaning.refers_to)
        ways: list[AskedData] = []
        dimensions = sorted(metric.dimensions, key=lambda name: "." in name) if metric is not None else ()
        for dimension in dimensions:
            place = ".".join(self.catalog.place(dimension, metric.table)) if metric is not None else ""
            split = CutWord(dimension, 0, 0, (Named("column", place),))
            found = self.understood((CutWord("by", 0, 0, (Sign.BY,)), split, *each.words), None)
            ways += [found] if isinstance(found, AskedData) else []
        return ways[:_MOST_WAYS]

    def _without_the_unknown(
        self, text: str, before: AskedData | None, found: AskedData | UnclearQuestion | None
    ) -> UnclearQuestion | None:
        """Return a question back that names what nobody knows, with what the other words ask for to be pressed."""
        words = self.vocabulary.cut(text, self.today, supposing=True)
        unexplained = unknown(words)
        sure = isinstance(found, UnclearQuestion) and found.reason == "word"
        if not 0 < len(unexplained) <= _MOST_UNKNOWN or len(words) > _MOST_WORDS or any(map(is_guidance, words)):
            return None
        named = [each for word in words for each in word.meanings if each not in word.supposed]
        ranks = any(word.has(Sign.TOP, Sign.BOTTOM) for word in words)
        dated = ranks and any(isinstance(each, DaySpan) for each in named)  # "who closed the most business in May"
        if not any(isinstance(each, Named) and (each.kind != "column" or dated) for each in named):
            return None
        read_on = self.understood(tuple(word for word in words if word.meanings), before if sure else None)
        if read_on is None:
            return None
        choices = read_on.choices if isinstance(read_on, UnclearQuestion) else (self.choice(read_on),)
        if not sure and any(is_list(each.asked.query) for each in choices):
            return None
        return UnclearQuestion("word" if sure else "guess", unexplained[0], choices) if choices else None

    def choice(self, asked: AskedData) -> ReadingChoice:
        """Return a question with what it is called."""
        return ReadingChoice(self._words.subject(asked.query), asked)

    def _as_it_stands(
        self, text: str, before: AskedData | None, *, supposing: bool = False
    ) -> AskedData | UnclearQuestion | None:
        words = self.vocabulary.cut(text, self.today, supposing=supposing)
        if supposing and len(words) <= _MOST_WORDS and (day := day_of_one(words, self.vocabulary, self.catalog)):
            return AskedData(self.source, day, understood=tuple(word.text for word in words if word.meanings))
        if not words or len(words) > _MOST_WORDS or any(is_guidance(word) for word in words):
            return None
        goes_on = before is not None and words[0].has(Sign.FOLLOWS, Sign.BY, Sign.ADDS)
        if supposing and not (goes_on or stands_on_catalogue(words)):
            return None
        unexplained = unknown(words)
        if unexplained:
            sure = is_strong(words) or (before is not None and only_narrows(words))
            return UnclearQuestion("word", unexplained[0]) if len(unexplained) == 1 and sure else None
        return self.understood(words, before)

    def understood(self, words: tuple[CutWord, ...], before: AskedData | None) -> AskedData | UnclearQuestion | None:
        """Return what words ask for, all of which mean something."""
        ranked: list[tuple[float, DataQuery, tuple[Item, ...]]] = []
        failed: list[tuple[NotComposed, tuple[Item, ...]]] = []
        follows = before is not None and any(word.has(Sign.FOLLOWS, Sign.ADDS) for word in words[:2])
        words = persons_in_full(who_meant(words, self.catalog), self.vocabulary)
        for items in readings(words, most=_MOST_READINGS):
            try:
                query, penalty = self._query(items, before, follows=follows)
                self._require_past(query, items)
                require_heeded(query, items, self.catalog)
                built(query, self.catalog, dialect="sqlite", today=self.today)
            except NotComposed as error:
                failed.append((error, items))
            except (QueryNotPossible, ValueError) as error:
                failed.append((NotComposed(str(error)), items))
            else:
                ranked.append((penalty + self._penalty(items, query), query, items))
        if ranked:
            return self._decided(words, ranked)
        return self._asked_back(words, failed)

    def _query(self, items: tuple[Item, ...], before: AskedData | None, *, follows: bool) -> tuple[DataQuery, float]:
        things = sum(item.names("column", "table") for item in items)
        apart = not follows and things > 1 and ranked_thing(items) is not None  # of no number that was spoken of
        if before is not None and not apart and (follows or not is_of_one(before.query, self.catalog)):
            try:
                same = asks_of_it(before.query, items, self.catalog)
                alone = same and not any(isinstance(item.meaning, DaySpan) or item.names("value") for item in items)
                return refined(before.query, self.catalog, items, self.today), 0.0 if follows or alone else 2.0
            except NotComposed:
                pass
        if not asks(items):
            raise NotComposed
        other = 0.0 if before is None else 0.5  # of two numbers, the one that goes on is meant
        query = compose(self.catalog, items, self.today)
        if those := untold_those(items, is_bounded=is_bounded(query) or query.period is not None):
            raise NotComposed(those)  # of those that were spoken of, and not of all
        return query, 1.0 if follows else other

    def _require_past(self, query: DataQuery, items: tuple[Item, ...]) -> None:
        """Refuse what is to come: the database holds none of it, and nothing is no forecast."""
        period = query.period
        day = query.time or time_of(self.catalog, table_of(query, self.catalog))
        if day and self.catalog.column(day).ahead:
            return
        if period is not None and period.start is not None and period.start > self.today:
            raise NotComposed(next((each.word.text for each in items if isinstance(each.meaning, DaySpan)), ""))

    def _penalty(self, items: tuple[Item, ...], query: DataQuery) -> float:
        """Return how far-fetched a reading is: words as fillers, columns of far tables, counts besides a metric."""
        total = 0.0
        sums = any(item.meaning is Sign.SUM for item in items)
        for item in items:
            if sums and isinstance(item.meaning, Named) and str(item.meaning.value).startswith("+"):
                total -= 1  # "the total cost of repairs"
            if item.meaning is Sign.FILLER and len(item.word.meanings) - len(item.word.supposed) > 1:
                total += 3
            if item.is_supposed:
                total += 2
                without = isinstance(query, RowQuery) and query.without is not None
                total += 0.3 if without and sums_up(item, self.catalog) else 0  # who never rented, not who never paid
            if item.meaning is Sign.HOW_MANY and any(isinstance(each, Named) for each in item.word.meanings):
                total += 1  # "the total amount of orders" is a sum where rows have an amount
            total += 0.01 if item.meaning is Sign.FOLLOWS else 0
        total += sum(0.1 for one, other in pairwise(items) if is_of_another(one, other) or is_of_another(other, one))
        start = table_of(query, self.catalog)
        for condition in query.where:
            total += 0.1 * len(self.catalog.path(start, condition.column.partition(".")[0]) or ())
        if isinstance(query, MetricQuery):
            either = {item.refers_to for item in items if is_either(item.word)}
            total += 0.3 if query.groups else 0  # what rows say themselves goes before what belongs to them
            far = (each.partition(".")[0] for each in query.by if each not in either)
            total += sum(0.1 * len(self.catalog.path(start, each) or ()) for each in far)
            of_metric = query.aggregate is not None and query.metric in self.catalog.metrics
            return total + (0.6 if of_metric else 0.5 if query.aggregate else 0.0)
        return total + 0.5

    def _decided(
        self, words: tuple[CutWord, ...], ranked: list[tuple[float, DataQuery, tuple[Item, ...]]]
    ) -> AskedData | UnclearQuestion:
        ranked.sort(key=lambda each: each[0])
        best = [each for each in ranked if each[0] < ranked[0][0] + 0.05]
        different: dict[str, tuple[DataQuery, tuple[Item, ...]]] = {}
        for _, query, items in best:
            different.setdefault(query.model_dump_json(), (query, items))
        options = list(different.values())
        if len(options) == 1 and (shares := self._words.shares(options[0][0], options[0][1])):
            choices = tuple(ReadingChoice(label, self._asked(query, words, options[0][1])) for label, query in shares)
            part = next(item.word.text for item in options[0][1] if item.names("value") or self._words.is_flag(item))
            return UnclearQuestion("ambiguous", part, choices)
        if len(options) == 1:
            return self._asked(options[0][0], words, options[0][1])
        word = next(
            (
                ours.word.text
                for ours, theirs in zip(options[0][1], options[1][1], strict=True)
                if ours.meaning != theirs.meaning
            ),
            "",
        )
        choices = tuple(
            ReadingChoice(self._words.label(items, options), self._asked(query, words, items))
            for query, items in options
        )
        if meant := chosen(choices, options[0][1], self.catalog):
            return meant.asked
        return UnclearQuestion("ambiguous", word, choices)

    def _asked(self, query: DataQuery, words: tuple[CutWord, ...], items: tuple[Item, ...]) -> AskedData:
        drawn: Drawn = "chart" if any(item.meaning is Sign.CHART for item in items) else ""
        if any(item.meaning is Sign.TABLE for item in items):
            drawn = "table"
        left = tuple(item.word.text for item in items if item.meaning is Sign.FILLER)
        stands = tuple(word.text for word in words if word.text not in left)
        supposed = ((item.word.text, taken_for(item, query, self.catalog)) for item in items if item.is_supposed)
        assumed = ((said, self._words.name(named)) for said, named in supposed if named is not None)
        return AskedData(self.source, query, drawn, stands, left, tuple(dict.fromkeys(assumed)))

    def _asked_back(
        self, words: tuple[CutWord, ...], failed: list[tuple[NotComposed, tuple[Item, ...]]]
    ) -> AskedData | UnclearQuestion | None:
        for error, items in failed:
            back: UnclearQuestion | None = None
            is_told = any(isinstance(each.meaning, Named | DaySpan) or each.meaning is Sign.AVERAGE for each in items)
            if isinstance(error, MeasureMissing) and is_told:
                back = self._which("measure", with_measures(items, self.language, self.catalog), words)
            elif isinstance(error, PeriodMissing):
                back = self._which("period", with_periods(items, self.language, self.today), words)
            if back is not None and isinstance(error, MeasureMissing) and (only := self._only(back.choices, items)):
                return only
            if back is not None:
                return back
        if failed and (is_strong(words) or is_of_rows(words)) and any(asks(items) for _, items in failed):
            spoken = [each.text for each in words if not each.has(Sign.WHICH, Sign.LIST, Sign.HOW_MANY, Sign.SHOW)]
            told = [error.word for error, _ in failed if error.word in spoken]
            return UnclearQuestion("combination", with_its_number(told[0], words) if told else "")
        return None

    def _only(self, choices: Sequence[ReadingChoice], items: Sequence[Item]) -> AskedData | None:
        """Return the one thing that may be measured: "how much did we sell" is a sum of money."""
        if meant := chosen(choices, items, self.catalog):
            return meant.asked
        asked = [each.asked for each in choices if isinstance(each.asked.query, MetricQuery)]
        if any(item.meaning is Sign.MONEY or item.word.text.lower() == "how much" for item in items):
            sums = [each for each in asked if self._sums_money(each.query)]
            return sums[0] if len(sums) == 1 else None
        sure = len(asked) == len(choices) == 1 and (self._counts(asked[0].query) or self._counts_named(asked[0], items))
        return asked[0] if sure else None

    def _counts_named(self, asked: AskedData, items: Sequence[Item]) -> bool:
        """Tell whether a number is that of the rows that are named in other words: "remote workers by site"."""
        if not isinstance(asked.query, MetricQuery):
            return False
        measured = measure_of(asked.query, self.catalog)
        own = (item.is_supposed and item.refers_to.partition(".")[0] == measured.table for item in items)
        return measured.is_count and any(own)

    def _sums_money(self, query: DataQuery) -> bool:
        measured = measure_of(query, self.catalog) if isinstance(query, MetricQuery) else None
        return measured is not None and measured.adds_up and bool(measured.unit)

    def _counts(self, query: DataQuery) -> bool:
        return isinstance(query, MetricQuery) and query.rows is not None and measure_of(query, self.catalog).is_count

    def _which(
        self, reason: UnclearReason, offered: Iterator[tuple[str, tuple[Item, ...]]], words: tuple[CutWord, ...]
    ) -> UnclearQuestion | None:
        choices: list[ReadingChoice] = []
        for label, items in offered:
            try:
                query = compose(self.catalog, items, self.today)
                require_heeded(query, items, self.catalog)
                built(query, self.catalog, dialect="sqlite", today=self.today)
            except (NotComposed, QueryNotPossible, ValueError):
                continue
            choices.append(ReadingChoice(label, self._asked(query, words, items)))
        return UnclearQuestion(reason, "", tuple(choices)) if choices else None
