"""What the words of a message tell before they are composed: whether they ask for numbers, and which nobody knows."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise

from features.data.understanding.asked import AskedData, UnclearQuestion
from features.data.understanding.composing.bounds import LIMITS
from features.data.understanding.composing.gathering import RELATIVE, THOSE
from features.data.understanding.words.items import Item, either_in, is_since, says_whose
from features.data.understanding.words.periods.spans import DaySpan, OnDays, OnHours, SpanUnit, calendar_span
from features.data.understanding.words.signs import CLASSIFIERS, GRAINS, MEANS, Sign
from features.data.understanding.words.vocabulary import CutWord, Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.building import built
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery

_ASKING = frozenset(
    {
        Sign.BY, Sign.SPREAD, Sign.TOP, Sign.BOTTOM, Sign.SHARE, Sign.HOW_MANY, Sign.LIST, Sign.WHICH, Sign.SHOW,
        Sign.COMPARE, Sign.CHANGE, Sign.PREVIOUS, Sign.YEAR_EARLIER, Sign.AVERAGE, Sign.MEDIAN, Sign.OVER, Sign.SUM,
        Sign.WORTH, Sign.PLACE, Sign.TREND, Sign.CHART,
        Sign.LARGEST, Sign.SMALLEST, Sign.EACH, Sign.DEAREST, Sign.CHEAPEST, Sign.NEWEST, Sign.OLDEST, *GRAINS, *MEANS,
    }
)  # fmt: skip
#: What asks for a number, whatever it is of.
_NUMBERS = (Sign.SUM, Sign.WORTH, Sign.AVERAGE, Sign.MEDIAN, Sign.SHARE, Sign.TREND, Sign.HOW_MANY, *MEANS)
#: Words of a bare list, and those beside it that say nothing.
_MOST_BARE, _SMALL = 4, frozenset({"the", "our", "all", "的", "所有", "?", "？"})
#: Days of a time in which a fault is reported rather than counted, and words that name things and their time.
_A_WEEK, _MOST_NAMED, _SHORT = 7, 8, 3
_STATES = frozenset({"is", "are", "was", "were"})
_BOUNDING = frozenset({*LIMITS, Sign.BETWEEN, Sign.OR_MORE, Sign.OR_LESS})
_ROWS = frozenset({Sign.LIST, Sign.WHICH, Sign.HOW_MANY})
_ONLY = ("only", "just", "but only", "now only", "limit", "restrict", "只", "仅", "限")
_STRONG = frozenset({Sign.TOP, Sign.BOTTOM, Sign.SHARE, Sign.COMPARE, Sign.CHANGE, Sign.BY})


def is_guidance(word: CutWord) -> bool:
    """Tell whether a word asks what to do, and names nothing of the catalogue."""
    return word.has(Sign.GUIDANCE) and not any(isinstance(each, Named) for each in word.meanings)


def stands_on_catalogue(words: Sequence[CutWord]) -> bool:
    """Tell whether more is known than what is supposed: a name of the catalogue, or a period."""
    sure = (each for word in words for each in word.meanings if each not in word.supposed)
    asks_one = any(word.has(Sign.TOP, Sign.BOTTOM) for word in words) and any(word.has(Sign.WHICH) for word in words)
    if (asks_one or any(word.has(Sign.HOW_MANY) for word in words)) and any(word.supposed for word in words):
        return True
    return any(isinstance(each, Named | DaySpan) for each in sure)


def is_of_several(asked: AskedData) -> bool:
    """Tell whether a question is of several values of a column."""
    return any(each.operator == "is" and len(each.values) > 1 for each in asked.query.where)


def is_of_shares(found: AskedData | UnclearQuestion | None) -> bool:
    """Tell whether it is asked back which share is meant."""
    choices = found.choices if isinstance(found, UnclearQuestion) else ()
    return any(isinstance(each.asked.query, MetricQuery) and each.asked.query.share for each in choices)


def sums_up(item: Item, catalog: Catalog) -> bool:
    """Tell whether a word names a number that counts no rows."""
    return item.names("metric") and not catalog.metrics[item.refers_to].counts_rows


def untold_those(items: Sequence[Item], *, is_bounded: bool) -> str:
    """Return "them" where no word says of which rows it is: "how many of them"; "" where one does."""
    those = next((at for at, item in enumerate(items) if item.word.text.lower() in THOSE), -1)
    if those < 0:
        return ""
    of_those = those > 0 and items[those - 1].word.text.lower() in ("of", "among")
    told = any(item.names("table", "metric") for item in items[:those])
    return items[those].word.text if not is_bounded or (of_those and not told) else ""


def is_bounded(query: DataQuery) -> bool:
    """Tell whether a question is of some rows only."""
    return bool(query.where) or (isinstance(query, MetricQuery) and bool(query.part))


def is_of_one(query: DataQuery, catalog: Catalog) -> bool:
    """Tell whether a question was what one row says, so that the next one is no change of it by itself."""
    if not isinstance(query, RowQuery):
        return False
    return any(each.column == f"{query.table}.{catalog.tables[query.table].label}" for each in query.where)


def is_of_another(value: Item, row: Item) -> bool:
    """Tell whether a value could be of the table that stands beside it, and is read as another's: 中国客户."""
    tables = (each.refers_to for each in row.word.meanings if isinstance(each, Named) and each.kind == "table")
    table = next(tables, "")
    if not table or not value.names("value") or value.refers_to.partition(".")[0] == table:
        return False
    named = (each for each in value.word.meanings if isinstance(each, Named) and each.kind == "value")
    return any(each.refers_to.partition(".")[0] == table for each in named)


