"""A question asked of pages in the other language, where those in its own hold nothing.

Each word becomes what it may be called there; what has no translation counts as missing, so that a question of which
too little is understood is not answered. The answer is quoted as it stands, in the language of its page.
"""

from collections.abc import Sequence
from itertools import pairwise

from agent.brains.output import UNSURE, Abstain, Claim, Reply
from agent.brains.rules.answering.extractive import MAX_LIST_CHARS, choose
from agent.brains.rules.answering.followups import TASKS
from agent.brains.rules.answering.passages import Passage, PieceKind, passages_of
from agent.brains.rules.answering.question import Question, Term, Text
from agent.brains.rules.answering.ranking import Ranked, rank, text_of
from agent.brains.rules.answering.shapes import SHAPES
from language.scripts import language_of
from language.synonyms.bilingual import Rendered, to_chinese, to_english
from language.word_tables import BEFORE_VERBS, LIGHT_CHINESE, LIGHT_ENGLISH, STOP_CHINESE, STOP_ENGLISH, WEAK_CHINESE
from language.words import STOP_PHRASE, is_generic, is_identifier, latin_words, normalise, stem

#: What is said before an answer from a page in the other language, by the language of the page.
LEADS = {"en": "english_page", "zh": "chinese_page"}
#: The least share of a question that a passage must hold with its headings, and one sentence of it with them.
WHOLE, PLACE = 0.6, 0.5
#: Of so many things that are asked about, one may be missing: fewer where the section's heading says half of them.
FORGIVEN, FORGIVEN_HEADED = 5, 3
#: The least weight of words that were found: light words alone prove nothing.
FOUND = 1.0
#: … below which the section's own heading must say half of it, and even then it is not sure: one word is little.
#: Where the words may mean what the thread is about, less is not enough.
SURELY_FOUND = FOUND_IN_THREAD = 1.5
#: Stems of what is done, which a page may well call otherwise.
_DEEDS = frozenset(map(stem, TASKS))
#: Characters of an English text that is no name, number or code on a Chinese page.
_A_SENTENCE = 40
#: Renderings of one word that are searched.
_SEARCHED = 2
#: The least weight of a word that names something.
_A_NAME = 1.0
#: How much more of a question a page in the other language must hold to be shown before one's own.
CLEARER = 0.4
#: What nearness in meaning is worth beside the share of a question that a passage says.
NEARNESS = 9.0
#: The cosine with what is meant below which shared words are chance, and from which they and it answer together: the
#: share of the question that a passage says, and so many times the cosine, come to so much. Surely, to so much.
APART, NEAR, MEANS, MEANT, SURELY_MEANT = 0.04, 0.16, 3.0, 0.9, 1.1
#: … and to so much for one that is shown as uncertain, as near as that at least, of a question that names so much.
PERHAPS_NEAR, PERHAPS_MEANT, NAMES = 0.1, 0.75, 1.5
#: The cosine, together with its lead over that of every other passage, from which one may answer whatever it says.
STANDS_OUT = 0.21


def other(language: str) -> str:
    """Return the other one of the two languages."""
    return "en" if language == "zh" else "zh"


def in_other_language(text: str, language: str) -> Question | None:
    """Return a question in the words of the other language; None where it names nothing.

    Its text has the words that can be translated, and English ones of a Chinese question; there may be none.
    """
    plain = normalise(text)
    terms = tuple(_terms_of_chinese(plain) if language == "zh" else _terms_of_english(plain))
    if not terms:
        return None
    searched = " ".join(dict.fromkeys(word for term in terms for word in _searched(term)))
    return Question(text=searched, language=other(language), terms=terms, runs=(), wording=text)


