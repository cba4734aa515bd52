"""`docs/how-to/add-a-feature.md` carried out: its folder and its line make a feature that works everywhere."""

import asyncio
import importlib
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextContent, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import features
from agent.brains.assistant import Brain
from bot.compose.features import FEATURES
from bot.schedules.order import Order
from features.anatomy.feature import Build
from features.anatomy.texts import catalogue, has
from identity.actor import local_operator
from storage.database import Database
from storage.queue.schedules import Cron
from tests.architecture.source import ROOT
from tests.cli.conftest import invoke
from tests.desks.house import serving
from tests.docs.steps import Change, Create, steps
from tests.scenarios.everywhere import PLATFORMS
from tests.scenarios.stage import MovableClock, Setting, Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story

PAGE = (ROOT / "docs" / "how-to" / "add-a-feature.md").read_text(encoding="utf-8")
STEPS = tuple(steps(PAGE))
NAME = "rota"
#: What Ben asks in each language.
ASKS = {"en": "Who is on call for the network right now?", "zh": "现在网络谁值班？"}
CHANGES = {"en": "Please put Ben on call for the network", "zh": "请让 Ben 值网络的班"}


@pytest.fixture
def rota(tmp_path: Path) -> Iterator[Build]:
    """Write the folder somewhere else, where it is a feature for the time of the test."""
    root = tmp_path / "elsewhere"
    for step in STEPS:
        if isinstance(step, Create):
            step.apply(root)
    features.__path__.append(str(root / "features"))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module("features.rota.feature").build
    finally:
        features.__path__.remove(str(root / "features"))
        for name in [name for name in sys.modules if name.startswith("features.rota")]:
            del sys.modules[name]


@asynccontextmanager
async def stage_with(
    rota: Build, home: Path, database: Database, platform: str, brain: Brain | None = None
) -> AsyncIterator[Stage]:
    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
    setting = Setting(home, database, MovableClock(), {}, brain=brain, features=(*FEATURES, rota))
    async with PLATFORMS[platform].open(setting) as stage:
        yield stage


