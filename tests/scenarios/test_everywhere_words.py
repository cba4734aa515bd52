"""What people write while a draft, a ticket or a question waits for them: words do what buttons do."""

import pytest

from tests.scenarios.everywhere import on
from tests.scenarios.platforms import Place
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story
from tickets.ticket import Draft, Priority, Ticket

#: A report with all that is asked for.
REPORT = {"en": "my docking station is broken, desk 2.14", "zh": "203教室的投影仪没有画面"}
DROPPED = ("stop", "cancel it", "never mind, works again", "scratch that", "no thanks, forget about it")
DROPPED_ZH = ("算了，已经好了", "不用了", "别提了", "取消吧")
BOTH = pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])


async def drafts(stage: Stage, person: str) -> tuple[Draft, ...]:
    return await stage.desk.tickets.open_drafts(await stage.desk.people.named(person))


async def tickets(stage: Stage, person: str) -> tuple[Ticket, ...]:
    return await stage.desk.tickets.mine(await stage.desk.people.named(person))


async def file(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, REPORT[told.language])
    await stage.press(told.requester, seen, told.says("draft.confirm"))


@on("memory", "web")
@pytest.mark.parametrize(("told", "words"), [*((ENGLISH, w) for w in DROPPED), *((CHINESE, w) for w in DROPPED_ZH)])
async def test_a_draft_is_dropped_by_a_word_and_comes_back_by_one(stage: Stage, told: Story, words: str) -> None:
    await stage.say(told.requester, REPORT[told.language])
    gone = await stage.say(told.requester, words)
    left = await drafts(stage, told.requester)

    assert told.says("draft.undo") in gone.labels
    assert left == ()

    back = await stage.say(told.requester, {"en": "undo that", "zh": "撤销"}[told.language])
    assert told.says("draft.confirm") in back.labels
    assert len(await drafts(stage, told.requester)) == 1


@on("memory", "web")
@pytest.mark.parametrize(
    ("told", "words"),
    [
        (ENGLISH, "open a ticket please"),
        (ENGLISH, "who is looking at it?"),
        (CHINESE, "帮我报修"),
        (CHINESE, "有人在处理吗"),
    ],
)
async def test_a_ticket_that_is_drafted_already_is_shown_and_not_drafted_twice(
    stage: Stage, told: Story, words: str
) -> None:
    await stage.say(told.requester, REPORT[told.language])
    seen = await stage.say(told.requester, words)

    assert told.says("draft.confirm") in seen.labels
    assert len(await drafts(stage, told.requester)) == 1


@on("memory", "web")
@pytest.mark.parametrize(("told", "words"), [(ENGLISH, "can you hurry up?"), (CHINESE, "能不能快点")])
async def test_who_is_in_a_hurry_below_a_draft_raises_its_priority(stage: Stage, told: Story, words: str) -> None:
    await stage.say(told.requester, REPORT[told.language])
    await stage.say(told.requester, words)

    (draft,) = await drafts(stage, told.requester)
    assert draft.priority is Priority.HIGH


@on("memory", "web")
@pytest.mark.parametrize("said", ["everything is terrible and nothing works", "nothing works, everything is broken"])
async def test_what_is_broken_is_asked_for_before_anything_is_drafted(stage: Stage, said: str) -> None:
    seen = await stage.say(ENGLISH.requester, said)

    assert ENGLISH.says("draft.confirm") not in seen.labels
    assert await drafts(stage, ENGLISH.requester) == ()


@on("memory", "web")
@BOTH
async def test_yes_shows_the_button_again_and_files_nothing(stage: Stage, told: Story) -> None:
    await stage.say(told.requester, REPORT[told.language])
    seen = await stage.say(told.requester, {"en": "looks good", "zh": "没问题"}[told.language])

    assert told.says("draft.confirm") in seen.labels
    assert await tickets(stage, told.requester) == ()


