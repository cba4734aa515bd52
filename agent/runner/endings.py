"""From a brain's ending and what its tools did to exactly one answer. Pure: decides, changes nothing."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from agent.brains.assistant import Call
from agent.brains.output import UNSURE, Abstain, Act, AskBack, Output, Refuse, Reply
from agent.brains.rules.answering.certainty.closely import how_closely
from agent.brains.rules.answering.certainty.likelihood import holds_number, how_likely, lacks_age
from agent.brains.rules.answering.certainty.verdict import VERDICTS
from agent.brains.rules.translated import LEADS
from agent.gate.outcomes import Denied, Done, Pending
from agent.grounding.citations import Checked, Dropped, check, page_of
from agent.grounding.links import Allowed, allowed_only, hosts_in
from agent.results import Passages, Records, Result, result_json
from agent.runs.answer import Answer, Answered, AskedBack, NeedsApproval, NoEvidence, Refused
from agent.tools.evidence import Ground
from language.scripts import language_of
from storage.ids import digest

#: Refusals that a language model may give by itself; any other code of its own counts as the first.
REFUSALS = ("out_of_scope", "not_offered", "forbidden", "not_here", "unsafe")
#: The most that is made of what was found where another passage than its best is cited.
UNJUDGED = 0.8
#: … and where a number or a time is asked for and the answer holds none, or of somebody under age and it says no age.
UNCOUNTED = 0.5
_CODE = re.compile(r"[a-z][a-z0-9_.]{0,63}")


def conclude(
    output: Output,
    calls: Sequence[Call],
    *,
    grounds: Mapping[str, Ground],
    language: str,
    asked: str,
    hosts: Iterable[str],
    trusted: bool,
) -> Checked | Answer:
    """Return the answer; a reply comes with what was left out of it. `trusted`: the words are the rules' own.

    What the tools found and made is shown however the brain ends: a table, a draft or a button that nobody sees
    would be lost.
    """
    results = results_of(calls)
    match output:
        case Reply():
            cited = {name for claim in output.claims for name in claim.evidence}
            likely = _likelihood(calls, asked, language, cited=cited)
            said = "\n".join(each.text for each in output.claims)
            if likely is not None and (not holds_number(asked, language, said) or lacks_age(asked, said)):
                likely = min(likely, UNCOUNTED)
            checked = check(output, grounds, hosts=hosts, language=language, asked=asked, likelihood=likely)
            led = _led(checked, output.lead if trusted else "", output.unsaid)
            return _with_results(_while_reading(led, calls), results, calls)
        case Abstain() | Refuse() if results:
            return _acted(calls)
        case Abstain():
            page = grounds.get(output.look_in) if trusted else None
            place = page_of(page, language, quote=output.ask) if page else None
            waits = told_apart(calls, "is_reading")
            beside, unsaid = (output.beside, output.unsaid) if trusted else ("", "")
            return NoEvidence(place, is_reading=waits, beside=beside, unsaid=unsaid)
        case AskBack():
            return _asked(output, results, hosts=hosts, trusted=trusted)
        case Act():
            return _acted(calls)
        case Refuse():
            return Refused(output.code, output.detail) if trusted else Refused(_refusal(output.code))
        case _:
            assert_never(output)


def _likelihood(calls: Sequence[Call], asked: str, language: str, *, cited: Collection[str]) -> float | None:
    """Return how likely what was found answers, by the search whose best passage is cited; None without a search.

    Where the best passage of none is cited, what was found says little of what is shown: it is hardly sure then.
    The judge looks at the words and at what was found for them, so it holds for any brain's answer.
    """
    judged = [
        how(query := str(call.arguments.get("query") or asked), language_of(query) or language, call.told)
        for call in calls
        for how in (how_likely, how_closely)
        if isinstance(call.result, Done)
        and any(isinstance(each, Passages) and each.ranked for each in _results_in(call))
    ]
    shown = [likely for best, likely in judged if best in cited]
    return max(shown, default=min(UNJUDGED, max(likely for _, likely in judged)) if judged else None)


def results_of(calls: Iterable[Call]) -> tuple[Result, ...]:
    """Return what the reply shows, each once: of several states of one record the last.

    Passages that were found by likeness are shown as the sources of what cites them.
    """
    shown: dict[object, Result] = {}
    for result in (result for call in calls for result in _results_in(call)):
        if isinstance(result, Passages) and (result.ranked or not result.items):
            continue
        same = (result.kind, result.ids) if isinstance(result, Records) else digest(result_json(result))
        shown.pop(same, None)
        shown[same] = result
    return tuple(shown.values())


def told_apart(calls: Iterable[Call], name: str) -> bool:
    """Tell whether a tool said so of its result to the desk alone."""
    done = (call.result for call in calls if isinstance(call.result, Done))
    return any(each.result.private.get(name) is True for each in done)


def remembered(calls: Iterable[Call]) -> dict[str, str]:
    """Return the ids that were spoken of, for "my last ticket" and "that draft"."""
    last: dict[str, str] = {}
    for call in calls:
        if isinstance(call.result, Done):
            last.update(call.result.result.remembers)
    return last


def _results_in(call: Call) -> tuple[Result, ...]:
    if isinstance(call.result, Done):
        return call.result.result.results
    return call.result.results if isinstance(call.result, Pending) else ()


def _led(checked: Checked, lead: str, unsaid: str) -> Checked:
    answer = checked.answer
    if not lead or not isinstance(answer, Answered) or (lead in VERDICTS and answer.confidence == "low"):
        return checked
    if lead in LEADS.values() and answer.confidence == "high":  # words were translated one by one
        return replace(checked, answer=replace(answer, lead=lead, confidence="medium"))
    if lead != UNSURE:
        return replace(checked, answer=replace(answer, lead=lead))
    unsure = replace(answer, lead=lead, confidence="low", conflicts=(), unsaid=unsaid)  # none is followed
    return replace(checked, answer=unsure)


def _while_reading(checked: Checked, calls: Sequence[Call]) -> Checked:
    """Say of what is not sure, or not there, that the documents are still being read."""
    answer = checked.answer
    if not isinstance(answer, Answered | NoEvidence) or not told_apart(calls, "is_reading"):
        return checked
    is_sure = isinstance(answer, Answered) and answer.confidence == "high"
    return checked if is_sure else replace(checked, answer=replace(answer, is_reading=True))


def _with_results(checked: Checked, results: tuple[Result, ...], calls: Sequence[Call]) -> Checked:
    if not results:
        return checked
    answer = checked.answer
    shown = replace(answer, results=results) if isinstance(answer, Answered) else _acted(calls)
    return replace(checked, answer=shown)


def _asked(output: AskBack, results: tuple[Result, ...], *, hosts: Iterable[str], trusted: bool) -> AskedBack:
    if trusted:
        return AskedBack(output.code, output.question, tuple(output.options), results)
    allowed = Allowed.of(hosts)
    question = allowed_only(output.question, allowed).strip()
    options = tuple(filter(None, (allowed_only(option, allowed).strip() for option in output.options)))
    return AskedBack("other", question, options, results)


def _acted(calls: Sequence[Call]) -> Answer:
    """Say what the tools did: a button to press first, then what is done, then why nothing could be done."""
    results = results_of(calls)
    missing = _missing(calls)
    if missing:
        return AskedBack("draft.missing", options=missing, results=results)
    if any(isinstance(result, Records) and result.kind in ("draft", "approval") for result in results):
        return NeedsApproval(results)
    if results:
        return Answered(results=results)
    denied = [call.result for call in calls if isinstance(call.result, Denied)]
    if denied and denied[-1].asks:
        return AskedBack(denied[-1].code, denied[-1].reason, denied[-1].options)
    if denied:
        return Refused(denied[-1].code, denied[-1].reason)
    return NoEvidence()


def _missing(calls: Sequence[Call]) -> tuple[str, ...]:
    """Return the fields that the newest draft of this run still needs."""
    for call in reversed(calls):
        if isinstance(call.result, Done):
            draft = call.result.content.get("draft")
            missing = draft.get("missing") if isinstance(draft, Mapping) else None
            if isinstance(missing, list | tuple):
                return tuple(str(name) for name in missing)
    return ()


def _refusal(code: str) -> str:
    return code if _CODE.fullmatch(code) and code in REFUSALS else REFUSALS[0]


def dropped_of(concluded: Checked | Answer) -> tuple[Dropped, ...]:
    """Return the claims that did not reach the answer."""
    return concluded.dropped if isinstance(concluded, Checked) else ()


def blocked_in(output: Output | Act, answer: Answer) -> tuple[str, ...]:
    """Return the hosts of a reply's addresses that its answer does not lead to."""
    if not isinstance(output, Reply):
        return ()
    shown = hosts_in(answer.text) if isinstance(answer, Answered) else frozenset()
    return tuple(sorted(frozenset().union(*(hosts_in(claim.text) for claim in output.claims)) - shown))


def answer_of(concluded: Checked | Answer) -> Answer:
    """Return the answer itself."""
    return concluded.answer if isinstance(concluded, Checked) else concluded
