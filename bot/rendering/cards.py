"""Answers to cards: pure, every word from the catalogue."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Literal, assert_never

from adapters.cards import (
    Block,
    Button,
    Buttons,
    Card,
    Heading,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
    Text,
    Tone,
)
from agent.grounding.support import plain
from agent.results import Records
from agent.runs.answer import Answer, Answered, AskedBack, Citation, Failed, NeedsApproval, NoEvidence, Refused
from bot.rendering.commands import as_typed
from bot.rendering.texts.catalogue import has, say
from features.anatomy.reader import Reader, page_url
from features.anatomy.spoken import Spoken, refusal
from search.access import THREAD_FILES

#: A link in a quoted page: its address leads nowhere outside of that page, so only its words are shown.
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_CONFIDENCE_TONE: dict[str, Tone] = {"high": "good", "medium": "info", "low": "warn"}


def answer_blocks(
    answer: Answer,
    reader: Reader,
    *,
    run_id: str,
    shown: Sequence[Block] = (),
    may_draft: bool = True,
    followups_rest_on: Iterable[str] = (),
) -> tuple[Block, ...]:
    """Return the blocks of any answer; `shown` are those of the drafts, tickets and approvals it names.

    `may_draft`: the asker can be offered a ticket where there is no answer, or one that is hardly sure.
    `followups_rest_on` are the pages that what could be asked next is taken from.
    """
    match answer:
        case Answered():
            pages = tuple(sorted(followups_rest_on))
            blocks = _answered(answer, reader, run_id=run_id, shown=shown, followups_rest_on=pages)
            doubtful = may_draft and answer.confidence == "low" and answer.citations and not shown
            return (*blocks, _start_draft(reader.language, run_id)) if doubtful else blocks
        case NoEvidence():
            return _no_evidence(answer, reader, run_id=run_id, may_draft=may_draft)
        case AskedBack():
            return _asked_back(answer, reader, shown=shown)
        case NeedsApproval():
            return tuple(shown)
        case Refused(code=code, detail=detail):
            return (Text(refusal(reader.language, code, detail)),)
        case Failed(reference=reference, code=code):
            return failure(reader.language, code, reference)
        case _:
            assert_never(answer)


def card_of(blocks: Iterable[Block], reader: Reader, *, fallback: str = "") -> Card:
    """Put blocks into a card; the first words become the plain text unless some are given."""
    parts = tuple(blocks)
    return Card(blocks=parts, fallback=fallback or _first_words(parts), language=reader.language)


def card_of_spoken(said: Spoken, reader: Reader) -> Card:
    """Put what is said into a card, below what it answers, with the pages that it rests on."""
    card = card_of(said.blocks, reader)
    return replace(card, blocks=(*said.asked, *card.blocks), rests_on=said.rests_on)


def pages_of(card: Card) -> frozenset[str]:
    """Return the pages whose words stand on a card, among them those of what could be asked next."""
    after = (page for block in card.blocks if isinstance(block, Suggestions) for page in block.rests_on)
    return frozenset((*card.rests_on, *after))


def as_readable(card: Card, readable: AbstractSet[str]) -> Card:
    """Return a card for whoever may read these pages now: withheld, or without what could be asked next, if need be."""
    if pages_of(card) <= readable:
        return card
    if not frozenset(card.rests_on) <= readable:
        return _withheld(card)
    kept = (each for each in card.blocks if not isinstance(each, Suggestions) or frozenset(each.rests_on) <= readable)
    return replace(card, blocks=tuple(kept))


def _withheld(card: Card) -> Card:
    words = say(card.language, "withheld.answer")
    return Card((Note(words),), fallback=words, language=card.language)


def failure(language: str, code: str, reference: str, *, pages: int = 0) -> tuple[Block, ...]:
    """Return the blocks of a failure, with the reference that finds it in the log; `pages` are still to be read."""
    key = f"failed.{code}" if has(f"failed.{code}") else "failed.internal"
    return (Note(say(language, key, reference=reference, pages=pages), tone="bad"),)


def rating(language: str, run_id: str) -> Rating:
    """Return the 👍/👎 pair of an answer."""
    return Rating(
        id=run_id,
        up=say(language, "feedback.up"),
        down=say(language, "feedback.down"),
        reason_label=say(language, "feedback.reason"),
        thanks=say(language, "feedback.thanks"),
    )


def _answered(
    answer: Answered, reader: Reader, *, run_id: str, shown: Sequence[Block], followups_rest_on: tuple[str, ...]
) -> tuple[Block, ...]:
    language = reader.language
    above = _above(answer, language)
    led = "answer.unsaid" if answer.unsaid else f"answer.lead.{answer.lead}"
    lead = [Text(say(language, led, thing=answer.unsaid))] if answer.lead else []
    blocks: list[Block] = [*above, *lead, *([Text(answer.text)] if answer.text else [])]
    blocks.extend(
        Note(say(language, "answer.conflict", newer=each.newer, older=each.older), tone="warn")
        for each in answer.conflicts
    )
    blocks.extend(_lapsed(answer, language))
    blocks.extend(() if above else shown)
    if answer.citations:
        said = plain(answer.text)
        items = tuple(_source(each, reader, said=said) for each in answer.citations)
        blocks.append(Sources(label=say(language, "answer.sources"), items=items))
        if answer.confidence != "high":
            words = say(language, f"answer.confidence.{answer.confidence}")
            blocks.append(Note(words, tone=_CONFIDENCE_TONE[answer.confidence]))
    blocks.extend(_reading(answer, language))
    if above:
        blocks.extend(shown)
    elif answer.followups:
        blocks.append(
            Suggestions(label=say(language, "answer.followups"), items=answer.followups, rests_on=followups_rest_on)
        )
    if answer.citations:
        blocks.append(rating(language, run_id))
    return tuple(blocks)


def _above(answer: Answered, language: str) -> tuple[Heading, ...]:
    """Return the heading of an answer that comes before what is drawn below it (`above.<code>`): a draft that waits."""
    codes = (each.code for each in answer.results if isinstance(each, Records) and answer.text)
    return tuple(Heading(say(language, f"above.{code}")) for code in codes if code and has(f"above.{code}"))[:1]


def _no_evidence(answer: NoEvidence, reader: Reader, *, run_id: str, may_draft: bool) -> tuple[Block, ...]:
    language, page = reader.language, answer.look_in
    said = "no_evidence.look_in" if page else "no_evidence.text" if may_draft else "no_evidence.text_guest"
    places = (_source(replace(page, quote=""), reader),) if page else ()
    sources = (Sources(label=say(language, "answer.sources"), items=places),) if places else ()
    words = say(language, said, title=page.title if page else "")
    if answer.unsaid and not page:
        words = say(language, "no_evidence.unsaid" if may_draft else "no_evidence.unsaid_guest", thing=answer.unsaid)
    asks = say(language, "no_evidence.ask", quote=_legible(page.quote)) if page and page.quote else ""
    beside = say(language, f"no_evidence.beside.{answer.beside}") if answer.beside else ""
    return (
        Text("\n\n".join(each for each in (words, asks, beside) if each)),
        *_reading(answer, language),
        *sources,
        *((_start_draft(language, run_id, style="primary"),) if may_draft else ()),
        rating(language, run_id),
    )


def _reading(answer: Answered | NoEvidence, language: str) -> tuple[Note, ...]:
    """Return the word that the documents are still being read, where a better answer may be found later."""
    return (Note(say(language, "answer.reading"), tone="info"),) if answer.is_reading else ()


def _start_draft(language: str, run_id: str, *, style: Literal["plain", "primary"] = "plain") -> Buttons:
    """Return the button that drafts a ticket of what was asked."""
    return Buttons((Button(label=say(language, "no_evidence.draft"), action="draft.start", id=run_id, style=style),))


def _asked_back(answer: AskedBack, reader: Reader, *, shown: Sequence[Block]) -> tuple[Block, ...]:
    key = f"asked_back.{answer.code}"
    blocks: list[Block] = []
    if answer.question:
        blocks.append(Text(answer.question))
    elif not shown:
        words = say(reader.language, key if has(key) else "asked_back.unclear")
        blocks.append(Text(as_typed(words, bare=reader.bare)))
    blocks.extend(shown)
    if answer.options and not shown:
        blocks.append(Suggestions(label="", items=answer.options))
    return tuple(blocks)


def _source(citation: Citation, reader: Reader, *, said: str = "") -> Source:
    """Return a citation as it is shown; `said` has the plain words that stand above it."""
    quote = _legible(citation.quote)
    return Source(
        number=citation.number,
        title=citation.title,
        section=citation.section,
        url=_url(citation, reader),
        quote=quote,
        age=_age(citation, reader.language),
        told=bool(quote) and plain(quote) in said,
    )


def _age(citation: Citation, language: str) -> str:
    """Return the day of a page's last change; where the page does not hold now, until or from when it does."""
    if citation.not_in_force:
        return _validity(citation, language, "answer.validity")
    return say(language, "answer.updated", date=citation.updated) if citation.updated else ""


