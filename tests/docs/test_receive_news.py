"""`docs/how-to/receive-news-by-webhook.md`: its snippet takes what the desk signs, and nothing else."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from bot.delivery.news.webhook import signature
from tests.architecture.source import ROOT
from tests.docs.pages import Page

SOURCE = ROOT / "docs" / "how-to" / "receive-news-by-webhook.md"
SECRET, BODY = "a secret of sixteen or more", '{"title": "新消息"}'.encode()


@pytest.fixture(scope="module")
def verified() -> Callable[[str, str, str, bytes], bool]:
    (snippet,) = Page(SOURCE, SOURCE.read_text(encoding="utf-8")).blocks("python")
    made: dict[str, Any] = {}
    exec(snippet, made)
    found: Callable[[str, str, str, bytes], bool] = made["verified"]
    return found


def test_what_the_desk_signs_is_verified(verified: Callable[[str, str, str, bytes], bool]) -> None:
    now = str(int(time.time()))
    signed = signature(SECRET, now, BODY)
    assert verified(SECRET, now, signed, BODY)
    assert not verified("another secret, as long", now, signed, BODY)
    assert not verified(SECRET, now, signed, BODY + b" ")
    assert not verified(SECRET, str(int(now) + 1), signed, BODY)
    old = str(int(now) - 3600)
    assert not verified(SECRET, old, signature(SECRET, old, BODY), BODY)
    assert not verified(SECRET, "now", signed, BODY)
