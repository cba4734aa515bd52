"""Answers over a response_url, with slack_sdk's webhook client."""

import pytest
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.fakes.slack.records import Channel
from tests.fakes.slack_api.conftest import House


@pytest.fixture
def elsewhere(house: House) -> Channel:
    """Add a channel in which the app is not."""
    return house.workspace.add_channel("elsewhere", (house.ann, house.ben), with_bot=False)


def webhook(house: House, url: str) -> AsyncWebhookClient:
    return AsyncWebhookClient(url, session=house.session, retry_handlers=[])


async def test_an_answer_reaches_one_or_all_where_the_app_is_no_member(house: House, elsewhere: Channel) -> None:
    hook = webhook(house, house.workspace.new_response_url(house.ann, elsewhere))
    first = await hook.send(text="only you")
    await hook.send(text="everybody", response_type="in_channel")

    assert (first.status_code, first.body) == (200, "ok")
    assert [each.text for each in house.workspace.seen_by(house.ann, elsewhere)] == ["only you", "everybody"]
    assert [each.text for each in house.workspace.seen_by(house.ben, elsewhere)] == ["everybody"]


async def test_a_message_is_replaced_or_removed_also_an_ephemeral_one(house: House) -> None:
    shown = await house.client.chat_postEphemeral(channel=house.help.id, user=house.ann.id, text="before")
    message = house.workspace.messages[house.help.id][shown["message_ts"]]
    hook = webhook(house, house.workspace.new_response_url(house.ann, house.help, message=message))

    await hook.send(text="after", replace_original=True)
    assert message.text == "after"
    await hook.send(delete_original=True)
    assert message.deleted
    gone = await hook.send(text="again", replace_original=True)
    assert (gone.status_code, gone.body) == (400, "message_not_found")


async def test_it_works_five_times(house: House, elsewhere: Channel) -> None:
    hook = webhook(house, house.workspace.new_response_url(house.ann, elsewhere))
    answers = [await hook.send(text=f"{number}") for number in range(6)]

    assert [each.status_code for each in answers] == [200] * 5 + [404]
    assert answers[-1].body == "used_url"
    assert [call.method for call in house.workspace.calls] == ["response_url"] * 6


async def test_it_lives_half_an_hour(house: House, elsewhere: Channel) -> None:
    hook = webhook(house, house.workspace.new_response_url(house.ann, elsewhere))
    house.clock.advance(1_799)
    assert (await hook.send(text="in time")).body == "ok"
    house.clock.advance(2)

    assert (await hook.send(text="late")).body == "expired_url"
    assert (await webhook(house, f"{house.workspace.base_url}/actions/T/R404").send(text="a")).status_code == 404


async def test_what_it_does_not_take(house: House, elsewhere: Channel) -> None:
    hook = webhook(house, house.workspace.new_response_url(house.ann, elsewhere))

    assert (await hook.send_dict({"text": "a", "colour": "red"})).body == "invalid_payload"
    assert (await hook.send_dict({"text": "a", "response_type": "loud"})).body == "invalid_payload"
    assert (await hook.send_dict({"text": "a", "blocks": [{"type": "song"}]})).body == "invalid_blocks"
    assert (await hook.send_dict({"response_type": "ephemeral"})).body == "no_text"
    assert (await hook.send_dict({})).body == "invalid_payload"
    house.workspace.faults.down(10)
    assert (await hook.send(text="a")).status_code == 503
