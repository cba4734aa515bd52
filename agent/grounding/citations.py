"""The check after generation: no claim reaches anybody that its evidence does not carry.

Whatever wrote the reply, a claim stays only when every evidence id it names was retrieved in this run and the
evidence supports it (`standing`); otherwise it is dropped, and when nothing is left there is no evidence.
Quotes are cut verbatim from the passage, links lead only to hosts that an operator named, and where two cited pages
disagree, the newer one is followed and the conflict is named.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.brains.output import Claim, Reply
from agent.grounding.links import Allowed, allowed_only, has_address, without_addresses
from agent.grounding.standing import carries, together
from agent.grounding.support import Support, measures, plain, quotable, subject_words
from agent.results import Passage
from agent.runs.answer import Answer, Answered, Citation, Confidence, Conflict, NoEvidence
from agent.tools.evidence import Citable, Ground
from language.sentences import BLOCK, unwrapped
from storage.redaction.stored import redact

#: Share of subject words that two sentences must have in common to be about the same thing.
SAME_SUBJECT = 0.5
#: … and the words that they share at least: one room in common is no subject.
LEAST_SHARED = 2
#: Bounds of the confidence: mean support of the claims, and the best passage's coverage or cosine.
CARRIED_WELL, CLOSE, RATHER_CLOSE = 0.8, 0.65, 0.5
#: Likelihoods from which an answer is told as sure, and from which as likely.
HIGH, MEDIUM = 0.93, 0.6
_NUMBERED_MARK = re.compile(r"(?<!\s)\s*+\[\d{1,3}\](?!\()")


@dataclass(frozen=True)
class Dropped:
    """A claim that did not reach the answer, and why."""

    text: str
    reason: str  # "unknown_evidence", "no_evidence", "unsupported", "superseded", "empty"


@dataclass(frozen=True)
class Checked:
    """The answer that may be shown, and what was left out of it."""

    answer: Answer
    dropped: tuple[Dropped, ...] = ()


@dataclass(frozen=True)
class _Kept:
    """A claim that stands, with the items of evidence that carry it, best first."""

    text: str
    carried_by: tuple[tuple[str, Support], ...]

    @property
    def score(self) -> float:
        return self.carried_by[0][1].score


def check(
    reply: Reply,
    grounds: Mapping[str, Ground],
    *,
    hosts: Iterable[str],
    language: str = "en",
    asked: str = "",
    likelihood: float | None = None,
) -> Checked:
    """Return what of a reply may be shown; `grounds` is the evidence of the run, `asked` what the person wrote.

    `likelihood`: how likely what was found answers, where that was judged.
    """
    known_hosts = tuple(hosts)
    kept: list[_Kept] = []
    dropped: list[Dropped] = []
    for claim in reply.claims:
        judged = _judge(claim, grounds, known_hosts, asked)
        if isinstance(judged, Dropped):
            dropped.append(judged)
        else:
            kept.append(judged)
    if not kept:
        return Checked(NoEvidence(), tuple(dropped))
    followups = _followups(reply, known_hosts)
    return _assembled(kept, dropped, grounds, followups=followups, language=language, likelihood=likelihood)


def _judge(claim: Claim, grounds: Mapping[str, Ground], hosts: Sequence[str], asked: str) -> _Kept | Dropped:
    trusted = (grounds[name].text for name in claim.evidence if name in grounds and _is_own(grounds[name]))
    text = allowed_only(_NUMBERED_MARK.sub("", claim.text), Allowed.of(hosts, *trusted)).strip()
    if not any(character.isalnum() for character in text):
        return Dropped(claim.text, "empty")
    if not claim.evidence:
        return Dropped(claim.text, "no_evidence")
    named = [grounds[name] for name in dict.fromkeys(claim.evidence) if name in grounds]
    if len(named) < len(set(claim.evidence)):
        return Dropped(claim.text, "unknown_evidence")
    each = [(item, carries(text, item, grounds, asked=asked)) for item in named]
    carrying = [(item, found) for item, found in each if found.is_enough]
    if not carrying and len(named) > 1:  # only together do they say it
        carrying = each if together(text, named, grounds) else []
    if not carrying:
        return Dropped(claim.text, "unsupported")
    carrying.sort(key=lambda pair: -pair[1].score)
    return _Kept(text, tuple((item.evidence.evidence_id, found) for item, found in carrying))


def _assembled(
    kept: Sequence[_Kept],
    dropped: Sequence[Dropped],
    grounds: Mapping[str, Ground],
    *,
    followups: tuple[str, ...],
    language: str,
    likelihood: float | None,
) -> Checked:
    clashes = _clashes(kept, grounds)
    older = {old for _, old in clashes}
    standing = [claim for claim in kept if any(name not in older for name, _ in claim.carried_by)]
    superseded = [Dropped(claim.text, "superseded") for claim in kept if claim not in standing]
    order = _numbered([*standing, *(claim for claim in kept if claim not in standing)], grounds)
    first = {number: name for name, number in reversed(order.items())}
    citations = tuple(
        _citation(number, grounds[name], _best(name, kept), language) for number, name in sorted(first.items())
    )
    answer = Answered(
        text=_written(standing, order),
        citations=citations,
        confidence=_confidence(standing, grounds, is_disputed=bool(clashes), likelihood=likelihood),
        followups=followups,
        conflicts=tuple(Conflict(newer=order[new], older=order[old]) for new, old in clashes),
    )
    return Checked(answer, (*dropped, *superseded))


def _numbered(claims: Iterable[_Kept], grounds: Mapping[str, Ground]) -> dict[str, int]:
    """Return a number for each item of evidence, in the order in which the answer first rests on it.

    Passages of one section share a number: a reader looks a section up, not a passage.
    """
    order: dict[str, int] = {}
    places: dict[tuple[str, ...], int] = {}
    for claim in claims:
        for name, _ in claim.carried_by:
            is_page = isinstance(grounds[name].item, Passage)
            parts = ("source_name", "source", "section")
            place = tuple(grounds[name].says(part) for part in parts) if is_page else (name,)
            order[name] = places.setdefault(place, len(places) + 1)
    return order


def _best(name: str, kept: Iterable[_Kept]) -> Support:
    found = [support for claim in kept for carrier, support in claim.carried_by if carrier == name]
    return max(found, key=lambda item: (item.score, not item.quote.endswith((":", "："))))  # what leads on says nothing


def _written(claims: Sequence[_Kept], order: Mapping[str, int]) -> str:
    """Join the claims: sentences flow on, list items stand on lines of their own, and sections are set apart."""
    text = ""
    before_is_block = before_is_section = False
    for claim in claims:
        marks = "".join(f"[{number}]" for number in dict.fromkeys(order[name] for name, _ in claim.carried_by))
        said = unwrapped(claim.text)
        is_block = BLOCK.match(said) is not None or "\n" in said
        is_section = "\n\n" in said
        ends_in_block = said.rstrip().endswith(("```", "~~~", "|"))
        written = f"{said}\n\n{marks}" if ends_in_block else f"{said} {marks}"
        is_listed = is_block and before_is_block and not (ends_in_block or is_section or before_is_section)
        if text:
            text += "\n" if is_listed else "\n\n" if is_block or before_is_block else " "
        text += written
        before_is_block, before_is_section = is_block, is_section
    return text


def page_of(ground: Ground, language: str, *, quote: str = "") -> Citation:
    """Return a page as a place to look: nothing of it is quoted but what stands in it word for word."""
    return Citation(
        number=1,
        evidence_id=ground.evidence.evidence_id,
        chunk_id=ground.says("chunk_id"),
        title=ground.title(language),
        section="",
        source=ground.says("source"),
        source_name=ground.says("source_name"),
        anchor="",
        quote=quote if quote in ground.text else "",
        updated=ground.says("updated"),
        not_in_force=ground.says("not_in_force"),
        url=ground.says("uri"),
    )


def _citation(number: int, ground: Ground, found: Support, language: str) -> Citation:
    return Citation(
        number=number,
        evidence_id=ground.evidence.evidence_id,
        chunk_id=ground.says("chunk_id"),
        title=ground.title(language),
        section=ground.says("section"),
        source=ground.says("source"),
        source_name=ground.says("source_name"),
        anchor=ground.says("anchor"),
        quote=_quote(ground, found.quote) if isinstance(ground.item, Passage) else redact(found.quote),
        updated=ground.says("updated"),
        not_in_force=ground.says("not_in_force"),
        url=ground.says("uri"),
    )


def _is_own(ground: Ground) -> bool:
    return isinstance(ground.item, Passage) and ground.item.source.own


def _quote(ground: Ground, best: str) -> str:
    """Return a verbatim piece without secrets and without a stranger's address to follow; "" when there is none."""
    text = ground.text
    for candidate in (best, *quotable(text)):
        guarded = has_address(candidate) and not _is_own(ground)
        parts = without_addresses(candidate) if guarded else [candidate]
        piece = max(parts, key=len, default="").strip()
        if any(character.isalnum() for character in piece) and piece in text and redact(piece) == piece:
            return piece
    return ""


