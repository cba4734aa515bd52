"""A desk for one evaluation: the sample handbook and people in a throw-away home, and the questions put to it."""

import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from agent.brains.output import UNSURE
from agent.runs.answer import Answered
from bot.cli.talk.asking import ask
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import load
from evals.cases import QuestionCase
from evals.graders import RECALL_AT, CaseObservation, CitedPlace
from identity.actor import local_operator
from search.documents import Hit
from storage.ids import JsonValue

#: What the evaluation is about: it ships with the project.
SAMPLE = Path(__file__).resolve().parent.parent / "sample"
HANDBOOK = SAMPLE / "handbook"
PEOPLE = SAMPLE / "people.yaml"

Progress = Callable[[int, int], None]


async def ask_all(cases: Sequence[QuestionCase], progress: Progress | None = None) -> tuple[CaseObservation, ...]:
    """Put every question to a fresh desk with the rules brain and return how each ended."""
    async with sample_desk() as desk:
        seen: list[CaseObservation] = []
        for case in cases:
            seen.append(await observe(desk, case))
            if progress is not None:
                progress(len(seen), len(cases))
        return tuple(seen)


@asynccontextmanager
async def sample_desk() -> AsyncIterator[Desk]:
    """Build a desk that knows the sample handbook, vectors included, and remove all of it afterwards."""
    with tempfile.TemporaryDirectory(prefix="dutydesk-eval-") as folder:
        # Said outright, so that no setting of this machine reaches a real database or a language model.
        settings = load(home=Path(folder), people_file=PEOPLE, database_url="", redis_url="", model="rules")
        async with await compose(settings) as desk:
            await desk.search.add_folder(local_operator(), HANDBOOK)
            await desk.search.embed_pending()
            yield desk


async def observe(desk: Desk, case: QuestionCase) -> CaseObservation:
    """Put one question to the desk as its asker, and look at what the search alone finds."""
    actor = await desk.directory.person(case.asker)
    started = time.perf_counter()
    reply = await ask(desk, actor, case.question)
    elapsed_ms = (time.perf_counter() - started) * 1_000
    result = await desk.search.search(actor, case.question, language=case.language, limit=RECALL_AT)
    told = reply.as_json()
    citations = told["citations"] if isinstance(told["citations"], list) else []
    return CaseObservation(
        case_id=case.id,
        outcome=str(told["outcome"]),
        is_unsure=isinstance(reply.answer, Answered) and reply.answer.lead == UNSURE,
        words="\n".join([str(told["answer"]), *(_text(each, "quote") for each in citations)]),
        cited=tuple(CitedPlace(_text(each, "source"), _text(each, "section")) for each in citations),
        found=tuple(_place(hit) for hit in result.hits),
        elapsed_ms=elapsed_ms,
    )


def _text(citation: JsonValue, key: str) -> str:
    return str(citation.get(key, "")) if isinstance(citation, dict) else ""


def _place(hit: Hit) -> CitedPlace:
    return CitedPlace(hit.document_path, " > ".join(hit.chunk.section_path))
