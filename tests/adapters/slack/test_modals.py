"""Forms as modals: what Slack takes, and that everything typed comes back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.cards import Field, Form
from adapters.markdown.text import cleaned, size
from adapters.slack.drawing.modals import (
    FormPlace,
    ViewWords,
    errors_of,
    form_view,
    notice_view,
    reason_view,
    values_of,
)
from tests.adapters.hostile import hostile, long_hostile
from tests.adapters.slack.block_oracle import Json, accept_view
from tests.adapters.slack.hostile import assert_harmless

PLACE = FormPlace("draft_1", "nonce", {"user": "U1", "channel": "D1", "kind": "dm"}, "D1:1.2", "zh")
WORDS = ViewWords("What was wrong?", "Close", "Send")
fields = st.builds(
    Field,
    name=st.just("name"),
    label=hostile,
    value=long_hostile,
    kind=st.sampled_from(("text", "paragraph", "choice")),
    choices=st.lists(st.tuples(st.text(max_size=160), hostile), max_size=130).map(tuple),
    required=st.booleans(),
    hint=hostile,
)


def form_of(*given_fields: Field, title: str = "Ticket", submit: str = "Save") -> Form:
    return Form("draft.fields", "draft_1", "nonce", title, submit, "Cancel", given_fields)


def sent(view: Json, **typed: str) -> Json:
    """Return the state that comes back when these fields were typed over."""
    state: Json = {}
    for block in view["blocks"]:
        if block["type"] == "input":
            element, name = block["element"], block["block_id"]
            value = typed.get(name, element.get("initial_value"))
            chosen = {"type": "static_select", "selected_option": element.get("initial_option")}
            text = {"type": "plain_text_input", "value": value or None}
            state[name] = {"value": chosen if element["type"] == "static_select" else text}
    return {"values": state}


@settings(max_examples=100)
@given(st.lists(fields, min_size=1, max_size=4), hostile, hostile)
def test_slack_takes_every_form(given_fields: list[Field], title: str, submit: str) -> None:
    named = [replace(field, name=f"field{number}") for number, field in enumerate(given_fields)]
    view = accept_view(form_view(form_of(*named, title=title, submit=submit), PLACE))
    assert_harmless(view["title"])
    assert view["callback_id"] == "form:draft.fields"
    assert FormPlace.of(view["private_metadata"]) == PLACE
    values = values_of(sent(view))
    for field in named:
        if field.kind != "choice":
            assert values[field.name] == cleaned(field.value)


@settings(max_examples=50)
@given(st.text(alphabet="ab 中\n👩‍👩‍👧‍👦", min_size=1).map(lambda text: text * (9_000 // len(text) + 1)))
def test_a_long_value_comes_back_whole(value: str) -> None:
    view = accept_view(form_view(form_of(Field("text", "Text", value, "paragraph")), PLACE))
    elements = [block["element"] for block in view["blocks"]]
    assert len(elements) > 1
    assert all(size(element["initial_value"]) <= element["max_length"] == 3_000 for element in elements)
    assert values_of(sent(view)) == {"text": value}
    backwards = dict(reversed(sent(view)["values"].items()))
    assert values_of({"values": backwards}) == {"text": value}


def test_what_was_typed_is_what_comes_back() -> None:
    view = form_view(form_of(Field("title", "Title", "Old"), Field("note", "Note", required=False)), PLACE).to_dict()
    assert values_of(sent(view, title="New <!channel>")) == {"title": "New <!channel>", "note": ""}
    assert [block.get("optional", False) for block in view["blocks"]] == [False, True]


def test_a_choice_shows_labels_and_returns_values() -> None:
    field = Field("category", "Category", "hr", "choice", (("it", "IT" * 60), ("hr", "People")), hint="Pick one")
    view = accept_view(form_view(form_of(field), PLACE))
    (block,) = view["blocks"]
    assert block["hint"]["text"] == "Pick one"
    assert [option["value"] for option in block["element"]["options"]] == ["it", "hr"]
    assert block["element"]["initial_option"]["value"] == "hr"
    assert values_of(sent(view)) == {"category": "hr"}
    unknown = form_view(form_of(replace(field, value="gone")), PLACE).to_dict()
    assert "initial_option" not in unknown["blocks"][0]["element"]
    assert values_of(sent(unknown)) == {"category": ""}


def test_more_choices_than_one_list_holds_are_grouped() -> None:
    choices = tuple((f"v{number}", f"Choice {number}") for number in range(250))
    view = accept_view(form_view(form_of(Field("c", "C", "v249", "choice", choices)), PLACE))
    groups = view["blocks"][0]["element"]["option_groups"]
    assert [len(group["options"]) for group in groups] == [100, 100, 50]
    assert values_of(sent(view)) == {"c": "v249"}


def test_a_title_that_is_cut_stands_whole_above_the_inputs() -> None:
    title = "Comment on the ticket TCK-2026-000123"
    view = accept_view(form_view(form_of(Field("text", "Text"), title=title), PLACE))
    assert view["title"]["text"] == "Comment on the ticket T…"
    assert view["blocks"][0]["text"]["text"] == title


def test_errors_stand_on_their_fields_and_never_get_lost() -> None:
    view = form_view(form_of(Field("title", "Title"), Field("text", "Text"), title="x" * 30), PLACE).to_dict()
    assert errors_of({"text": "Too long"}, view) == {"text": "Too long"}
    assert errors_of({"gone": "Fill this in.", "title": "Empty."}, view) == {"title": "Fill this in. Empty."}
    assert errors_of({"": "x"}, notice_view(WORDS, "x").to_dict()) == {}


def test_the_form_behind_a_thumb_down_and_the_views_that_only_say_something() -> None:
    view = accept_view(reason_view(WORDS, PLACE, label="Tell us"))
    assert (view["callback_id"], FormPlace.of(view["private_metadata"]).id) == ("feedback", "draft_1")
    assert values_of(sent(view, reason="It is old")) == {"reason": "It is old"}
    light = accept_view(notice_view(WORDS, "One moment…"))
    assert [block["type"] for block in light["blocks"]] == ["section"]
    assert "submit" not in light
    assert_harmless(accept_view(notice_view(WORDS, "<!channel> " * 900)))


def test_metadata_that_slack_would_not_carry_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        FormPlace("x" * 3_000).to_metadata()


@pytest.mark.parametrize("metadata", ["", "[]", "{}", '{"id": 1}', '{"id":"a","nonce":"b","address":[]}'])
def test_forged_metadata_is_refused(metadata: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        FormPlace.of(metadata)
