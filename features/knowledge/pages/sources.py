"""The knowledge for those who manage it: what is indexed, files to add, what could not be read, taking out."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from features.anatomy.pages import BackTo, Data, Drawn, SentFile, Upload, View, Visit
from features.knowledge.pages.indexing import Indexing, Work
from identity.permissions import Permission
from identity.policy import require
from search.access import THREAD_FILES
from search.errors import (
    AccessInvalid,
    FileUnreadable,
    Reason,
    SearchError,
    SourceNameInvalid,
    SourceNameTaken,
    SourceNotFound,
)
from search.service import SearchService
from search.uploads.upload_folder import Arrival
from search.uploads.uploads import Uploads
from storage.ids import JsonObject

#: Files of one upload, and bytes of all of them.
MOST_FILES, MOST_BYTES = 100, 500_000_000
#: Bytes that are passed on at once.
_PIECE = 256 * 1024
#: Error → its words below `console.knowledge.wrong`.
_WRONG: dict[type[SearchError], str] = {
    AccessInvalid: "access",
    SourceNameInvalid: "name",
    SourceNameTaken: "taken",
    SourceNotFound: "gone",
}


@dataclass(frozen=True)
class Asked:
    """What stands in the form, and what was wrong with it."""

    name: str = ""
    allow: str = ""
    wrong: tuple[str, ...] = ()


class SourcesPage:
    """Sources of this desk; every right is checked by the services, too."""

    def __init__(self, search: SearchService, uploads: Uploads, indexing: Indexing, *, thread_days: float) -> None:
        self._search = search
        self._uploads = uploads
        self._indexing = indexing
        self._thread_days = thread_days

    def views(self) -> tuple[View, ...]:
        """Return every page and write."""
        upload = Upload(Permission.KNOWLEDGE_MANAGE, most_files=MOST_FILES, most_bytes=MOST_BYTES)
        return (
            View("/knowledge", self.show, menu="knowledge", menu_for=Permission.KNOWLEDGE_MANAGE),
            View("/knowledge/progress", self.progress),
            View("/knowledge/upload", self.upload, writes=True, upload=upload),
            View("/knowledge/remove", self.remove, writes=True),
        )

    async def show(self, visit: Visit) -> Drawn:
        """Show the sources, how far uploads are, and the form."""
        return await self._page(visit, Asked())

    async def progress(self, visit: Visit) -> Data:
        """Return how far uploads are, for the page's script."""
        require(visit.actor, Permission.KNOWLEDGE_MANAGE)
        works = [_told(visit, work) for work in self._indexing.works.values()]
        return Data({"works": works})

    async def upload(self, visit: Visit) -> Drawn | BackTo:
        """Take files in, and index them behind the page."""
        name = visit.form.get("to", "").strip() or visit.form.get("source", "").strip()
        words = visit.form.get("allow", "").replace(",", " ").split()
        asked = Asked(name=name, allow=" ".join(words))
        try:
            await self._uploads.check(visit.actor, name, words)
        except SearchError as error:
            return await self._page(visit, Asked(name, asked.allow, (_wrong(visit, error),)), status=422)
        arrivals, refused = await self._arrive(visit)
        if arrivals:
            self._indexing.begin(visit.actor, name, arrivals, allow=tuple(words))
        elif not refused:
            refused = (visit.say("console.knowledge.wrong.no_file"),)
        if refused:
            return await self._page(visit, Asked(name, asked.allow, refused), status=422)
        return BackTo("/knowledge", done="uploaded")

    async def remove(self, visit: Visit) -> Drawn | BackTo:
        """Take a source out of the index."""
        try:
            await self._uploads.remove(visit.actor, visit.form.get("source", ""))
        except SourceNotFound as error:
            return await self._page(visit, Asked(wrong=(_wrong(visit, error),)), status=404)
        self._indexing.works.pop(visit.form.get("source", ""), None)
        return BackTo("/knowledge", done="removed")

    async def _arrive(self, visit: Visit) -> tuple[list[Arrival], tuple[str, ...]]:
        """Return the files that came in, and a line for each that did not."""
        arrivals: list[Arrival] = []
        refused: list[str] = []
        for file in visit.files:
            try:
                arrivals.append(await self._uploads.arrive(visit.actor, file.name, _pieces(file)))
            except FileUnreadable as error:
                refused.append(f"{file.name}: {_why(visit, str(error), error.reason)}")
        return arrivals, tuple(refused)

    async def _page(self, visit: Visit, asked: Asked, *, status: int = 200) -> Drawn:
        values = {
            "sources": await self._search.sources(visit.actor),
            "asked": asked,
            "works": [_told(visit, work) for work in self._indexing.works.values()],
            "why": lambda problem: _why(visit, problem.what, problem.reason),
            "thread_files": THREAD_FILES,
            "days": f"{self._thread_days:g}",
        }
        return Drawn("knowledge.html", values, here="knowledge", status=status)


def _told(visit: Visit, work: Work) -> JsonObject:
    """Return how far an upload is, in the visitor's words."""
    step = work.step
    if work.failed:
        words = visit.say("console.knowledge.failed")
    elif work.over:
        report = work.uploaded.report if work.uploaded else None
        words = visit.say("console.knowledge.ready", pages=report.pages if report else 0)
    else:
        words = visit.say(f"console.knowledge.stage.{step.stage}", done=step.done, total=step.total)
        if step.seconds_left is not None:
            left = max(1, round(step.seconds_left))
            words += " " + visit.say("console.knowledge.rate", rate=f"{step.rate:.1f}", seconds=left)
    return {
        "source": work.source,
        "done": 1 if work.over else step.done,
        "total": 1 if work.over else max(step.total, 1),
        "over": work.over,
        "words": words,
    }


def _why(visit: Visit, words: str, reason: Reason) -> str:
    """Return why a file cannot be read in the visitor's language: by its code where the words are in another."""
    return words if visit.language == "en" or reason is Reason.OTHER else visit.say(f"files.why.{reason}")


def _wrong(visit: Visit, error: SearchError) -> str:
    return visit.say(f"console.knowledge.wrong.{_WRONG.get(type(error), 'other')}")


async def _pieces(file: SentFile) -> AsyncIterator[bytes]:
    while piece := await file.read(_PIECE):
        yield piece