@on("memory", "web")
@pytest.mark.parametrize(
    ("said", "then", "location"),
    [
        ("the projector in room 214 is broken", "no, room 241", "room 241"),
        ("guest in 507 complains that the aircon is broken", "it's 705, sorry", "705"),
        ("my badge does not open the door on the 3rd floor", "it's B-2291", "the 3rd floor"),
        ("The projector in the aula is broken", "actually it's the one in the library", "the library"),
        ("my keyboard is broken", "floor 4", "floor 4"),
        ("my keyboard is broken", "please make it urgent", ""),
        ("my keyboard is broken", "it's a logitech", ""),
        ("my keyboard is broken", "I tried another cable", ""),
        ("三楼的打印机坏了", "不是三楼，是五楼", "五楼"),
    ],
)
async def test_what_is_said_later_corrects_a_draft_and_makes_nothing_up(
    stage: Stage, said: str, then: str, location: str
) -> None:
    await stage.say("ada", said)
    await stage.say("ada", then)
    (draft,) = await drafts(stage, "ada")

    assert draft.fields.get("location", "") == location
    assert then in draft.description or draft.priority is Priority.URGENT


@on("memory", "web")
async def test_a_value_reaches_its_draft_after_a_question_in_between(stage: Stage) -> None:
    await stage.say("ada", "my keyboard is broken")
    await stage.say("ada", "how long does a VPN session last?")
    await stage.say("ada", "floor 4")
    (draft,) = await drafts(stage, "ada")

    assert draft.fields["location"] == "floor 4"


@on("memory", "web")
async def test_the_same_word_in_another_thread_is_about_the_draft_there(stage: Stage) -> None:
    for report in ("my keyboard is broken, floor 2", "the chair at desk 12 is broken"):
        await stage.say("ada", report, place := Place(report[:6]))
        await stage.say("ada", "make it urgent", place)

    assert [draft.priority for draft in await drafts(stage, "ada")] == [Priority.URGENT] * 2


@on("memory", "web")
@BOTH
async def test_a_report_and_a_question_in_one_message_get_both(stage: Stage, told: Story) -> None:
    both = {
        "en": "my keyboard is broken and how long does a VPN session last?",
        "zh": "键盘坏了，另外VPN 会话多长时间后结束？",
    }
    seen = await stage.say(told.requester, both[told.language])
    (draft,) = await drafts(stage, told.requester)

    assert told.answer in seen.text
    assert draft.description == both[told.language]
    assert told.says("draft.discard") in seen.labels


@on("memory", "web")
@BOTH
async def test_who_wants_a_person_is_told_who_gets_it_and_hands_over_the_conversation(
    stage: Stage, told: Story
) -> None:
    await stage.say(told.requester, told.question)
    seen = await stage.say(told.requester, {"en": "can I speak to a human?", "zh": "转人工"}[told.language])
    (draft,) = await drafts(stage, told.requester)

    assert told.says("draft.handed_over") in seen.text
    assert "Ben Brook" in seen.text  # who works tickets
    assert told.question in draft.description


@on("memory", "web")
async def test_words_work_a_ticket_and_its_priority_changes_for_who_may(stage: Stage) -> None:
    await file(stage, ENGLISH)
    (ticket,) = await tickets(stage, "ada")
    await stage.say("ben", f"assign {ticket.number} to me")
    await stage.say("ben", "set its priority to high")
    assert [each.priority for each in await tickets(stage, "ada")] == [Priority.HIGH]
    await stage.say("ben", f"make {ticket.number} urgent")
    await stage.say("ben", "reassign it to Cleo Carter")
    (changed,) = await tickets(stage, "ada")
    assert (changed.priority, changed.assignee_name) == (Priority.URGENT, "Cleo Carter")

    await stage.say("ada", "please set the priority to low")
    await stage.say("ada", "add: the cable is fine")
    shown = await stage.desk.tickets.show(await stage.desk.people.named("ada"), ticket.number)
    assert shown.priority is Priority.URGENT  # who does not work tickets cannot
    assert any("the cable is fine" in comment.text for comment in shown.comments)


@on("memory", "web")
@BOTH
async def test_tickets_of_a_week_are_counted(stage: Stage, told: Story) -> None:
    await file(stage, told)
    asked = {"en": "how many tickets this week?", "zh": "这周有多少工单？"}
    counted = {"en": "1 filed, 0 resolved. Open now: 1", "zh": "提交 1 张，已解决 0 张；目前未完成 1 张"}
    seen = await stage.say(told.requester, asked[told.language])

    assert counted[told.language] in seen.text


#: What is reported, something else that comes up while its draft waits, and a question in between.
OTHER = {
    "en": ("my docking station is broken, desk 2.14", "also truck 9 pulls to the left when it brakes"),
    "zh": ("203教室的投影仪没有画面", "还有7号机抖得厉害"),
}