def asks_twice(words: tuple[CutWord, ...]) -> bool:
    """Tell whether more is asked behind a joint after "how many": 有多少项目，预算一共多少, "and what is it worth"."""
    asking = [at for at, word in enumerate(words) if asks_for_one(word)]
    joined = [(one, other) for one, other in pairwise(asking) if counts_or_sums(words[one])]
    apart = any(
        before.end < behind.start and not before.text.isascii()
        for one, other in joined
        for before, behind in pairwise(words[one : other + 1])
    )
    return apart or any(words[at].has(Sign.AND, Sign.FOLLOWS) for one, other in joined for at in range(one, other))


def asks_for_one(word: CutWord) -> bool:
    """Tell whether a word asks for a number of its own."""
    said = word.text.lower()
    return said.startswith("what") or counts_or_sums(word)


def counts_or_sums(word: CutWord) -> bool:
    """Tell whether a word asks how many or how much."""
    said = word.text.lower()
    return "多少" in said or (said[:1] == "几" and len(said) > 1) or (word.has(Sign.HOW_MANY) and "there" not in said)


def names_table(word: CutWord) -> bool:
    """Tell whether a word names a table."""
    return any(isinstance(each, Named) and each.kind == "table" for each in word.meanings)


def values_in(words: Iterable[CutWord]) -> frozenset[tuple[str, str]]:
    """Return the values that words name, each with its column."""
    named = (each for word in words for each in word.meanings if isinstance(each, Named) and each.kind == "value")
    return frozenset((each.refers_to, str(each.value)) for each in named)


def unknown(words: tuple[CutWord, ...]) -> list[str]:
    """Return the words that nobody knows; Chinese characters beside one another are one word."""
    found: list[str] = []
    end = -1
    for word in words:
        if word.meanings:
            continue
        if found and word.start == end and not word.text.isascii():
            found[-1] += word.text
        else:
            found.append(word.text)
        end = word.end
    return found


def with_its_number(word: str, words: tuple[CutWord, ...]) -> str:
    """Return a word as it is named to who said it: "15 %", not a mere "%"."""
    pairs = ((one, other) for one, other in pairwise(words) if other.text == word == "%")
    number = next((one.text for one, _ in pairs if any(isinstance(each, float) for each in one.meanings)), "")
    return f"{number} {word}" if number else word


