"""What the page on limits says is what the settings and the code have."""

import re
from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from adapters.web.requests import MessageBody
from agent.brains.rules.understanding.message import CHINESE_COUNTS_AS, READ_AT_MOST
from bot import server
from bot.console.access import connections
from bot.conversation import files
from bot.settings import LimitSettings, Settings
from features.knowledge.pages import html
from tests.architecture.source import ROOT

PAGE = (ROOT / "docs/how-to/limit-what-people-may-use.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", PAGE, re.MULTILINE))

#: Figures that no setting changes, by the beginning of their row.
FIXED: Mapping[str, tuple[float, ...]] = {
    "files of one message": (files.MOST,),
    "characters of a message that are read": (READ_AT_MOST, READ_AT_MOST // CHINESE_COUNTS_AS),
    "time for drawing a page": (html.DRAWN_WITHIN_S,),
    "requests that are not sent": (connections.HEADERS_WITHIN_S,),
    "connections of one network address": (connections.WAITING_PER_ADDRESS,),
    "writes of a signed-in browser": (server.WRITES_PER_MINUTE,),
}


def figures(text: str) -> tuple[float, ...]:
    """Return the numbers of a cell, those of millions as such."""
    found = re.findall(r"(\d[\d,]*)( million)?", re.sub(r"`[^`]*`", "", text))
    return tuple(float(number.replace(",", "")) * (1_000_000 if millions else 1) for number, millions in found)


def default_of(name: str) -> float:
    """Return the default of a setting that is named with dots."""
    value: object = Settings.model_construct()
    for part in name.split("."):
        value = getattr(value, part)
    assert isinstance(value, (int, float))
    return value


def settings_on_the_page() -> list[tuple[str, float]]:
    """Return each setting that is followed by its default, and that."""
    said = re.findall(r"`([a-z_.]+)`, (\d[\d,]*(?: million)?)", PAGE)
    return [(name, figures(number)[0]) for name, number in said]


@pytest.mark.parametrize(("name", "said"), settings_on_the_page())
def test_a_setting_has_the_default_that_the_page_says(name: str, said: float) -> None:
    assert default_of(name) == said


@pytest.mark.parametrize("row", FIXED)
def test_what_no_setting_changes_is_as_the_page_says(row: str) -> None:
    (cell,) = (cell for what, cell in ROWS.items() if what.startswith(row))
    assert figures(cell) == FIXED[row]


def test_every_limit_that_can_be_set_stands_on_the_page() -> None:
    named = {name for name, _ in settings_on_the_page()}
    assert {f"limits.{name}" for name in LimitSettings.model_fields} - {"limits.news_together_s"} == {
        name for name in named if name.startswith("limits.")
    }


def test_files_stop_being_read_at_the_share_of_the_time_that_the_page_says() -> None:
    assert ROWS["time of the files of one message"].startswith("a third of `limits.run_seconds`")
    assert pytest.approx(1 / 3) == files.SHARE


def test_a_message_of_the_browser_chat_has_the_length_that_the_page_says() -> None:
    (most,) = figures(ROWS["characters of a message in the browser chat"])
    assert len(MessageBody(event_id="event-00000001", thread="thread-00000001", text="a" * int(most)).text) == most
    with pytest.raises(ValidationError, match="at most"):
        MessageBody(event_id="event-00000001", thread="thread-00000001", text="a" * (int(most) + 1))