def answer_translated(text: str, language: str, content: object, *, found: float = FOUND) -> Reply | Abstain:
    """Answer from pages in the other language, with a word that they are; abstain where they hold too little of it."""
    question = in_other_language(text, language)
    if question is None:
        return Abstain()
    ranked = _in_order(question, content)
    if not ranked:
        return Abstain()
    is_enough = _is_enough(question, ranked[0], found=found)
    names = question.weight >= NAMES  # 把它关了 is near to anything
    comes_near = names and _is_near(question, ranked[0], PERHAPS_NEAR, PERHAPS_MEANT)
    if not (is_enough or comes_near or _stands_out(ranked)):
        return Abstain()
    chosen = choose(question, ranked[:1])
    if not chosen:
        return Abstain()
    claims = [Claim(text=each.text[:MAX_LIST_CHARS], evidence=[each.evidence]) for each in chosen]
    whole, near = text_of(ranked[0].passage), nearness(ranked[0].passage)
    surely = question.found_weight(whole) >= SURELY_FOUND
    surely = surely or (near is not None and question.coverage(whole) + MEANS * near >= SURELY_MEANT)
    surely = surely and is_enough
    return Reply(claims=claims, lead=LEADS[question.language] if surely else UNSURE)


def is_clearer(text: str, language: str, content: object, *, own: Ranked | None) -> bool:
    """Tell whether the best page in the other language holds clearly more of a question than one's own, or is nearer.

    A Chinese question's nearness to both comes of one model, and to pages in its own language it is the greater.
    """
    question = in_other_language(text, language)
    best = next(iter(_in_order(question, content)), None) if question else None
    if best is None:
        return False
    own_nearness = (own.passage.cosine if own else None) or 1.0
    nearer = language == "zh" and (nearness(best.passage) or 0.0) >= own_nearness
    return best.coverage - (own.coverage if own else 0.0) >= CLEARER or nearer


def speaks_of_translated(thing: str, language: str, passages: Sequence[Passage]) -> bool:
    """Tell whether a page in the other language speaks of a thing, by what each part of its name is there."""
    question = in_other_language(thing, language)
    if question is None or question.weight < _A_NAME:
        return False  # 年会 is no year
    named = [term for term in question.terms if term.weight >= _A_NAME]
    return any(
        question.coverage(text) >= PLACE and all(Question.match(term, text) for term in named)
        for text in map(text_of, passages)
    )


def _in_order(question: Question, content: object) -> tuple[Ranked, ...]:
    passages = [passage for passage in passages_of(content) if passage.own_language == question.language]
    return tuple(sorted(rank(question, passages), key=lambda item: -_strength(question, item)))


def is_foreign(passages: Sequence[Passage], language: str) -> bool:
    """Tell whether a page is all in the other language: not a sentence of it is in this one."""
    return bool(passages) and not any(_speaks(passage, language) for passage in passages)


def _speaks(passage: Passage, language: str) -> bool:
    if passage.own_language == language:
        return True
    said = (piece.text for piece in passage.pieces if piece.kind is PieceKind.SENTENCE)
    return any(language_of(text) == language and (language == "zh" or len(text) >= _A_SENTENCE) for text in said)


