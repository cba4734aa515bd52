"""Stretches of the story that several features begin with."""

import re

from tests.scenarios.platforms import MAIN, Place, Seen
from tests.scenarios.stage import Stage
from tests.scenarios.story import Story

_NUMBER = re.compile(r"TCK-\d{4}-\d{6}")


def number_in(text: str) -> str:
    """Return the first ticket number of a text."""
    found = _NUMBER.search(text)
    assert found is not None, text
    return found[0]


def complete(told: Story) -> dict[str, str]:
    """Return what the report leaves open, by label."""
    return {told.field("location"): told.given, told.field("device"): told.device}


async def ready_draft(stage: Stage, told: Story, place: Place = MAIN) -> Seen:
    """Report a problem and fill in the rest; return the draft that waits for Confirm."""
    draft = await stage.say(told.requester, told.report, place)
    if told.says("draft.confirm") in draft.labels:
        return draft
    return await stage.fill(told.requester, draft, told.says("draft.complete"), complete(told), place)


async def filed(stage: Stage, told: Story, place: Place = MAIN) -> str:
    """Report a problem, complete and confirm it; return the ticket's number."""
    draft = await ready_draft(stage, told, place)
    seen = await stage.press(told.requester, draft, told.says("draft.confirm"), place)
    return number_in(seen.text)
