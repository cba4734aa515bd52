"""What is done on the days that columns keep, "cancelled" of `cancelled_on`, and what was not done: 未付款."""

import re
from collections.abc import Iterator

from features.data.understanding.words.concepts import UNDER_WAY
from queries.sql.catalog.catalog import Catalog, CatalogColumn, CatalogTable
from queries.sql.metrics.measures import time_of
from queries.sql.metrics.query import Condition

#: The name of a column of days, as the database or people call it: `started_on`, "paid on".
_DONE_ON = re.compile(r"([a-z]{3,20})(?: us)?[_ ](?:on|at)")
_DONE = re.compile(r"[a-z]{2,18}(?:ed|ft|ght|ld)|made|sent|won|begun|given|taken|written|drawn|cut|put")
_DONE_ZH = re.compile(r"(.{2,8}?)(?:日期|时间|日)")
#: What is done, and how it is asked for: "how many did we buy".
_DOES = {
    "bought": "buy", "lent": "lend", "sent": "send", "won": "win", "lost": "lose", "built": "build", "sold": "sell",
}  # fmt: skip
#: The name of a day on which something is over.
_ENDS = re.compile(
    r"(?:end|left|clos|finish|complet|return|expir|terminat|retir|decommission)|[离结终]|到期|完工|归还|关闭|报废"
)
#: The name of a day on which something began.
_BEGINS = re.compile(
    r"(?:report|open|start|beg[au]n|creat|issu|order|book|sent|made|received|borrow|lent|rent|sign|register|bill|place|"
    r"hir|join|log|call|rais|arriv|regist|taken|charg)"
)
#: What is said of a deed in fewer characters.
_SPOKEN_ZH = {
    "归还": ("还",), "缴费": ("交", "缴", "付"), "付款": ("付", "付钱", "付清"), "支付": ("付", "付钱", "付清"),
    "完成": ("做完",), "修复": ("修", "修好"), "维修": ("修", "修好"), "交付": ("交",), "发货": ("发",),
    "结算": ("结",), "取件": ("取",),
}  # fmt: skip
#: Who asks of what was has no time to come in mind.
PAST = re.compile(r"\b(?:was|were|did|had|made|came|got|went)\b|了|过")
#: The value of what should have been done by today, and how it is called.
OVERDUE = "overdue"
LATE = (
    "overdue", "past due", "late", "behind schedule", "逾期", "过期", "超期", "past the deadline",
    "past their deadline", "past its deadline", "past their due date", "past its due date", "past the due date",
    "过了截止日期", "过了期限",
    "超过截止日期", "超过期限",
)  # fmt: skip
#: What is said of what was not brought back yet; it is so on a day, and not in a period.
ON_LOAN = (
    "on loan", "out on loan", "is out", "are out", "still out", "currently out", "out right now", "out now",
    "out at the moment", "are lent out", "currently lent out", "are rented out", "currently rented out",
    "are checked out", "currently checked out", "currently borrowed", "借出去没还", "借出去还没还", "租出去没还",
    "租出去还没还", "在外面", "借着", "租着", "在借",
)  # fmt: skip
#: What is said of those of whom something was not done.
_REMAINS = {
    "left": ("still here", "still with us", "still work here", "still working here", "still employed"),
    **dict.fromkeys(("returned", "back"), tuple(each for each in ON_LOAN if each.isascii())),
    "归还": tuple(each for each in ON_LOAN if not each.isascii()),
    "离职": ("在职", "还在的", "还在职", "仍在职", "还在公司", "还没走", "没走"),
}  # fmt: skip
#: What will not be done any more.
_GIVEN_UP = frozenset(
    {
        "written off", "cancelled", "canceled", "dropped", "withdrawn", "abandoned", "waived", "rejected", "void",
        "not carried out", "called off", "lost", "scrapped", "作废", "取消", "已取消", "坏账", "核销", "免除", "放弃",
        "拒绝", "撤销", "丢失", "不修",
    }
)  # fmt: skip
_NOT = (
    "un{}",
    *(
        f"{negation} {said}"
        for negation in (
            "not", "never", "haven't", "hasn't", "have not", "has not", "isn't", "aren't", "is not", "are not",
            "wasn't", "weren't", "was not", "were not",
        )
        for said in ("{}", "been {}", "yet {}", "{} yet", "been {} yet", "yet been {}")
    ),
)  # fmt: skip
_NOT_ZH = ("没{}", "没有{}", "未{}", "还没{}", "还没有{}", "还未{}", "尚未{}", "仍未{}", "没{}过", "从没{}过")