def only_narrows(words: tuple[CutWord, ...]) -> bool:
    """Tell whether nothing is said but what the number before shall be of: "and in Berlin only"."""
    only = any(word.has(Sign.FOLLOWS) and word.text.lower().startswith(_ONLY) for word in words)
    return only and all(word.has(Sign.FOLLOWS, Sign.AND, Sign.FILLER) for word in words if word.meanings)


def asks(items: tuple[Item, ...]) -> bool:
    """Tell whether a reading asks for numbers: "open orders" alone may be anything."""
    metrics = [item for item in items if item.names("metric")]
    values = any(item.names("value") for item in items)
    things = any(isinstance(each, Named) and each.kind == "table" for item in metrics for each in item.word.meanings)
    if values and not metrics and any(item.names("column") for item in items):
        return True  # "price of the Yard Camera?"
    timed = any(isinstance(item.meaning, DaySpan | OnDays | OnHours) for item in items)
    if metrics and (timed or (values and not things)):
        return True
    told = _describes(items) or _bounds(items) or bool(either_in(items))
    return told or any(item.meaning in _ASKING for item in items)


def _describes(items: tuple[Item, ...]) -> bool:
    """Tell whether rows are told by what holds of them: "parts that are out of stock", "guests without bookings"."""
    if not any(item.names("table") for item in items):
        return False
    values = any(item.names("value") for item in items)
    joined = values and any(item.word.text.lower() in RELATIVE for item in items)
    kinds = {item.refers_to for item in items if item.names("value")}
    done = any(item.names("column") for item in items) and any(isinstance(item.meaning, DaySpan) for item in items)
    limited = bool(kinds) and any(item.meaning in _BOUNDING for item in items)
    spans = any(isinstance(item.meaning, DaySpan) for item in items)
    begun = spans and (bool(kinds) or any(item.meaning is Sign.NEW for item in items))  # "serious accidents this year"
    begun = begun or any(isinstance(item.meaning, OnHours) for item in items)
    lately = bool(kinds) and any(is_since(item) or item.meaning is Sign.EXCEPT for item in items)
    lately = lately or any(_is_undone(item) for item in items)
    told = says_whose(items) or begun or lately or joined or done or limited or len(kinds) > 1
    return told or any(item.meaning is Sign.NONE for item in items)


def _is_undone(item: Item) -> bool:
    """Tell whether it is said that something was not done: "not fixed yet", 未付款."""
    return isinstance(item.meaning, Named) and item.meaning.kind == "value" and item.meaning.value is None


def _bounds(items: tuple[Item, ...]) -> bool:
    """Tell whether rows or results are bounded by a number."""
    bounded = any(item.meaning in _BOUNDING for item in items) and any(
        isinstance(item.meaning, float) for item in items
    )
    if not bounded:
        return False
    if any(item.names("metric") or item.meaning is Sign.TRADE for item in items):
        return True
    columns, tables = (any(item.names(kind) for item in items) for kind in ("column", "table"))
    if columns and tables:
        return True
    said = [item for item in items if item.meaning is not Sign.FILLER]
    limits = any(one.names("table") and other.meaning in LIMITS for one, other in pairwise(said))
    money = any(item.meaning is Sign.MONEY for item in items)
    return limits or ((columns or (money and tables)) and any(item.meaning in _ROWS for item in items))


def is_strong(words: tuple[CutWord, ...]) -> bool:
    """Tell whether a message is surely about the catalogue's numbers, although a word of it is not understood."""
    named = [word for word in words if any(isinstance(each, Named) for each in word.meanings)]
    metric = any(isinstance(each, Named) and each.kind == "metric" for word in words for each in word.meanings)
    spans = any(isinstance(each, DaySpan) for word in words for each in word.meanings)
    signs = sum(word.has(*_STRONG) for word in words)
    said = [word for word in words if not word.has(Sign.NEW)]
    counted = any(one.has(Sign.HOW_MANY) and names_table(other) for one, other in pairwise(said))
    return (metric and (spans or len(named) + signs >= 3)) or (counted and spans)


