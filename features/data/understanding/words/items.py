"""A word with one of its meanings, all ways to read the words of a message, and why they may make no query."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from features.data.understanding.words.forms import PLACES
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.signs import CLASSIFIERS, Sign
from features.data.understanding.words.vocabulary import CutWord, Meaning, Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.catalog.states import is_state
from queries.sql.metrics.query import Grain

#: What ranks by how many there are.
COUNTING = frozenset({"most", "the most", "fewest", "the fewest", "least", "the least", "最多", "最少"})
#: What joins rows with what they belong to.
_BELONGS = frozenset({"of", "in", "from", "at", "的"})


#: What says that something is not done, where a value follows: "who don't work in Berlin".
_DENIALS = frozenset(
    {
        "don't",
        "doesn't",
        "didn't",
        "do not",
        "does not",
        "did not",
        "haven't",
        "hasn't",
        "没有",
        "没",
        "未",
        "不",
        "并非",
    }
)


#: What is asked of either of two: 承运商多还是货主多.
_EITHER = frozenset({"多", "少"})
_MORE = frozenset({"more", "fewer", "less"})
OR = frozenset({"or", "or more", "or fewer", "or less", "还是"})
_PER = ("per", "for each", "for every", "of each", "每")


class NotComposed(Exception):
    """The words make no query; `word` is the one that has no part in it."""

    def __init__(self, word: str = "") -> None:
        super().__init__(word)
        self.word = word


class MeasureMissing(NotComposed):
    """It is said how to split or rank, but not what."""


class PeriodMissing(NotComposed):
    """A comparison lacks the period that is compared."""


@dataclass
class Item:
    """A word with the meaning that it is tried with."""

    word: CutWord
    meaning: Meaning
    used: bool = False

    def names(self, *kinds: str) -> bool:
        """Tell whether it names one of these of the catalogue."""
        return isinstance(self.meaning, Named) and self.meaning.kind in kinds

    @property
    def is_supposed(self) -> bool:
        """Tell whether the catalogue does not say this meaning itself."""
        return self.meaning in self.word.supposed

    @property
    def refers_to(self) -> str:
        """Return the name in the catalogue; "" for what is none."""
        return self.meaning.refers_to if isinstance(self.meaning, Named) else ""


def readings(words: Sequence[CutWord], *, most: int) -> Iterator[tuple[Item, ...]]:
    """Yield the words with one meaning each, in all ways, at most so many."""
    ways: list[tuple[Item, ...]] = [()]
    for at, word in enumerate(words):
        follows = at == 0 or not word.has(Sign.AND)
        meanings = [meaning for meaning in word.meanings if follows or meaning is not Sign.FOLLOWS]
        ways = [(*way, Item(word, meaning)) for way in ways for meaning in meanings][:most]
    yield from ways


def settle(items: Sequence[Item]) -> None:
    """Let words beside one another say what they mean together: 客户数, "by German customers"."""
    of_either = any(item.word.text == "还是" for item in items)
    _settle_either(items)
    for item, other in pairwise(items):
        if item.names("table", "column") and other.meaning is Sign.FILLER and other.word.text == "数":
            other.meaning = Sign.HOW_MANY  # 客户数
        if item.meaning is Sign.BETWEEN and other.names("value"):
            item.meaning = Sign.EACH  # "the split between add-ons and main products"
        if item.meaning is Sign.TOP and item.word.text == "前" and isinstance(other.meaning, float):
            ranked = any(each.meaning in (Sign.TOP, Sign.BOTTOM) for each in items if each is not item)
            item.meaning = Sign.FILLER if ranked else item.meaning  # 预算最高的前五个
        for each in (item, other) if of_either else ():
            each.meaning = Sign.HIGH if each.word.text in _EITHER else each.meaning  # 承运商多还是货主多
        if item.meaning is Sign.EXACTLY and item.word.text.isascii() and not isinstance(other.meaning, float):
            item.meaning = Sign.FILLER
        if item.meaning is Sign.EACH and other.meaning in (Sign.WHICH, Sign.LIST):
            item.meaning = Sign.FILLER  # 分别在哪些机房
        if other is items[-1] and other.word.text in _EITHER and _is_which_of_both(items):
            other.meaning = Sign.HOW_MANY  # 河畔和城堡山哪个学生多
        if item.meaning is Sign.BY and item.word.text.lower() == "by" and _is_by_whom(items, other):
            item.meaning = Sign.FILLER  # "orders that were returned by German customers"


def count_slips(items: Sequence[Item], catalog: Catalog) -> None:
    """Take 多少单 for a number of the one thing that is called 订单, else …单, where nothing else is counted.

    What stands behind the number of 评分低于3分 splits nothing.
    """
    for one, other in pairwise(items):
        if isinstance(one.meaning, float) and other.word.text == "分":
            other.meaning = Sign.FILLER
    if any(item.names("metric", "table") for item in items):
        return
    tables = catalog.tables.items()
    called = [name for name, table in tables if "订单" in table.called.zh] or [
        name for name, table in tables if any(each.endswith("单") for each in table.called.zh)
    ]
    told = {item.refers_to.partition(".")[0] for item in items if item.names("column", "value")}
    found = called if len(called) == 1 else [name for name in called if name in told]
    for one, other in pairwise(items):
        slips = one.meaning is Sign.HOW_MANY and other.meaning is Sign.FILLER and other.word.text == "单"
        if slips and len(found) == 1:
            other.meaning = Named("table", found[0])


def either_in(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the words that ask of which of two values there is more: the one that joins them, and the others.

    承运商多还是货主多, "more red or more blue ones": in English, "or more" joins the two. () where nothing asks it.
    """
    said = [item for item in items if item.meaning is not Sign.FILLER or item.word.text.lower() in _EITHER | _MORE]
    values = [at for at, item in enumerate(said) if item.names("value")]
    for first, last in pairwise(values):
        between = said[first + 1 : last]
        joints = [item for item in between if item.word.text.lower() in OR]
        ranks = [item for item in (*said[max(first - 1, 0) : first], *between) if item.word.text.lower() in _MORE]
        is_joined = len(joints) == 1 and (bool(ranks) or joints[0].word.text == "还是")
        if is_joined and said[first].refers_to == said[last].refers_to:
            return (joints[0], *ranks)
    return ()


