"""Pages of a web site: an answer leads to where they stand, for as long as they stand there."""

from collections.abc import AsyncIterator, Mapping

import pytest

from identity.actor import local_operator
from search.uploads.upload_folder import Arrival
from tests.fakes.website import Served, Website, links, page
from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.stage import Stage
from tests.search.crawling.crawling import Crawls

QUESTION, ANSWER = "How often is the harbour crane inspected?", "nine weeks"
CRANE = "<h1>Harbour crane</h1><p>The harbour crane is inspected every nine weeks.</p>"
SITE: Mapping[str, Served] = {
    "/help/": page("<h1>Help</h1><p>What the harbour knows.</p>" + links("crane"), title="Help"),
    "/help/crane": page(CRANE, title="Harbour crane"),
}


async def bring_in(stage: Stage, crawls: Crawls) -> None:
    """Crawl the site and index what came of it, as the command does."""
    report = await crawls("/help/")
    operator, search = local_operator(), stage.desk.search
    await search.add_folder(operator, crawls.folder, allow=("staff",), name="harbour", site=report.site)
    await search.embed_pending()


@on_every_platform
async def test_an_answer_leads_to_the_page_on_its_site_until_it_is_gone(
    stage: Stage, website: Website, crawls: Crawls
) -> None:
    website.served = dict(SITE)
    await bring_in(stage, crawls)
    seen = await stage.say("ada", QUESTION)

    assert ANSWER in seen.text
    assert f"{website.url}/help/crane" in seen.links

    website.served = {"/help/": page("<h1>Help</h1><p>What the harbour knows.</p>", title="Help")}
    await bring_in(stage, crawls)
    seen = await stage.say("ada", QUESTION)

    assert ANSWER not in seen.text
    assert f"{website.url}/help/crane" not in seen.links
    assert "I found nothing about “harbour crane”" in seen.text


async def pieces(content: str) -> AsyncIterator[bytes]:
    yield content.encode()


@on("memory", "web", "slack_http", "teams_cards", "terminal")
@pytest.mark.parametrize("url", ["https://evil.example/crane", "https://evil.example@wiki.example.org/crane"])
async def test_an_uploaded_page_leads_to_the_desks_copy_whatever_it_says(stage: Stage, url: str) -> None:
    uploads, operator = stage.desk.uploads, local_operator()
    told = f"---\nurl: {url}\n---\n# Harbour crane\n\nThe harbour crane is inspected every nine weeks.\n"
    arrival: Arrival = await uploads.arrive(operator, "crane.md", pieces(told))
    await uploads.add(operator, "harbour", [arrival], allow=("staff",))
    await stage.desk.search.embed_pending()
    seen = await stage.say("ada", QUESTION)

    assert ANSWER in seen.text
    assert "evil.example" not in seen.text
    assert any("/knowledge/page/harbour/crane.md" in link for link in seen.links)
    assert not [link for link in seen.links if "evil.example" in link]
