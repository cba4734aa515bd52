import pytest

from language.analysis import terms
from search.config import FusionConfig
from search.indexes.port import Candidate
from search.ranking.coverage import Coverage
from search.ranking.query import analyse
from search.ranking.ranking import alike, dense_weight, fuse, lead

CONFIG = FusionConfig()


def candidates(*scores: tuple[str, float]) -> tuple[Candidate, ...]:
    return tuple(Candidate(key=key, document=key, score=score) for key, score in scores)


def order(**legs: tuple[Candidate, ...]) -> list[str]:
    return [found.key for found in fuse(legs, CONFIG).ranked]  # type: ignore[arg-type]


def test_one_leg_alone_keeps_its_order() -> None:
    leg = candidates(("a", 3.0), ("b", 2.0), ("c", 1.0))
    assert order(bm25=leg) == order(dense=leg) == order(bm25=leg, dense=()) == ["a", "b", "c"]


def test_what_both_legs_find_comes_first() -> None:
    bm25 = candidates(("words", 10.0), ("both", 9.5), ("x", 1.0))
    dense = candidates(("meaning", 0.6), ("both", 0.59), ("y", 0.1))
    assert order(bm25=bm25, dense=dense)[0] == "both"


def test_a_close_match_of_meaning_outweighs_words_and_a_far_one_does_not() -> None:
    bm25 = candidates(("words", 10.0), ("x", 1.0))
    assert order(bm25=bm25, dense=candidates(("meaning", 0.9), ("y", 0.1)))[0] == "meaning"
    assert order(bm25=bm25, dense=candidates(("meaning", 0.3), ("y", 0.1)))[0] == "words"


def test_a_flat_leg_of_meaning_has_little_say_however_near_all_of_it_is() -> None:
    bm25 = candidates(("words", 10.0), ("x", 1.0))
    assert order(bm25=bm25, dense=candidates(("meaning", 0.9), ("y", 0.88)))[0] == "words"
    assert lead(candidates(("a", 0.9), ("b", 0.6))) == pytest.approx(0.75)
    assert lead(candidates(("a", 0.9))) == lead(candidates(("a", 1.0), ("b", 1.0))) == 0


def test_what_the_model_does_not_read_is_judged_by_words_alone() -> None:
    bm25 = candidates(("unread", 10.0), ("also unread", 9.0), ("read", 1.0))
    dense = candidates(("read", 0.9), ("other", 0.1))
    assert order(bm25=bm25, dense=dense)[0] == "read"
    fused = fuse({"bm25": bm25, "dense": dense}, CONFIG, unread={"unread", "also unread"})
    assert [found.key for found in fused.ranked][:3] == ["unread", "also unread", "read"]


def test_the_weight_of_meaning_rises_with_its_lead_within_its_bounds() -> None:
    weights = [dense_weight(best / 20, CONFIG) for best in range(21)]
    assert weights == sorted(weights)
    assert CONFIG.dense_least <= weights[0] < weights[-1] <= CONFIG.dense_most


def test_a_leg_that_has_seen_few_pages_has_little_say() -> None:
    bm25 = candidates(("words", 10.0), ("x", 1.0))
    dense = candidates(("meaning", 0.9), ("y", 0.1))
    assert fuse({"bm25": bm25, "dense": dense}, CONFIG, dense_share=0.1).ranked[0].key == "words"


def test_each_legs_judgement_is_kept() -> None:
    (found,) = fuse({"bm25": candidates(("a", 2.0)), "dense": candidates(("a", 0.5))}, CONFIG).ranked
    assert (found.bm25_rank, found.bm25, found.dense_rank, found.cosine) == (1, 2.0, 1, 0.5)
    assert found.score == pytest.approx(1.0)


def test_nothing_found_is_nothing() -> None:
    assert fuse({}, CONFIG).ranked == ()


def test_near_duplicates_are_told_by_their_words() -> None:
    one = frozenset("abcdefghij")
    assert alike(one, frozenset("abcdefghi"), least=0.9)
    assert not alike(one, frozenset("abcdefgxyz"), least=0.9)
    assert not alike(one, frozenset("abc"), least=0.9)
    assert not alike(one, frozenset(), least=0.9)
    assert not alike(frozenset(), frozenset(), least=0.9)


def covered(question: str, text: str, frequencies: dict[str, int] | None = None, total: int = 100) -> float:
    analysed = analyse(question)
    known = dict.fromkeys(terms(text), 2) | (frequencies or {})
    return Coverage(analysed.tokens, known, total).of(frozenset(terms(text)))


def test_coverage_is_one_when_everything_is_said_and_zero_when_nothing_is() -> None:
    assert covered("How do I reset my password?", "Resetting the password is easy.") == pytest.approx(1.0)
    assert covered("Who wins the league?", "Resetting the password is easy.") == 0.0
    assert covered("怎么申请年假", "申请年假要提前") == pytest.approx(1.0)
    assert covered("怎么做红烧肉", "申请年假要提前") == 0.0


def test_a_rare_word_that_is_missing_weighs_more_than_a_common_one_that_is_there() -> None:
    assert covered("vpn spaceship", "the vpn", {"vpn": 60}) < 0.3
    assert covered("vpn spaceship", "a spaceship", {"vpn": 60}) > 0.7


def test_pairs_across_two_chinese_words_do_not_count_as_missing() -> None:
    assert covered("公司年假", "公司的年假") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "text", "least", "most"),
    [
        ("TG-305", "code TG-305 means", 1.0, 1.0),
        ("TG-305", "TG means tunnel, 305 is a room", 0.0, 0.0),  # an identifier is met as a whole
        ("sign-in", "sign in with your badge", 0.5, 1.0),  # a compound of words also by them
    ],
)
def test_identifiers_are_met_as_a_whole(question: str, text: str, least: float, most: float) -> None:
    assert least <= covered(question, text) <= most
