"""Questions for numbers through the whole path with the rules brain, over the sample's 198,000 orders."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.runner.requests import Request
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.delivery.events import dump_card
from bot.delivery.showing import results_in
from bot.rendering.cards import answer_blocks, card_of
from bot.settings import load
from identity.actor import local_operator
from sample.company import make_company
from storage.ids import new_id
from tests.benchmarks.figures import percentile

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(900)]

SAMPLE = Path(__file__).parents[2] / "sample"
ROUNDS = 5
QUESTIONS = (
    "How many orders did we get last month?",
    "revenue by region last quarter compared with the quarter before",
    "top 5 customers by revenue this year",
    "orders by month this year",
    "orders and revenue by month this year",
    "what share of orders were cancelled last year?",
    "customers with more than 100 orders this year",
    "how many products sold more than 1000 last quarter?",
    "average orders per month",
    "headcount by department",
    "How many environments of Quaymaster are in use?",
    "list the running projects",
    "上个月有多少订单？",
    "今年各产品的销售额占比",
    "上个月各渠道的销售额环比",
    "今年月均订单",
    "去年每个季度的销售额",
    "上个月订单超过400的产品",
    "各部门有多少员工？",
    "今年销量最高的3个产品",
)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    await asyncio.to_thread(make_company, tmp_path / "company.db", today=datetime.now(tz=UTC).date())
    people, sources = SAMPLE / "people.yaml", SAMPLE / "datasources.yaml"
    async with await compose(load(home=tmp_path, people_file=people, datasources_file=sources)) as made:
        await made.search.warm_up()
        yield made


async def test_a_question_for_numbers(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    spent: dict[str, list[float]] = {question: [await _ask(desk, question)] for question in QUESTIONS}
    worked: list[float] = []
    for _ in range(ROUNDS):
        for question in QUESTIONS:
            began = time.process_time()
            spent[question].append(await _ask(desk, question))
            worked.append((time.process_time() - began) * 1_000)
    worked.sort()
    warm = sorted(value for values in spent.values() for value in values[1:])
    first = sorted(values[0] for values in spent.values())
    with capsys.disabled():
        print(f"\n{len(QUESTIONS)} questions, {ROUNDS} times each, milliseconds")  # noqa: T201
        print(f"  all      p50 {statistics.median(warm):6.0f}  p95 {percentile(warm, 0.95):6.0f}")  # noqa: T201
        print(f"  worked   p50 {statistics.median(worked):6.0f}  p95 {percentile(worked, 0.95):6.0f}")  # noqa: T201
        print(f"  first    p50 {statistics.median(first):6.0f}  p95 {percentile(first, 0.95):6.0f}")  # noqa: T201
        for question, values in spent.items():
            print(f"  {statistics.median(values[1:]):6.0f}  {question}")  # noqa: T201

    assert percentile(warm, 0.95) < 300


async def _ask(desk: Desk, question: str) -> float:
    """Ask once, in a thread of its own, and return the milliseconds until its card stands."""
    actor, language = local_operator(), "zh" if ord(question[0]) > 0x2FFF else "en"
    started = time.perf_counter()
    result = await desk.runner.run(
        Request(
            actor=actor,
            event_id=new_id("event"),
            thread=new_id("thread"),
            text=question,
            language=language,
            now=desk.clock.now(),
        )
    )
    reader = desk.showing.reader(actor, language=language, platform="web")
    shown = await desk.showing.blocks(actor, results_in(result.answer), reader)
    card = card_of(answer_blocks(result.answer, reader, run_id=result.run_id, shown=shown), reader)
    dump_card(card)
    assert "data_result" in str(result.answer), result.answer
    return (time.perf_counter() - started) * 1_000
