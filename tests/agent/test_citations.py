"""After generation: what stays was retrieved, is carried by its passage, and is quoted verbatim."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.brains.output import Claim, Reply
from agent.grounding.citations import Checked, check
from agent.grounding.support import support
from agent.results import DocumentSource, Passage, Passages
from agent.runs.answer import Answered, NoEvidence
from agent.tools.evidence import Found, Ground
from tests.scale import scaled

VPN = (
    "## Sign in\n\nOpen the VPN client and sign in with your badge number. A session ends after 12 hours.\n\n"
    "- Do not share your token with anybody.\n- Call extension 4411 when it fails.\n\n"
    "| Region | Host |\n| --- | --- |\n| Berlin | vpn-ber-01 |\n\n```\nvpnctl connect --region berlin\n```\n"
)
LEAVE = "员工每年有 20 天年假。申请须至少提前 5 个工作日提交。未经批准不得休假。"


def passage(
    text: str = VPN,
    *,
    number: int = 1,
    document: str = "handbook:it/vpn.md",
    title: str = "VPN",
    section: str = "VPN > Sign in",
    updated: date | None = None,
    coverage: float = 1.0,
) -> Ground:
    source = DocumentSource(
        title=title,
        section=section,
        source=document.partition(":")[2],
        source_name="handbook",
        chunk_id=f"{document}#0",
        document_id=document,
        anchor="sign-in",
        updated=updated.isoformat() if updated else "",
        coverage=coverage,
    )
    return ground_of(Passage(text, source), number=number)


def ground_of(item: Passage, *, number: int = 1) -> Ground:
    found = Found()
    for before in range(1, number):
        found.number(f"another {before}")
    found.take([Passages((item,), ranked=True)])
    return found.grounds[f"E{number}"]


def checked(*claims: Claim, passages: tuple[Ground, ...] = (passage(),), hosts: tuple[str, ...] = ()) -> Checked:
    known = {item.evidence.evidence_id: item for item in passages}
    return check(Reply(claims=list(claims)), known, hosts=hosts)


def said(text: str, *evidence: str) -> Claim:
    return Claim(text=text, evidence=list(evidence))


@pytest.mark.parametrize(
    "claim",
    [
        "Open the VPN client and sign in with your badge number.",
        "You sign in to the VPN client with your badge number.",
        "A VPN session ends after 12 hours.",
        "A session ends after **twelve** hours.",
        "Never share your token with anybody.",
        "Call extension 4411.",
        "| Region | Host |\n| --- | --- |\n| Berlin | vpn-ber-01 |",
        "```\nvpnctl connect --region berlin\n```",
        "Use `vpnctl connect --region berlin` to connect to the region.",
    ],
)
def test_what_the_passage_says_stays(claim: str) -> None:
    result = checked(said(claim, "E1"))
    assert isinstance(result.answer, Answered), result.dropped
    assert result.answer.citations[0].quote in VPN


@pytest.mark.parametrize(
    ("claim", "evidence", "reason"),
    [
        ("A session ends after 8 hours.", ["E1"], "unsupported"),
        ("A session ends after 120 hours.", ["E1"], "unsupported"),
        ("Connect to vpn-ber-02.", ["E1"], "unsupported"),
        ("Share your token with anybody.", ["E1"], "unsupported"),
        ("The VPN client cannot be opened with your badge number to sign in.", ["E1"], "unsupported"),
        ("The cafeteria opens at noon for all guests.", ["E1"], "unsupported"),
        ("Open the VPN client.", ["E2"], "unknown_evidence"),
        ("Open the VPN client.", ["E1", "E2"], "unknown_evidence"),
        ("Open the VPN client.", [], "no_evidence"),
        ("http://evil.test/", ["E1"], "empty"),
    ],
)
def test_what_it_does_not_say_is_dropped(claim: str, evidence: list[str], reason: str) -> None:
    result = checked(said(claim, *evidence))
    assert isinstance(result.answer, NoEvidence)
    assert [item.reason for item in result.dropped] == [reason]


@pytest.mark.parametrize(
    ("claim", "stays"),
    [
        ("员工每年有 20 天年假。", True),
        ("每年的年假为 20 天。", True),
        ("年假申请须提前 5 个工作日提交。", True),
        ("每年有 25 天年假。", False),
        ("未经批准可以休假。", False),
        ("食堂中午十二点开门。", False),
        ("Annual leave is 20 days.", True),
        ("Annual leave is 25 days.", False),
        ("Annual leave is generous.", False),
    ],
)
def test_chinese_and_across_languages(claim: str, stays: bool) -> None:
    result = checked(said(claim, "E1"), passages=(passage(LEAVE, title="年假", section="年假 > 天数"),))
    assert isinstance(result.answer, Answered if stays else NoEvidence)


def test_only_the_unsupported_claim_is_dropped_and_numbers_stay_in_order() -> None:
    other = passage(LEAVE, number=2, document="handbook:zh/leave.md", title="年假", section="年假")
    result = checked(
        said("员工每年有 20 天年假。", "E2"),
        said("A session ends after 99 hours.", "E1"),
        said("Call extension 4411 when it fails.", "E1"),
        passages=(passage(), other),
    )
    answer = result.answer
    assert isinstance(answer, Answered)
    assert answer.text == "员工每年有 20 天年假。 [1] Call extension 4411 when it fails. [2]"
    assert [citation.evidence_id for citation in answer.citations] == ["E2", "E1"]
    assert [item.text for item in result.dropped] == ["A session ends after 99 hours."]


def test_the_quote_is_the_sentence_that_carries_the_claim() -> None:
    result = checked(said("The session ends after 12 hours.", "E1"))
    assert isinstance(result.answer, Answered)
    assert result.answer.citations[0].quote == "A session ends after 12 hours."


def test_a_quote_carries_no_address_and_no_secret() -> None:
    text = "Sign in at https://evil.test/login with your badge number. The key AKIAIOSFODNN7EXAMPLE opens it."
    result = checked(said("Sign in with your badge number.", "E1"), passages=(passage(text),))
    assert isinstance(result.answer, Answered)
    quote = result.answer.citations[0].quote
    assert quote in text
    assert "evil" not in quote
    assert "AKIA" not in quote


def test_marks_that_a_model_wrote_itself_are_taken_out() -> None:
    result = checked(said("Call extension 4411 when it fails [7].", "E1"))
    assert isinstance(result.answer, Answered)
    assert result.answer.text == "Call extension 4411 when it fails. [1]"


def test_list_items_stand_on_their_own_lines() -> None:
    result = checked(
        said("Open the VPN client and sign in with your badge number.", "E1"),
        said("- Do not share your token with anybody.", "E1"),
        said("- Call extension 4411 when it fails.", "E1"),
    )
    assert isinstance(result.answer, Answered)
    assert result.answer.text == (
        "Open the VPN client and sign in with your badge number. [1]\n\n"
        "- Do not share your token with anybody. [1]\n- Call extension 4411 when it fails. [1]"
    )


OLD = "Passwords must have at least 8 characters and change every 90 days."
NEW = "Passwords must have at least 14 characters and change every 365 days."


def disagreeing(*, newer: str = "E2") -> tuple[Ground, Ground]:
    dates = {"E1": date(2023, 1, 5), "E2": date(2025, 6, 1)}
    if newer == "E1":
        dates = {"E1": date(2025, 6, 1), "E2": date(2023, 1, 5)}
    return (
        passage(OLD if newer == "E2" else NEW, document="h:a.md", title="Password rules", updated=dates["E1"]),
        passage(
            NEW if newer == "E2" else OLD, number=2, document="h:b.md", title="Password policy", updated=dates["E2"]
        ),
    )


@pytest.mark.parametrize("newer", ["E1", "E2"])
def test_where_two_pages_disagree_the_newer_one_is_followed_and_the_conflict_named(newer: str) -> None:
    passages = disagreeing(newer=newer)
    result = checked(said(passages[0].text, "E1"), said(passages[1].text, "E2"), passages=passages)

    answer = result.answer
    assert isinstance(answer, Answered)
    assert "14 characters" in answer.text
    assert "8 characters" not in answer.text
    (conflict,) = answer.conflicts
    by_number = {citation.number: citation for citation in answer.citations}
    assert by_number[conflict.newer].updated > by_number[conflict.older].updated
    assert [item.reason for item in result.dropped] == ["superseded"]


def test_numbers_of_different_things_do_not_conflict() -> None:
    """Seen in the sample handbook: the limits of expenses are no newer version of those of purchases."""
    one = passage(
        "Your manager up to 500 euros, the head of department up to 2,500, above that the finance director.",
        title="Expenses",
        section="Expenses > Who approves",
        updated=date(2026, 1, 1),
    )
    two = passage(
        "| Amount | Who approves |\n| --- | --- |\n| 5,001 to 50,000 | head of department and Procurement |",
        number=2,
        document="h:b.md",
        title="Purchasing",
        section="Purchasing > Who approves",
        updated=date(2025, 1, 1),
    )
    result = checked(
        said(one.text, "E1"),
        said("| 5,001 to 50,000 | head of department and Procurement |", "E2"),
        passages=(one, two),
    )
    assert isinstance(result.answer, Answered)
    assert result.answer.conflicts == ()
    assert result.dropped == ()


def test_a_quote_is_the_whole_sentence_even_over_a_line_break() -> None:
    text = "On trains, set *TCP fallback* in the client's\noptions; many guest networks throttle UDP. Then try again."
    result = checked(said("Set TCP fallback in the client's options on trains.", "E1"), passages=(passage(text),))
    assert isinstance(result.answer, Answered)
    assert result.answer.citations[0].quote == (
        "On trains, set *TCP fallback* in the client's\noptions; many guest networks throttle UDP."
    )


def test_a_table_is_quoted_by_the_row_that_tells_it_not_by_its_header() -> None:
    header = "| Years with the company | Days of leave a year |\n| --- | --- |"
    text = f"Leave grows with the years:\n\n{header}\n| under 5 | 27 |\n| 5 to 10 | 28 |\n"
    result = checked(said(f"{header}\n| 5 to 10 | 28 |", "E1"), passages=(passage(text),))
    assert isinstance(result.answer, Answered)
    assert result.answer.citations[0].quote == "5 to 10 | 28 |"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Berlin office opens at 8.", "Printers print 30 pages a minute."),
        ("Who does rooms stays away 48 hours after the last time.", "A room that cannot be sold: 2 hours."),
    ],
)
def test_pages_about_different_things_do_not_conflict(first: str, second: str) -> None:
    one = passage(first, title="Berlin", section="Berlin", updated=date(2023, 1, 1))
    two = passage(second, number=2, document="h:b.md", title="Printers", section="Printers", updated=date(2025, 1, 1))
    result = checked(said(first, "E1"), said(second, "E2"), passages=(one, two))
    assert isinstance(result.answer, Answered)
    assert result.answer.conflicts == ()
    assert len(result.answer.citations) == 2


@pytest.mark.parametrize(("coverage", "confidence"), [(0.9, "high"), (0.6, "medium"), (0.1, "low")])
def test_confidence_follows_from_the_evidence(coverage: float, confidence: str) -> None:
    result = checked(said("Call extension 4411 when it fails.", "E1"), passages=(passage(coverage=coverage),))
    assert isinstance(result.answer, Answered)
    assert result.answer.confidence == confidence


VOCABULARY = frozenset(VPN.casefold().replace(".", "").split()) | {"99", "8", "never", "berlin", "open", "share"}
WORDS = st.sampled_from(sorted(VOCABULARY))


@settings(max_examples=scaled(2_000, least=100))
@given(st.lists(WORDS, min_size=1, max_size=12))
def test_no_number_reaches_an_answer_that_its_passage_does_not_hold(words: list[str]) -> None:
    """Whatever is claimed, 99 stands nowhere in the passage, so no claim with 99 may stay."""
    result = checked(said(" ".join(words), "E1"))
    if isinstance(result.answer, Answered):
        assert "99" not in words
        assert all(citation.quote in VPN for citation in result.answer.citations)


@pytest.mark.parametrize("text", ["", "   ", "***", "\n\n"])
def test_support_of_nothing_is_none(text: str) -> None:
    assert support(text, VPN).score == 0.0
    assert support("Open the VPN client.", text).score == 0.0


def test_a_citation_keeps_the_address_of_its_page_and_has_none_where_there_is_none() -> None:
    told = passage()
    assert isinstance(told.item, Passage)
    there = replace(told.item, source=replace(told.item.source, uri="https://docs.example.org/vpn"))
    for item, url in ((told.item, ""), (there, "https://docs.example.org/vpn")):
        answer = checked(said("A session ends after 12 hours.", "E1"), passages=(ground_of(item),)).answer
        assert isinstance(answer, Answered)
        assert [citation.url for citation in answer.citations] == [url]


def test_a_section_is_quoted_with_its_heading_and_its_lines_flow() -> None:
    text = "Open the VPN client\nand sign in.\n\n1. Wait.\n2. Work."
    answer = checked(
        Claim(text=f"**Sign in**\n\n{text}", evidence=["E1"]), passages=(passage(text, section="VPN > Sign in"),)
    ).answer

    assert isinstance(answer, Answered)
    assert answer.text == "**Sign in**\n\nOpen the VPN client and sign in.\n\n1. Wait.\n2. Work. [1]"


def test_sections_are_set_apart_by_an_empty_line() -> None:
    first, second = (
        passage("Open the client.", section="VPN > Sign in"),
        passage("Press End.", number=2, section="VPN > End"),
    )
    claims = (said("**Sign in**\n\nOpen the client.", "E1"), said("**End**\n\nPress End.", "E2"))
    answer = checked(*claims, passages=(first, second)).answer

    assert isinstance(answer, Answered)
    assert answer.text == "**Sign in**\n\nOpen the client. [1]\n\n**End**\n\nPress End. [2]"