def is_of_rows(words: Sequence[CutWord]) -> bool:
    """Tell whether a number or a list is asked of rows that several names of the catalogue tell, and nothing else."""
    sure = [{each.kind for each in word.meanings if isinstance(each, Named)} for word in words if not word.supposed]
    told = sum("value" in each for each in sure)
    asked = any(word.has(Sign.HOW_MANY, Sign.LIST, Sign.WHICH, *_STRONG, *_NUMBERS) for word in words)
    return asked and told > 1 and not unknown(tuple(words))


def asks_number(words: Sequence[CutWord]) -> bool:
    """Tell whether a message asks for a number of some time, of whatever: "total of bills due next week", 账单总额.

    It begins with the number in English, and ends with it in Chinese; what "I" or "my" is said of may be a report.
    """
    said = [word for word in words if not word.has(Sign.FILLER, Sign.SHOW, Sign.WHICH)]
    spans = any(isinstance(each, DaySpan) for word in words for each in word.meanings)
    if not said or not spans or any(word.has(Sign.GUIDANCE) for word in words):
        return False
    if not said[-1].text.isascii():
        return said[-1].has(*_NUMBERS)
    of = any(one is said[0] and other.text.lower() == "of" for one, other in pairwise(words))
    if any(word.text.lower() in _STATES for word in words) and not said[0].text.lower().startswith("how"):
        return False  # "the number of pallets is wrong"
    return said[0].has(*_NUMBERS) and (of or said[0].text.lower().endswith((" of", "many", "much")))


#: Who speaks of their own matters asks for no number of a database: "how many days off do I have".
_OWN = frozenset({"i", "i'm", "i've", "my", "me", "mine", "please", "pls", "he", "she", "it", "我", "我的", "本人"})
_COUNTS = (Sign.HOW_MANY, Sign.AVERAGE, Sign.MEDIAN, Sign.SHARE, *MEANS)
_TOLD = frozenset({"is", "are", "was", "were", "has", "have", "had", "been", "since"})
#: What splits rows, where nothing else says that a number is wanted.
_SPLITS = ("by", "per", "按", "各", "每")


def wants_rows(words: Sequence[CutWord]) -> bool:
    """Tell whether a message plainly wants a number, a list or a ranking of rows, whatever they are called.

    "Top 5 models by breakdowns", "broken kit by ward", "faults reported this year", 坏得最多的是哪种机器.
    """
    said = [word for word in words if not word.has(Sign.FILLER)]
    texts = {word.text.lower() for word in words}
    if texts & _OWN or not said:
        return False
    split = len(said) > 1 and _splits(said[-2], said[-1])
    if any(map(is_guidance, words)):
        return split
    spans = any(isinstance(each, DaySpan) for word in words for each in word.meanings)
    price = "多少钱" in "".join(word.text for word in words) and not spans
    if any(_counts(word, spans=spans) and not (price and word.has(Sign.HOW_MANY)) for word in said):
        return True
    if ranks_rows(words):
        return True
    split = split or any(_splits(one, other) for one, other in pairwise(said))
    steps = any(word.has(*GRAINS) and _is_step(word) for word in said)
    lists = said[0].has(Sign.WHICH, Sign.LIST) and any(map(names_table, said))
    return not texts & _TOLD and (split or steps or lists or _names_of_a_time(words))


def _counts(word: CutWord, *, spans: bool) -> bool:
    """Tell whether a word asks for a number; a price, or 几折, is one of rows where a time is named."""
    said = word.text.lower()
    if not word.has(*_COUNTS) or said == "一半" or (len(said) == 1 and not said.isascii()):
        return False
    return spans or not (said == "how much" or (said[0] == "几" and said[-1] not in CLASSIFIERS))


