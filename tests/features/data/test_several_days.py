"""Rows with several days: the one that is named counts, and a month without a year is the nearest."""

from datetime import date

import pytest

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read_all
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Condition, MetricQuery, Period, RowQuery
from tests.features.data.test_reading import OCTOBER, TODAY

HOTEL = Catalog.model_validate(
    {
        "tables": {
            "bookings": {
                "called": {"en": ["bookings"], "zh": ["预订"]},
                "public": True,
                "columns": {
                    "channel": {
                        "type": "text",
                        "called": {"en": ["channel"], "zh": ["渠道"]},
                        "values": {"website": {"en": ["website"]}, "phone": {"en": ["phone"]}},
                    },
                    "booked_at": {"type": "time", "called": {"en": ["booked at", "made"], "zh": ["下单时间"]}},
                    "arrival_on": {"type": "date", "ahead": True, "called": {"en": ["arrival"], "zh": ["到店日期"]}},
                    "nights": {"type": "number", "called": {"en": ["nights"], "zh": ["晚数"]}},
                },
            }
        },
        "metrics": {
            "stays": {
                "called": {"en": ["stays"], "zh": ["入住"]},
                "table": "bookings",
                "expression": "count(*)",
                "time": "arrival_on",
                "dimensions": ["channel"],
            },
            "room_nights": {
                "called": {"en": ["room nights"], "zh": ["间夜"]},
                "table": "bookings",
                "expression": "sum(nights)",
                "time": "arrival_on",
                "dimensions": ["channel"],
            },
        },
    }
)
DECEMBER = Period(start=date(2026, 12, 1), end=date(2027, 1, 1))
WEBSITE = Condition(column="bookings.channel", values=("website",))


def asked(text: str, language: str = "en") -> MetricQuery | RowQuery:
    """Return what a question to the hotel is read as."""
    found = read_all(text, catalogs={"s": HOTEL}, known={}, today=TODAY, language=language)
    assert isinstance(found, AskedData), (text, found)
    return found.query


@pytest.mark.parametrize(
    ("text", "language", "time", "period"),
    [
        ("how many bookings were made in October", "en", "bookings.booked_at", OCTOBER),
        ("10月下单的预订有多少", "zh", "bookings.booked_at", OCTOBER),
        ("how many bookings do we have in December", "en", "", DECEMBER),
        ("十二月有多少预订", "zh", "", DECEMBER),
        ("how many bookings do we have in October", "en", "", OCTOBER),
        ("十月有多少预订", "zh", "", OCTOBER),
    ],
)
def test_the_day_that_is_named_counts_in_the_nearest_year(text: str, language: str, time: str, period: Period) -> None:
    query = asked(text, language)

    assert (query.time, query.period) == (time, period)


def test_a_share_is_of_what_was_done_on_the_day_that_is_named() -> None:
    query = asked("what % of the bookings made in October came through the website")

    assert isinstance(query, MetricQuery)
    assert (query.time, query.period, query.part) == ("bookings.booked_at", OCTOBER, (WEBSITE,))
