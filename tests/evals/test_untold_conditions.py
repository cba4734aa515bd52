"""A condition that no catalogue tells, put into a question, never leaves the number as it was without it.

Who asks for the lessons in the morning and is given all lessons has a wrong number: it is asked back, left to the
documents, or said to be left aside.
"""

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData, AskedParts, ReadMessage
from features.data.understanding.reading import read_all
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog
from tests.evals.bikes.company import make_bikes
from tests.evals.music.company import TODAY, make_school
from tests.evals.practices.company import make_practices
from tests.evals.recycling.asking import drafted_catalog, questions_of
from tests.evals.recycling.company import make_recycling
from tests.evals.waterworks.company import make_waterworks
from tests.scale import scaled

#: Many questions are read: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

HERE = Path(__file__).parent
#: Conditions that stand behind a question, before its last word, and before a Chinese one.
_BEHIND = (
    "in the morning", "on time", "with a balcony", "without a permit", "for the Zanzibar office", "at night",
    "by helicopter", "for the first time", "who wear glasses", "on bank holidays", "paid in cowries", "twice",
)  # fmt: skip
_WITHIN = ("purple", "overseas", "left-handed", "second-hand", "expired", "blorpy", "urgent")
_CHINESE = (
    "早上的", "准时的", "紫色的", "海外的", "戴眼镜的", "没有许可证的", "晚上六点以后的", "第一次的", "节假日的",
    "30岁以上的", "二手的",
)  # fmt: skip
#: Variants of each question, of about twenty.
_VARIANTS = scaled(20, least=2)


@pytest.mark.parametrize(
    ("company", "make", "least"),
    [
        ("bikes", make_bikes, 35),
        ("music", make_school, 45),
        ("practices", make_practices, 35),
        ("recycling", make_recycling, 20),
        ("waterworks", make_waterworks, 25),
    ],
)
def test_a_condition_that_is_not_understood_does_not_leave_the_number_as_it_was(
    tmp_path: Path, company: str, make: Callable[[Path], None], least: int
) -> None:
    database = tmp_path / "company.db"
    make(database)
    overlay = yaml.safe_load((HERE / company / "overlay.yaml").read_text(encoding="utf-8"))
    catalog = Catalog.model_validate(asyncio.run(drafted_catalog(database, overlay)))
    known = [(text, found) for text in _questions(HERE / company) if (found := _numbers(_read(text, catalog, TODAY)))]

    silent = [
        changed
        for number, (text, found) in enumerate(known)
        for changed in _with_conditions(text, number)
        if found & _numbers(_read(changed, catalog, TODAY))
    ]

    assert len(known) >= least
    assert silent == []


def _questions(folder: Path) -> Iterator[str]:
    """Yield the questions of a company that go on from no other."""
    for name in ("questions", "tuned", "held"):
        path = folder / f"{name}.yaml"
        for asked in questions_of(path) if path.exists() else ():
            if not asked.goes_on:
                yield asked.ask.rstrip("?？ ")


def _with_conditions(text: str, number: int) -> list[str]:
    """Return a question with some of the conditions, other ones for each number."""
    words = text.split()
    if not text.isascii():
        changed = [f"{each}{text}" for each in _CHINESE]
    else:
        changed = [f"{text} {each}" for each in _BEHIND]
        changed += [" ".join((*words[:-1], each, words[-1])) for each in _WITHIN]
    return [changed[(number * 3 + at * 7) % len(changed)] for at in range(min(_VARIANTS, len(changed)))]


def _read(text: str, catalog: Catalog, today: date) -> ReadMessage:
    language = language_of(text) or "en"
    return read_all(text, catalogs={"company": catalog}, known={}, today=today, language=language)


def _numbers(found: ReadMessage) -> set[str]:
    """Return the queries that are answered at once with nothing said to be left aside."""
    if isinstance(found, AskedData):
        return {found.query.model_dump_json()}
    if isinstance(found, AskedParts) and not (found.left or found.documents):
        return {part.asked.query.model_dump_json() for part in found.asked}
    return set()
