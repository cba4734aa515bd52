"""Files that are sent to the desk: read at once, for the thread that they were sent in, or it is said why not."""

import pytest

from bot.cli.health.examination import LOOKED_BACK, told_links
from identity.actor import local_operator
from search.access import THREAD_FILES
from tests.scenarios.everywhere import PLATFORMS, needs, on, on_every_platform
from tests.scenarios.platforms import MAIN, Place
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH

LEASE = (
    b"---\naccess: {allow: [public, staff]}\n---\n# Lease of the north hall\n\n"
    b"## Notice\n\nThe notice period of the north hall is eleven weeks.\n"
)
QUESTION, ANSWER = "What is the notice period of the north hall?", "eleven weeks"

pytestmark = needs("files")


def files_of(stage: Stage) -> list[str]:
    """Return what lies on disk of files that were sent, what is on its way among it."""
    folder = stage.desk.settings.search_config.uploads.path
    return sorted(file.name for name in ("threads", ".arriving") for file in (folder / name).rglob("*.*"))


async def pages_of(stage: Stage) -> int:
    """Return how many files the index holds."""
    sources = await stage.desk.search.sources(await stage.desk.people.named("operator"))
    return sum(each.statistics.documents for each in sources if each.name == THREAD_FILES)


@on_every_platform
async def test_a_file_can_be_asked_about_where_it_was_sent(stage: Stage) -> None:
    seen = await stage.send_file("ada", "lease.md", LEASE)
    answer = await stage.say("ada", QUESTION)

    assert "lease.md" in seen.text
    assert ENGLISH.says("files.sections.one", count=1) in seen.text
    assert ANSWER in answer.text
    assert ENGLISH.says("answer.sources") in answer.text


@on("memory", "web")
async def test_the_doctor_tells_which_links_of_files_were_taken_out_of_answers_and_how_often(stage: Stage) -> None:
    page = b"# Kestrel portal\n\nThe Kestrel portal opens at https://portal.kestrel.example/login for every driver.\n"
    await stage.send_file("ada", "kestrel.md", page)
    for _ in range(2):
        answer = await stage.say("ada", "Where does the Kestrel portal open?")
        assert "Kestrel portal" in answer.text
        assert "kestrel.example" not in answer.text

    blocked = await stage.desk.runs.blocked_links(local_operator(), since=stage.clock.now() - LOOKED_BACK)

    assert blocked == {"portal.kestrel.example": 2}
    assert told_links({**blocked, "b.example": 1}) == "portal.kestrel.example 2 times, b.example once"


@on_every_platform
async def test_a_question_that_comes_with_a_file_is_answered_with_it(stage: Stage) -> None:
    seen = await stage.send_file("ada", "lease.md", LEASE, text=QUESTION)

    assert "lease.md" in seen.text
    assert ANSWER in seen.text


@on_every_platform
async def test_the_file_that_comes_with_a_question_is_what_it_is_about(stage: Stage) -> None:
    draft = b"# VPN, a draft\n\nA VPN session ends after 3 hours.\n"
    about = await stage.send_file("ada", "draft.md", draft, text=ENGLISH.question)

    assert "3 hours" in about.text
    assert ENGLISH.answer not in about.text


@on_every_platform
async def test_a_question_about_something_else_is_answered_from_everything(stage: Stage) -> None:
    seen = await stage.send_file("ada", "lease.md", LEASE, text=ENGLISH.question)

    assert ENGLISH.answer in seen.text


@on_every_platform
async def test_nobody_else_ever_finds_it_whatever_it_says_itself(stage: Stage) -> None:
    await stage.send_file("ada", "lease.md", LEASE)
    seen = await stage.say("ben", QUESTION)

    assert ANSWER not in seen.text


@on("memory", "web", "slack_http")
async def test_another_thread_of_the_same_person_does_not_know_it(stage: Stage) -> None:
    await stage.send_file("ada", "lease.md", LEASE)
    seen = await stage.say("ada", QUESTION, Place("another"))

    assert ANSWER not in seen.text


@on("memory", "slack_http")
async def test_whoever_reads_a_thread_may_ask_about_what_was_sent_there(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "bao", "ben")
    await stage.send_file("ada", "lease.md", LEASE, place)
    here = await stage.say("ben", QUESTION, place)
    elsewhere = await stage.say("ben", QUESTION, Place("elsewhere", place.channel))

    assert ANSWER in here.text
    assert ANSWER not in elsewhere.text


@on_every_platform
async def test_what_cannot_be_read_is_said(stage: Stage) -> None:
    english = await stage.send_file("ada", "shot.png", b"\x89PNG", text="/desk help")
    chinese = await stage.send_file("bao", "shot.png", b"\x89PNG")

    assert ENGLISH.says("files.format", name="shot.png") in english.text
    assert "ticket new" in english.text
    assert CHINESE.says("files.format", name="shot.png") in chinese.text


@on_every_platform
@needs("redelivery")
async def test_a_file_that_is_delivered_again_is_one_page_and_one_answer(stage: Stage) -> None:
    await stage.send_file("ada", "lease.md", LEASE, deliveries=3)

    assert await pages_of(stage) == 1
    assert len(await stage.read("ada", MAIN)) == 1


@on_every_platform
@needs("withdrawals")
async def test_what_is_taken_away_is_found_no_more(stage: Stage) -> None:
    await _taken_away(stage, words_stay=False)


@on(*(each for each in PLATFORMS if each != "web"))  # a page removes whole messages
@needs("withdrawals")
async def test_a_file_that_is_taken_out_of_its_message_is_found_no_more(stage: Stage) -> None:
    await _taken_away(stage, words_stay=True)


async def _taken_away(stage: Stage, *, words_stay: bool) -> None:
    await stage.send_file("ada", "lease.md", LEASE, text="/desk help")
    before = await stage.say("ada", QUESTION)
    words = await stage.withdraw("ada", words_stay=words_stay)
    after = await stage.say("ada", QUESTION)

    assert ANSWER in before.text
    assert ANSWER not in after.text
    assert words.text == ""
    assert files_of(stage) == []
    assert await pages_of(stage) == 0


@on_every_platform
@needs("withdrawals")
async def test_what_another_message_brought_as_well_stays(stage: Stage) -> None:
    await stage.send_file("ada", "lease.md", LEASE)
    await stage.send_file("ada", "lease.md", LEASE)
    await stage.withdraw("ada")

    assert ANSWER in (await stage.say("ada", QUESTION)).text
    assert files_of(stage) == ["lease.md"]


@on("memory", "slack_http")
async def test_what_is_taken_away_in_a_channel_is_gone_for_all_who_read_it(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "bao", "ben")
    await stage.send_file("ada", "lease.md", LEASE, place)
    before = await stage.say("ben", QUESTION, place)
    await stage.withdraw("ada", place)

    assert ANSWER in before.text
    assert ANSWER not in (await stage.say("ben", QUESTION, place)).text
    assert await pages_of(stage) == 0


@on("memory", "web")
@pytest.mark.settings(limits={"files_per_day": 2})
async def test_who_sent_too_many_is_told_when_to_send_the_next(stage: Stage) -> None:
    for number in range(2):
        await stage.send_file("ada", f"lease-{number}.md", LEASE)
    third = await stage.send_file("ada", "lease-3.md", LEASE)
    other = await stage.send_file("ben", "lease.md", LEASE)

    wait = ENGLISH.says("files.hours", count=12)
    assert ENGLISH.says("files.quota", name="lease-3.md", wait=wait) in third.text
    assert ENGLISH.says("files.sections.one", count=1) in other.text
