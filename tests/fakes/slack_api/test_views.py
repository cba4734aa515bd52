"""Modals and homes: opened in time, stacked, changed, and refused."""

from tests.fakes.slack.records import Json
from tests.fakes.slack.views import close_modal
from tests.fakes.slack_api.conftest import House, error, refusal

SECTION = {"type": "section", "block_id": "words", "text": {"type": "mrkdwn", "text": "hello"}}
INPUT = {
    "type": "input",
    "block_id": "what",
    "label": {"type": "plain_text", "text": "What"},
    "element": {"type": "plain_text_input", "action_id": "value"},
}


def plain(words: str) -> Json:
    return {"type": "plain_text", "text": words}


def modal(*blocks: Json, **fields: object) -> Json:
    return {
        "type": "modal",
        "title": plain("Title"),
        "submit": plain("Send"),
        "blocks": [*(blocks or (SECTION,))],
    } | fields


def home(*blocks: Json, **fields: object) -> Json:
    return {"type": "home", "blocks": [*(blocks or (SECTION,))]} | fields


async def test_a_modal_opens_for_whoever_pressed(house: House) -> None:
    trigger = house.workspace.new_trigger(house.ann)
    answer = await house.client.views_open(
        trigger_id=trigger, view=modal(INPUT, callback_id="form", private_metadata="7")
    )

    view = answer["view"]
    assert (view["callback_id"], view["private_metadata"], view["root_view_id"]) == ("form", "7", view["id"])
    assert [each.id for each in house.workspace.modals[house.ann.id]] == [view["id"]]


async def test_a_trigger_works_once_and_soon(house: House) -> None:
    client, workspace = house.client, house.workspace
    used, old = workspace.new_trigger(house.ann), workspace.new_trigger(house.ann)
    await client.views_open(trigger_id=used, view=modal())
    house.clock.advance(3.5)

    assert await error(client.views_open(trigger_id=used, view=modal())) == "exchanged_trigger_id"
    assert await error(client.views_open(trigger_id=old, view=modal())) == "expired_trigger_id"
    assert await error(client.views_open(trigger_id="made.up", view=modal())) == "invalid_trigger_id"
    assert await error(client.api_call("views.open", json={"view": modal()})) == "invalid_arguments"


async def test_modals_are_stacked_three_high(house: House) -> None:
    workspace, client = house.workspace, house.client
    top = (await client.views_open(trigger_id=workspace.new_trigger(house.ann), view=modal()))["view"]["id"]
    root = top
    for _ in range(2):
        trigger = workspace.new_trigger(house.ann, view_id=top)
        view = (await client.views_push(trigger_id=trigger, view=modal()))["view"]
        assert (view["root_view_id"], view["previous_view_id"]) == (root, top)
        top = view["id"]

    trigger = workspace.new_trigger(house.ann, view_id=top)
    assert await error(client.views_push(trigger_id=trigger, view=modal())) == "push_limit_reached"
    outside = workspace.new_trigger(house.ann)
    assert await error(client.views_push(trigger_id=outside, view=modal())) == "invalid_trigger_id"
    close_modal(workspace, workspace.modals[house.ann.id][1])
    assert [each.id for each in workspace.modals[house.ann.id]] == [root]


async def test_an_update_keeps_what_was_typed(house: House) -> None:
    trigger = house.workspace.new_trigger(house.ann)
    opened = (await house.client.views_open(trigger_id=trigger, view=modal(INPUT)))["view"]
    view = house.workspace.views[opened["id"]]
    view.state["values"] = {"what": {"value": {"type": "plain_text_input", "value": "typed"}}}

    changed = await house.client.views_update(view_id=view.id, view=modal(SECTION, INPUT), hash=opened["hash"])
    assert changed["view"]["state"]["values"]["what"]["value"]["value"] == "typed"
    assert changed["view"]["hash"] != opened["hash"]
    again = house.client.views_update(view_id=view.id, view=modal(), hash=opened["hash"])
    assert await error(again) == "hash_conflict"
    await house.client.views_update(view_id=view.id, view=modal())
    assert view.state == {"values": {}}


async def test_a_view_is_found_by_its_own_name_too(house: House) -> None:
    workspace, client = house.workspace, house.client
    named = modal(external_id="draft-7")
    await client.views_open(trigger_id=workspace.new_trigger(house.ann), view=named)

    assert (await client.views_update(external_id="draft-7", view=modal(INPUT)))["ok"]
    twice = client.views_open(trigger_id=workspace.new_trigger(house.ben), view=named)
    assert await error(twice) == "duplicate_external_id"
    close_modal(workspace, workspace.modals[house.ann.id][0])
    assert await error(client.views_update(external_id="draft-7", view=modal())) == "not_found"
    assert await error(client.views_update(view_id="V404", view=modal())) == "not_found"


async def test_a_home_is_published_for_each_person(house: House) -> None:
    client = house.client
    first = (await client.views_publish(user_id=house.ann.id, view=home()))["view"]
    await client.views_publish(user_id=house.ann.id, view=home(SECTION, {"type": "divider"}), hash=first["hash"])

    assert len(house.workspace.homes[house.ann.id].content["blocks"]) == 2
    assert house.ben.id not in house.workspace.homes
    late = client.views_publish(user_id=house.ann.id, view=home(), hash=first["hash"])
    assert await error(late) == "hash_conflict"
    assert await error(client.views_publish(user_id="U404", view=home())) == "user_not_found"
    assert await error(client.views_publish(user_id=house.ann.id, view=modal())) == "invalid_arguments"


async def test_a_view_has_limits(house: House) -> None:
    async def said(view: Json) -> str:
        trigger = house.workspace.new_trigger(house.ann)
        answer = await refusal(house.client.views_open(trigger_id=trigger, view=view))
        return str(answer["error"]) + " " + str(answer.get("response_metadata", {}).get("messages", [""])[0])

    assert "[json-pointer:/view/title/text]" in await said(modal(title=plain("x" * 25)))
    assert "[json-pointer:/view/submit/text]" in await said(modal(submit=plain("x" * 25)))
    assert "less than 3001" in await said(modal(private_metadata="x" * 3_001))
    assert "less than 256" in await said(modal(callback_id="x" * 256))
    assert "no more than 100 items" in await said(modal(*[{"type": "divider"}] * 101))
    assert "no less than 1 items" in await said(modal(blocks=[]))
    assert "unsupported type: markdown" in await said(modal({"type": "markdown", "text": "a"}))
    assert "no such field: colour" in await said(modal(colour="red"))
    assert 'block_id "what" already exists' in await said(modal(INPUT, INPUT))
    needs_submit = modal(INPUT)
    del needs_submit["submit"]
    assert "submit is required" in await said(needs_submit)
    huge = [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2_900}} for _ in range(100)]
    assert (await said(modal(*huge))).startswith("view_too_large")
    trigger = house.workspace.new_trigger(house.ann)
    assert await error(house.client.views_open(trigger_id=trigger, view=home())) == "invalid_arguments"
