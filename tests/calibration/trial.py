"""Which questions are asked of which collection, and what was found for them."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evals.cases import SHIPPED
from search.config import SearchConfig
from search.embedding.choice import embedder_of
from search.embedding.memory import HashEmbedder
from tests.calibration.collections import COMPANIES, HERE, Collection, opened, sources
from tests.calibration.gathering import (
    Seen,
    asked_in,
    gathered,
    made_about,
    of_cases,
    of_company,
    of_corpus,
    of_messages,
    off_subject,
)
from tests.calibration.questions import Asked

COLLECTIONS = ("kubernetes", "freight", "sample", *COMPANIES)
#: Questions made about each page, and the most of one collection and language.
_EACH, _MOST = {"kubernetes": 3, "sample": 4, "freight": 5}, {"en": 300, "zh": 300}
_EACH_OF_FEW = 8
_FOREIGN = 50


async def seen_in(name: str, *, data: Path, pages: Path, sample: Path, home: Path) -> list[Seen]:
    """Ask a collection its own questions, and those of others; half of them by words alone, too."""
    embedder = embedder_of(SearchConfig().embedding)
    source = sources(data, pages=pages, sample=sample)[name]
    collection = await opened(name, source, home=home, embedder=embedder)
    own, others = _questions(collection, data)
    found = [seen async for seen in gathered(collection, own, others=others, seed=3)]
    wordless = replace(collection.finder, embedder=HashEmbedder(languages=frozenset()))
    collection = replace(collection, finder=wordless)
    return found + [seen async for seen in gathered(collection, own[::2], others=others[::2], seed=4)]


def _questions(collection: Collection, data: Path) -> tuple[list[Asked], list[Asked]]:
    foreign = {name: off_subject(of_corpus(data / "retrieval" / name)) for name in ("stackfaq", "scifact")}
    messages = of_messages(data / "desk-freight" / "messages.md")
    made = made_about(collection, each=_EACH.get(collection.name, _EACH_OF_FEW), seed=5)
    random.Random(7).shuffle(made)
    own = [each for language, most in _MOST.items() for each in [m for m in made if m.language == language][:most]]
    match collection.name:
        case "kubernetes":
            own += asked_in(HERE / "kubernetes.yaml")
        case "freight":
            own += messages
        case "sample":
            own += of_cases(SHIPPED / "rules.yaml")
        case name if name in COMPANIES:
            own += of_company(COMPANIES[name])
    lines = Path(__file__).with_name("off_subject.txt").read_text(encoding="utf-8").splitlines()
    others = off_subject(line for line in lines if line)
    if collection.name == "kubernetes":  # two companies' handbooks answer each other's questions
        foreign["freight"] = off_subject(each.text for each in messages if each.page)
    others += [each for of in foreign.values() for each in _some(of)]
    return own, others


def _some(of: Sequence[Asked]) -> list[Asked]:
    return random.Random(9).sample(of, min(_FOREIGN, len(of)))
