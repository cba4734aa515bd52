"""From a report to a ticket, and all that happens to a ticket until its requester is told that it is done."""

from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.steps import complete, filed, ready_draft
from tests.scenarios.story import ENGLISH, Story
from tickets.config import TicketsConfig

pytestmark = on_every_platform


async def test_a_report_becomes_a_draft_that_says_what_is_missing(stage: Stage, told: Story) -> None:
    draft = await stage.say(told.requester, told.report)

    assert told.field(told.missing) in draft.text
    assert told.says("draft.complete") in draft.labels
    assert told.says("draft.confirm") not in draft.labels


async def test_who_files_where_no_draft_waits_is_told_so(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, {"en": "yes please file", "zh": "确认提交"}[told.language])

    assert told.says("asked_back.no_draft") in seen.text


async def test_a_form_with_a_missing_value_stays_open_with_all_that_was_typed(stage: Stage, told: Story) -> None:
    draft = await stage.say(told.requester, told.report)
    form = await stage.open(told.requester, draft, told.says("draft.complete"))
    before = await stage.read(told.requester)
    given = complete(told)
    wrong = await form.send({**given, told.field(told.missing): " "})
    assert set(wrong) == {told.field(told.missing)}
    assert not await form.send({told.field(told.missing): given[told.field(told.missing)]})
    now = await stage.news(told.requester, before=before)

    assert all(value in now.text for value in given.values())
    assert told.says("draft.confirm") in now.labels


@needs("overlong")
async def test_what_is_too_long_for_a_field_is_said_beside_it(stage: Stage, told: Story) -> None:
    draft = await stage.say(told.requester, told.report)
    form = await stage.open(told.requester, draft, told.says("draft.complete"))
    wrong = await form.send({**complete(told), told.field("device"): "x" * 201})
    assert set(wrong) == {told.field("device")}

    assert not await form.send({told.field("device"): told.device})


async def test_nothing_is_filed_before_confirm_and_one_press_files_it(stage: Stage, told: Story) -> None:
    draft = await ready_draft(stage, told)
    requester = await stage.desk.people.named(told.requester)
    assert await stage.desk.tickets.mine(requester) == ()
    seen = await stage.press(told.requester, draft, told.says("draft.confirm"))

    (ticket,) = await stage.desk.tickets.mine(requester)
    assert told.says("ticket.filed", number=ticket.number) in seen.text.replace("*", "")
    assert (ticket.fields["location"], ticket.fields["device"]) == (told.given, told.device)


async def test_two_presses_at_once_make_one_ticket_and_say_so(stage: Stage, told: Story) -> None:
    draft = await ready_draft(stage, told)
    seen = await stage.press(told.requester, draft, told.says("draft.confirm"), times=2)

    (ticket,) = await stage.desk.tickets.mine(await stage.desk.people.named(told.requester))
    already = told.says("draft.already_filed", number=ticket.number, name=told.name, when="@").split("@")[0]
    assert told.says("ticket.filed", number=ticket.number) in seen.text.replace("*", "")
    assert already in seen.text


async def test_a_draft_is_changed_in_words(stage: Stage, told: Story) -> None:
    await ready_draft(stage, told)
    revised = await stage.say(told.requester, told.revision)

    assert told.revised in revised.text
    assert told.given not in revised.text
    assert told.says("draft.confirm") in revised.labels


async def test_what_is_missing_can_be_said_instead_of_typed_into_a_form(stage: Stage) -> None:
    await stage.say("ada", "The printer is broken")
    seen = await stage.say("ada", "it is next to the coffee corner on floor 3")

    assert "floor 3" in seen.text
    assert ENGLISH.says("draft.confirm") in seen.labels


async def test_a_discarded_draft_is_gone(stage: Stage, told: Story) -> None:
    draft = await ready_draft(stage, told)
    seen = await stage.press(told.requester, draft, told.says("draft.discard"))
    assert told.says("draft.discarded", name=told.name, when="@").split("@")[0] in seen.text
    late = await stage.press(told.requester, draft, told.says("draft.confirm"))

    assert told.says("draft.already_discarded", name=told.name, when="@").split("@")[0] in late.text
    assert await stage.desk.tickets.mine(await stage.desk.people.named(told.requester)) == ()


async def test_an_older_button_shows_the_draft_as_it_stands(stage: Stage, told: Story) -> None:
    old = await ready_draft(stage, told)
    await stage.say(told.requester, told.revision)
    seen = await stage.press(told.requester, old, told.says("draft.confirm"))

    assert told.says("draft.stale") in seen.text
    assert await stage.desk.tickets.mine(await stage.desk.people.named(told.requester)) == ()


