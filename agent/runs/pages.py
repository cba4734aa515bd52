"""The pages that a run rests on, and what of it is shown to whoever may not read all of them now.

A run keeps every word, for going on and for replays. Whoever looks at it later reads with the rights of that moment:
a page may have been closed to them, or withdrawn, and whoever reads other people's runs may never have had it.
"""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from agent.results import DocumentSource, Passages, Records
from agent.runs.answer import Answer, Answered, AskedBack, Citation, NeedsApproval, NoEvidence
from agent.runs.record import RestsOn, kept_with
from agent.runs.run import Run, Step, Withheld
from agent.tools.context import UNKNOWN
from agent.tools.evidence import Evidence

#: Brains that are no language model: each part of what they say stands on what it cites.
WITHOUT_MODEL = frozenset({"rules", "command"})


def rests_on(answer: Answer, seen: AbstractSet[str], *, brain: str) -> RestsOn:
    """Return what an answer rests on; `seen` are all pages that its brain was shown.

    A language model may use words of any of them, whatever it cites.
    """
    asks = isinstance(answer, AskedBack) and bool(answer.question or answer.options)
    says = asks or (isinstance(answer, Answered) and bool(answer.text))
    results = answer.results if isinstance(answer, Answered | AskedBack | NeedsApproval) else ()
    if any(not isinstance(each, Records) for each in results) or asks or (says and brain not in WITHOUT_MODEL):
        return RestsOn(frozenset(seen), frozenset(seen))
    followups = isinstance(answer, Answered) and bool(answer.followups)
    return RestsOn(frozenset(cited_in(answer)), frozenset(seen) if followups else frozenset())


def cited_in(answer: Answer) -> tuple[str, ...]:
    """Return the pages that an answer cites, in its order, shows as a tool found them, or names as a place to look."""
    cited: list[Citation | DocumentSource] = []
    if isinstance(answer, Answered):
        shown = (each for each in answer.results if isinstance(each, Passages) and not each.ranked)
        cited = [*answer.citations, *(passage.source for each in shown for passage in each.items)]
    elif isinstance(answer, NoEvidence) and answer.look_in:
        cited = [answer.look_in]
    return tuple(dict.fromkeys(f"{each.source_name}:{each.source}" for each in cited if each.source))


def page_of(item: Evidence) -> str:
    """Return the id of the document that an item quotes, or of what a tool read it from; "" for neither."""
    if item.type == "doc_chunk":
        return str(item.source.get("document_id") or UNKNOWN)
    return str(item.source.get("rests_on") or "")


def pages_in(run: Run) -> frozenset[str]:
    """Return every page whose words may stand anywhere in a run."""
    record = kept_with(run.record)
    remembered = record.origin.memory.pages if record else frozenset()
    return frozenset(filter(None, map(page_of, run.evidence))) | remembered


def thread_of(run: Run) -> str:
    """Return the chat thread whose files the asker may read."""
    record = kept_with(run.record)
    return record.origin.files_thread if record else run.thread


def as_readable(run: Run, readable: AbstractSet[str]) -> Run:
    """Return a run without the words of pages that are not among the readable ones; `withheld` says what is missing.

    What went into its steps and came out of them is withheld as a whole: a language model may have used any of the
    words there.
    """
    if pages_in(run) <= readable:
        return run
    record = kept_with(run.record)
    noted = None if record is None else record.rests_on
    behind = pages_in(run) if noted is None else noted.answer
    evidence = tuple(_item(each, readable) for each in run.evidence)
    quotations = sum(new is not old for new, old in zip(evidence, run.evidence, strict=True))
    kept = run.answer if behind <= readable else {"outcome": run.answer.get("outcome")}
    is_whole = noted is not None and noted.followups <= readable
    return replace(
        run,
        answer=kept if is_whole else {name: value for name, value in kept.items() if name != "followups"},
        steps=tuple(_step(each) for each in run.steps),
        evidence=evidence,
        record={},
        withheld=Withheld(quotations, steps=bool(run.steps), answer=kept != run.answer),
    )


def _step(step: Step) -> Step:
    error = {name: value for name, value in step.error.items() if name == "type"}
    return replace(step, given={}, returned={}, private={}, error=error)


def _item(item: Evidence, readable: AbstractSet[str]) -> Evidence:
    """Return an item if its page may be read; of any other nothing but its number. What was computed is not told."""
    page = page_of(item)
    if page in readable or not (page or item.source.get("from")):
        return item
    return Evidence(item.evidence_id, item.type, text="", score=item.score, source={}, authz={}, by=item.by)
