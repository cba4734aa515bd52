"""Which page is wanted in short: read from words, and what is no page is left alone."""

import pytest

from features.knowledge.routing import topic_of


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Summarise the travel policy", "travel"),
        ("give me a short summary of Business travel", "Business travel"),
        ("tl;dr parental leave", "parental leave"),
        ("What's in the VPN guide?", "VPN"),
        ("sum up the page about expenses", "expenses"),
        ("summarise the incident runbook", "incident"),
        ("总结一下差旅政策", "差旅政策"),
        ("报销指南讲了什么？", "报销指南"),
        ("《安全手册》的主要内容", "安全手册"),
        ("summary of my tickets", ""),
        ("summarise this thread", ""),
        ("总结一下我的工单", ""),
        ("How do I summarise a meeting?", ""),
        ("what is in the fridge?", ""),
    ],
)
def test_the_page_that_is_meant(said: str, topic: str) -> None:
    assert topic_of(said) == topic
