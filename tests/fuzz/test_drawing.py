"""Any card, form and Markdown is drawn by every platform, and nothing that anybody wrote becomes more than words."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.cards import Card, Field, Form, Link, Text
from adapters.markdown.parsing import to_html, to_words
from adapters.markdown.splitting import SMALLEST, split_markdown
from adapters.markdown.text import size
from adapters.outbound.packing import Shortening
from adapters.slack.drawing import blocks as slack
from adapters.slack.drawing.dialect import mrkdwn, mrkdwn_pieces, words
from adapters.slack.drawing.home import home_view
from adapters.slack.drawing.modals import FormPlace, form_view
from adapters.slack.drawing.text import markdown as slack_markdown
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing import messages as teams
from adapters.teams.drawing.forms import form_card
from adapters.terminal import drawing as terminal
from adapters.web.render import Renderer
from tests.adapters.any_card import cards
from tests.adapters.hostile import hostile, long_hostile
from tests.adapters.slack.block_oracle import accept_message as slack_takes
from tests.adapters.slack.block_oracle import accept_view
from tests.adapters.slack.hostile import MENTION, assert_harmless
from tests.adapters.teams.card_oracle import accept_card
from tests.adapters.teams.card_oracle import accept_message as teams_takes
from tests.adapters.test_markdown import Seen
from tests.adapters.web_desk import WORDS
from tests.fuzz import texts
from tests.fuzz.effort import a_share

#: Seconds of the processor that one drawing may take; the slowest takes a twentieth.
LONGEST_S = 1.0
SHORTENING = Shortening("This was shortened.", Link("Show more", "https://desk.example/more"))
WEB = Renderer(WORDS, own_url="https://desk.example")
HANDLER = re.compile(r"on\w+\Z", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@contextmanager
def soon() -> Iterator[None]:
    began = time.thread_time()
    yield
    assert time.thread_time() - began < LONGEST_S


def is_harmless(html: str) -> None:
    """Hold that a browser finds nothing in it that runs, and no address but of the web or of ours."""
    for tag, attributes in Seen(html).tags:
        assert tag not in {"script", "iframe", "object", "embed", "style", "link", "meta", "base"}
        assert not any(HANDLER.match(name) for name in attributes)
        for name in ("href", "src", "action", "formaction"):
            address = attributes.get(name)
            assert address is None or re.match(r"(?:https?://|/(?![/\\])|#|data:image/png;base64,)", address), address


def on_slack(card: Card) -> None:
    for message in slack.draw(card, SHORTENING):
        assert_harmless(slack_takes(message))
    assert_harmless(accept_view(home_view(card, SHORTENING)))


def on_teams(card: Card) -> None:
    for message in teams.draw(card, SHORTENING, config=TeamsConfig()):
        teams_takes(message)


def on_the_web(card: Card) -> None:
    is_harmless(WEB.card(card))


def on_a_terminal(card: Card) -> None:
    lines = [terminal.printable(line.text) for line in terminal.draw(card, lambda _choice: 1)]
    assert not any(CONTROL.search(line) for line in lines)


@pytest.mark.parametrize("draw", [on_slack, on_teams, on_the_web, on_a_terminal])
@a_share(4)
@given(card=cards)
def test_every_platform_draws_any_card(draw: Callable[[Card], None], card: Card) -> None:
    with soon():
        draw(card)


_fields = st.builds(
    Field,
    name=st.just("name"),
    label=hostile,
    value=hostile,
    kind=st.sampled_from(("text", "paragraph", "choice")),
    choices=st.lists(st.tuples(st.text(max_size=60), hostile), max_size=8).map(tuple),
    required=st.booleans(),
    hint=hostile,
)
_errors = st.dictionaries(st.sampled_from(("name0", "name1", "other")), hostile)


@a_share(2)
@given(st.lists(_fields, min_size=1, max_size=3), hostile, _errors)
def test_every_platform_draws_any_form(fields: list[Field], title: str, errors: Mapping[str, str]) -> None:
    named = tuple(replace(field, name=f"name{number}") for number, field in enumerate(fields))
    form = Form("draft", "d1", "n1", title, title, title, named, "zh")
    required = title.encode(errors="replace").decode()  # the desk's own words, which are text
    with soon():
        accept_view(form_view(form, FormPlace("d1", "n1", {}, "C1:1.1", "zh")))
        accept_card(form_card(form, mode="dialogs", errors=errors, required=required))
        is_harmless(WEB.form(form))


@a_share(2)
@given(texts.markdown | long_hostile, st.integers(SMALLEST, 900))
def test_any_markdown_becomes_every_dialect(text: str, limit: int) -> None:
    with soon():
        for drawn in (mrkdwn(text), slack_markdown(text), words(text), *mrkdwn_pieces(text, limit)):
            assert not MENTION.search(drawn), drawn
        assert all(size(piece) <= limit for piece in (*split_markdown(text, limit), *mrkdwn_pieces(text, limit)))
        is_harmless(to_html(text))
        on_a_terminal(Card((Text(text),), text))
        to_words(text)
        teams.said(text)
        teams.growing(text)
