"""An answer that takes its time grows before the person's eyes: as a stream alone, by edits where others read along."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from storage.clock import SystemClock
from tests.browser.teams.house import TeamsHouse, teams_house
from tests.browser.teams.playground import missing
from tests.browser.told import ENGLISH
from tests.scenarios.slow_brain import slow_brain

pytestmark = pytest.mark.browser

THINK_S = 1.2


@pytest_asyncio.fixture(loop_scope="session")
async def thoughtful(sample_home: Path, browser: Browser) -> AsyncIterator[TeamsHouse]:
    if reason := missing():
        pytest.skip(reason)
    async with teams_house(sample_home, browser, brain=slow_brain(SystemClock(), THINK_S)) as opened:
        yield opened


async def test_a_slow_answer_is_streamed_alone_and_edited_in_a_channel(thoughtful: TeamsHouse) -> None:
    seat = await thoughtful.seat("ada")
    await expect(seat.messages).to_have_count(1)

    await seat.say(ENGLISH.question)
    await expect(seat.page.get_by_role("progressbar").last).to_be_visible()
    answer = seat.said(ENGLISH.answer).first
    await expect(answer).to_contain_text("AI generated")
    await expect(answer.locator(".fai-Citation").first).to_be_visible()
    await expect(seat.page.get_by_role("button", name="Dislike").last).to_be_visible()
    await thoughtful.settle()
    kinds = await seat.calls()
    assert kinds.count("typing 202") + kinds.count("typing 201") >= 1
    assert "message 202" in kinds, "a stream ends with a final message, which has no id of its own"

    await seat.go("channel")
    await seat.post(ENGLISH.question)
    answer = seat.said(ENGLISH.answer).first
    await expect(answer).to_contain_text("AI generated")
    await expect(seat.page.get_by_role("button", name="Dislike").last).to_be_visible()
    await thoughtful.settle()
    assert "message 200" in await seat.calls(), "the placeholder is edited"

    await seat.assert_nothing_went_wrong()
