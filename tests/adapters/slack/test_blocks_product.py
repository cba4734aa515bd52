"""The product's own cards, in both languages, as Slack would get them."""

from pathlib import Path

import pytest

from adapters.cards import Button, Buttons, Link
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.outbound.packing import Shortening
from adapters.slack.drawing.blocks import draw
from adapters.slack.drawing.elements import Opened, Rated, decode_button, decode_rating
from adapters.slack.drawing.home import home_view
from adapters.slack.drawing.modals import FormPlace, form_view, values_of
from storage.database import Database
from tests.adapters.product_cards import SAID, Made, made_by_the_product
from tests.adapters.slack.block_oracle import Json, accept_message, accept_view, elements_of
from tests.adapters.slack.hostile import assert_harmless

SHORTENING = Shortening("Shortened.")


@pytest.fixture
def dialect() -> str:
    return "sqlite"  # a card does not tell where it was stored


@pytest.fixture(params=SAID)
async def made(request: pytest.FixtureRequest, tmp_path: Path, database: Database) -> Made:
    return await made_by_the_product(tmp_path, database, request.param)


def drawn(made: Made, name: str) -> list[Json]:
    (message,) = draw(made.cards[name], SHORTENING)
    return accept_message(message)


def kinds(blocks: list[Json]) -> list[str]:
    return [block["type"] for block in blocks]


def check_buttons(made: Made) -> None:
    """Every button comes back as what the card meant by it."""
    for name, card in made.cards.items():
        shown = [each for each in elements_of(drawn(made, name)) if each["type"] == "button"]
        meant = [item for block in card.blocks if isinstance(block, Buttons) for item in block.items]
        pressed = [decode_button(each["action_id"], each.get("value", "")) for each in shown]
        assert [each for each in pressed if not isinstance(each, SaidSuggestion)] == [
            Opened() if isinstance(item, Link) else PressedButton(item.action, item.id, item.nonce) for item in meant
        ]
        assert [each["text"]["text"] for each in shown if not each["action_id"].startswith("say#")] == [
            item.label for item in meant
        ]
        styles = {item.label: item.style for item in meant if isinstance(item, Button)}
        assert all(styles.get(each["text"]["text"], "plain") == each.get("style", "plain") for each in shown)


async def test_every_card_is_one_message_that_slack_takes(made: Made) -> None:
    for card in made.cards.values():
        (message,) = draw(card, SHORTENING)
        accept_message(message)
        assert_harmless(message.payload())
    check_buttons(made)
    assert kinds(drawn(made, "answer"))[:3] == ["markdown", "context", "context"]
    assert kinds(drawn(made, "complete draft"))[:4] == ["header", "context", "markdown", "section"]
    assert kinds(drawn(made, "approval")) == ["header", "context", "markdown", "context", "actions"]
    assert kinds(drawn(made, "ended")) == ["header", "context", "markdown", "context"]
    source = drawn(made, "answer")[2]["elements"][0]["text"]
    assert source.startswith("*[1]* <http://127.0.0.1:8765/knowledge/page/")
    assert "”" not in source, "the answer has the words of the quote already"
    thumbs = drawn(made, "answer")[-1]
    assert decode_rating(thumbs["block_id"])[0] == made.language
    up, down = (thumbs["elements"][0][name]["value"] for name in ("positive_button", "negative_button"))
    rated = decode_rating(thumbs["block_id"])[1]
    assert [decode_button("rate#1", value) for value in (up, down)] == [Rated(rated, "up"), Rated(rated, "down")]


async def test_the_home_and_the_form_are_views_that_slack_takes(made: Made) -> None:
    home = accept_view(home_view(made.cards["home"], SHORTENING))
    assert_harmless(home)
    assert not {"markdown", "context_actions"} & set(kinds(home["blocks"]))
    assert "divider" in kinds(home["blocks"])
    assert home == accept_view(home_view(made.cards["home"], SHORTENING))

    form = made.form
    place = FormPlace(form.id, form.nonce, {"user": "U1", "kind": "dm"}, "C1:1.2", made.language)
    view = accept_view(form_view(form, place))
    assert FormPlace.of(view["private_metadata"]) == place
    assert [block["block_id"] for block in view["blocks"]] == [field.name for field in form.fields]
    assert values_of({"values": initial_values(view)}) == {field.name: field.value for field in form.fields}


def initial_values(view: Json) -> Json:
    """Return the state of a view that nobody touched."""
    inputs = {block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"}
    return {name: {element["action_id"]: untouched(element)} for name, element in inputs.items()}


def untouched(element: Json) -> Json:
    if element["type"] == "static_select":
        return {"type": "static_select", "selected_option": element.get("initial_option")}
    return {"type": "plain_text_input", "value": element.get("initial_value")}