def _followups(reply: Reply, hosts: Sequence[str]) -> tuple[str, ...]:
    allowed = Allowed.of(hosts)
    cleaned = (" ".join(allowed_only(item, allowed).split())[:160] for item in reply.followups)
    return tuple(dict.fromkeys(item for item in cleaned if item))


def _confidence(
    claims: Sequence[_Kept], grounds: Mapping[str, Ground], *, is_disputed: bool, likelihood: float | None
) -> Confidence:
    """Judge by how well the claims are carried, and how likely what was found answers the question.

    Where that was not judged, by how close the best passage is: the share of the question's words that it holds, or the
    nearness in meaning. What was read from a system or computed answers the question that was put to it, so nothing is
    closer.
    """
    cited = [grounds[name] for claim in claims for name, _ in claim.carried_by]
    carried = sum(claim.score for claim in claims) / len(claims)
    if likelihood is None or not any(isinstance(ground.item, Passage) for ground in cited):
        close, high, medium = max(_closeness(ground.item) for ground in cited), CLOSE, RATHER_CLOSE
    else:
        close, high, medium = likelihood, HIGH, MEDIUM
    lapsed = any(ground.says("not_in_force") for ground in cited)
    if carried >= CARRIED_WELL and close >= high and not (is_disputed or lapsed):
        return "high"
    return "medium" if close >= medium else "low"


