"""Which of several numbers a message means that names none of them: by what is done, and by what is counted."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from features.data.understanding.asked import ReadingChoice
from features.data.understanding.composing import known
from features.data.understanding.words.forms import root
from features.data.understanding.words.items import Item
from features.data.understanding.words.signs import CLASSIFIERS, Sign
from features.data.understanding.words.vocabulary import tokens_of
from queries.sql.catalog.catalog import Catalog, Metric
from queries.sql.metrics.query import MetricQuery

#: What stands between a thing and what is done to it.
_DONE_BY = ("did", "do", "does", "was", "were", "been", "have", "has", "are", "is", "we", "我们", "被", "had")
_GOT = ("buy", "bought", "purchase", "purchased", "采购", "购买", "买", "买了")
_OURS = ("we", "our", "us", "我们", "咱们", "公司")
_FROM = ("from", "of", "with", "从", "向", "跟", "在", "找")
_JUDGED = ("best", "worst", "最好", "最差")
_PEOPLE = ("who", "谁", "people", "人")


def chosen(choices: Sequence[ReadingChoice], items: Sequence[Item], catalog: Catalog) -> ReadingChoice | None:
    """Return the choice that the words mean; None where that is not sure.

    "How many pretzels did we sell" counts pieces where a sale has several, "how much" money; who did is not counted.
    """
    metrics = {
        each.asked.query.metric: each
        for each in choices
        if isinstance(each.asked.query, MetricQuery) and each.asked.query.metric in catalog.metrics
    }
    if not metrics or len(metrics) != len(choices) or any(_is_of_people(item) or _judges(item) for item in items):
        return None
    if _counts_who(items):
        return None
    done = [item for item in items if (item.meaning is Sign.TRADE and _is_trade(item)) or _ranks_sales(item)]
    traded = any(item.meaning is Sign.TRADE for item in items)
    supposed = [item for item in items if item.is_supposed and item.names("metric")]
    things = [item for item in items if item.is_supposed and item.names("table")]
    asks = any(item.meaning in (Sign.HOW_MANY, Sign.WHICH, Sign.TOP, Sign.BOTTOM) for item in items)
    if (traded and not done) or ((traded or supposed) and not asks):
        return None
    names = list(metrics)
    if not (told := done or supposed or things):
        counted = len(names) == 1 and catalog.metrics[names[0]].counts_rows and _is_counted(items, catalog, names[0])
        return metrics[names[0]] if counted else None
    if done:
        names = _of_deeds(names, done, items, catalog)
    elif things:
        names = [name for name in names if catalog.metrics[name].table in {item.refers_to for item in things}]
    names = [name for name in names if _fits(catalog.metrics[name], items)] or ([] if done else names)
    if len(names) > 1 and (done or things):
        names = [name for name in names if not catalog.metrics[name].counts_rows] or names
    return _saying(metrics[names[0]], told[0], catalog.metrics[names[0]]) if len(names) == 1 else None


def _of_deeds(names: Sequence[str], done: Sequence[Item], items: Sequence[Item], catalog: Catalog) -> list[str]:
    """Return the metrics that are called by what is done, else those of what is bought and sold, else all.

    What the company itself buys is none of what it sells: of that only a name tells.
    """
    called = [name for name in names if any(_says_exactly(catalog, catalog.metrics[name], item) for item in done)]
    if called or _we_get(items):
        return called
    return [name for name in names if known.is_traded(catalog, catalog.metrics[name])] or [*names]


def _saying(choice: ReadingChoice, item: Item, metric: Metric) -> ReadingChoice:
    """Return a choice that tells what its word was taken for, where the name does not say so itself."""
    said = item.word.text
    if any(said.lower() in each.lower() for each in metric.called.every) or choice.asked.assumed:
        return choice
    return replace(choice, asked=replace(choice.asked, assumed=((said, choice.label),)))


def _fits(metric: Metric, items: Sequence[Item]) -> bool:
    """Tell whether a metric is of money where money is asked for, and a number of rows or pieces where it is not."""
    if not metric.adds_up:
        return False
    return bool(metric.unit) if _asks_money(items) else not metric.unit


def _asks_money(items: Sequence[Item]) -> bool:
    said = {item.word.text.lower() for item in items}
    return (
        any(item.meaning is Sign.MONEY for item in items) or "how much" in said or bool(said & {"花", "花了", "多少钱"})
    )


def _is_counted(items: Sequence[Item], catalog: Catalog, name: str) -> bool:
    """Tell whether the rows that a metric counts are those that the words speak of."""
    table = catalog.metrics[name].table
    ranked = any(item.meaning in (Sign.TOP, Sign.BOTTOM) for item in items)
    own = [item for item in items if item.names("value", "column") and item.refers_to.partition(".")[0] == table]
    return ranked or any(catalog.column(item.refers_to).type == "flag" or item.names("value") for item in own)


def _says_exactly(catalog: Catalog, metric: Metric, item: Item) -> bool:
    """Tell whether a metric, or the day of its rows, is called by this very deed: 采购 of 采购支出, sold_on."""
    said = item.word.text.lower().removesuffix("了")
    if " " in said:
        return False
    if not said.isascii():
        day = catalog.column(".".join(catalog.place(metric.time, metric.table))).called.zh if metric.time else ()
        return len(said) > 1 and any(said in each for each in (*metric.called.zh, *day))
    return root(said) in _roots(metric)


def _roots(metric: Metric) -> frozenset[str]:
    """Return the roots of the words of a metric's names, and of what is done on its day."""
    said = (*metric.called.en, metric.time.rpartition(".")[2].partition("_")[0], metric.table)
    return frozenset(root(token) for each in said for token, _, _ in tokens_of(each))


