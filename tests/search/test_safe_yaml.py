"""YAML of strangers: a plain line for whatever is too much, at once, and never the end of the process."""

import time
from datetime import date

import pytest

from search.parsing.markdown.front_matter import cut, read_front_matter
from search.parsing.markdown.safe_yaml import LONGEST, YamlRefused, load_plain
from storage.files.plain import DEEPEST
from tests.suite.hostile_yaml import HOSTILE


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_front_matter_that_is_too_much_is_one_line_at_once(name: str) -> None:
    block, why = HOSTILE[name]
    began = time.process_time()
    head, body = cut(f"---\n{block}---\nText.\n")
    front = read_front_matter(head)
    assert body == "Text.\n"
    assert why in front.problem
    assert "\n" not in front.problem
    assert len(front.problem) < 400
    assert front.values == {}
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "block",
    [
        "title: 0x" + "f" * 20_000,
        "title: " + "1" + ":1" * 5_000,
        "date: Mon, 01 Jan 2024 00:00:00 +9999999999",
        "title: {}",
    ],
)
def test_a_value_that_is_none_counts_as_not_named(block: str) -> None:
    front = read_front_matter(cut(f"---\n{block}\n---\n")[0])
    assert (front.title, front.updated, front.problem) == ("", None, "")


def test_a_title_is_cut_since_each_passage_carries_it() -> None:
    front = read_front_matter(cut(f"---\ntitle: {'long ' * 1_000}\n---\n")[0])
    assert len(front.title) == 300


def test_what_people_write_is_read() -> None:
    text = "title: A\ntags: [a, b]\naccess:\n  allow:\n    - staff\ndate: 2024-01-31\nanchor: &here x\n"
    assert load_plain(text) == {
        "title": "A",
        "tags": ["a", "b"],
        "access": {"allow": ["staff"]},
        "date": date(2024, 1, 31),
        "anchor": "x",
    }


def test_the_limits_are_met_exactly() -> None:
    assert load_plain("[" * DEEPEST + "]" * DEEPEST) is not None
    assert load_plain("a" * LONGEST) == "a" * LONGEST
    for too_much in ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "a" * (LONGEST + 1)):
        with pytest.raises(YamlRefused):
            load_plain(too_much)


@pytest.mark.parametrize("title", ["Rules: what holds", "VPN: set up (new): laptops", "值班: 谁来接"])
def test_a_title_with_a_colon_needs_no_quotes(title: str) -> None:
    front = read_front_matter(f"---\ntitle: {title}\naccess:\n  allow: [hr]\n---\n")

    assert (front.problem, front.title) == ("", title)
    assert front.values["access"] == {"allow": ["hr"]}


def test_a_colon_in_what_says_who_may_read_is_still_refused() -> None:
    front = read_front_matter("---\ntitle: Rules: what holds\naccess: allow: [hr]\n---\n")

    assert front.problem
    assert not front.values
