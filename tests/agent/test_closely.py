"""Where words tell too little, a section answers whose sentences surely mean what is asked; else it only comes near."""

from collections.abc import Mapping
from typing import Any

from agent.brains.output import UNSURE, Reply
from agent.brains.rules.answering.certainty.closely import how_closely
from agent.brains.rules.answering.sufficiency import NEARBY
from agent.brains.rules.lookups import Lookups
from agent.brains.rules.understanding.message import read
from agent.grounding.citations import MEDIUM
from agent.tools.context import Recollection

ASKED = "睡过头了，食堂早上几点收摊"


def _passages(*, near: float) -> Mapping[str, Any]:
    """Return two sections that say little of the question; the first one's sentence is as near as told."""
    common = {"title": "生活", "language": "zh", "coverage": 0.02}
    canteen = {
        **common,
        "evidence": "E1",
        "section": "生活 > 吃饭",
        "source": "life.md",
        "text": "本厂食堂早饭6:50–8:00，午饭11:20–13:00，刷工牌。",
        "score": 0.6,
        "cosine": 0.38,
        "likeness": [[near]],
    }
    washing = {
        **common,
        "evidence": "E2",
        "section": "生活 > 洗衣",
        "source": "life.md",
        "text": "洗衣机每次2元，晚上十点后不能用。",
        "score": 1.0,
        "cosine": 0.38,
        "coverage": 0.0,
        "likeness": [[0.2]],
    }
    return {"passages": [canteen, washing]}


def _answered(found: Mapping[str, Any]) -> Reply:
    asked = Lookups.of(read(ASKED, Recollection()), "zh", alone=False, widened=False, translated=False, nearly=NEARBY)
    answer = asked.answer([found for _ in asked.each])
    assert isinstance(answer, Reply)
    return answer


def test_what_a_sentence_surely_means_is_an_answer_and_told_as_likely() -> None:
    found = _passages(near=0.75)
    answer = _answered(found)
    assert answer.lead != UNSURE
    assert "8:00" in answer.claims[0].text
    evidence, likelihood = how_closely(ASKED, "zh", found)
    assert evidence == "E1"
    assert likelihood >= MEDIUM


def test_what_is_less_near_is_only_named() -> None:
    found = _passages(near=0.25)
    assert _answered(found).lead == UNSURE
    assert how_closely(ASKED, "zh", found)[1] < MEDIUM


def test_without_compared_sentences_nothing_is_judged_by_them() -> None:
    bare = {"passages": [{**each, "likeness": []} for each in _passages(near=0.75)["passages"]]}
    assert how_closely(ASKED, "zh", bare) == ("", 0.0)
