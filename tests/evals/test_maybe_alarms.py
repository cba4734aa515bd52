"""How many alarms of people who never saw the list are told, for certain or perhaps, and how many harmless messages."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from features.alarms.alarms import Alarms, shipped
from features.alarms.maybe import maybe
from language.scripts import is_chinese
from search.config import EmbeddingConfig
from search.documents import Meaning
from search.embedding.choice import embedder_of

CASES = Path(__file__).with_name("alarms") / "cases.yaml"
ALARMS = Alarms(shipped())


def told(texts: Sequence[str]) -> list[tuple[bool, bool]]:
    """Return of each message whether it raises an alarm, and whether it may be one."""
    embedder = embedder_of(EmbeddingConfig())
    vectors = asyncio.run(embedder.embed(texts, role="question"))
    return [
        (bool(ALARMS.of(text)), bool(maybe(text, Meaning(embedder.name, tuple(vector.tolist())), ALARMS)))
        for text, vector in zip(texts, vectors, strict=True)
    ]


def test_alarms_that_no_pattern_knows_are_told_above_the_reply_and_few_others() -> None:
    cases: dict[str, Any] = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    raised = [each["text"] for each in cases["raised"]]
    for chinese in (False, True):
        alarms = told([text for text in raised if is_chinese(text) is chinese])
        calm = told([text for text in cases["calm"] if is_chinese(text) is chinese])
        assert sum(certain or perhaps for certain, perhaps in alarms) / len(alarms) >= 0.85
        assert sum(perhaps and not certain for certain, perhaps in calm) / len(calm) <= 0.05


def test_a_model_that_the_judge_was_not_fitted_to_is_not_asked() -> None:
    cases: dict[str, Any] = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    embedder = embedder_of(EmbeddingConfig())
    vectors = asyncio.run(embedder.embed([each["text"] for each in cases["raised"]], role="question"))
    other = [
        maybe(each["text"], Meaning("another", tuple(vector.tolist())), ALARMS)
        for each, vector in zip(cases["raised"], vectors, strict=True)
    ]
    assert not any(other)
