"""What somebody says right after news of a ticket is for who works it, on every platform."""

from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import ENGLISH, Story

QUESTION = "Which cable is it?"
ANSWER = {"en": "the HDMI one", "zh": "HDMI 那根"}


async def asked(stage: Stage, told: Story) -> str:
    """File a ticket, let somebody who works tickets take it and ask about it; return its number."""
    number = await filed(stage, told)
    shown = await stage.say("ben", f"/desk ticket show {number}")
    await stage.press("ben", shown, ENGLISH.says("ticket.button.assign_me"))
    before = await stage.read(told.requester)
    await stage.say("ben", f"/desk ticket comment {number} {QUESTION}")
    news = await stage.news(told.requester, before=before)
    assert QUESTION in news.text
    return number


async def comments(stage: Stage, number: str) -> list[str]:
    """Return what was written on a ticket."""
    ticket = await stage.desk.tickets.show(await stage.desk.people.named("ben"), number)
    return [comment.text for comment in ticket.comments]


@on_every_platform
async def test_an_answer_to_the_question_of_who_works_it_is_a_comment_that_reaches_them(
    stage: Stage, told: Story
) -> None:
    number = await asked(stage, told)
    before = await stage.read("ben")
    said = await stage.say(told.requester, ANSWER[told.language])

    assert told.says("ticket.commented", number=number) in said.text
    assert await comments(stage, number) == [QUESTION, ANSWER[told.language]]
    assert ANSWER[told.language] in (await stage.news("ben", before=before)).text


@on("memory", "web")
async def test_a_question_after_the_news_is_a_question_and_the_news_is_over_after_it(stage: Stage) -> None:
    number = await asked(stage, ENGLISH)
    answer = await stage.say("ada", ENGLISH.question)
    later = await stage.say("ada", "the blue one")

    assert ENGLISH.answer in answer.text
    assert ENGLISH.says("ticket.commented", number=number) not in later.text
    assert await comments(stage, number) == [QUESTION]


@on("memory", "web")
async def test_a_word_or_two_are_about_the_ticket_that_was_filed_just_now(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    urged = await stage.say("ada", "please make it urgent")
    asked_first = await stage.say("ada", "cancel")

    assert ENGLISH.says("ticket.urged", number=number) in urged.text
    assert number in asked_first.text
    assert ENGLISH.says("approval.confirm") in asked_first.labels
    await stage.press("ada", asked_first, ENGLISH.says("approval.confirm"))
    again = await stage.say("ada", "reopen my cancelled ticket")
    assert ENGLISH.says("ticket.reopened", number=number) in again.text


@on("memory", "web")
async def test_a_word_with_nothing_in_front_of_it_makes_no_ticket(stage: Stage) -> None:
    for word in ("ok", "yes", "no"):
        assert ENGLISH.says("asked_back.nothing_asked") in (await stage.say("ada", word)).text
    await stage.say("bao", "你好")
    assert not await stage.desk.tickets.open_drafts(await stage.desk.people.named("ada"))


@on("memory", "web")
async def test_it_does_not_work_asks_what(stage: Stage) -> None:
    seen = await stage.say("ada", "it doesn't work")
    assert ENGLISH.says("asked_back.what_problem") in seen.text

    drafted = await stage.say("ada", "the oven in the canteen")
    assert "oven in the canteen" in drafted.text


@on("memory", "web")
async def test_a_question_makes_the_ticket_wait_and_the_answer_comes_back_to_who_asked(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    await stage.say("ben", f"/desk ticket comment {number} {QUESTION}")  # nobody has taken it
    waits = await stage.say("ben", f"/desk ticket show {number}")
    before = await stage.read("ben")
    await stage.say("ada", ANSWER["en"])
    news = await stage.news("ben", before=before)
    goes_on = await stage.say("ben", f"/desk ticket show {number}")

    assert ENGLISH.says("ticket.status.waiting") in waits.text
    assert ANSWER["en"] in news.text
    assert ENGLISH.says("ticket.status.waiting") not in goes_on.text
    assert goes_on.text.index(QUESTION) < goes_on.text.index(ANSWER["en"])


#: What somebody asks before they file a ticket, and afterwards.
_WHO = {
    "en": ("who gets told when I open a ticket?", "Who is notified of new tickets?", "where do my tickets go?"),
    "zh": ("我提了工单谁会收到通知", "工单会发给谁？", "报修之后谁会看到？"),
}


@on_every_platform
async def test_who_learns_of_a_ticket_is_told_as_the_settings_have_it(stage: Stage, told: Story) -> None:
    seen = [(await stage.say(told.requester, asked)).text for asked in _WHO[told.language]]
    wanted = (told.says("ticket.duty.title"), told.says("ticket.duty.any"), "Ben Brook")
    assert [[words for words in wanted if words not in each] for each in seen] == [[]] * len(_WHO[told.language])
    assert told.says("ticket.duty.in_queue_of", names="Ben Brook")[:7] in seen[0]


@on("memory", "slack_http")
async def test_a_channel_that_asked_for_a_category_is_told_of_it_alone(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    await stage.say("ben", "/desk channel queue network", place)
    seen = await stage.say("ada", "Who is told of a new ticket?")
    assert ENGLISH.says("ticket.duty.in_channel")[:20] in seen.text
    assert ENGLISH.says("ticket.duty.any") not in seen.text
    network = await stage.say("ada", "who gets told when I open a ticket about the vpn?")
    assert ENGLISH.says("ticket.duty.in_channel")[:20] in network.text
    assert "Nobody at once" not in network.text
