"""Why a passage was found: a question, whose rights it is asked with, and what each leg made of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from features.anatomy.feature import FindPerson
from features.anatomy.pages import Drawn, View, Visit
from features.anatomy.reader import page_url
from features.anatomy.texts import has
from features.knowledge.pages.slopes import slopes
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import UnknownPerson
from identity.permissions import Permission
from identity.policy import decide, require
from search.errors import IndexUnavailable
from search.ranking.explanation import Explained, Explanation, PassagePlace, Word
from search.service import SearchService

#: Passages that are shown, and characters of a question and of an excerpt.
LIMIT = 8
QUESTION = 500
EXCERPT = 240
#: From which share of a word it counts as there.
_WHOLE = 0.99


@dataclass(frozen=True)
class Mark:
    """A word of the question and whether a passage has it: "met", "partly" or "missing"."""

    text: str
    state: str


@dataclass(frozen=True)
class Row:
    """One passage as a row of the table."""

    title: str
    section: str
    href: str
    original: str  # the page on its own site, "" where there is none
    excerpt: str
    places: tuple[tuple[str, PassagePlace | None], ...]  # for each leg
    marks: tuple[Mark, ...]
    coverage: float
    heading: float
    score: float
    authz: str
    why: str = ""  # for what is not among the hits


@dataclass(frozen=True)
class Asked:
    """What stands in the form."""

    question: str = ""
    person: str = ""
    trouble: str = ""
    found: Explanation | None = field(default=None)


class RetrievalPage:
    """One's own questions for everybody; those of others for people with `knowledge:manage`, and recorded."""

    def __init__(self, search: SearchService, directory: Directory, people: FindPerson) -> None:
        self._search = search
        self._directory = directory
        self._people = people

    def views(self) -> tuple[View, ...]:
        """Return the page and its form. Whose eyes they are comes with the form alone, since that is written down."""
        return (
            View("/retrieval", self.show, menu="retrieval", menu_for=Permission.KNOWLEDGE_MANAGE),
            View("/retrieval", self.ask, writes=True),
        )

    async def show(self, visit: Visit) -> Drawn:
        """Show the form, and what the visitor's own question finds when the address holds one."""
        return await self._draw(visit, visit.asked("q", limit=QUESTION), visit.actor.id)

    async def ask(self, visit: Visit) -> Drawn:
        """Show what a question finds for somebody."""
        question = visit.form.get("q", "").replace("\x00", "").strip()[:QUESTION]
        return await self._draw(visit, question, visit.form.get("person", "") or visit.actor.id)

    async def _draw(self, visit: Visit, question: str, person: str) -> Drawn:
        if person != visit.actor.id:
            require(visit.actor, Permission.KNOWLEDGE_MANAGE)
        asked = await self._find(visit, question, person)
        readers = await self._directory.people() if decide(visit.actor, Permission.KNOWLEDGE_MANAGE).allowed else ()
        values = {
            "asked": asked,
            "readers": _readers(visit.actor, readers),
            "leg": lambda name: _leg(visit, name),
            **(_result(visit, asked.found) if asked.found else {}),
        }
        return Drawn("retrieval.html", values, here="retrieval", status=400 if asked.trouble else 200)

    async def _find(self, visit: Visit, question: str, person: str) -> Asked:
        if not question:
            return Asked(person=person)
        try:
            reader = visit.actor if person == visit.actor.id else await self._people(person)
            found = await self._search.explain(visit.actor, question, reader=reader, limit=LIMIT)
        except UnknownPerson:
            return Asked(question, "", visit.say("console.retrieval.nobody"))
        except IndexUnavailable:
            return Asked(question, person, visit.say("console.retrieval.away"))
        return Asked(question, person, found=found)


def _readers(actor: Actor, people: Sequence[Actor]) -> tuple[Actor, ...]:
    """Return whose eyes may be chosen, the visitor's own first."""
    return (actor, *(each for each in people if each.id != actor.id)) if people else ()


def _result(visit: Visit, found: Explanation) -> dict[str, object]:
    return {
        "found": found,
        "words": [{"text": _word(word), "weight": word.weight} for word in found.words],
        "rows": [_row(visit, found, each) for each in found.hits],
        "dropped": [_row(visit, found, each) for each in found.left_out],
        "picture": slopes(found.legs, found.hits),
    }


def _row(visit: Visit, found: Explanation, each: Explained) -> Row:
    return Row(
        *_page(visit, each),
        original=each.hit.url,
        excerpt=_cut(each.excerpt),
        places=tuple((leg.name, each.places.get(leg.name)) for leg in found.legs),
        marks=tuple(Mark(_word(word), _state(met)) for word, met in zip(found.words, each.meets, strict=True)),
        coverage=each.coverage,
        heading=each.heading,
        score=each.score,
        authz=each.authz,
        why=visit.say(f"console.retrieval.cause.{each.cause}", number=(each.instead or 0) + 1) if each.cause else "",
    )


def _page(visit: Visit, each: Explained) -> tuple[str, str, str]:
    """Return title, section and address of a passage's page."""
    chunk = each.hit.chunk
    href = page_url(visit.reader, source=each.hit.source, path=each.hit.document_path, anchor=chunk.anchor)
    section = [heading for heading in chunk.section_path if heading != each.hit.title]
    return each.hit.title, " › ".join(section), href


def _leg(visit: Visit, name: str) -> str:
    """Return a leg's name in the reader's words; one that has none goes by its own."""
    key = f"console.retrieval.leg.{name}"
    return visit.say(key) if has(key) else name


def _word(word: Word) -> str:
    return f"{word.text} → {word.corrected}" if word.corrected else word.text


def _state(met: float) -> str:
    return "met" if met > _WHOLE else "partly" if met > 0 else "missing"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"
