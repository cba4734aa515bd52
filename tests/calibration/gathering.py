"""What the search sees of each question: with the page that answers it, without that page, and off the subject."""

import random
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from agent.brains.rules.answering.passages import Passage
from evals.beir import load_corpus
from evals.cases import CaseKind, load_questions
from language.scripts import is_chinese, language_of
from search.documents import Document, Hit
from tests.calibration.collections import GROUPS, Collection, group_of, scope_of
from tests.calibration.questions import Asked, QuestionMaker

#: Present: its page may be read. Taken: it may not. Off: no page of the collection ever answered it.
Variant = Literal["present", "taken", "off"]
#: Groups that a question is asked of beside its page's own: a large desk, a middling and a small one.
_SIZES = (GROUPS, GROUPS, 16, 6)
_MESSAGE = re.compile(r"\| (\d+) \| \w \| (.+?) \| \w \|")
FREIGHT = Path(__file__).with_name("freight.yaml")
#: Pages that may say what answers a question; where more do, it is said by chance.
_MOST_PAGES = 2
#: What a desk gives to a brain.
_SHOWN = 8


@dataclass(frozen=True)
class Seen:
    """One question asked of one collection, and what was found for it."""

    collection: str
    asked: Asked
    variant: Variant
    passages: tuple[Passage, ...]


async def gathered(
    collection: Collection, asked: Sequence[Asked], *, others: Sequence[Asked], seed: int
) -> AsyncIterator[Seen]:
    """Ask each question with its page and without it, and `others`, which nothing here answers."""
    chance = random.Random(seed)
    for each in asked:
        groups = _groups(chance)
        own = {group_of(page) for page in _pages(collection, each)}
        if own:
            yield await _seen(collection, each, "present", groups | own)
            yield await _seen(collection, each, "taken", groups - own)
        elif not each.says:
            yield await _seen(collection, each, "off", groups)
    for each in others:
        yield await _seen(collection, each, "off", _groups(chance))


def _pages(collection: Collection, asked: Asked) -> Sequence[str]:
    """Return the pages that answer a question; of one that is known by what they say, nothing when many say it."""
    if not asked.says:
        return [asked.page] if asked.page else []
    texts = {path: _text(document) for path, document in collection.documents.items()}
    found = [path for path, text in texts.items() if any(words in text for words in asked.says)]
    return found if len(found) <= _MOST_PAGES else []


def _text(document: Document) -> str:
    return "\n".join(unit.text for section in document.root.walk() for unit in section.units)


def _groups(chance: random.Random) -> set[int]:
    return set(chance.sample(range(GROUPS), chance.choice(_SIZES)))


async def _seen(collection: Collection, asked: Asked, variant: Variant, groups: Iterable[int]) -> Seen:
    scope = scope_of(sorted(groups))
    found = await collection.finder.find(asked.text, scope, language=asked.language, limit=_SHOWN)
    return Seen(collection.name, asked, variant, tuple(_passages(found.hits)))


def _passages(hits: Sequence[Hit]) -> Iterator[Passage]:
    for number, hit in enumerate(hits):
        yield Passage(
            evidence=f"E{number}",
            title=hit.title,
            section=" > ".join(hit.chunk.section_path),
            source=hit.document_path,
            text=hit.chunk.text,
            kind=hit.chunk.kind.value,
            updated=hit.updated.isoformat() if hit.updated else "",
            language=hit.language,
            coverage=round(hit.signals.coverage, 4),
            cosine=hit.signals.cosine,
            score=round(hit.score, 4),
        )


def made_about(collection: Collection, *, each: int, seed: int) -> list[Asked]:
    """Return questions made from the pages of a collection."""
    return list(QuestionMaker(seed).about(collection.documents.values(), each=each))


def of_corpus(folder: Path) -> list[str]:
    """Return the questions of a set in BEIR form."""
    return [question.text for question in load_corpus(folder).questions]


def of_cases(path: Path) -> list[Asked]:
    """Return the questions of a case file that have a section, and those that nothing answers."""
    found: list[Asked] = []
    for case in load_questions(path).cases:
        if case.kind is CaseKind.ANSWERABLE:
            place = case.accept[0]
            found.append(Asked(case.question, case.language, place.page, tuple(place.section.split(" > ")), "people"))
        elif case.kind is CaseKind.UNANSWERABLE:
            found.append(Asked(case.question, case.language, form="people"))
    return found


def of_messages(path: Path) -> list[Asked]:
    """Return the messages of the freight company's staff, with the pages that `freight.yaml` names."""
    said = {int(number): text for number, text in _MESSAGE.findall(path.read_text(encoding="utf-8"))}
    places: Mapping[int, Sequence[str]] = yaml.safe_load(FREIGHT.read_text(encoding="utf-8"))
    return [
        Asked(text, "zh" if is_chinese(text) else "en", page, (heading,) if heading else (), "people")
        for number, (page, heading) in places.items()
        for text in (re.sub(r"\(.*?\)", "", said[number]).strip(),)
    ]


def of_company(folder: Path) -> list[Asked]:
    """Return the questions that an eval puts to an invented company: those that begin a conversation."""
    if not (folder / "cases.yaml").exists():
        file = folder / "conversations.yaml"
        told = [each["turns"][0] for each in yaml.safe_load(file.read_text(encoding="utf-8"))["conversations"]]
        return [
            _said(turn["say"], str(turn["reads"][0]).split(" | "))
            for turn in told
            if turn.get("kind", "ask") == "ask" and turn.get("reads") and turn.get("say")
        ]
    return asked_in(folder / "cases.yaml")


def asked_in(file: Path) -> list[Asked]:
    """Return the questions of a file that begin a conversation, and those that have no page."""
    cases: Mapping[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    threads = [each["turns"][0] for each in cases.get("threads", ())]
    asked = [*cases.get("questions", ()), *threads, *cases.get("other_language", ())]
    return [_said(each["ask"], each["says"]) for each in asked if each["says"]] + off_subject(
        [*cases.get("off_subject", ()), *cases.get("how_it_stands", ())]
    )


def _said(text: str, says: Sequence[str]) -> Asked:
    return Asked(text, language_of(text) or "en", form="people", says=tuple(says))


def off_subject(texts: Iterable[str]) -> list[Asked]:
    """Return questions that have no page here."""
    return [Asked(text, language_of(text) or "en", form="off") for text in texts]


def is_answered(seen: Seen, passage: Passage) -> bool:
    """Tell whether a passage is of the page and section that answer; the section's headings may stand in part."""
    if seen.variant == "present" and seen.asked.says:
        return any(words in f"{passage.section}\n{passage.text}" for words in seen.asked.says)
    if seen.variant != "present" or passage.source != seen.asked.page:
        return False
    section = seen.asked.section
    if len(section) == 1:  # a part of the heading is named
        return section[0] in f"{passage.title} > {passage.section}"
    path = passage.path
    return not section or path[: len(section)] == section or section[: len(path)] == path