def _closeness(item: Citable) -> float:
    return max(item.source.coverage, item.source.cosine or 0.0) if isinstance(item, Passage) else 1.0


def _clashes(kept: Sequence[_Kept], grounds: Mapping[str, Ground]) -> list[tuple[str, str]]:
    """Return (newer, older) for cited passages of different, differently dated pages that disagree on a number."""
    names = [name for name in _numbered(kept, grounds) if isinstance(grounds[name].item, Passage)]
    pairs = ((left, right) for at, left in enumerate(names) for right in names[at + 1 :])
    found: list[tuple[str, str]] = []
    for left, right in pairs:
        if _disagree(grounds[left], grounds[right], _said(grounds[left], kept), _said(grounds[right], kept)):
            newer, older = sorted((left, right), key=lambda name: grounds[name].currency, reverse=True)
            found.append((newer, older))
    return found


def _said(ground: Ground, kept: Iterable[_Kept]) -> list[str]:
    """Return the sentences of a passage that claims repeat, else those that carry them."""
    spans = [(span, plain(span)) for span in quotable(ground.text)]
    said: list[str] = []
    for claim in kept:
        for name, found in claim.carried_by:
            if name == ground.evidence.evidence_id:
                told = plain(claim.text)
                said += [span for span, bare in spans if bare in told] or [found.quote]
    return said


def _disagree(left: Ground, right: Ground, of_left: Iterable[str], of_right: Sequence[str]) -> bool:
    if left.says("document_id") == right.says("document_id") or not left.currency.decides(right.currency):
        return False
    pairs = ((one, other) for one in of_left for other in of_right)
    alike = _alike(left.about, right.about, enough=0.3)
    return any(_contradict(one, other) and (alike or _alike(one, other, enough=0.6)) for one, other in pairs)


def _contradict(one: str, other: str) -> bool:
    """Return whether two quotes of like subject count the same thing differently."""
    counted, against = measures(one), measures(other)
    differing = any(counted[unit] != against[unit] for unit in counted.keys() & against.keys())
    return differing and _alike(one, other)


def _subject(text: str) -> frozenset[str]:
    """Return the words of a text without what counts and what is counted in: hours are no subject."""
    return frozenset(word for word in subject_words(text) - measures(text).keys() if not word.isdigit())


def _alike(one: str, other: str, *, enough: float = SAME_SUBJECT) -> bool:
    left, right = _subject(one), _subject(other)
    fewer, shared = min(len(left), len(right)), len(left & right)
    return shared >= min(fewer, LEAST_SHARED) and shared / max(fewer, 1) >= enough