def _we_get(items: Sequence[Item]) -> bool:
    """Tell whether the company itself buys: what it sells is another number."""
    words = [item.word.text.lower() for item in items]
    ours = any(word in _OURS and before not in _FROM for before, word in pairwise(["", *words]))
    return ours and any(word in _GOT for word in words)


def _is_trade(item: Item) -> bool:
    """Tell whether things change hands by it: what is earned or brought in is money."""
    said = item.word.text.lower()
    return bool(known.TRADED & set(said)) or "下单" in said or root(said.partition(" ")[0]) in known.TRADES


def _counts_who(items: Sequence[Item]) -> bool:
    """Tell whether those are counted who do it: "how many brokers bought something"."""
    at = next((at for at, item in enumerate(items) if item.meaning is Sign.HOW_MANY), len(items))
    behind = items[at + 1 :]
    if not behind or not behind[0].names("value", "table"):
        return False
    deeds = (item.meaning is Sign.TRADE or (item.is_supposed and item.names("metric")) for item in behind)
    done = next((place for place, is_done in enumerate(deeds) if is_done), 0)
    return done > 0 and not any(word in _DONE_BY for item in behind[:done] for word in item.word.text.lower().split())


def _ranks_sales(item: Item) -> bool:
    """Tell whether it is "best selling", 最畅销: what is sold is ranked."""
    said = item.word.text.lower()
    return item.meaning in (Sign.TOP, Sign.BOTTOM) and ("sell" in said or "畅销" in said)


def _judges(item: Item) -> bool:
    """Tell whether things are said to be best or worst, which by money is another one than by pieces: 卖得最好."""
    return item.meaning in (Sign.TOP, Sign.BOTTOM) and item.word.text.lower().removesuffix("的") in _JUDGED


def _is_of_people(item: Item) -> bool:
    said = item.word.text.lower()
    asks = item.meaning is Sign.HOW_MANY and said[-1:] in ("人", "位", "名") and said[-1:] in CLASSIFIERS | {"人"}
    return asks or said.startswith(_PEOPLE)
