"""What people typed, made safe to keep."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tickets.content import clean_line, clean_paragraph

ANYTHING = st.text(alphabet=st.characters(), max_size=300)  # surrogates and controls too


@given(ANYTHING)
def test_a_line_is_one_line_that_any_database_can_hold(text: str) -> None:
    line = clean_line(text)
    assert line == line.strip()
    assert not [character for character in line if unicodedata.category(character) in ("Cc", "Cs")]
    line.encode()


@given(ANYTHING)
def test_a_paragraph_keeps_no_control_character_but_line_ends_and_tabs(text: str) -> None:
    paragraph = clean_paragraph(text)
    kept = paragraph.replace("\n", "").replace("\t", "")
    assert not [character for character in kept if unicodedata.category(character) in ("Cc", "Cs")]
    assert "\n\n\n" not in paragraph
    paragraph.encode()


def test_lines_stay_and_endless_gaps_go() -> None:
    assert clean_paragraph("one\r\n\r\n\r\n\r\ntwo\rthree  \n") == "one\n\ntwo\nthree"


def test_text_cannot_reorder_what_stands_around_it() -> None:
    assert clean_line("invoice\u202egnp.exe\u2069") == "invoicegnp.exe"


def test_emoji_and_chinese_stay_as_they_are() -> None:
    assert clean_line("打印机 👩‍💻 坏了") == "打印机 👩‍💻 坏了"


def test_secrets_are_not_kept() -> None:
    secret = "ghp_" + "a1B2" * 9
    assert secret not in clean_line(f"my token is {secret}")
    assert secret not in clean_paragraph(f"line\nmy token is {secret}\nline")
