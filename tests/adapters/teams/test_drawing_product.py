"""The product's own cards, in both languages, as Teams would get them."""

import json
from pathlib import Path

import pytest

from adapters.cards import Button, Buttons, Link, Rating
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.outbound.packing import Shortening
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing.elements import decode
from adapters.teams.drawing.forms import form_card, form_of, values_of
from adapters.teams.drawing.messages import TeamsDrawn, draw, growing
from storage.database import Database
from tests.adapters.product_cards import SAID, Made, made_by_the_product
from tests.adapters.teams.card_oracle import Json, accept_card, accept_message, pressable

SHORTENING = Shortening("Shortened.")
CONFIG = TeamsConfig(form_actions=frozenset({"draft.edit"}))


@pytest.fixture
def dialect() -> str:
    return "sqlite"  # a card does not tell where it was stored


@pytest.fixture(params=SAID)
async def made(request: pytest.FixtureRequest, tmp_path: Path, database: Database) -> Made:
    return await made_by_the_product(tmp_path, database, request.param)


def drawn(made: Made, name: str) -> TeamsDrawn:
    return draw(made.cards[name], SHORTENING, config=CONFIG)[-1]


def card(made: Made, name: str) -> Json:
    content: Json = accept_message(drawn(made, name))["attachments"][0]["content"]
    return content


def kinds(content: Json) -> list[str]:
    return [element["type"] for element in content["body"]]


def check_buttons(made: Made) -> None:
    """Every button comes back as what the card meant by it."""
    for name, meant in made.cards.items():
        items = [item for block in meant.blocks if isinstance(block, Buttons) for item in block.items]
        shown = [each for each in pressable(card(made, name)) if each.get("verb") != "say"]
        assert [each["title"] for each in shown] == [item.label for item in items]
        for item, action in zip(items, shown, strict=True):
            if isinstance(item, Link):
                assert (action["type"], action["url"]) == ("Action.OpenUrl", item.url)
            else:
                assert decode(action["data"]) == PressedButton(item.action, item.id, item.nonce)
                assert action["type"] == ("Action.Submit" if item.action == "draft.edit" else "Action.Execute")
                assert action.get("style", "plain") == {"primary": "positive", "danger": "destructive"}.get(
                    item.style, "plain"
                )


def check_answer(made: Made) -> None:
    """Fail when an answer is not text with its sources, labelled as written by a machine, above its card."""
    answer, below = draw(made.cards["answer"], SHORTENING, config=CONFIG)
    payload = accept_message(answer)
    assert "[1]" in payload["text"]
    assert "attachments" not in payload
    (label,) = payload["entities"]
    first = label["citation"][0]
    assert first["position"] == 1
    assert first["appearance"]["url"].startswith("http://127.0.0.1:8765/knowledge/page/")
    assert accept_message(below)["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert "channelData" not in payload
    said = [each for each in pressable(card(made, "answer")) if each.get("verb") == "say"]
    assert all(decode(each["data"]) == SaidSuggestion(each["title"]) for each in said)
    assert answer.text.startswith(growing(answer.text))
    assert "**[1]** [" in json.dumps(card(made, "answer"), ensure_ascii=False)


async def test_every_card_is_one_message_that_teams_takes(made: Made) -> None:
    for each in made.cards.values():
        rated = any(isinstance(block, Rating) for block in each.blocks)
        messages = draw(each, SHORTENING, config=CONFIG, messages=1)
        assert len(messages) == (2 if rated else 1)
        for message in messages:
            accept_message(message)
    check_buttons(made)
    check_answer(made)
    for name in ("draft", "complete draft", "approval", "ended", "filed", "ticket", "home"):
        assert drawn(made, name).text == ""
        assert drawn(made, name).entities == ()
        assert card(made, name)["lang"] == made.language
    assert kinds(card(made, "complete draft"))[:2] == ["ColumnSet", "Container"]
    assert kinds(card(made, "approval"))[-1] == "ActionSet"
    assert "ActionSet" not in kinds(card(made, "ended"))
    assert any(isinstance(item, Button) for block in made.cards["home"].blocks if isinstance(block, Buttons)
               for item in block.items)  # fmt: skip


async def test_the_form_is_a_card_in_a_dialog_and_in_place(made: Made) -> None:
    form = made.form
    for content in (form_card(form, mode="dialogs"), form_card(form, mode="cards", message="c|1")):
        accept_card(content)
        inputs = {each["id"]: each.get("value", "") for each in content["body"] if each["type"].startswith("Input.")}
        assert list(inputs) == [field.name for field in form.fields]
        sent = {**content["actions"][0]["data"], **inputs}
        assert values_of(sent) == {field.name: field.value for field in form.fields}
        again = form_of(sent)
        assert (again.form, again.id, again.nonce, again.title) == (form.form, form.id, form.nonce, form.title)
        assert [(field.name, field.label) for field in again.fields] == [
            (each.name, each.label) for each in form.fields
        ]
