"""Forms as cards: what Teams takes, and that everything typed comes back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.cards import Field, Form
from adapters.markdown.text import WORD_JOINER, cleaned
from adapters.teams.drawing.elements import Cancelled, Submitted, decode
from adapters.teams.drawing.forms import form_card, form_of, values_of
from tests.adapters.hostile import hostile, long_hostile
from tests.adapters.teams.card_oracle import Json, accept_card, parts

fields = st.builds(
    Field,
    name=st.just("name"),
    label=hostile,
    value=hostile,
    kind=st.sampled_from(("text", "paragraph", "choice")),
    choices=st.lists(st.tuples(st.text(max_size=60), hostile), max_size=12).map(tuple),
    required=st.booleans(),
    hint=hostile,
)


def form_with(*given_fields: Field, title: str = "Ticket", submit: str = "Save", cancel: str = "Cancel") -> Form:
    return Form("draft.fields", "draft_1", "nonce", title, submit, cancel, given_fields, "zh")


def inputs(card: Json) -> dict[str, Json]:
    """Return the inputs of a card by their id."""
    return {each["id"]: each for each in card["body"] if each["type"].startswith("Input.")}


def sent(card: Json, **typed: str) -> Json:
    """Return what comes back of a card when these inputs were typed over."""
    values = {name: each.get("value", "") for name, each in inputs(card).items()}
    data: Json = card["actions"][0]["data"]
    return {**data, **values, **typed}


@settings(max_examples=100)
@given(st.lists(fields, min_size=1, max_size=4), hostile, hostile, st.dictionaries(st.just("name1"), hostile))
def test_teams_takes_every_form(given_fields: list[Field], title: str, submit: str, errors: dict[str, str]) -> None:
    named = [replace(field, name=f"name{number}") for number, field in enumerate(given_fields)]
    form = form_with(*named, title=title, submit=submit)
    for card in (
        form_card(form, mode="dialogs", errors=errors, required="Needed."),
        form_card(form, mode="cards", message="19:x|1", required="Needed."),
    ):
        accept_card(card)
        assert decode(sent(card)) in {
            Submitted("draft.fields", "draft_1", "nonce", ""),
            Submitted("draft.fields", "draft_1", "nonce", "19:x|1"),
        }
        again = form_of(sent(card))
        assert [(each.name, each.kind, each.required) for each in again.fields] == [
            (each.name, each.kind, each.required) for each in named
        ]
        assert [again.title, *(each.label for each in again.fields)] == [
            cleaned(text) for text in (title, *(each.label for each in named))
        ]
        for field in named:
            if field.kind != "choice" or not field.choices:
                assert values_of(sent(card))[field.name] == cleaned(field.value)


@settings(max_examples=20)
@given(long_hostile)
def test_what_was_typed_is_given_back_with_what_is_wrong_below_it(typed: str) -> None:
    form = form_with(Field("title", "Title", "Old"), Field("text", "Text", "Old", "paragraph"))
    first = form_card(form, mode="dialogs")
    back = sent(first, text=typed, title="New")
    card = form_card(form_of(back), mode="dialogs", errors={"text": "Too long."}, values=values_of(back))
    assert {name: each.get("value", "") for name, each in inputs(card).items()} == {
        "title": "New",
        "text": cleaned(typed),
    }
    at = next(at for at, each in enumerate(card["body"]) if each.get("id") == "text")
    (run,) = card["body"][at + 1]["inlines"]
    assert (run["text"], run["color"]) == ("Too long.", "Attention")
    assert values_of(sent(card)) == {"title": "New", "text": cleaned(typed)}


def test_a_field_says_what_it_wants() -> None:
    form = form_with(
        Field("title", "Title", "A\nB"),
        Field("text", "Text", kind="paragraph", required=False, hint="What <at>happened</at>"),
        Field("category", "Category", "hr", "choice", (("it", "IT"), ("hr", "People")), hint="Pick one"),
        Field("gone", "Gone", "x", "choice", (("a", "A"),)),
        Field("free", "Free", "typed", "choice"),
    )
    card = form_card(form, mode="dialogs", required="Please fill this in.")
    shown = inputs(accept_card(card))
    assert [shown["title"][name] for name in ("label", "isRequired", "errorMessage", "value", "isMultiline")] == [
        "Title",
        True,
        "Please fill this in.",
        "A\nB",
        True,
    ]
    assert (shown["text"]["isMultiline"], "isRequired" in shown["text"], shown["text"]["maxLength"]) == (
        True,
        False,
        8_000,
    )
    assert shown["category"]["choices"] == [{"title": "IT", "value": "it"}, {"title": "People", "value": "hr"}]
    assert shown["category"]["value"] == "hr"
    assert "value" not in shown["gone"]
    assert (shown["free"]["type"], shown["free"]["value"]) == ("Input.Text", "typed")
    hints = [run["text"].replace(WORD_JOINER, "") for part in parts(card["body"]) for run in part.get("inlines", [])]
    assert hints == ["What <at>happened</at>", "Pick one"]


def test_a_dialog_has_its_own_way_out_and_a_card_gets_one() -> None:
    form = form_with(Field("title", "Title"))
    dialog = form_card(form, mode="dialogs")
    assert [(each["type"], each["title"]) for each in dialog["actions"]] == [("Action.Submit", "Save")]
    assert not any(each.get("style") == "heading" for each in dialog["body"])
    card = form_card(form, mode="cards", message="19:x|1")
    save, cancel = card["actions"]
    assert [(each["type"], each["verb"]) for each in (save, cancel)] == [
        ("Action.Execute", "form"),
        ("Action.Execute", "cancel"),
    ]
    assert decode(cancel["data"]) == Cancelled("19:x|1")
    assert cancel["associatedInputs"] == cancel["fallback"]["associatedInputs"] == "none"
    assert card["body"][0]["text"] == "Ticket"
    assert len(form_card(replace(form, cancel=""), mode="cards")["actions"]) == 1


def test_a_field_cannot_take_the_place_of_what_the_card_carries() -> None:
    form = form_with(Field("desk", "Desk", "4"), Field("msteams", "Teams", "x"))
    card = form_card(form, mode="dialogs")
    assert not {"desk", "msteams"} & set(inputs(card))
    assert values_of(sent(card)) == {"desk": "4", "msteams": "x"}


def test_an_error_at_no_field_stands_above_all() -> None:
    card = form_card(form_with(Field("title", "Title")), mode="dialogs", errors={"": "Closed already."})
    assert card["body"][0]["inlines"][0]["text"] == "Closed already."


SPEC = form_card(form_with(Field("title", "Title")), mode="dialogs")["actions"][0]["data"]["desk"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"desk": 1},
        {"desk": {**SPEC, "spec": None}},
        {"desk": {**SPEC, "spec": {}}},
        {"desk": {**SPEC, "id": 7}},
        {"desk": {**SPEC, "spec": {**SPEC["spec"], "title": ["x"]}}},
        {"desk": {**SPEC, "spec": {**SPEC["spec"], "fields": [{"name": "a", "label": "A", "kind": "secret"}]}}},
        {"desk": {**SPEC, "spec": {**SPEC["spec"], "fields": [{"name": "a", "label": "A"}] * 2}}},
        {"desk": {**SPEC, "spec": {**SPEC["spec"], "fields": [{"name": str(n), "label": "A"} for n in range(99)]}}},
    ],
)
def test_a_forged_form_is_refused(data: Json) -> None:
    with pytest.raises(ValueError, match=r".+"):
        form_of(data)
    with pytest.raises(ValueError, match=r".+"):
        values_of(data)
