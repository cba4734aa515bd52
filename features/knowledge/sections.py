"""What documents and questions have to say in a digest: pages, and what people asked, grouped by likeness."""

from collections.abc import Sequence
from functools import partial

from adapters.cards import Text
from agent.runs.likeness import alike
from agent.runs.run import AskedOf, AskedOften
from agent.runs.runs import Runs
from features.anatomy.reader import Reader, page_url
from features.anatomy.sections import DigestAsked, DigestSection, Told
from features.anatomy.texts import one_line, say
from identity.permissions import Permission
from identity.policy import decide
from search.service import SearchService

#: What a section of a digest names, how long a question is shown, and times from which on one is asked often.
NAMED, LONGEST, OFTEN = 5, 140, 2
_ASKED = {
    "unanswered_questions": AskedOf.UNANSWERED,
    "disliked_answers": AskedOf.DISLIKED,
    "most_asked": AskedOf.ANSWERED,
}


class KnowledgeSections:
    """Draws them. What others asked is for those who may read other people's runs."""

    def __init__(self, search: SearchService, runs: Runs) -> None:
        self._search = search
        self._runs = runs

    def sections(self) -> tuple[DigestSection, ...]:
        """Return every section."""
        asked = (DigestSection(name, partial(self._asked, name)) for name in _ASKED)
        return (*asked, DigestSection("changed_pages", self._pages))

    async def _asked(self, name: str, asked: DigestAsked) -> Told:
        kind = _ASKED[name]
        report = await self._runs.asked(asked.audience.actor, kind, since=asked.since)
        # What was answered well is nothing that anybody has to see to, so nobody misses it.
        hidden = 0 if kind is AskedOf.ANSWERED else report.hidden
        groups = _grouped(report.often, least=OFTEN if kind is AskedOf.ANSWERED else 1)
        lines = [_line(words, times, asked.reader) for words, times in groups[:NAMED]]
        if len(groups) > NAMED:
            lines.append(f"- {say(asked.reader.language, 'knowledge.and_more', count=len(groups) - NAMED)}")
        return Told(len(groups), (Text("\n".join(lines)),) if lines else (), hidden)

    async def _pages(self, asked: DigestAsked) -> Told:
        audience, reader = asked.audience, asked.reader
        if not decide(audience.actor, Permission.KNOWLEDGE_ASK).allowed:
            return Told()
        found = await self._search.changed(
            audience.actor, since=asked.since, readership=audience.readership, limit=NAMED
        )
        lines = []
        for each in found.pages:
            how = say(reader.language, "knowledge.page_new" if each.is_new else "knowledge.page_changed")
            link = page_url(reader, source=each.source, path=each.path)
            lines.append(f"- [{one_line(each.title, longest=LONGEST)}]({link}) · {how}")
        if found.count > len(found.pages):
            lines.append(f"- {say(reader.language, 'knowledge.and_more', count=found.count - len(found.pages))}")
        return Told(found.count, (Text("\n".join(lines)),) if lines else ())


def _grouped(often: Sequence[AskedOften], *, least: int) -> list[tuple[str, int]]:
    """Return questions that are alike as one, in the words that were used most, with how often, the most first."""
    groups = [
        (often[places[0]].words, sum(often[place].times for place in places))
        for places in alike([each.words for each in often])
    ]
    return sorted((each for each in groups if each[1] >= least), key=lambda each: -each[1])


def _line(words: str, times: int, reader: Reader) -> str:
    often = f" · {say(reader.language, 'knowledge.times', count=times)}" if times > 1 else ""
    return f"- {one_line(words, longest=LONGEST)}{often}"
