"""The end of a round: what is not on the site any more goes from the folder, unless the site itself is in doubt."""

from dataclasses import replace

from search.sources.crawling.addresses import shown
from search.sources.crawling.folder import Folder
from search.sources.crawling.journal import Journal, State
from search.sources.crawling.report import Tally
from search.sources.port import Problem

#: From so many pages on, more than half of them gone at once is a site that moved or is broken, not an edit.
_SUSPICIOUS = 20
_TO_GO = frozenset({State.GONE, State.ALIAS, State.LEFT_OUT})


async def remove_what_is_gone(journal: Journal, folder: Folder, *, start: str, had: int, tally: Tally) -> None:
    """Remove the files of pages that are gone; `had` is how many there were when the round began."""
    to_go = [record for record in journal.records.values() if record.path and record.state in _TO_GO]
    missing = sum(record.state is State.GONE for record in to_go)
    if missing >= _SUSPICIOUS and missing * 2 > had:
        what = (
            f"{missing} of {had} pages are not there any more; all were kept, in case the site is broken. "
            "If they are to go, crawl into a new folder (--out)"
        )
        tally.problems.append(Problem(path=shown(start), what=what))
        to_go = [record for record in to_go if record.state is not State.GONE]
    held = {record.path for record in journal.records.values() if record.path and record.state not in _TO_GO}
    for record in to_go:
        if record.path not in held:
            await folder.remove(record.path)
            tally.removed += 1
        await journal.put(replace(record, path="", digest="", etag="", modified=""))
