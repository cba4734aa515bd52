"""What may be an alarm: whom to call stands above the usual reply, which stays what it is, on every platform."""

import asyncio

import pytest

from features.alarms import maybe
from search.embedding.memory import HashEmbedder
from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH
from tests.scenarios.world import write_pages

#: No pattern of `alarms.yaml` has these.
HAZE = "the big mixer makes a grinding noise and there is blue haze around it"
BULGING = "拌料罐发烫鼓起来了，旁边还有人"
JAM = "the big mixer makes a note of every batch"
WEARY = "the nights here swallow me and the big mixer is broken"
#: The judge that takes that for despair.
DARK: dict[str, maybe.Weights] = {}
PAGE = "# Safety\n\n## Emergencies\n\nCall extension 5555 first. Then wait at the gate for whoever comes.\n"


@pytest.fixture(autouse=True)
def taught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teach the judge these two messages over the vectors of the tests; an eval measures what it really knows."""
    embedder = HashEmbedder(languages=frozenset({"en", "zh", ""}))

    def knows(text: str, group: str = "danger") -> maybe.Weights:
        (vector,) = asyncio.run(embedder.embed([text], role="question"))
        row = tuple((vector * 40).tolist())
        return maybe.Weights(embedder.name, 0.5, 2.0, ("", group), ((0.0,) * len(row), row), (30.0, 0.0), {})

    known = {"en": knows(HAZE), "zh": knows(BULGING)}
    monkeypatch.setattr(maybe, "JUDGES", known)
    monkeypatch.setattr(f"{__name__}.DARK", {"en": knows(WEARY, "crisis"), "zh": knows(BULGING)})
    monkeypatch.setattr("tests.scenarios.stage.HashEmbedder", lambda: embedder)


@on_every_platform
async def test_whom_to_call_stands_above_the_draft_and_the_draft_can_be_filed(stage: Stage) -> None:
    seen = await stage.say("ada", HAZE)

    line = seen.text.index("do not wait for an answer here")
    assert line < seen.text.index(ENGLISH.says("alarm.below")) < seen.text.lower().index("big mixer")
    assert "112" in seen.text
    filed = await stage.press("ada", seen, ENGLISH.says("draft.confirm"))
    assert "is filed" in filed.text


@on("memory", "web")
async def test_the_company_number_stands_in_the_line_and_nothing_more_of_its_page(stage: Stage) -> None:
    folder = stage.desk.settings.home / "safety"
    await asyncio.to_thread(write_pages, folder, {".access.yaml": "allow: [public]\n", "safety.md": PAGE})
    await stage.desk.search.add_folder(await stage.desk.people.named("operator"), folder)
    await stage.desk.search.embed_pending()

    seen = await stage.say("ada", HAZE)
    assert "Call extension 5555 first." in seen.text
    assert "wait at the gate" not in seen.text.partition(ENGLISH.says("alarm.below"))[0]
    assert "112" not in seen.text


@on("memory", "web")
async def test_a_person_who_writes_chinese_is_told_in_chinese(stage: Stage) -> None:
    seen = await stage.say("bao", BULGING)
    assert "请不要在这里等回复" in seen.text
    assert CHINESE.says("alarm.below") in seen.text


@on("memory", "web")
async def test_words_like_those_of_an_alarm_are_answered_as_any_other(stage: Stage) -> None:
    seen = await stage.say("ada", JAM)
    assert "do not wait" not in seen.text
    assert ENGLISH.says("alarm.below") not in seen.text


@on("memory", "web")
async def test_who_may_be_in_despair_reads_whom_to_talk_to_and_no_form(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maybe, "JUDGES", DARK)

    seen = await stage.say("ada", WEARY)

    assert "please talk to somebody now" in seen.text
    assert "draft" not in seen.text.lower()
    assert "big mixer" not in seen.text.lower()
    assert ENGLISH.says("alarm.below") not in seen.text
