"""Whatever a model writes and a page says: what stays is quoted from the page, and leads to named hosts only."""

import time

from hypothesis import given
from hypothesis import strategies as st

from agent.brains.output import Claim, Reply
from agent.grounding.citations import check
from agent.grounding.links import Allowed, allowed_only, has_address, without_addresses
from agent.grounding.support import plain, support
from agent.runs.answer import Answered
from tests.agent.test_citations import LEAVE, VPN, passage
from tests.fuzz import texts

#: Seconds of the processor for one answer; the slowest takes a tenth.
LONGEST_S = 1.0
#: Neither a page nor a reply holds half a character: its reader takes it out.
_markdown = texts.markdown.map(lambda text: text.encode("utf-8", "replace").decode())
_pages = st.just(VPN) | _markdown
_evidence = st.lists(st.sampled_from(("E1", "E2", "E9", "", "[1]", "e1", "E1]")), max_size=3)
_said = _markdown | st.sampled_from(
    [*VPN.split("\n"), *LEAVE.split("。"), VPN, "[1]", "[E1]", "A session ends after 12 hours."]
)
_words = st.lists(_said, max_size=3).map(" ".join).filter(bool)
_claims = st.lists(st.builds(Claim, text=_words, evidence=_evidence), min_size=1, max_size=4)


@given(_claims, _pages, _markdown, st.lists(_markdown, max_size=2))
def test_any_reply_is_checked(claims: list[Claim], page: str, asked: str, followups: list[str]) -> None:
    grounds = {"E1": passage(page), "E2": passage(LEAVE, number=2, document="handbook:hr/leave.md", title="Leave")}
    began = time.thread_time()
    answer = check(Reply(claims=claims, followups=followups), grounds, hosts=("desk.example",), asked=asked).answer
    assert time.thread_time() - began < LONGEST_S
    if isinstance(answer, Answered):
        assert answer.text.strip()
        assert answer.citations
        assert {citation.number for citation in answer.citations} == set(range(1, len(answer.citations) + 1))
        assert "https://a.example" not in answer.text
        assert {citation.title for citation in answer.citations} <= {"VPN", "Leave"}


@given(texts.markdown, texts.markdown)
def test_support_of_any_text_is_a_share(claim: str, text: str) -> None:
    began = time.thread_time()
    assert 0.0 <= support(claim, text).score <= 1.0
    plain(claim)
    assert time.thread_time() - began < LONGEST_S


@given(texts.markdown | texts.html)
def test_no_address_is_left_of_any_text(text: str) -> None:
    clean = allowed_only(text, Allowed.of(("desk.example",)))
    assert "://a.example" not in clean
    assert allowed_only(clean, Allowed.of(("desk.example",))) == clean
    assert not any(has_address(piece) for piece in without_addresses(text))
