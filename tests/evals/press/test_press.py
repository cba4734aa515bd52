"""A printing house: what no page holds, what pages hold in other words, trouble in everyday words, and what is none.

The pages and all messages were written before any of them was put to the desk; every third one was held back.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.brains.output import UNSURE
from agent.runs.answer import Answer, Answered, NoEvidence
from features.alarms.alarms import Alarms, shipped
from tests.evals.asking import ask
from tests.evals.staff.cases import Conversation, Turn
from tests.evals.staff.grading import verdicts
from tests.evals.staff.playing import Stage, stage

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

HERE = Path(__file__).parent
#: Least that is right of each kind. At first sight, of 27 each in `first`: 8 absent (7 answered, 12 shown sections),
#: 11 told (5 more among sections that may be it), 14 raised, 24 calm. `held_back` was run once, after all was tuned on
#: `first`: of 13 each 7 absent (4 answered), 6 told (2 more among sections), 8 raised (7 before), 11 calm. Since then
#: one section is shown below the thing's name again, which counts as right: 14 of 27 absent in `first`, 8 held back.
BOUNDS = {
    "first": {"absent": 13, "told": 9, "raised": 25, "calm": 25},
    "held_back": {"absent": 6, "told": 5, "raised": 8, "calm": 11},
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_printing_house_is_served(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))

    told = asyncio.run(_told(said, tmp_path))

    right = {kind: sum(line.startswith("right") for line in lines) for kind, lines in told.items()}
    with capsys.disabled():
        for kind, lines in told.items():
            counted = Counter(line.split()[0] for line in lines)
            print(f"\npress {name} {kind}: {dict(counted)}")  # noqa: T201 - the score belongs into the log of every build
            print("\n".join(line for line in lines if not line.startswith("right")))  # noqa: T201
    assert all(right[kind] >= least for kind, least in BOUNDS[name].items()), right


async def _told(said: Mapping[str, Sequence[Any]], home: Path) -> dict[str, list[str]]:
    async with stage(home, pages=[HERE / "pages"], people=HERE / "people.yaml") as staged:
        return {
            "absent": [_of_absent(case["say"], await _answer(staged, case["say"])) for case in said["absent"]],
            "told": [_of_told(case, await _answer(staged, case["say"])) for case in said["told"]],
            "raised": [await _of_raised(case, staged) for case in said["raised"]],
            "calm": list(_of_calm(said["calm"])),
        }


async def _answer(staged: Stage, text: str) -> Answer:
    return await ask(staged.desk, text, thread=text[:60], asker=_asker(text))


def _asker(text: str) -> str:
    return "ivy" if text.isascii() else "meng"


def _of_absent(text: str, answer: Answer) -> str:
    """Return what came of a matter that no page holds: to say that nothing speaks of it is right.

    With one section below that comes nearest it is `right too`: strangers lose their answer where that is left out.
    """
    unsure = isinstance(answer, Answered) and answer.lead == UNSURE
    named = unsure and isinstance(answer, Answered) and answer.unsaid
    came = "right" if isinstance(answer, NoEvidence) else "right too" if named else "unsure" if unsure else "wrong"
    return f"{came:9} {text} -> {_shown(answer)}"


def _of_told(case: Mapping[str, Any], answer: Answer) -> str:
    """Return what came of a matter that a page holds: unsure is what is shown among others that may be it."""
    said = answer.text if isinstance(answer, Answered) else ""
    unsure = isinstance(answer, Answered) and answer.lead == UNSURE
    holds = any(words in said for words in case["reads"])
    came = ("unsure" if unsure else "right") if holds else "aside" if unsure else "wrong" if said else "nothing"
    return f"{came:8} {case['say']} -> {_shown(answer)}"


async def _of_raised(case: Mapping[str, Any], staged: Stage) -> str:
    turn = Turn(kind="alarm", say=case["say"], reads=case["reads"])
    talk = Conversation.model_validate({"as": _asker(case["say"]), "turns": (turn,)})
    verdict = verdicts(talk, await staged.play(talk, thread=f"alarm {case['say'][:40]}"))[0]
    raised = Alarms(shipped()).of(case["say"])
    wrong = verdict.missed if raised in case["alarm"].split(" | ") else f"raised {raised or 'nothing'!r}"
    return f"{'wrong' if wrong else 'right':8} {case['say']} -> {wrong}"


def _of_calm(said: Sequence[str]) -> Iterator[str]:
    for text in said:
        raised = Alarms(shipped()).of(text)
        yield f"{'wrong' if raised else 'right':8} {text} -> {raised}"


def _shown(answer: Answer) -> str:
    said = " ".join(answer.text.split())[:200] if isinstance(answer, Answered) else ""
    return f"{type(answer).__name__} {said}"
