"""A table and a chart as a capability would show them, in both languages, for pictures of each client."""

from adapters.cards import Card, Chart, ChartSeries, Code, Column, Heading, Language, Table
from bot.compose.desk import Desk
from bot.delivery.address_store import addresses_of

STATEMENT = """SELECT site, count(*) AS tickets, avg(wait_min) AS wait
FROM tickets
WHERE opened_at >= '2026-11-01'
GROUP BY site;"""


def table_card(language: Language) -> Card:
    """Return a table with its statement."""
    words = {
        "en": ("Tickets by site", "Site", "Tickets", "Mean wait", "min", "Statement", "first 4 of 12 sites"),
        "zh": ("各站点工单", "站点", "工单数", "平均等待", "分钟", "查询语句", "12 个站点中的前 4 个"),
    }[language]
    title, site, tickets, wait, unit, statement, note = words
    rows = (("Rotterdam", "128", "12.5"), ("上海", "96", "7.0"), ("Antwerp <hub>", "54", "31.2"), ("Basel", "9", "3.8"))
    columns = (Column(site), Column(tickets, holds="number"), Column(wait, unit, "number"))
    return Card((Table(columns, rows, title, note), Code(STATEMENT, "sql", statement)), title, language)


def chart_card(language: Language) -> Card:
    """Return bars of two series, and a line."""
    words = {
        "en": (
            "Tickets by month",
            "Month",
            "tickets",
            "Opened rose to 131 in November.",
            "Load",
            "Peak",
        ),
        "zh": ("每月工单", "月份", "工单", "十一月新建工单升至 131，解决数随之上升。", "负载", "峰值"),
    }[language]
    title, month, unit, said, load, peak = words
    opened, solved = {"en": ("opened", "solved"), "zh": ("新建", "已解决")}[language]
    months = ("Aug", "Sep", "Oct", "Nov") if language == "en" else ("八月", "九月", "十月", "十一月")
    series = (ChartSeries(opened, (96.0, 88.0, 104.0, 131.0)), ChartSeries(solved, (90.0, 91.0, 99.0, 120.0)))
    hours = tuple(f"{at}:00" for at in range(0, 24, 2))
    values = (12.0, 11.0, 9.5, 14.0, 41.0, 63.0, 58.0, 71.0, 66.0, 38.0, 22.0, 15.0)
    line = Chart("line", load, hours, (ChartSeries("CPU", values),), f"{peak}: 71 %, 14:00.", "%")
    return Card((Heading(title), Chart("bar", "", months, series, said, unit, month), line), title, language)


async def post(desk: Desk, person: str, platform: str, card: Card, *, key: str) -> None:
    """Send a card to where somebody was last spoken to."""
    async with desk.database.reading() as session:
        known = await addresses_of(session, person)
    address = next(each.address for each in known if each.platform == platform)
    await desk.chats[platform].send(address, card, key=key)