def _lapsed(answer: Answered, language: str) -> Iterator[Note]:
    """Yield a warning for each page that does not hold now, unless one that does is followed in its place."""
    older = {each.older for each in answer.conflicts}
    for each in answer.citations:
        if each.not_in_force and each.number not in older:
            yield Note(_validity(each, language, "answer.lapsed", number=each.number), tone="warn")


def _validity(citation: Citation, language: str, key: str, **values: object) -> str:
    """Return the words for `until` or `from` a day."""
    which, _, day = citation.not_in_force.partition(" ")
    return say(language, f"{key}.{which}", date=day, **values)


def _url(citation: Citation, reader: Reader) -> str:
    """Return the link to what is cited: the page on its own site, else the desk's copy of it.

    A file that was sent stands in the thread itself and has no page, and a table has one only if it says so.
    """
    if citation.source_name == THREAD_FILES:
        return ""
    if citation.url or not citation.source:
        return citation.url
    return page_url(reader, source=citation.source_name, path=citation.source, anchor=citation.anchor)


def _legible(quote: str) -> str:
    """Return a quote as people read it: a link's words without its address, a table's row without its bars."""
    lines = (_cells(line) if line.rstrip().endswith("|") else line for line in _LINK.sub(r"\1", quote).splitlines())
    return "\n".join(lines)


def _cells(row: str) -> str:
    return " · ".join(cell.strip() for cell in row.strip().strip("|").split("|"))


def _first_words(blocks: Sequence[Block]) -> str:
    """Return what a notification says: the title that a card begins with, then its first words that quote nobody."""
    texts = (each.markdown if isinstance(each, Text) else each.text for each in blocks if isinstance(each, Text | Note))
    said = next((words for words in texts if words and not words.startswith(">")), "")
    titles = [block.text for block in blocks if isinstance(block, Heading)]
    begins = bool(blocks) and isinstance(blocks[0], Heading)
    title = titles[0] if titles and (begins or not said) else ""
    return (" – ".join(words for words in (title, said) if words) or "dutydesk")[:300]