def scripted(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    """Do as a language model does: call the tool that the message is about, then end."""
    parts = messages[-1].parts
    if any(isinstance(part, ToolReturnPart) for part in parts):
        return ModelResponse(parts=[ToolCallPart("act", {"note": ""})])
    said = [part.content for part in parts if isinstance(part, UserPromptPart)][-1]
    last = said if isinstance(said, str) else said[-1]  # what stands before it was said earlier
    asked = (last.content if isinstance(last, TextContent) else str(last)).casefold()
    if "put ben" in asked or "让" in asked:
        return ModelResponse(parts=[ToolCallPart("put_on_call", {"team": "network", "colleague": "Ben"})])
    return ModelResponse(parts=[ToolCallPart("who_is_on_call", {"team": "network"})])


def model() -> Brain:
    return Brain(name="scripted", model=FunctionModel(scripted), follows_text=True)


def test_the_page_names_one_folder_and_one_line() -> None:
    created = {Path(step.path).parent.as_posix() for step in STEPS if isinstance(step, Create)}
    changed = [step.path for step in STEPS if isinstance(step, Change)]

    assert created == {f"features/{NAME}"}
    assert changed == ["bot/compose/features.py"]


def test_the_line_fits_the_list(tmp_path: Path) -> None:
    copy = tmp_path / "bot" / "compose" / "features.py"
    copy.parent.mkdir(parents=True)
    shutil.copy(ROOT / "bot" / "compose" / "features.py", copy)
    for step in STEPS:
        if isinstance(step, Change):
            step.apply(tmp_path)

    assert "    rota.build,\n" in copy.read_text(encoding="utf-8")


@pytest.mark.parametrize("where", ["web", "slack_http", "teams_dialogs", "terminal"])
@pytest.mark.parametrize("brain", ["rules", "model"])
@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_a_person_meets_it_everywhere(
    rota: Build, tmp_path: Path, database: Database, where: str, brain: str, told: Story
) -> None:
    thinks = model() if brain == "model" else None
    async with stage_with(rota, tmp_path / "home", database, where, thinks) as stage:
        asked = await stage.say("ben", CHANGES[told.language])
        assert told.says("approval.what.put_on_call", colleague="Ben", team="network") in asked.text
        done = await stage.press("ben", asked, told.says("approval.confirm"))
        assert told.says("rota.changed") in done.text

        answer = await stage.say("ben", ASKS[told.language])
        assert "Ben Brook" in answer.text
        assert "network" in answer.text
        assert {"en": "On call", "zh": "值班人"}[told.language] in answer.text

        trail = [each.action for each in await stage.desk.audit.entries(local_operator())]
        assert {"rota.change", "rota.read"} <= set(trail)


async def test_its_verb_digest_schedule_and_page_are_there(rota: Build, tmp_path: Path, database: Database) -> None:
    async with stage_with(rota, tmp_path / "home", database, "web") as stage:
        assert "oncall put" in (await stage.command("ben", "help")).text
        asked = await stage.command("ben", "oncall put network Ben")
        await stage.press("ben", asked, ENGLISH.says("approval.confirm"), stage.driver.commands("ben"))
        assert "Ben Brook" in (await stage.command("ada", "oncall network")).text
        assert ENGLISH.says("section.rota.heading", count=1) in (await stage.command("ada", "digest")).text
        assert "oncall put" not in (await stage.command("ada", "help")).text
        assert ENGLISH.says("refused.forbidden") in (await stage.command("ada", "oncall put network Ada")).text

        place = stage.driver.commands("ben")
        before = await stage.read("ben", place)
        (remind, handover) = [job for job in stage.desk.jobs.table if job.name.startswith("rota:")]
        assert (handover.trigger, handover.timezone) == (Cron("0 9 * * 1"), "Europe/Berlin")
        await remind.work()
        await remind.work()
        told = await stage.news("ben", place, before=before)
        assert told.text.count(ENGLISH.says("rota.reminder", team="network")) == 1


@pytest.mark.parametrize("platform", ["slack_http", "teams_dialogs"])
async def test_what_it_says_by_the_clock_comes_to_its_channel(
    rota: Build, tmp_path: Path, database: Database, platform: str
) -> None:
    async with stage_with(rota, tmp_path / "home", database, platform) as stage:
        asked = await stage.say("ben", CHANGES["en"])
        await stage.press("ben", asked, ENGLISH.says("approval.confirm"))
        place = await stage.channels.channel("ada", "ben")
        await stage.say("ada", ASKS["en"], place)
        control, operator = stage.desk.job_control, local_operator()
        (channel,) = await control.channels(operator)
        await control.aim(operator, "rota: handover", channel.name)
        await control.order(operator, "rota: handover", Order.RUN)
        async with asyncio.timeout(60):
            while not (said := await stage.channels.begun("ada", place)):  # noqa: ASYNC110 - a chat tells nobody that something was said
                await asyncio.sleep(0.05)

        assert ENGLISH.says("rota.handover") in said[0].text
        assert "Ben Brook" in said[0].text


def test_its_verbs_stand_in_the_help_of_the_command_line(rota: Build) -> None:
    assert rota.__module__ == "features.rota.feature"
    assert "oncall put  " in invoke("--help").output


async def test_what_nobody_offers_is_said_to_be_so(rota: Build, tmp_path: Path, database: Database) -> None:
    async with stage_with(rota, tmp_path / "home", database, "web") as stage:
        answer = await stage.say("ada", "Please book a table at the harbour restaurant for tonight")

        assert "I cannot do that (yet)" in answer.text
        assert "Who is on call" in answer.text


async def test_its_page_is_in_the_menu(rota: Build, tmp_path: Path, database: Database) -> None:
    async with stage_with(rota, tmp_path / "home", database, "web") as stage, serving(stage.desk) as url:
        async with httpx.AsyncClient(base_url=url, follow_redirects=True) as client:
            token = await stage.desk.sign_in.link(await stage.desk.directory.person("ben"))
            await client.post("/sign-in", data={"token": token}, headers={"origin": url})
            home, page = await client.get("/"), await client.get("/features/rota")

        assert 'href="/features/rota"' in home.text
        assert ENGLISH.says("rota.empty") in page.text


def test_without_the_folder_there_are_no_words_of_it() -> None:
    assert not has("rota.title")
    assert not any("rota" in key for key in catalogue("zh"))