@on("memory", "web")
@BOTH
async def test_another_matter_is_a_draft_of_its_own_and_the_older_one_waits(stage: Stage, told: Story) -> None:
    first, other = OTHER[told.language]
    await stage.say(told.requester, first)
    seen = await stage.say(told.requester, other)
    waiting = await drafts(stage, told.requester)

    assert len(waiting) == 2
    assert all(other not in draft.description for draft in waiting if draft.title not in seen.text[:400])
    assert told.says("draft.other", title=waiting[1].title) in seen.text

    await stage.say(told.requester, {"en": "discard it", "zh": "放弃"}[told.language])
    again = await stage.say(told.requester, {"en": "show my draft", "zh": "显示草稿"}[told.language])
    assert [draft.id for draft in await drafts(stage, told.requester)] == [waiting[1].id]
    assert waiting[1].title in again.text


@on("memory", "web")
@BOTH
async def test_a_question_beside_a_draft_is_answered_and_the_draft_waits(stage: Stage, told: Story) -> None:
    await stage.say(told.requester, REPORT[told.language])
    before = await drafts(stage, told.requester)
    seen = await stage.say(told.requester, told.question)

    assert told.answer in seen.text
    assert await drafts(stage, told.requester) == before


@on("memory", "web")
@pytest.mark.parametrize(
    ("told", "words"),
    [
        (ENGLISH, "it now also leaks oil"),
        (ENGLISH, "forgot to say, it's the one next to the door"),
        (CHINESE, "忘了说，是靠窗那台"),
        (CHINESE, "现在完全没反应了"),
    ],
)
async def test_more_about_what_was_filed_just_now_is_a_comment_on_it(stage: Stage, told: Story, words: str) -> None:
    await file(stage, told)
    seen = await stage.say(told.requester, words)
    (ticket,) = await tickets(stage, told.requester)

    assert told.says("ticket.commented", number=ticket.number) in seen.text
    assert await drafts(stage, told.requester) == ()


@on("memory", "web")
@BOTH
@pytest.mark.parametrize("is_new", [False, True], ids=["more", "new"])
async def test_what_may_be_more_or_something_new_is_asked_and_goes_where_the_button_says(
    stage: Stage, told: Story, *, is_new: bool
) -> None:
    await file(stage, told)
    said = {"en": "the fan makes a lot of noise", "zh": "风扇嗡嗡响"}[told.language]
    asked = await stage.say(told.requester, said)
    (ticket,) = await tickets(stage, told.requester)
    more = told.says("same_or_new.add", number=ticket.number)
    seen = await stage.say(told.requester, told.says("same_or_new.new") if is_new else more)

    assert told.says("asked_back.same_or_new") in asked.text
    assert more in asked.labels
    assert said in seen.text
    assert [draft.description for draft in await drafts(stage, told.requester)] == [said] * is_new


@on("memory", "web")
@BOTH
@pytest.mark.parametrize("is_new", [False, True], ids=["more", "new"])
async def test_a_complaint_without_a_subject_that_fits_no_draft_is_asked_about(
    stage: Stage, told: Story, *, is_new: bool
) -> None:
    leak, said = {
        "en": ("the tap in the staff kitchen is dripping", "it kicked us out, too many tries"),
        "zh": ("员工厨房的水龙头漏水", "一直提示密码错误"),
    }[told.language]
    await stage.say(told.requester, leak)
    asked = await stage.say(told.requester, said)
    await stage.say(told.requester, told.says("same_or_new.new" if is_new else "same_or_new.draft"))
    described = sorted(draft.description for draft in await drafts(stage, told.requester))

    assert told.says("asked_back.draft_or_new") in asked.text
    assert {told.says("same_or_new.draft"), told.says("same_or_new.new")} <= set(asked.labels)
    assert len(described) == 1 + is_new
    assert all((said in each) is (each != leak) for each in described)


@on("memory", "web")
@pytest.mark.parametrize(
    ("told", "words"),
    [
        *((ENGLISH, each) for each in ("hm ok", "got it ta", "ah I see, makes sense", "did that, all good now")),
        *((CHINESE, each) for each in ("哦哦知道了", "嗯明白", "好了搞定")),
    ],
)
async def test_who_takes_note_of_an_answer_gets_a_short_word_back(stage: Stage, told: Story, words: str) -> None:
    await stage.say(told.requester, told.question)
    seen = await stage.say(told.requester, words)

    assert any(told.says(f"asked_back.{code}") in seen.text for code in ("noted", "thanks"))
    assert await drafts(stage, told.requester) == ()