def _settle_either(items: Sequence[Item]) -> None:
    """Take what is said of both of two values once: 红色线路多还是蓝色线路多."""
    joint, *ranks = either_in(items) or (None,)
    if joint is None:
        return
    joint.meaning = Sign.AND
    for item in ranks:
        item.meaning = Sign.HIGH
    at = items.index(joint)
    things = {item.refers_to for item in items[at:] if item.names("table", "metric")}
    for item in items[:at]:
        item.meaning = Sign.FILLER if item.names("table", "metric") and item.refers_to in things else item.meaning


def _is_which_of_both(items: Sequence[Item]) -> bool:
    """Take "which" of two values of one column for each of them; tell whether that is asked."""
    said = [item for item in items if item.meaning is not Sign.FILLER and not isinstance(item.meaning, DaySpan)]
    for one, joint, other, which in zip(said, said[1:], said[2:], said[3:], strict=False):
        both = one.names("value") and other.names("value") and one.refers_to == other.refers_to
        if both and joint.meaning is Sign.AND and which.meaning is Sign.WHICH and not which.word.text.isascii():
            which.meaning = Sign.EACH
            return True
    return False


def _is_by_whom(items: Sequence[Item], value: Item) -> bool:
    """Tell whether a value says of whose the rows are: "by German customers", "by hail", but not "by vet"."""
    at = next(at for at, item in enumerate(items) if item is value)
    before = next((item for item in reversed(items[: at - 1]) if item.meaning is not Sign.FILLER), None)
    done = before is not None and before.names("value", "column")
    return value.names("value") and (done or (at + 1 < len(items) and items[at + 1].names("table", "value")))


def sign_of(item: Item) -> Sign:
    """Return the sign that it is tried as; NotComposed for anything else."""
    if not isinstance(item.meaning, Sign):
        raise NotComposed(item.word.text)
    return item.meaning


def is_each_step(item: Item) -> bool:
    """Tell whether each step of time is meant: "per month", 每月; "which month" asks for one of them."""
    said = item.word.text.lower()
    return said.startswith(("by ", "per ", "each ", "every ", "按", "每", "各", "逐", "分")) or said.endswith("ly")


def counts_each(item: Item) -> bool:
    """Tell whether it is asked how many there are of each of some values: 各有多少家, "how many of each"."""
    said = item.word.text.lower()
    return item.meaning is Sign.EACH and (said.startswith("how many") or "多少" in said or "几" in said)


def is_since(item: Item) -> bool:
    """Tell whether it says from when on: "customers since 2024", 2024年以来."""
    said = item.word.text.lower()
    return isinstance(item.meaning, DaySpan) and (
        said.startswith(("since ", "older than ")) or said.endswith(("以来", "以后", "之后", "起"))
    )


def ranked_thing(items: Sequence[Item]) -> Item | None:
    """Return the table of whose rows something else has most or fewest: 哪个国家的客户最少, "the most meters"."""
    for one, other in pairwise(item for item in items if item.meaning is not Sign.FILLER):
        rank, thing = (one, other) if one.word.text.isascii() else (other, one)
        counts = rank.meaning in (Sign.TOP, Sign.BOTTOM) and rank.word.text.lower() in COUNTING
        if counts and thing.names("table"):
            return thing
    return None


