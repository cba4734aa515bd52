"""Nonces of drafts: derived, one for each version."""

from hypothesis import given
from hypothesis import strategies as st

from tickets.ticket import nonce_of, version_of_nonce

KEY = b"sixteen bytes or more"


def test_a_nonce_is_128_bits_of_text_that_fits_a_url() -> None:
    nonce = nonce_of(KEY, "draft_1", version=1)
    assert len(nonce) == 22
    assert nonce.replace("-", "").replace("_", "").isalnum()


def test_each_version_draft_and_key_has_its_own() -> None:
    made = {nonce_of(key, draft, version=n) for key in (KEY, KEY + b"!") for draft in ("a", "b") for n in (1, 2)}
    assert len(made) == 8


def test_an_older_nonce_is_known_as_such() -> None:
    assert version_of_nonce(KEY, "draft_1", nonce=nonce_of(KEY, "draft_1", version=2), newest=3) == 2


def test_a_nonce_of_a_version_to_come_is_not_known() -> None:
    assert version_of_nonce(KEY, "draft_1", nonce=nonce_of(KEY, "draft_1", version=4), newest=3) is None


@given(st.text(max_size=40))
def test_a_made_up_nonce_is_nobody(nonce: str) -> None:
    assert version_of_nonce(KEY, "draft_1", nonce=nonce, newest=3) is None
