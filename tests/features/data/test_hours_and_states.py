"""Hours of the day, what there is right now, which of two there is more of, and columns beside their number."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read
from features.data.understanding.words.periods.hours import hours_in
from features.data.wording import Wording
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.building import built
from tests.evals.climbing import company as climbing
from tests.evals.library import company as library
from tests.evals.recycling.asking import drafted_catalog

_VISITS = """SELECT count(*) FROM visits
WHERE date(came_in_at) BETWEEN '2026-11-16' AND '2026-11-22' AND time(came_in_at) >= '20:00'"""


class _Asked:
    def __init__(self, folder: Path, name: str) -> None:
        company = {"library": library, "climbing": climbing}[name]
        self.database, self.today = folder / "company.db", company.TODAY
        (library.make_libraries if name == "library" else climbing.make_halls)(self.database)
        overlay = yaml.safe_load((Path(str(company.__file__)).parent / "overlay.yaml").read_text(encoding="utf-8"))
        self.catalog = Catalog.model_validate(asyncio.run(drafted_catalog(self.database, overlay)))

    def read(self, text: str) -> AskedData | None:
        language = language_of(text) or "en"
        found = read(text, catalogs={"it": self.catalog}, known={}, today=self.today, language=language)
        return found if isinstance(found, AskedData) else None

    def numbers(self, text: str) -> list[object]:
        asked = self.read(text)
        assert asked is not None, text
        statement = built(asked.query, self.catalog, dialect="sqlite", today=self.today).statement
        with closing(sqlite3.connect(self.database)) as database:
            return [row[-1] for row in database.execute(statement)]

    def one(self, sql: str) -> list[object]:
        with closing(sqlite3.connect(self.database)) as database:
            return [row[-1] for row in database.execute(sql)]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, _Asked]:
    return {name: _Asked(tmp_path_factory.mktemp(name), name) for name in ("library", "climbing")}


@pytest.mark.parametrize(
    ("text", "first", "end"),
    [
        ("after 6 pm", 18, 24), ("after 8pm", 20, 24), ("before 11 am", 0, 11), ("between 5 pm and 7 pm", 17, 19),
        ("from 5 to 7pm", 17, 19), ("between 10 and 2 pm", 10, 14), ("after 18:00", 18, 24), ("after six pm", 18, 24),
        ("in the afternoons", 12, 18), ("before 12 am", 0, 0), ("晚上六点以后", 18, 24), ("晚上8点以后", 20, 24),
        ("上午十点之前", 0, 10), ("十月上午", 0, 12), ("下午2点到5点之间", 14, 17), ("中午十二点以后", 12, 24),
    ],
)  # fmt: skip
def test_hours_of_the_day_are_read(text: str, first: int, end: int) -> None:
    found = [(each.value.first, each.value.end) for each in hours_in(text)]

    assert found == ([(first, end)] if first < end else [])


@pytest.mark.parametrize("text", ["after 6 weeks", "since 2024", "before 2018", "after 10 loans", "after 6:30 pm"])
def test_what_is_no_whole_hour_is_read_as_none(text: str) -> None:
    assert list(hours_in(text)) == []


@pytest.mark.parametrize(
    ("company", "text", "sql"),
    [
        (
            "library", "loans after 6 pm this month",
            "SELECT count(*) FROM loans WHERE lent_at >= '2026-11-01' AND time(lent_at) >= '18:00'",
        ),
        ("library", "晚上六点以后借出的有多少", "SELECT count(*) FROM loans WHERE time(lent_at) >= '18:00'"),
        (
            "climbing", "how many check-ins after 8pm last week",
            _VISITS,
        ),
        ("library", "how many books are on loan right now", "SELECT count(*) FROM loans WHERE returned_on IS NULL"),
        ("climbing", "how many trainers do we currently have", "SELECT count(*) FROM trainers WHERE left_on IS NULL"),
        (
            "climbing", "红色线路多还是蓝色线路多",
            "SELECT count(*) FROM routes WHERE colour IN ('blue', 'red') GROUP BY colour",
        ),
        (
            "climbing", "are there more red or more green routes",
            "SELECT count(*) FROM routes WHERE colour IN ('red', 'green') GROUP BY colour",
        ),
        (
            "climbing", "难度7以上的黑色线路有多少条",
            "SELECT count(*) FROM routes WHERE colour = 'black' AND grade >= 7",
        ),
    ],
)  # fmt: skip
def test_the_number_is_that_of_the_rows_that_are_meant(
    asked: Mapping[str, _Asked], company: str, text: str, sql: str
) -> None:
    firm = asked[company]

    assert sorted(map(str, firm.numbers(text))) == sorted(map(str, firm.one(sql)))


def test_the_answer_says_of_which_hours_it_is(asked: Mapping[str, _Asked]) -> None:
    firm = asked["climbing"]
    found = firm.read("how many check-ins after 8pm last week")

    assert found is not None
    assert "from 20:00 to 24:00" in Wording(firm.catalog, "en").subject(found.query)


@pytest.mark.parametrize("text", ["how many books were on loan in October", "accidents after 6 pm", "fines after 6 pm"])
def test_what_no_column_tells_is_not_answered(asked: Mapping[str, _Asked], text: str) -> None:
    assert asked["climbing" if "accidents" in text else "library"].read(text) is None
