"""Questions that stand by themselves are answered in a thread that runs all day as in one of their own."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from agent.runs.answer import Answer, Answered
from evals.cases import SHIPPED, CaseKind, QuestionCase, load_questions
from evals.trial import sample_desk
from tests.evals.asking import ask

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

#: How many fewer may be answered rightly than alone, and how many more wrongly.
FEWER, MORE_WRONG = 2, 1


def test_what_was_asked_before_does_not_answer_another_question(capsys: pytest.CaptureFixture[str]) -> None:
    cases = [case for name in ("rules", "held_out") for case in load_questions(SHIPPED / f"{name}.yaml").cases]
    random.Random(5).shuffle(cases)

    played = asyncio.run(_play(cases))

    alone = Counter(_came(case, answer) for case, answer, _ in played)
    together = Counter(_came(case, answer) for case, _, answer in played)
    lines = [f"{case.question}: {_came(case, one)} alone, {_came(case, two)} later" for case, one, two in played]
    told = "\n".join((f"alone {dict(alone)}, in one thread {dict(together)}", *lines))
    with capsys.disabled():
        print(f"\n{told.splitlines()[0]}")  # noqa: T201 - the score belongs into the log of every build
    assert len(played) >= 80
    assert together["right"] >= alone["right"] - FEWER, told
    assert together["wrong"] <= alone["wrong"] + MORE_WRONG, told


async def _play(cases: Sequence[QuestionCase]) -> list[tuple[QuestionCase, Answer, Answer]]:
    """Ask each question alone, then all of a person and a language one after the other."""
    async with sample_desk() as desk:
        alone = [await ask(desk, case.question, thread=f"alone-{case.id}", asker=case.asker) for case in cases]
        running = [
            await ask(desk, case.question, thread=f"{case.asker}-{case.language}", asker=case.asker) for case in cases
        ]
    return list(zip(cases, alone, running, strict=True))


def _came(case: QuestionCase, answer: Answer) -> str:
    """Return "right", "wrong", "unsure" (sections that come near to what the documents do not say) or "nothing"."""
    if case.kind is not CaseKind.ANSWERABLE:
        return "right" if not isinstance(answer, Answered) else "unsure" if answer.lead else "wrong"
    if not isinstance(answer, Answered):
        return "nothing"
    cited = {(each.source, each.section) for each in answer.citations}
    return "right" if any((each.page, each.section) in cited for each in case.accept) else "wrong"
