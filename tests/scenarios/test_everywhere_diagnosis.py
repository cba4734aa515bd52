"""People ask why something is in trouble: each is told about what they may look at, with the evidence."""

from pathlib import Path

import pytest

from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.incident import write_incident
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH


@pytest.fixture(autouse=True)
def _incident(tmp_path: Path) -> None:
    write_incident(tmp_path)


@on_every_platform
async def test_what_is_wrong_is_said_with_its_evidence(stage: Stage) -> None:
    seen = await stage.say("ada", "Why is checkout down?")

    assert "OOMKilled" in seen.text
    assert "checkout-7d9f5b-x2x4z" in seen.text
    assert ENGLISH.says("result.first") in seen.text
    assert {ENGLISH.says("diagnosis.again"), ENGLISH.says("diagnosis.ticket")} <= set(seen.labels)


@on_every_platform
async def test_it_is_asked_in_chinese(stage: Stage) -> None:
    seen = await stage.say("bao", "结账为什么一直重启？")

    assert "OOMKilled" in seen.text
    assert "内存" in seen.text


@on_every_platform
async def test_what_one_may_not_look_at_is_as_if_it_were_not_there(stage: Stage) -> None:
    hidden = await stage.say("ada", "Why is ledger down?")
    missing = await stage.say("ada", "Why is zebra down?")

    assert hidden.text.replace("ledger", "zebra") == missing.text
    assert ENGLISH.says("no_evidence.beside.diagnosis") in hidden.text
    refused = await stage.command("ada", "inspect ledger")
    unknown = await stage.command("ada", "inspect zebra")
    assert refused.text.replace("ledger", "zebra") == unknown.text
    assert "checkout" in refused.text
    images = [await stage.say("ada", f"which image runs {name}?") for name in ("ledger", "zebra")]
    assert images[0].text.replace("ledger", "zebra") == images[1].text
    assert ENGLISH.says("no_evidence.beside.diagnosis") in images[0].text


@on_every_platform
async def test_a_follow_up_looks_at_another_app(stage: Stage) -> None:
    await stage.say("ben", "Why is checkout down?")
    seen = await stage.say("ben", "and ledger?")

    assert "OOMKilled" not in seen.text
    assert "ledger" in seen.text


@on_every_platform
@pytest.mark.parametrize("asked", ["what changed in checkout?", "which image runs checkout?", "checkout 用的哪个镜像"])
async def test_what_runs_and_what_changed_is_told_from_the_cluster(stage: Stage, asked: str) -> None:
    seen = await stage.say("ada", asked)

    assert "registry.invalid/checkout:1" in seen.text
    assert "kubectl" not in seen.text


@on("memory")
@pytest.mark.parametrize("asked", ["why is it so slow?", "why is my laptop slow?", "is the printer down?"])
async def test_who_does_not_ask_about_a_service_is_told_nothing_of_services(stage: Stage, asked: str) -> None:
    seen = await stage.say("ada", asked)

    assert ENGLISH.says("no_evidence.beside.diagnosis") not in seen.text


@on_every_platform
@pytest.mark.parametrize("asked", ["what should I do first?", "how do we fix that?", "那怎么办？"])
async def test_who_asks_what_to_do_is_told_of_what_was_found(stage: Stage, asked: str) -> None:
    await stage.say("ada", "Why is checkout down?")
    seen = await stage.say("ada", asked)

    assert ENGLISH.says("result.first") in seen.text or CHINESE.says("result.first") in seen.text
    assert "kubectl" in seen.text


@on("memory")
async def test_what_to_do_is_about_nothing_where_nothing_was_diagnosed(stage: Stage) -> None:
    seen = await stage.say("ada", "what should I do first?")

    assert "kubectl" not in seen.text


@on_every_platform
async def test_it_is_made_again_and_becomes_a_ticket(stage: Stage) -> None:
    seen = await stage.say("ada", "Why is checkout down?")
    again = await stage.press("ada", seen, ENGLISH.says("diagnosis.again"))
    assert "OOMKilled" in again.text

    drafted = await stage.press("ada", again, ENGLISH.says("diagnosis.ticket"))
    assert "OOM_KILLED" in drafted.text


@on_every_platform
@pytest.mark.parametrize("asked", ["open a ticket for that", "please file an incident", "帮我就这个问题建个工单"])
async def test_words_make_a_ticket_of_it_as_the_button_does(stage: Stage, asked: str) -> None:
    await stage.say("ada", "Why is checkout down?")
    drafted = await stage.say("ada", asked)

    assert "Why is checkout down?" in drafted.text
    assert "OOMKilled" in drafted.text
    assert not {ENGLISH.says("draft.confirm"), CHINESE.says("draft.confirm")}.isdisjoint(drafted.labels)


@on_every_platform
async def test_who_names_nothing_chooses(stage: Stage) -> None:
    asked = await stage.command("ada", "inspect")
    app, window = ENGLISH.says("diagnosis.app"), ENGLISH.says("diagnosis.window")
    chosen = {app: "checkout", window: "30"}
    seen = await stage.fill("ada", asked, ENGLISH.says("diagnosis.pick"), chosen, stage.driver.commands("ada"))

    assert "OOMKilled" in seen.text


@on("memory", "web")
async def test_a_whole_namespace_is_looked_at(stage: Stage) -> None:
    seen = await stage.command("ben", "inspect -n shop")
    assert "shop" in seen.text
    listed = await stage.command("ada", "inspect apps")
    assert "checkout" in listed.text
    assert "ledger" not in listed.text


@on("slack_http", "teams_cards", "memory")
async def test_a_guest_is_offered_nothing_of_it(stage: Stage) -> None:
    seen = await stage.say("gus", "Why is checkout down?")
    assert "OOMKilled" not in seen.text
