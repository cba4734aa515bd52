"""What the page shows, without a browser: every kind of block, and whose window it is."""

from typing import Any

import pytest

from storage.clock import ScaledClock
from tests.fakes.slack.app_settings import AppSettings
from tests.fakes.slack.deliveries import Deliveries
from tests.fakes.slack.event_feed import EventFeed
from tests.fakes.slack.page_drawing import PageDrawing, Window
from tests.fakes.slack.people import Scene
from tests.fakes.slack.records import Stream
from tests.fakes.slack.socket_mode import SocketMode
from tests.fakes.slack.workspace import SlackWorkspace

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


OPTIONS = [{"text": plain("One"), "value": "1"}, {"text": plain("Two"), "value": "2"}]
BLOCKS: list[tuple[Json, str]] = [
    ({"type": "header", "text": plain("A <title>")}, "<h2>A &lt;title&gt;</h2>"),
    ({"type": "section", "fields": [plain("left"), {"type": "mrkdwn", "text": "*right*"}]}, "<b>right</b>"),
    (
        {"type": "section", "text": plain("x"), "accessory": {"type": "static_select", "action_id": "s"}},
        'data-act="choose"',
    ),
    ({"type": "divider"}, "<hr>"),
    ({"type": "context", "elements": [plain("small"), {"type": "image", "alt_text": "face"}]}, 'title="face"'),
    ({"type": "markdown", "text": "- [x](https://a.example)"}, '<li><a href="https://a.example"'),
    (
        {"type": "actions", "elements": [{"type": "radio_buttons", "action_id": "r", "options": OPTIONS}]},
        'type="radio"',
    ),
    (
        {"type": "actions", "elements": [{"type": "button", "action_id": "b", "style": "danger", "text": plain("No")}]},
        'class="button danger"',
    ),
    (
        {
            "type": "context_actions",
            "elements": [{"type": "icon_button", "icon": "trash", "action_id": "i", "text": plain("Delete")}],
        },
        ">Delete</button>",
    ),
    (
        {"type": "table", "rows": [[{"type": "raw_text", "text": "h"}], [{"type": "raw_text", "text": "c"}]]},
        "<th>h</th>",
    ),
    ({"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": []}]}, "<blockquote>"),
    ({"type": "image", "alt_text": "a chart"}, "a chart"),
    ({"type": "video"}, "This content can’t be displayed."),
]


@pytest.fixture
def scene() -> Scene:
    workspace = SlackWorkspace(ScaledClock(60))
    app, deliveries = AppSettings.of({}), Deliveries(workspace.clock, SocketMode(workspace))
    return Scene(workspace, app, deliveries, EventFeed(workspace, app, deliveries))


@pytest.mark.parametrize(("block", "html"), BLOCKS)
def test_every_kind_of_block_is_drawn(scene: Scene, block: Json, html: str) -> None:
    ada = scene.person(scene.workspace.add_user("ada"))
    channel = scene.workspace.add_channel("ops", (ada.user,))
    scene.workspace.say(scene.workspace.bot, channel, "", blocks=[block | {"block_id": "x"}])

    assert html in PageDrawing(scene).page(Window(ada, channel), number=0)


def test_what_is_meant_for_others_is_not_drawn(scene: Scene) -> None:
    ada, bao = (scene.person(scene.workspace.add_user(name)) for name in ("ada", "bao"))
    channel = scene.workspace.add_channel("ops", (ada.user, bao.user))
    scene.workspace.say(scene.workspace.bot, channel, "only for Ada", ephemeral_to=ada.user.id)
    drawing = PageDrawing(scene)

    assert "only for Ada" in drawing.page(Window(ada, channel), number=0)
    assert "only for Ada" not in drawing.page(Window(bao, channel), number=0)


async def test_a_stream_that_slack_closed_stays_broken_until_it_is_edited(scene: Scene) -> None:
    ada = scene.person(scene.workspace.add_user("ada"))
    channel = scene.workspace.add_channel("ops", (ada.user,))
    started = scene.workspace.clock.monotonic() - 301
    said = scene.workspace.say(scene.workspace.bot, channel, "I look", stream=Stream(started=started))
    drawing = PageDrawing(scene)

    assert "This response was interrupted." in drawing.page(Window(ada, channel), number=0)
    said.edited = {"user": scene.workspace.bot.id, "ts": scene.workspace.new_ts()}
    assert "This response was interrupted." not in drawing.page(Window(ada, channel), number=0)


def test_times_are_those_of_the_person_who_looks(scene: Scene) -> None:
    berlin = scene.person(scene.workspace.add_user("ada", tz="Europe/Berlin"))
    shanghai = scene.person(scene.workspace.add_user("bao", real_name="鲍晓", tz="Asia/Shanghai"))
    channel = scene.workspace.add_channel("ops", (berlin.user, shanghai.user))
    said = scene.workspace.say(shanghai.user, channel, "早上好")
    said.ts = "1767225600.000100"  # 2026-01-01 00:00 UTC
    drawing = PageDrawing(scene)

    assert "1:00 AM" in drawing.page(Window(berlin, channel), number=0)
    assert "8:00 AM" in drawing.page(Window(shanghai, channel), number=0)
    assert ">晓</span>" in drawing.page(Window(berlin, channel), number=0)
