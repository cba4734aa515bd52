"""The page that tells why a passage was found: to whom, with whose rights, and what stays closed."""

import pytest

from bot.rendering.texts.catalogue import has
from features.knowledge.pages.slopes import slopes
from identity.actor import local_operator
from search.documents import Chunk, Hit, Signals
from search.ranking.choosing import Cause
from search.ranking.explanation import Absence, Explained, Leg, PassagePlace
from tests.console.site import Browser, Seen, Site, look

EVIL = "<script>alert(1)</script> vpn"


async def searched(browser: Browser, question: str, person: str = "") -> Seen:
    return look(await browser.post("/retrieval", {"q": question, "person": person}))


async def noted(site: Site) -> list[tuple[str, str]]:
    entries = await site.desk.audit.entries(local_operator(), action="knowledge.search_as")
    return [(entry.actor_id, entry.resource) for entry in entries]


async def test_ones_own_question_shows_each_legs_rank_and_the_words_that_are_met(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    page = await browser.get("/retrieval?q=How+long+does+a+VPN+session+last%3F")

    assert page.status == 200
    assert "/knowledge/page/handbook/vpn.md#session-length" in page.links
    for words in ("Words bm25", "Meaning dense", "A VPN session ends after 12 hours", "staff"):
        assert words in page.text
    assert page.all("li", **{"class": "mark met"})
    assert page.all("li", **{"class": "mark missing"})
    assert page.all("svg", **{"class": "bar"})
    assert page.all("polyline")
    assert page.all("select", name="person") == []
    assert await noted(desk_site) == []


async def test_only_who_manages_the_knowledge_looks_through_somebody_elses_eyes(desk_site: Site) -> None:
    ben, cleo = await desk_site.browser("ben"), await desk_site.browser("cleo")
    refused, unknown = await searched(ben, "vpn", "ada"), await searched(ben, "vpn", "nobody")
    allowed = await searched(cleo, "vpn", "ada")

    assert refused.status == unknown.status == 403
    assert refused.html == unknown.html
    assert allowed.status == 200
    assert "VPN" in allowed.text
    assert allowed.all("option", value="ada", selected="") or allowed.all("option", value="ada")
    assert await noted(desk_site) == [("cleo", "person:ada")]


async def test_an_address_never_searches_as_somebody_else(desk_site: Site) -> None:
    """A link that an admin is led to must not write into the audit trail under their name."""
    cleo = await desk_site.browser("cleo")
    page = await cleo.get("/retrieval?q=vpn&person=ada")
    unsigned = await cleo.client.post("/retrieval", data={"q": "vpn", "person": "ada"})

    assert page.status == 200
    assert unsigned.status_code == 403
    assert await noted(desk_site) == []


async def test_what_the_visitor_may_not_read_is_left_out(desk_site: Site) -> None:
    """The operator may read about salaries; an admin who searches as the operator learns nothing of it."""
    cleo = await desk_site.browser("cleo")
    page = await searched(cleo, "band seven salary", "operator")

    assert page.status == 200
    for word in ("71,000", "Salary bands", "salaries.md", "group:hr", "Kept back"):
        assert word not in page.html
    assert "Nothing was found that may be read." in page.text


async def test_odd_questions_get_words_instead_of_a_table(desk_site: Site) -> None:
    cleo = await desk_site.browser("cleo")
    empty, wordless = await searched(cleo, "  "), await searched(cleo, "?!\x00")
    nobody, evil = await searched(cleo, "vpn", "zoe"), await searched(cleo, EVIL, "ada")

    assert (empty.status, empty.all("table")) == (200, [])
    assert "There is no word in it" in wordless.text
    assert nobody.status == 400
    assert nobody.all("p", role="alert")
    assert evil.status == 200
    assert all(attributes.get("src") for attributes in evil.all("script"))
    assert not [name for _, attributes in evil.tags for name in attributes if name.startswith("on") or name == "style"]


async def test_it_speaks_the_readers_language(desk_site: Site) -> None:
    page = await searched(await desk_site.browser("bao"), "VPN 会话多久结束")

    assert "语义 dense" in page.text
    assert "最终次序" in page.text
    assert "VPN 使用说明" in page.text


async def test_it_stands_in_the_navigation_of_who_manages_and_beside_every_run(desk_site: Site) -> None:
    ada, cleo = await desk_site.browser("ada"), await desk_site.browser("cleo")

    assert "/retrieval" in (await cleo.get("/tickets")).links
    assert "/retrieval" not in (await ada.get("/tickets")).links


CHUNK = Chunk("book:page.md", 0, (), "", "text", 1)
HIT = Hit(CHUNK, "book", "page.md", "Page", "en", None, 0.5, Signals())


def hit(**places: int) -> Explained:
    ranks = {name: PassagePlace(rank, 1.0, 1.0) for name, rank in places.items()}
    return Explained(HIT, "", 0.5, ranks, coverage=1.0, meets=(), heading=0.0, authz="staff")


@pytest.mark.parametrize("names", [("bm25",), ("bm25", "dense"), ("bm25", "dense", "title")])
def test_the_picture_has_a_column_for_each_leg_that_took_part_and_one_for_the_order(names: tuple[str, ...]) -> None:
    legs = [Leg(name, 0.5, 3) for name in names] + [Leg("away", 0.0, 0, Absence.MODEL)]
    picture = slopes(legs, [hit(bm25=2), hit(bm25=1, dense=40)])
    first, second = picture.lines

    assert [name for name, _ in picture.columns] == [*names, ""]
    assert first.dots[0].rank == "2"
    assert [dot.rank for dot in second.dots][:: len(names)] == ["1", "2"]
    assert second.dots[0].y < first.dots[0].y
    assert first.dots[-1].y < second.dots[-1].y
    assert all(0 < dot.x < picture.width and 0 < dot.y < picture.height for line in picture.lines for dot in line.dots)
    if "dense" in names:
        assert (first.dots[1].y, second.dots[1].y) == (picture.absent, picture.later)
        assert first.dots[1].rank == second.dots[1].rank == ""


def test_every_code_has_its_words() -> None:
    keys = [f"absence.{each}" for each in Absence] + [f"cause.{each}" for each in Cause]
    keys += [f"timing.{each}" for each in ("embed", "legs", "order")]

    assert [key for key in keys if not has(f"console.retrieval.{key}")] == []
