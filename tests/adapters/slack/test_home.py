"""A person's home: what Slack takes there, and what is left out when it is too much."""

from hypothesis import given, settings

from adapters.cards import Button, Buttons, Card, Heading, Link, Note, Rating, Text
from adapters.outbound.packing import Shortening
from adapters.slack.drawing.elements import Rated, decode_button, decode_rating
from adapters.slack.drawing.home import home_view
from tests.adapters.any_card import cards
from tests.adapters.slack.block_oracle import accept_view, elements_of
from tests.adapters.slack.hostile import assert_harmless

SHORTENING = Shortening("The rest is in the console.", Link("Open the console", "https://desk.example/tickets"))


@settings(max_examples=100)
@given(cards)
def test_slack_takes_every_home(card: Card) -> None:
    view = accept_view(home_view(card, SHORTENING))
    assert_harmless(view)
    assert 1 <= len(view["blocks"]) <= 100
    assert "external_id" not in view


def test_the_parts_of_a_home_are_divided() -> None:
    card = Card((Heading("Home"), Heading("Draft"), Text("> **Broken** [T-1](https://desk.example/t)"), Note("x")), "x")
    view = accept_view(home_view(card, SHORTENING))
    assert [block["type"] for block in view["blocks"]] == ["header", "divider", "header", "section", "context"]
    assert view["blocks"][3]["text"]["text"] == "> *Broken* <https://desk.example/t|T-1>"


def test_thumbs_are_ordinary_buttons_there() -> None:
    view = accept_view(home_view(Card((Rating("run_1", "Yes", "No", "Why?", "Thanks"),), "x", "zh"), SHORTENING))
    assert decode_rating(view["blocks"][0]["block_id"]) == ("zh", "run_1")
    assert [decode_button(each["action_id"], each["value"]) for each in elements_of(view["blocks"])] == [
        Rated("run_1", "up"),
        Rated("run_1", "down"),
    ]


def test_too_much_is_shortened_and_says_so() -> None:
    parts = (Heading("Draft"), Text("A long description. " * 150), Buttons((Button("Confirm", "draft.confirm", "1"),)))
    view = accept_view(home_view(Card(parts * 30, "x"), SHORTENING))
    assert sum(block["type"] == "header" for block in view["blocks"]) > 20
    said = [each["text"]["text"] for each in elements_of(view["blocks"])]
    assert "Open the console" in said
    assert said.count("Confirm") > 20


def test_an_empty_home_is_not_empty() -> None:
    assert accept_view(home_view(Card((), "x"), SHORTENING))["blocks"]
