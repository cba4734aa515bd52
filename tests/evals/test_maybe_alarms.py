"""How many alarms of people who never saw the list are raised or told, and how many harmless messages."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from features.alarms.alarms import Alarms, shipped
from features.alarms.maybe import judged
from language.scripts import is_chinese
from search.config import EmbeddingConfig
from search.documents import Meaning
from search.embedding.choice import embedder_of

ALARMS = Alarms(shipped())
_FOLDER = Path(__file__).with_name("alarms")


def told(texts: Sequence[str], model: str = "") -> list[str]:
    """Return of each message "raised" where an alarm takes the place of the reply, "told" where one may be meant."""
    embedder = embedder_of(EmbeddingConfig())
    vectors = asyncio.run(embedder.embed(texts, role="question"))
    verdicts = [
        judged(text, Meaning(model or embedder.name, tuple(vector.tolist())), ALARMS)
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return [
        "raised" if ALARMS.of(text) or (verdict and verdict.sure) else "told" if verdict else ""
        for text, verdict in zip(texts, verdicts, strict=True)
    ]


def cases() -> tuple[list[str], list[str]]:
    """Return alarms and harmless messages that nothing was fitted to, of two people."""
    listed: dict[str, Any] = yaml.safe_load((_FOLDER / "cases.yaml").read_text(encoding="utf-8"))
    return [each["text"] for each in listed["raised"]], listed["calm"]


def held_back() -> tuple[list[str], list[str]]:
    """Return the half of a stranger's messages that nothing was fitted to: alarms, and what only sounds alike."""
    lines = (_FOLDER / "held_back.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return [text for group, text in rows if group != "calm"], [text for group, text in rows if group == "calm"]


@pytest.mark.parametrize("chinese", [False, True])
def test_alarms_of_strangers_are_told_and_few_harmless_messages(*, chinese: bool) -> None:
    raised, calm = ([text for text in texts if is_chinese(text) is chinese] for texts in cases())
    verdicts = told(raised)
    assert sum(map(bool, verdicts)) / len(verdicts) >= 0.85
    assert sum(map(bool, told(calm))) / len(calm) <= 0.05


@pytest.mark.parametrize(("chinese", "full", "either"), [(False, 0.54, 0.75), (True, 0.62, 0.83)])
def test_terse_alarms_that_were_held_back_are_raised_or_told(*, chinese: bool, full: float, either: float) -> None:
    raised, calm = ([text for text in texts if is_chinese(text) is chinese] for texts in held_back())
    verdicts, harmless = told(raised), told(calm)
    assert verdicts.count("raised") / len(verdicts) >= full
    assert sum(map(bool, verdicts)) / len(verdicts) >= either
    assert harmless.count("raised") / len(harmless) <= 0.06
    assert harmless.count("told") / len(harmless) <= 0.05


def test_a_model_that_the_judge_was_not_fitted_to_is_not_asked() -> None:
    raised, _ = cases()
    assert "told" not in told(raised, model="another")
    assert told(raised, model="another").count("raised") == sum(bool(ALARMS.of(text)) for text in raised)


def test_who_says_that_nobody_is_hurt_is_told_of_no_emergency() -> None:
    assert not any(told(["this morning around ten, nobody was hurt", "上午十点左右，没有人受伤，货架歪了"]))
