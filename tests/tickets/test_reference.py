"""How people name tickets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tickets.reference import Reference, mentions, number_of, parse


@pytest.mark.parametrize(
    "said",
    [
        "TCK-2026-000123",
        "tck-2026-000123",
        " tck 2026 000123 ",
        "TCK2026-000123",
        "TCK2026000123",
        "tck-2026-123",
        "2026-000123",
        "ＴＣＫ－２０２６－０００１２３",
        "TCK–2026–000123",
        "ticket TCK-2026-000123",
        "工单 TCK-2026-000123",
        "#TCK-2026-000123".replace("#", ""),
    ],
)
def test_the_full_form_is_read_however_it_is_typed(said: str) -> None:
    assert parse(said, "TCK") == Reference(sequence=123, year=2026)


@pytest.mark.parametrize(
    "said", ["123", "#123", "000123", "１２３", "TCK-123", "工单123", "第123号", "123号工单", "no. 123"]
)
def test_the_short_form_leaves_the_year_open(said: str) -> None:
    assert parse(said, "TCK") == Reference(sequence=123)


@pytest.mark.parametrize(
    "said", ["", "abc", "TCK-", "12 34", "TCK-2026-", "the printer", "1234567890", "ABC-2026-000123"]
)
def test_what_is_no_number_is_none(said: str) -> None:
    assert parse(said, "TCK") is None


@given(st.integers(2000, 2099), st.integers(1, 999_999))
def test_a_number_is_read_as_it_is_written(year: int, sequence: int) -> None:
    assert parse(number_of("TCK", year=year, sequence=sequence), "TCK") == Reference(sequence, year)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text: str) -> None:
    found = parse(text, "TCK")
    assert found is None or found.sequence > 0
    assert "" not in mentions(text, "TCK")


def test_a_sentence_names_its_tickets_in_order_and_once() -> None:
    said = "cancel tck-2026-7, keep TCK-2026-000009 and 工单TCK2026-000007；TCK-12"
    assert mentions(said, "TCK") == ("TCK-2026-000007", "TCK-2026-000009", "12")


def test_other_prefixes_are_not_ours() -> None:
    assert mentions("JIRA-2026-000001 and XTCK-2026-000001", "TCK") == ()