def _splits(one: CutWord, other: CutWord) -> bool:
    return one.has(Sign.BY) and one.text.lower().startswith(_SPLITS) and _names_split(other)


def _names_split(word: CutWord) -> bool:
    return any(isinstance(each, Named) and each.kind in ("table", "column") for each in word.meanings)


def ranks_rows(words: Sequence[CutWord]) -> bool:
    """Tell whether some of many are wanted in an order: "top 5 …", "which … most"."""
    ranks = any(word.has(Sign.TOP, Sign.BOTTOM) and (word.text.isascii() or len(word.text) > 1) for word in words)
    numbered = any(isinstance(each, float) for word in words for each in word.meanings)
    return ranks and (numbered or any(word.has(Sign.WHICH) for word in words))


def _is_step(word: CutWord) -> bool:
    """Tell whether each step of time is told apart by a word: "by month", 逐月."""
    return word.text.lower().startswith(("by ", "per ", "按", "逐", "每"))


def _names_of_a_time(words: Sequence[CutWord]) -> bool:
    """Tell whether nothing but things are named, and a month or more of them: "faults reported this year"."""
    spans = [each for word in words for each in word.meanings if isinstance(each, DaySpan)]
    plural = any(word.text.lower().endswith("s") and len(word.text) > _SHORT for word in words[:2])
    long = any(each.start and each.end and (each.end - each.start).days > _A_WEEK for each in spans)
    return long and plural and not words[0].has(Sign.WHICH) and len(words) <= _MOST_NAMED


def lacks_period(asked: AskedData, catalog: Catalog) -> bool:
    """Tell whether a number of all time might be meant of a period that stands elsewhere in the message."""
    query = asked.query
    if not isinstance(query, MetricQuery) or query.period is not None:
        return False
    return bool(measure_of(query, catalog).time)


#: What a bare list is asked with.
LISTED = CutWord("list", 0, 0, (Sign.LIST,))


def is_bare(words: Sequence[CutWord]) -> bool:
    """Tell whether rows are named by what holds of them, and nothing else is said: "overdue projects"."""
    said = [word for word in words if word.text.lower() not in _SMALL]
    kinds = [{each.kind for each in word.meanings if isinstance(each, Named)} for word in said]
    rows = sum("table" in each for each in kinds)
    return 1 < len(said) <= _MOST_BARE and rows == 1 and all(each & {"table", "value"} for each in kinds)


def with_periods(items: tuple[Item, ...], language: str, today: date) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield a reading with each period that may be meant where a comparison names none, and what it is called."""
    units: tuple[tuple[SpanUnit, str, str], ...] = (
        ("month", "last month", "上个月"), ("quarter", "last quarter", "上个季度"), ("year", "last year", "去年"),
    )  # fmt: skip
    for unit, english, chinese in units:
        span = calendar_span(unit, today).before()
        label = chinese if language == "zh" else english
        yield label, (*items, Item(CutWord(label, 0, 0, (span,)), span))


def with_measures(items: tuple[Item, ...], language: str, catalog: Catalog) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield a reading with each number that may be meant where none is named, and what it is called."""
    for name, metric in catalog.metrics.items():
        if catalog.same[name] != name:
            continue
        label, meaning = metric.called.first(language, name), Named("metric", name)
        deeds = (at for at, item in enumerate(items) if item.is_supposed and item.refers_to == metric.table)
        deed = next(deeds, -1)
        if deed >= 0:  # "which shop throws away most" may be of each number of what is thrown away
            yield label, (*items[:deed], Item(items[deed].word, meaning), *items[deed + 1 :])
        else:
            yield label, (*items, Item(CutWord(label, 0, 0, (meaning,)), meaning))


def fits(asked: AskedData, catalog: Catalog, today: date) -> bool:
    """Tell whether the catalogue gives what is asked."""
    try:
        built(asked.query, catalog, dialect="sqlite", today=today)
    except QueryNotPossible:
        return False
    return True
