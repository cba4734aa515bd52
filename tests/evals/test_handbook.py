"""The sample handbook is a real one: it parses, its links lead somewhere, and the cases point at what stands there."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from evals.cases import SHIPPED, CaseKind, QuestionCase, load_questions
from search.parsing.converted import ParsedPage
from search.parsing.markdown.sections import parse_markdown

HANDBOOK = Path(__file__).resolve().parents[2] / "sample" / "handbook"
PAGES = sorted(path.relative_to(HANDBOOK).as_posix() for path in HANDBOOK.rglob("*.md"))
PEOPLE = yaml.safe_load((HANDBOOK.parent / "people.yaml").read_text(encoding="utf-8"))["people"]
QUESTIONS = [case for name in ("rules", "held_out") for case in load_questions(SHIPPED / f"{name}.yaml").cases]
PRINCIPAL = re.compile(r"public|staff|(?:group|unit|role|person):[a-z-]+")
LINK = re.compile(r"\]\((?P<page>[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")


@cache
def _parsed(page: str) -> ParsedPage:
    return parse_markdown((HANDBOOK / page).read_text(encoding="utf-8"), path=page)


@cache
def _allowed(page: str) -> frozenset[str]:
    """Return who may read a page by the nearest rule, read here independently of the search."""
    own = _parsed(page).front_matter.get("access")
    if isinstance(own, dict):
        return frozenset(own["allow"])
    for folder in (HANDBOOK / page).parents:
        if (folder / ".access.yaml").is_file():
            return frozenset(yaml.safe_load((folder / ".access.yaml").read_text(encoding="utf-8"))["allow"])
        if folder == HANDBOOK:
            break
    return frozenset()


def _principals(asker: str) -> frozenset[str]:
    person = next(person for person in PEOPLE if person["id"] == asker)
    return frozenset(
        {"public", "staff", f"person:{asker}"}
        | {f"group:{name}" for name in person["groups"]}
        | {f"unit:{name}" for name in person["units"]}
        | {f"role:{name}" for name in person["roles"]}
    )


def _sections(page: str) -> set[str]:
    return {" > ".join(section.path) for section in _parsed(page).root.walk() if section.path}


def test_there_are_as_many_pages_as_promised() -> None:
    chinese = [page for page in PAGES if page.startswith("zh/")]

    assert len(chinese) >= 15
    assert len(PAGES) - len(chinese) >= 40


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_front_matter_one_title_and_substance(page: str) -> None:
    parsed = _parsed(page)
    top = [section for section in parsed.root.children if section.level == 1]

    assert not parsed.problem
    assert parsed.updated is not None
    assert parsed.front_matter["title"]
    assert parsed.front_matter["owner"]
    assert [section.heading for section in top] == [parsed.front_matter["title"]]
    assert len(top[0].children) >= 4
    words = len(re.findall(r"[A-Za-z0-9]+|[\u4e00-\u9fff]", parsed.text))
    assert 250 <= words <= 1_200, f"{words} words"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_section_that_exist(page: str) -> None:
    assert [found.group() for found in LINK.finditer(_parsed(page).text) if not _leads_somewhere(page, found)] == []


def _leads_somewhere(page: str, found: re.Match[str]) -> bool:
    target = (HANDBOOK / page).parent / found["page"] if found["page"] else HANDBOOK / page
    if not target.is_file() or not found["anchor"]:
        return target.is_file()
    name = target.resolve().relative_to(HANDBOOK).as_posix()
    return found["anchor"] in {section.anchor for section in _parsed(name).root.walk()}


def test_access_rules_name_known_principals_and_every_kind_is_used() -> None:
    principals = {principal for page in PAGES for principal in _allowed(page)}

    assert all(PRINCIPAL.fullmatch(principal) for principal in principals)
    assert {principal.partition(":")[0] for principal in principals} == {
        "public", "staff", "group", "unit", "role", "person",
    }  # fmt: skip


def test_exactly_one_page_was_left_without_access() -> None:
    assert [page for page in PAGES if not _allowed(page)] == ["projects/cold-chain-pilot.md"]


def test_two_pages_that_staff_can_read_disagree_by_date() -> None:
    new, old = _parsed("it/vpn.md"), _parsed("it/remote-access-standard-2024.md")

    assert new.updated is not None
    assert old.updated is not None
    assert new.updated > old.updated
    assert "A session lasts **10 hours**" in new.text
    assert "up to **24 hours**" in old.text
    assert _allowed("it/vpn.md") == _allowed("it/remote-access-standard-2024.md") == {"staff"}


@pytest.mark.parametrize("case", QUESTIONS, ids=lambda case: case.id)
def test_a_question_points_at_what_its_asker_may_read_or_may_not(case: QuestionCase) -> None:
    principals = _principals(case.asker)
    for accepted in case.accept:
        assert accepted.section in _sections(accepted.page)
        assert _allowed(accepted.page) & principals
    if case.kind is CaseKind.FORBIDDEN:
        assert case.hidden in PAGES
        assert not _allowed(case.hidden) & principals
        assert any(word in (HANDBOOK / case.hidden).read_text(encoding="utf-8") for word in case.absent)
