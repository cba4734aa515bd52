"""Yes or no to who asks whether something may or must be, where the text that is quoted says so in as many words.

A sentence says so that has one word of permission, ban or duty, speaks of all that is asked, and sets no condition and
no limit that the question does not name. Whatever is less plain is left to the reader of the passage.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Literal

from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.understanding.message import strip_politeness
from language.scripts import is_chinese
from language.sentences import sentences
from language.words import normalise, stem

Verdict = Literal["", "allowed", "not_allowed", "needed", "not_needed"]
#: What is said before an answer, by its code: yes or no, as the question was put.
VERDICTS = frozenset(("allowed", "not_allowed", "needed", "not_needed"))


class _Rule(StrEnum):
    """What a word of a sentence does to what it speaks of."""

    ALLOWS = "allows"
    FORBIDS = "forbids"
    OBLIGES = "obliges"
    SPARES = "spares"


_SOMEBODY = r"(?:i|we|you|they|he|she|one|any(?:one|body)|every(?:one|body)|(?:a|an|the|my|our|your) \w+|\w+s)"
#: Who asks whether something may be, and whether it must be; what asks for more than yes or no.
_MAY = re.compile(
    rf"(?:^|[,.;!?:] ?|\b(?:and|but|so|then) )(?:can|could|may) {_SOMEBODY} \w"
    r"|\b(?:am i|are we|are you|is (?:he|she|one)|are (?:they|\w+s)) allowed\b"
    r"|(?:^|[,.;!?] ?)(?:is|are) .{2,60} (?:allowed|permitted|forbidden|ok|okay|fine|alright|all right)\b"
    r"|\b(?:ok(?:ay)?|alright|all right|fine|allowed) (?:to|if i|if we)\b"
    r"|[^,]{3,60} (?:ok|okay|allowed|alright)\?*$"
    r"|能不能|可不可以|能否|可否|是否(?:可以|允许|能)|(?:能|可以|允许|准|许).{1,40}(?:吗|么|不)[?？。 ]*$"
    r"|(?:行不行|行吗|行么|可以吗|行不|可以么)[?？。 ]*$"
)
_MUST = re.compile(
    r"(?:^|[,.;!?:] ?|\b(?:and|but|so|then) )"
    rf"(?:(?:do|does) {_SOMEBODY} (?:have|need) to|must {_SOMEBODY}|need {_SOMEBODY}"
    rf"|am i (?:required|obliged)|do {_SOMEBODY} need) \w"
    r"|要不要|用不用|需不需要|是否(?:需要|必须)|(?:必须|需要|一定要).{1,40}(?:吗|么)[?？。 ]*$"
)
_ASKS_MORE = re.compile(
    r"\b(?:how|what|when|where|who|whom|which|why|or)\b|n't\b|\bnot\b|怎么|怎样|如何|什么|多少|几|哪|谁|多久|多长|还是|为何"
)
_RULES = {
    _Rule.SPARES: re.compile(
        r"\b(?:need not|needn't|(?:do|does) not (?:have|need) to|(?:don't|doesn't) (?:have|need) to|no need to"
        r"|(?:is|are) not (?:required|needed|necessary|compulsory))\b"
        r"|不必|无需|不用|不需要|毋须|免于"
    ),
    _Rule.FORBIDS: re.compile(
        r"\b(?:must (?:not|never)|mustn't|may (?:not|never)|can(?:not|'t| not| never)|shall not|should (?:not|never)"
        r"|shouldn't|(?:is|are) (?:not|never) (?:allowed|permitted)"
        r"|(?:is|are) (?:strictly |always )?(?:forbidden|prohibited|banned)"
        r"|(?:nobody|no one|none) (?:may|can|is allowed)|not allowed)\b"
        r"|(?:^|[,;:] ?)(?:please )?(?:never|do not|don't)\b"
        r"|不得|不能|不可以?|不准|不许|不允许|禁止|严禁|切勿|请勿"
    ),
    _Rule.OBLIGES: re.compile(
        r"\b(?:must|have to|has to|needs? to|(?:is|are) (?:required|compulsory|mandatory|obligatory))\b"
        r"|必须|务必|一律要"
    ),
    _Rule.ALLOWS: re.compile(
        r"\b(?:may|can|(?:is|are) (?:allowed|permitted|welcome)|(?:is|are) free to)\b|可以|允许|准许"
    ),
}
_VERDICTS: dict[tuple[bool, _Rule], Verdict] = {
    (True, _Rule.ALLOWS): "allowed",
    (True, _Rule.FORBIDS): "not_allowed",
    (False, _Rule.OBLIGES): "needed",
    (False, _Rule.SPARES): "not_needed",
    (False, _Rule.FORBIDS): "not_needed",
}
#: What sets a condition, an exception or a limit; in a sentence, and at the beginning of the next one.
_LIMITS = re.compile(
    r"\b(?:unless|except|only|if|when|whenever|until|till|without|but|though|although|however|apart|other|others"
    r"|provided|outside|after|before|within|during|while|than|over|under|up|least|most|since|once|where|who|whose|whoever"
    r"|from|between|not yet|normally|usually|generally|otherwise|instead|alone|first)\b"
    r"|除|如|若|时|后|前|才|只有|仅|外|但|不过|的话|经|凭|超过|以上|以下|以内|期间|否则|须|先|其他|满|者|每|限"
)
_LIMITS_NEXT = re.compile(
    r"\W*(?:unless|except\w*|only|but|however|otherwise|though|it|they|that|this|those|these|in (?:that|this|such))\b"
    r"|\W*(?:除|但|不过|仅|只有|否则|如|例外|若)",
    re.IGNORECASE,
)
#: What is said to be done never, or not.
_NOT_DONE = re.compile(r"\b(?:(?:is|are|be) )?(?:not|never) (?:be )?([a-z]{3,20}(?: (?:or|nor|and) [a-z]{3,20})?)")
_NOT_DONE_ZH = re.compile(r"(?:不|从不|一律不)([\u4e00-\u9fff])")
#: What holds for a part of the cases.
_IN_PART = re.compile(r"\bnot (?:all|every|always|necessarily|just|only)\b")
#: What narrows down what goes before it, with the words after it.
_NARROWS = re.compile(r"\b(?:in|on|at|for|with|to|of|by|as|through|near|into|onto|about|against)\b")
#: Several things of which the same is said.
_LISTED = re.compile(r",|\b(?:and|or|nor)\b")
#: Words for whoever reads it.
_READERS_WORDS = """
    staff employee employees everyone everybody anyone anybody nobody person people colleague colleagues team member
    members you we always also even ever please strictly simply therefore still any own yourself work
    """
_READERS = frozenset(map(stem, _READERS_WORDS.split()))
_READERS_ZH = re.compile(
    r"员工|大家|任何人|本人|所有人|个人|同事|我们|我|你|您|公司|一律|都|也|均|请|，|,| |原则上|自己"
)
_SPLIT = re.compile(r"[;:]| [-–—] ")
_SPLIT_ZH = re.compile(r"[，,；;：:]")
#: What asks, and what says nothing, in a Chinese question.
_ASKING_ZH = re.compile(
    r"能不能|可不可以|能否|可否|是否|行不行|要不要|用不用|需不需要|可以|行吗|行么|允许|必须|需要|一定|能|准|许|吗|么|呢|吧|啊|不$"
    r"|那|这|只|个|在|的|了|把|给|去|来|到|就|还|又|里|中|上|直接|可"
)
#: What says nothing between a word of permission and what it permits; and what adds another thing to it.
_LIGHT_ZH = re.compile(r"只|再|在|把|将|自行|直接|随意|擅自|私自|[\s了的\W]")
_GOES_ON_ZH = re.compile(r"[、或和及与了的]")
_MODAL_ZH = re.compile(r"^不")
#: The share of a question from which on a sentence speaks of the same matter.
_SPEAKS = 0.5
#: The least weight of what is asked: one word that is none of the light ones.
_LEAST = 1.0


def verdict(asked: str, language: str, told: Iterable[str]) -> Verdict:
    """Return yes or no to a question where the texts say it; "" where they do not, or do so in two ways.

    It is no where something is forbidden and asked to be allowed, or not needed and asked whether it must be.
    """
    plain = strip_politeness(normalise(asked))
    may, must = (_asks(each, plain) for each in (_MAY, _MUST))
    if may == must or _ASKS_MORE.search(plain):
        return ""
    question = Question.of(asked, language)
    if question.weight < _LEAST:
        return ""
    found = [(_VERDICTS.get((may, rule), ""), plainly) for text in told for rule, plainly in _rules_in(question, text)]
    plain_ones = {said for said, plainly in found if plainly and said}
    return plain_ones.pop() if len({said for said, _ in found if said}) == 1 and plain_ones else ""


def _asks(way: re.Pattern[str], plain: str) -> bool:
    return way.search(plain) is not None


def _rules_in(question: Question, text: str) -> Iterator[tuple[_Rule, bool]]:
    """Yield what sentences that speak of what is asked say of it, each with whether it says it of all that plainly."""
    for line in text.splitlines():
        if line.lstrip().startswith(("|", "`", "**", "#")):
            continue
        said = [normalise(line[start:end]).strip("*_ -•>.。") for start, end in sentences(line, (0, len(line)))]
        for sentence, following in zip(said, [*said[1:], ""], strict=False):
            parts = _SPLIT_ZH.split(sentence) if question.language == "zh" else _SPLIT.split(sentence)
            for part, after in zip(parts, [*parts[1:], following], strict=True):
                told = _told_by(question, part)
                if told is not None:
                    yield told[0], told[1] and _is_free(question, part) and not _LIMITS_NEXT.match(after)


def _is_free(question: Question, part: str) -> bool:
    """Tell whether a part of a sentence sets no condition and no limit that the question does not name."""
    limits = (each[0] for way in (_LIMITS, _IN_PART) for each in way.finditer(part))
    return all(each in normalise(question.text) for each in limits)


def _told_by(question: Question, part: str) -> tuple[_Rule, bool] | None:
    """Return what a part of a sentence says of what is asked, with whether it does so plainly; None for nothing."""
    text, is_zh = Text.of(part), question.language == "zh"
    share = _share_zh(question, part) if is_zh else question.coverage(text)
    if share < _SPEAKS:
        return None
    rest, rules = part, dict[_Rule, int]()
    for rule, pattern in _RULES.items():  # "must not" is no "must"
        if found := pattern.search(rest):
            rules.setdefault(rule, found.start())
            rest = pattern.sub(lambda each: "\0" * len(each[0]), rest)
    for found in _NOT_DONE.finditer(rest):  # "are not charged": what is asked is not done
        if Text.of(found[1]).stems & {term.stem for term in question.terms}:
            rules.setdefault(_Rule.FORBIDS, found.start())
    for found in _NOT_DONE_ZH.finditer(rest):
        if found[1] in question.text:
            rules.setdefault(_Rule.FORBIDS, found.start())
    if len(rules) != 1:
        return None
    rule, at = next(iter(rules.items()))
    at_comma = part[at : at + 1] in (",", ";", ":")  # "ring, don't text": what goes before is told apart
    before, after = "" if at_comma else part[:at], rest[at:].replace("\0", "" if is_zh else " ")
    if is_zh:
        return rule, share == 1 and not _narrows_zh(question, before, _MODAL_ZH.sub("", after, count=1))
    return rule, question.is_said_by(text) and not _narrows(question, before, after)


def _share_zh(question: Question, part: str) -> float:
    """Return the share of the characters of a question that say something which a part holds."""
    asked = [each for each in _READERS_ZH.sub("", _ASKING_ZH.sub("", normalise(question.text))) if is_chinese(each)]
    return sum(each in part for each in asked) / len(asked) if asked else 0.0


def _narrows(question: Question, before: str, after: str) -> bool:
    """Tell whether a sentence speaks of others than who asks, or of fewer cases."""
    subject, *rest = _NARROWS.split(before)
    listed = _LISTED.search(subject) is not None and question.found_weight(Text.of(subject)) > 0
    return any(_adds(question, each) for each in (*([] if listed else [subject]), *rest, *_NARROWS.split(after)[1:]))


def _adds(question: Question, words: str) -> bool:
    """Tell whether words name something that the question does not."""
    missing = Question.of(words, question.language).missing(Text.of(question.text))
    return any(term.stem not in _READERS for term in missing)


def _narrows_zh(question: Question, before: str, after: str) -> bool:
    """Tell whether a part of a Chinese sentence speaks of others, or of fewer cases, than a question."""
    asked = normalise(question.text)
    said = [at for at, each in enumerate(after) if is_chinese(each) and each in asked]
    new = [each for each in _READERS_ZH.sub("", before) if is_chinese(each) and each not in asked]
    if new and not ("、" in before and any(each in asked for each in before if is_chinese(each))):
        return True
    if not said:  # it stands before the word: 食堂宠物不可
        return bool(_LIGHT_ZH.sub("", after))
    between, beyond = after[: said[0]], after[said[-1] + 1 :]
    return bool(_LIGHT_ZH.sub("", between)) or (len(beyond) > 1 and _GOES_ON_ZH.match(beyond) is None)