def _is_enough(question: Question, best: Ranked, *, found: float) -> bool:
    """Tell whether the passage names what is asked about; of deeds and of light words some may be missing."""
    whole, near = text_of(best.passage), nearness(best.passage)
    if near is not None and near < APART:
        return False
    if _is_near(question, best, NEAR, MEANT):
        return True
    headed = question.coverage(Text.of(best.passage.heading)) >= PLACE
    things = [term for term in question.terms if not term.does and term.weight >= 1.0]
    missing = sum(not Question.match(term, whole) for term in things)
    return (
        not best.passage.is_navigation
        and missing <= max(len(things) // FORGIVEN, headed and len(things) >= FORGIVEN_HEADED)
        and question.found_weight(whole) >= (found if headed else SURELY_FOUND)
        and question.coverage(whole) >= WHOLE
        and _place(question, best) >= PLACE
    )


def _is_near(question: Question, best: Ranked, least: float, meant: float) -> bool:
    """Tell whether a passage is so near to what is meant, and that together with what it says comes to so much."""
    near = nearness(best.passage)
    if near is None or near < least or best.passage.is_navigation:
        return False
    return question.coverage(text_of(best.passage)) + MEANS * near >= meant


def _stands_out(ranked: Sequence[Ranked]) -> bool:
    """Tell whether the best passage is near to what is meant and clearly the nearest; all others were compared, too."""
    best, *others = (nearness(item.passage) or 0.0 for item in ranked)
    return not ranked[0].passage.is_navigation and 2 * best - max(others, default=0.0) >= STANDS_OUT


def _strength(question: Question, item: Ranked) -> float:
    own = question.coverage(Text.of(item.passage.heading))
    fits, near = 0.3 * _fits(question, item), NEARNESS * (nearness(item.passage) or 0.0)
    return item.coverage + _place(question, item) + 0.5 * own + fits + near + 0.1 * item.passage.score


def nearness(passage: Passage) -> float | None:
    """Return how near a passage, or what is nearest of it, is to what is meant; None where no model compared them."""
    compared = [each[0] for each in passage.likeness if each]
    return max(compared) if compared else passage.cosine


def _place(question: Question, item: Ranked) -> float:
    """Return the share of the question that the headings say together with one sentence, row or item."""
    passage = item.passage
    pieces = (Text.of(passage.title, passage.section, piece.above, piece.text) for piece in passage.pieces)
    return max(map(question.coverage, pieces), default=0.0)


def _fits(question: Question, item: Ranked) -> bool:
    """Tell whether the passage holds the kind of thing that is asked for."""
    plain = normalise(item.passage.text)
    return all(pattern.search(plain) for kind, pattern, _ in SHAPES if kind in question.wanted)


def _searched(term: Term) -> tuple[str, ...]:
    return term.renderings[:_SEARCHED] or ((term.word,) if term.word.isascii() else ())


def _terms_of_chinese(plain: str) -> list[Term]:
    latin = [_latin(word) for word in latin_words(plain) if word not in STOP_ENGLISH]
    return [*latin, *(term for run in _runs(plain) for each in to_english(run) for term in _chinese(each))]


def _runs(plain: str) -> list[str]:
    """Return the Chinese of a question without what only makes it one; words of the list are not cut by that."""
    kept = (
        each.said if each.others and len(each.said) > 1 else STOP_PHRASE.sub(" ", each.said)
        for each in to_english(plain)
    )
    return "".join(kept).split()


def _chinese(rendered: Rendered) -> list[Term]:
    said = rendered.said
    if said in STOP_CHINESE:
        return []
    does = bool(rendered.others) and stem(rendered.others[0]) in _DEEDS
    if rendered.others:
        weight = 0.15 if said in LIGHT_CHINESE else 0.4 if len(said) == 1 else 0.6 if does else 1.0
        return [Term(said, said, frozenset(), weight, exact=False, does=does, renderings=rendered.others)]
    told = [character for character in said if character not in WEAK_CHINESE]
    if not told or said in LIGHT_CHINESE:
        return []
    weight = 0.2 if len(told) == 1 else 1.0
    return [Term(said, said, frozenset(), weight, exact=False, does=len(told) == 1)]


def _terms_of_english(plain: str) -> list[Term]:
    words = to_chinese(plain)
    verbs = {one.said for before, one in pairwise(words) if before.said in BEFORE_VERBS}
    return [term for each in words for term in _english(each, verb=each.said in verbs)]


def _english(rendered: Rendered, *, verb: bool) -> list[Term]:
    said = rendered.said
    if said in STOP_ENGLISH:
        return []
    if is_identifier(said):
        return [_latin(said)]
    light = said in LIGHT_ENGLISH or is_generic(said)
    weight = 0.4 if light or (verb and not rendered.others) else 0.6 if verb else 1.0
    return [Term(said, stem(said), frozenset(), weight, exact=False, does=verb, renderings=rendered.others)]


def _latin(word: str) -> Term:
    return Term(word, stem(word), frozenset(), 1.0, exact=is_identifier(word))
