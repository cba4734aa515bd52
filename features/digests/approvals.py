"""What waits for a person's own yes, as a section of their digest."""

from dataclasses import dataclass

from adapters.cards import Note, Text
from agent.approvals.book import ApprovalBook
from features.anatomy.reader import when
from features.anatomy.sections import DigestAsked, DigestSection, Told
from features.anatomy.texts import one_line, say

#: Approvals that are named, and how long the words are that led to one.
NAMED, LONGEST = 5, 140


@dataclass(frozen=True)
class ApprovalSection:
    """Draws it; nobody but the person themselves is told."""

    book: ApprovalBook

    def section(self) -> DigestSection:
        """Return the section."""
        return DigestSection("approvals", self._told, personal=True)

    async def _told(self, asked: DigestAsked) -> Told:
        waiting, reader = await self.book.waiting(asked.audience.actor), asked.reader
        lines = [
            say(
                reader.language,
                "digest.approval",
                words=one_line(each.text, longest=LONGEST),
                when=when(each.expires_at, reader),
            )
            for each in waiting[:NAMED]
        ]
        hint = Note(say(reader.language, "digest.approval_hint"))
        return Told(len(waiting), (Text("\n".join(lines)), hint)) if waiting else Told()
