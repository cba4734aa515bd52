"""Everyday phrases are looked up in the words that pages use, and what only looks like one stays as it is."""

import pytest

from language.synonyms.idioms import in_words_of_pages


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("how do i book my holidays", "how do i ask for leave"),
        ("when do we get paid in december", "when do we payday wages in december"),
        ("can my brother stay the night", "can my brother overnight visitor"),
        ("who can sign off 3k", "who can approve a purchase of 3k"),
        ("somebody left a jumper here", "somebody found lost property a jumper here"),
        ("when do they run out", "when do they expire and lapse"),
        ("几点下班", "工作时间"),
        ("怎么请个假", "怎么请假"),
        ("今天能跟小李换个班吗", "今天能换班吗"),
        ("payslip 在哪看", "工资条 在哪看"),
    ],
)
def test_phrases_are_put_in_the_words_of_pages(said: str, meant: str) -> None:
    assert in_words_of_pages(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "do i get paid for overtime",
        "can i book a holiday home through work",
        "what is the late shift",
        "we ran out of toner",
        "he left the company in June",
        "it threw up an error",
        "when is the holiday party",
        "报警找谁",
        "加班怎么报备",
    ],
)
def test_other_words_stay(said: str) -> None:
    assert in_words_of_pages(said) == said
