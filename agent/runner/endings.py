"""From a brain's ending and what its tools did to exactly one answer. Pure: decides, changes nothing."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from agent.brains.assistant import Call
from agent.brains.output import Abstain, Act, AskBack, Output, Refuse, Reply
from agent.gate.gate import Denied, Done, Pending
from agent.grounding.citations import Checked, Dropped, Passage, check
from agent.grounding.links import allowed_only
from agent.runs.answer import Answer, Answered, AskedBack, NeedsApproval, NoEvidence, Refused
from agent.tools.registry import Shown

#: Refusals that a language model may give by itself; any other code of its own counts as the first.
REFUSALS = ("out_of_scope", "forbidden", "unsafe")
_CODE = re.compile(r"[a-z][a-z0-9_.]{0,63}")


def conclude(output: Output, calls: Sequence[Call], *, hosts: Iterable[str], trusted: bool) -> Checked | Answer:
    """Return the answer; a reply comes with what was left out of it. `trusted`: the words are the rules' own.

    What the tools made is shown however the brain ends: a draft or a button that nobody sees would be lost.
    """
    shows = shows_of(calls)
    match output:
        case Reply():
            return _with_shows(check(output, passages_of(calls), hosts=hosts), shows, calls)
        case Abstain() | Refuse() if shows:
            return _acted(calls)
        case Abstain():
            return NoEvidence()
        case AskBack():
            return _asked(output, shows, hosts=hosts, trusted=trusted)
        case Act():
            return _acted(calls)
        case Refuse():
            return Refused(output.code, output.detail) if trusted else Refused(_refusal(output.code))
        case _:
            assert_never(output)


def passages_of(calls: Iterable[Call]) -> Mapping[str, Passage]:
    """Return everything that was retrieved in this run, by evidence id; found twice, with the most that was shown."""
    found: dict[str, Passage] = {}
    for result in (call.result.result for call in calls if isinstance(call.result, Done)):
        for item in result.evidence:
            passage = Passage(item, result.texts.get(item.evidence_id, item.text))
            known = found.get(item.evidence_id, passage)
            found[item.evidence_id] = max(known, passage, key=lambda each: len(each.text))
    return found


def shows_of(calls: Iterable[Call]) -> tuple[Shown, ...]:
    """Return what the reply shows from state; of several states of one thing, only the last."""
    shown: dict[tuple[str, tuple[str, ...]], Shown] = {}
    for call in calls:
        for item in _shows_in(call):
            shown.pop((item.kind, item.ids), None)
            shown[item.kind, item.ids] = item
    return tuple(shown.values())


def remembered(calls: Iterable[Call]) -> dict[str, str]:
    """Return the ids that were spoken of, for "my last ticket" and "that draft"."""
    last: dict[str, str] = {}
    for call in calls:
        if isinstance(call.result, Done):
            last.update(call.result.result.remembers)
    return last


def _shows_in(call: Call) -> tuple[Shown, ...]:
    if isinstance(call.result, Done):
        return call.result.result.shows
    return call.result.shows if isinstance(call.result, Pending) else ()


def _with_shows(checked: Checked, shows: tuple[Shown, ...], calls: Sequence[Call]) -> Checked:
    if not shows:
        return checked
    answer = checked.answer
    return replace(checked, answer=replace(answer, shows=shows) if isinstance(answer, Answered) else _acted(calls))


def _asked(output: AskBack, shows: tuple[Shown, ...], *, hosts: Iterable[str], trusted: bool) -> AskedBack:
    if trusted:
        return AskedBack(output.code, output.question, tuple(output.options), shows)
    known = tuple(hosts)
    question = allowed_only(output.question, known).strip()
    options = tuple(filter(None, (allowed_only(option, known).strip() for option in output.options)))
    return AskedBack("other", question, options, shows)


def _acted(calls: Sequence[Call]) -> Answer:
    """Say what the tools did: a button to press first, then what is done, then why nothing could be done."""
    shows = shows_of(calls)
    missing = _missing(calls)
    if missing:
        return AskedBack("draft.missing", options=missing, shows=shows)
    if any(shown.kind in ("draft", "approval") for shown in shows):
        return NeedsApproval(shows)
    if shows:
        return Answered(shows=shows)
    denied = [call.result for call in calls if isinstance(call.result, Denied)]
    if denied:
        return Refused(denied[-1].code, denied[-1].reason)
    return NoEvidence()


def _missing(calls: Sequence[Call]) -> tuple[str, ...]:
    """Return the fields that the newest draft of this run still needs."""
    for call in reversed(calls):
        if isinstance(call.result, Done):
            draft = call.result.result.content.get("draft")
            missing = draft.get("missing") if isinstance(draft, Mapping) else None
            if isinstance(missing, list | tuple):
                return tuple(str(name) for name in missing)
    return ()


def _refusal(code: str) -> str:
    return code if _CODE.fullmatch(code) and code in REFUSALS else REFUSALS[0]


def dropped_of(concluded: Checked | Answer) -> tuple[Dropped, ...]:
    """Return the claims that did not reach the answer."""
    return concluded.dropped if isinstance(concluded, Checked) else ()


def answer_of(concluded: Checked | Answer) -> Answer:
    """Return the answer itself."""
    return concluded.answer if isinstance(concluded, Checked) else concluded
