"""Nothing is acknowledged before it is stored, and nothing that Teams sends is left without an answer."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest

from adapters.events import Joined, Message, Press
from adapters.port import InvalidForm, Shown
from adapters.teams.address import TeamsAddress
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.inbound.app import STORE_S
from adapters.teams.inbound.invokes import ERROR
from storage.clock import ManualClock
from tests.adapters.teams.hearing import (
    BEN,
    CARD,
    Hearing,
    Json,
    activity,
    desk,
    executed,
    invoke,
    judged,
    press,
    said,
)
from tests.adapters.teams.test_inbound_presses import FORM, carried

DONE = InvokeAnswer(200)
FALLBACK = activity("message", value=press("draft.edit"), replyToId=CARD)


@pytest.fixture
def hearing() -> Hearing:
    return Hearing()


# Stored, then acknowledged


async def test_a_message_is_stored_once_and_acknowledged(hearing: Hearing) -> None:
    assert await hearing.deliver(said("hello")) == DONE
    assert isinstance(hearing.inbox.only, Message)


async def test_a_press_is_stored_and_answered(hearing: Hearing) -> None:
    answer = await hearing.deliver(executed(press()))

    assert answer.body is not None
    assert answer.body["value"] == "Taken."
    assert isinstance(hearing.inbox.only, Press)


@pytest.mark.parametrize(("locale", "words"), [("zh-CN", "已收到"), ("en-US", "Taken."), ("de-DE", "已收到")])
async def test_a_press_is_answered_in_the_persons_language_or_the_desks(locale: str, words: str) -> None:
    answer = await Hearing(language="zh").deliver(executed(press(), locale=locale))

    assert answer.body is not None
    assert answer.body["value"] == words


async def test_an_installation_is_stored(hearing: Hearing) -> None:
    assert await hearing.deliver(activity("installationUpdate", action="add")) == DONE
    assert isinstance(hearing.inbox.only, Joined)


async def test_talk_is_acknowledged_and_counted_without_a_write(hearing: Hearing) -> None:
    assert await hearing.deliver(said("<at>Ben Okoro</at> lunch?", "group", naming=[BEN])) == DONE
    assert hearing.inbox.events == []
    assert hearing.health.counts["ignored.others"] == 1


# Not stored

MISSED: dict[str, tuple[Json, int, int | None]] = {
    "a message": (said("hello"), 503, None),
    "a fallback": (FALLBACK, 503, None),
    "an installation": (activity("installationUpdate", action="add"), 503, None),
    "somebody new": (activity("conversationUpdate", "group", membersAdded=[BEN]), 503, None),
    "a press": (executed(press()), 200, 503),
    "a form in a card": (executed(carried()), 200, 503),
    "a dialog": (invoke("task/fetch", {"data": press()}), 200, None),
    "a form in a dialog": (invoke("task/submit", {"data": carried()}), 503, None),
    "a thumb": (judged(), 503, None),
}


@pytest.mark.parametrize(("body", "status", "inner"), MISSED.values(), ids=MISSED)
async def test_what_is_not_stored_is_never_called_done(
    hearing: Hearing, body: Json, status: int, inner: int | None
) -> None:
    hearing.inbox.error = OSError("disk full")

    answer = await hearing.deliver(body)

    told: Any = answer.body or {}
    assert (answer.status, told.get("statusCode")) == (status, inner)
    assert status != 200 or "Not saved." in str(told)
    assert inner is None or told["type"] == ERROR


async def test_what_takes_too_long_is_not_stored() -> None:
    hearing = Hearing(clock=(clock := ManualClock()))
    hearing.inbox.slow = True
    waiting = asyncio.create_task(hearing.deliver(said("hello")))
    await asyncio.sleep(0)
    assert not waiting.done()

    clock.advance(STORE_S)

    assert await waiting == InvokeAnswer(503)
    assert STORE_S < 10


async def test_a_full_disk_is_one_alarm_and_its_end_is_told(hearing: Hearing, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "adapters")
    hearing.inbox.error = OSError("disk full")
    for body in (said("hello"), executed(press()), judged()):
        await hearing.deliver(body)
    hearing.inbox.error = None
    await hearing.deliver(said("hello"))

    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
    assert "disk full" not in caplog.text


async def test_a_mistake_of_ours_is_not_called_a_full_disk(hearing: Hearing) -> None:
    hearing.inbox.error = RuntimeError("a mistake")

    with pytest.raises(RuntimeError, match="a mistake"):
        await hearing.deliver(said("hello"))
    assert hearing.health.episodes == ()


# For the adapter alone


async def test_who_reads_along_is_forgotten_when_members_change(hearing: Hearing) -> None:
    added = activity("conversationUpdate", "channel", membersAdded=[BEN])
    removed = activity("conversationUpdate", "channel", membersRemoved=[BEN])

    assert [await hearing.deliver(each) for each in (added, removed)] == [DONE, DONE]
    assert hearing.changed == ["19:general@thread.tacv2"] * 2
    assert isinstance(hearing.inbox.only, Joined)


async def test_a_removed_app_is_told_in_the_log(hearing: Hearing, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "adapters.teams")

    assert await hearing.deliver(activity("installationUpdate", action="remove")) == DONE
    assert [record.levelname for record in caplog.records] == ["INFO"]
    assert hearing.inbox.events == []


async def test_where_an_event_comes_from_is_known_even_when_it_is_not_stored(hearing: Hearing) -> None:
    hearing.inbox.error = OSError("disk full")

    await hearing.deliver(said("hello"))

    (address,) = hearing.addresses
    assert TeamsAddress.of(address).service_url == "https://smba.trafficmanager.net/emea/"


async def test_a_form_that_a_client_cannot_show_is_told_in_the_log(
    hearing: Hearing, caplog: pytest.LogCaptureFixture
) -> None:
    hearing.inbox.receipt = Shown(FORM)

    assert await hearing.deliver(FALLBACK) == DONE
    assert "teams.forms" in caplog.text


async def test_a_form_that_an_invoke_shows_is_shown(hearing: Hearing, caplog: pytest.LogCaptureFixture) -> None:
    hearing.inbox.receipt = Shown(FORM)

    for body in (executed(press()), invoke("task/fetch", {"data": press()})):
        assert "Your ticket" in str((await hearing.deliver(body)).body)
    assert caplog.text == ""


async def test_a_form_speaks_one_language_whatever_the_client_speaks(hearing: Hearing) -> None:
    form = replace(FORM, language="zh")
    hearing.inbox.receipt = Shown(form)
    shown = (await hearing.deliver(executed(press(), locale="en-US"))).body
    hearing.inbox.receipt = InvalidForm({"title": "?"})
    again = (await hearing.deliver(executed(carried(form), locale="en-US"))).body

    for body in (shown, again):
        assert "请填写" in str(body)


@pytest.mark.parametrize(("locale", "words"), [("en-US", "Cancelled."), ("zh-CN", "已取消")])
async def test_a_form_that_is_cancelled_makes_room(hearing: Hearing, locale: str, words: str) -> None:
    answer = await hearing.deliver(executed(desk("cancel", message="m"), locale=locale))

    assert words in str(answer.body)
    assert hearing.inbox.events == []


# Nothing is left without an answer

STRANGE: dict[str, tuple[Any, int]] = {
    "an edit": (activity("messageUpdate", text="hello"), 200),
    "a deletion in a channel": (activity("messageDelete", "channel"), 200),
    "a reaction": (activity("messageReaction", reactionsAdded=[{"type": "like"}]), 200),
    "somebody who types": (activity("typing"), 200),
    "a meeting": (activity("event", name="application/vnd.microsoft.meetingStart"), 200),
    "a new channel": (activity("conversationUpdate", "channel", channelData={"eventType": "channelCreated"}), 200),
    "another version": (activity("installationUpdate", action="add-upgrade"), 200),
    "something new": (activity("somethingNew"), 200),
    "a query": (invoke("composeExtension/query", {"commandId": "x"}), 501),
    "an invoke without a name": (activity("invoke"), 501),
    "a button of another app": (executed({"x": 1}), 200),
    "a dialog of another app": (invoke("task/fetch", {"data": {"x": 1}}), 400),
    "another judgement": (invoke("message/submitAction", {"actionName": "x"}), 400),
    "no activity": ({"x": 1}, 400),
    "no activity at all": ([], 400),
}


@pytest.mark.parametrize(("body", "status"), STRANGE.values(), ids=STRANGE)
async def test_everything_is_answered(hearing: Hearing, body: Any, status: int) -> None:
    answer = await hearing.deliver(body)

    assert answer.status == status
    assert hearing.inbox.events == []