@needs("edits")
async def test_the_draft_shows_its_end_where_it_stands(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    drafts = [seen for seen in await stage.read(told.requester) if told.says("draft.heading", title="") in seen.text]

    assert drafts
    for draft in drafts:
        assert told.says("draft.filed", number=number, name=told.name, when="@").split("@")[0] in draft.text
        assert told.says("draft.confirm") not in draft.labels


@needs("edits")
async def test_an_older_card_of_a_draft_stays_short(stage: Stage) -> None:
    await stage.say("ada", "The printer is broken")
    newest = await stage.say("ada", "it is next to the coffee corner on floor 3")
    await stage.press("ada", newest, ENGLISH.says("draft.confirm"))
    heading = ENGLISH.says("draft.heading", title="")
    older, newest = [seen for seen in await stage.read("ada") if heading in seen.text]

    for card in (older, newest):
        assert "Filed as TCK-" in card.text
    assert ENGLISH.says("ticket.field.priority") in newest.text
    assert ENGLISH.says("ticket.field.priority") not in older.text


async def test_the_same_words_twice_within_a_minute_are_one_draft(stage: Stage, told: Story) -> None:
    await stage.say(told.requester, told.report)
    again = await stage.say(told.requester, told.report)

    assert told.says("draft.complete") in again.labels
    assert len(await stage.desk.tickets.open_drafts(await stage.desk.people.named(told.requester))) == 1


async def test_my_tickets_are_listed_and_shown_in_words(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)

    assert number in (await stage.say(told.requester, told.mine)).text
    assert number in (await stage.command(told.requester, "ticket list")).text


async def test_the_requester_is_told_who_took_a_ticket_and_how_it_was_resolved(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    before = await stage.read(told.requester)
    shown = await stage.say("ben", f"/desk ticket show {number}")
    taken = await stage.press("ben", shown, ENGLISH.says("ticket.button.assign_me"))
    news = await stage.news(told.requester, before=before)
    assert told.says("notice.assign", actor="Ben Brook", number=number) in news.text

    await stage.fill(
        "ben",
        taken,
        ENGLISH.says("ticket.button.resolve"),
        {ENGLISH.says("ticket.form.resolve_label"): told.resolution},
    )
    news = await stage.news(told.requester, before=before)
    assert told.says("notice.resolve", actor="Ben Brook", number=number, detail=told.resolution) in news.text


async def test_a_ticket_is_urged_and_not_again_before_the_cool_down_is_over(stage: Stage, told: Story) -> None:
    number, urge = await filed(stage, told), told.says("ticket.button.urge")
    urged = await stage.say(told.requester, told.urge)
    assert told.says("ticket.urged", number=number) in urged.text
    refused = await stage.press(told.requester, urged, urge)
    assert told.says("refused.cool_down", detail=TicketsConfig().urge_cooldown_s // 60) in refused.text
    stage.clock.skip(TicketsConfig().urge_cooldown_s)

    again = await stage.press(told.requester, urged, urge)
    assert told.says("ticket.urged", number=number) in again.text


async def test_who_takes_a_ticket_in_words_is_named_and_not_offered_it_again(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    seen = await stage.say("ben", f"take {number}")

    assert ENGLISH.says("ticket.assigned", number=number, name="Ben Brook") in seen.text
    assert ENGLISH.says("ticket.button.assign_me") not in seen.labels


async def test_one_of_a_list_is_taken_and_its_requester_asked_in_words(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    before = await stage.read("ada")
    listed = await stage.say("ben", "show me the queue")
    assert number in listed.text
    taken = await stage.say("ben", "take the first one")
    assert ENGLISH.says("ticket.assigned", number=number, name="Ben Brook") in taken.text

    asked = await stage.say("ben", "ask her which cable she uses")
    assert number in asked.text
    news = await stage.news("ada", before=before)
    assert "Which cable do you use?" in news.text
    answered = await stage.say("ada", "The grey one that came with it")
    assert number in answered.text


async def test_somebody_elses_ticket_is_none(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    theirs = await stage.command("bao", f"ticket show {number}")
    nothing = await stage.command("bao", "ticket show TCK-2026-999999")

    assert theirs.text.replace(number, "") == nothing.text.replace("TCK-2026-999999", "")
    assert theirs.labels == nothing.labels == ()