def deeds_of(column: CatalogColumn, name: str) -> Iterator[str]:
    """Yield the words of what is done on a day that a column keeps."""
    if column.type not in ("date", "time"):
        return
    for called in (name, *column.called.en):
        if done := _DONE_ON.fullmatch(called.lower()):
            yield from dict.fromkeys((done[1], _DOES.get(done[1], done[1])))
        elif _DONE.fullmatch(called.lower()):
            yield called.lower()
    for called in column.called.zh:
        if done := _DONE_ZH.fullmatch(called):
            yield done[1]


def lasts(table: CatalogTable) -> bool:
    """Tell whether rows of a table are something that begins and ends: a project, and not an invoice."""
    return any(
        column.type in ("date", "time") and not column.ahead and _ENDS.search(" ".join((name, *column.called.every)))
        for name, column in table.columns.items()
    )


def overdue_by(catalog: Catalog, table: str) -> tuple[str, Condition] | None:
    """Return the day until which something was to be done with a row, and what tells that it was not; None for none.

    That is a status in which it still is, or the day on which it was done, which is empty.
    """
    columns = catalog.tables[table].columns
    due = [f"{table}.{name}" for name, column in columns.items() if column.ahead]
    done = [f"{table}.{name}" for name, column in columns.items() if not column.ahead and any(deeds_of(column, name))]
    done = [each for each in done if not _BEGINS.match(each.rpartition(".")[2])]
    done = done if len(done) < 2 else [each for each in done if each != time_of(catalog, table)]
    states = [(f"{table}.{name}", held) for name, column in columns.items() if (held := tuple(_under_way(column)))]
    if len(due) != 1 or len(done) > 1:
        return None
    if len(states) == 1:  # what is written off will not be paid, and is not overdue
        return due[0], Condition(column=states[0][0], values=states[0][1])
    return (due[0], Condition(column=done[0], values=(None,))) if done else None


def given_up(catalog: Catalog, day: str) -> Condition | None:
    """Return what holds of rows that somebody still waits for: what was dropped is not "not finished yet".

    None where no state says so, or where the day is not one on which something is done.
    """
    table, _, name = day.partition(".")
    if _BEGINS.match(name) or catalog.column(day).ahead or catalog.column(day).type not in ("date", "time"):
        return None
    for state, column in catalog.tables[table].columns.items():
        called = {value: (value.replace("_", " "), *words.every) for value, words in column.values.items()}
        values = tuple(value for value, names in called.items() if _GIVEN_UP & {each.lower() for each in names})
        if column.type == "text" and values:
            return Condition(column=f"{table}.{state}", values=values, operator="is_not")
    return None


def _under_way(column: CatalogColumn) -> Iterator[str]:
    """Yield the values of what is not done yet."""
    for value, words in column.values.items() if column.type == "text" else ():
        if UNDER_WAY & {each.lower() for each in (value, *words.every)}:
            yield value


def undone(deed: str) -> Iterator[str]:
    """Yield the ways to say that something was not done: "not paid yet", 还没付款, 还没付."""
    yield from _REMAINS.get(deed, ())
    for said in (deed, *_SPOKEN_ZH.get(deed, ())):
        yield from (each.format(said) for each in (_NOT if said.isascii() else _NOT_ZH))