def place_in(items: Sequence[Item]) -> int | None:
    """Return the place of "second best", which ranks as "best" does; None where no place is named."""
    named = [item for item in items if item.meaning in (Sign.NTH, Sign.NTH_BOTTOM)]
    if len(named) != 1 or any(item.meaning in (Sign.TOP, Sign.BOTTOM) for item in items):
        return None
    named[0].meaning = Sign.TOP if named[0].meaning is Sign.NTH else Sign.BOTTOM
    said = named[0].word.text.lower().replace("-", " ")
    return next(number for place, number in PLACES.items() if place in said)


def deny_values(items: Sequence[Item], catalog: Catalog) -> None:
    """Take "don't" before a value of the rows themselves as leaving that value out: "people who don't work remotely".

    "Customers who have no web orders" are something else: the value is of other rows.
    """
    said = [item for item in items if item.meaning is not Sign.FILLER]
    tables = {_table(item, catalog) for item in said if item.names("table", "metric")}
    for one, other in pairwise(said):
        value = other.meaning if isinstance(other.meaning, Named) and other.names("value") else None
        denies = one.meaning is Sign.NONE and one.word.text.lower() in _DENIALS
        if one.meaning is Sign.NONE and other.names("column") and catalog.column(other.refers_to).type == "flag":
            one.meaning = (
                Sign.EXCEPT if tables <= {other.refers_to.partition(".")[0]} else one.meaning
            )  # 没有保险的宠物
        if value is not None and is_state(catalog.column(value.refers_to)):
            continue  # what has not been shipped is not what was delivered
        if denies and value is not None and value.value is not None and tables <= {value.refers_to.partition(".")[0]}:
            one.meaning = Sign.EXCEPT


def _table(item: Item, catalog: Catalog) -> str:
    return catalog.metrics[item.refers_to].table if item.names("metric") else item.refers_to


def splits_time(item: Item) -> bool:
    """Tell whether the result is to be split by it: "by month", 按月."""
    return item.word.text.lower().startswith(("by ", "按"))


def says_per(item: Item) -> bool:
    """Tell whether it says of what a number is for each one: "per order", 每单; "by order" tells rows apart."""
    return item.meaning is Sign.BY and item.word.text.lower().startswith(_PER)


def says_whose(items: Sequence[Item]) -> bool:
    """Tell whether rows are told by where they belong: "projects of the finance team", 财务部的项目."""
    last, joint = None, ""
    for item in items:
        said = item.word.text.lower()
        if item.meaning is Sign.FILLER:
            joint = said if said in _BELONGS else joint
            continue
        row, value = (item, last) if joint == "的" else (last, item)
        if joint and row is not None and value is not None and _is_row_with(row, value):
            return True
        last, joint = item, ""
    return False


def _is_row_with(row: Item, value: Item) -> bool:
    return row.names("table") and value.names("value") and not row.is_supposed


def is_rate(item: Item) -> bool:
    """Tell whether a word makes a share of the value before it: 退货率, "return rate"."""
    return item.word.text.lower() in ("rate", "率")


def shows(item: Item) -> bool:
    """Tell whether a word asks to see rows, rather than what something is."""
    return item.word.text.lower().startswith(("show", "display", "显示", "展示", "查看"))


def sums_amounts(items: Sequence[Item]) -> list[Item]:
    """Return "amount" where it is what rows come to, "the refunded amount"; the "amount of orders" counts them."""
    said = [(item, other) for item, other in zip(items, [*items[1:], None], strict=True)]
    return [
        item
        for item, other in said
        if item.meaning is Sign.HOW_MANY and item.word.text.lower() == "amount"
        if other is None or other.word.text.lower() != "of"
    ]


def is_one(item: Item, behind: Item) -> bool:
    """Tell whether it is one of a kind that is spoken of: "a ride", 一辆车."""
    if not item.word.text.isascii():
        return item.word.text == "一" and behind.word.text in CLASSIFIERS
    named = behind.names("table", "metric", "value") or behind.meaning is Sign.AVERAGE
    return named and item.word.text.lower() in ("a", "an", "one", "each")


def grain_of(sign: Sign) -> Grain | None:
    """Return the step of time, or what comes round again, that a sign names; None for any other."""
    grains: dict[Sign, Grain] = {
        Sign.DAY: "day", Sign.WEEK: "week", Sign.MONTH: "month", Sign.QUARTER: "quarter", Sign.YEAR: "year",
        Sign.WEEKDAY: "weekday", Sign.HOUR: "hour",
    }  # fmt: skip
    return grains.get(sign)
