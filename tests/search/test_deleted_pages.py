"""A page that is gone is cited by no answer from the next question on, in whichever process it was taken away."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.runs.answer import Answered
from bot.cli.talk.asking import ask
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import Settings, load
from identity.actor import local_operator
from search.config import ElasticsearchConfig
from search.embedding.onnx import OnnxEmbedder
from tests.scale import scaled

QUESTION = "How do I reset the Tidegate badge?"
PAGES = {
    "badge.md": "# Badges\n\n## Reset the Tidegate badge\n\nTo reset the Tidegate badge, hold it to the blue reader.\n",
    "desk.md": "# The service desk\n\n## Lost badges\n\nThe service desk resets a Tidegate badge that was lost.\n",
    "parking.md": "# Parking\n\nVisitors leave their car on deck four.\n",
}
EMBEDDER = OnnxEmbedder()


@pytest.fixture(params=["elasticsearch", "embedded"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    read = load(home=tmp_path / "home")
    if request.param == "embedded":
        return read
    cluster: ElasticsearchConfig = request.getfixturevalue("elasticsearch_config")
    return read.model_copy(update={"search": read.search.model_copy(update={"elasticsearch": cluster})})


@pytest.fixture
async def serving(settings: Settings) -> AsyncIterator[Desk]:
    async with await compose(settings, embedder=EMBEDDER) as desk:
        yield desk


@pytest.fixture
async def indexing(settings: Settings, serving: Desk) -> AsyncIterator[Desk]:
    """Return a desk on the same home with an index of its own, as another process has it."""
    async with await compose(settings, embedder=EMBEDDER) as desk:
        assert desk.search is not serving.search
        yield desk


async def cited(desk: Desk) -> set[str]:
    answer = (await ask(desk, local_operator(), QUESTION)).answer
    return {each.source for each in answer.citations} if isinstance(answer, Answered) else set()


async def test_a_deleted_page_is_cited_by_no_answer_from_the_next_question_on(
    serving: Desk, indexing: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    await indexing.search.add_folder(local_operator(), folder, allow=("staff",))
    for _ in range(scaled(20, least=2)):
        await indexing.search.embed_pending()
        assert "badge.md" in await cited(serving)
        (folder / "badge.md").unlink()
        assert (await indexing.search.refresh(local_operator())).removed == 1
        assert "badge.md" not in await cited(serving)
        (folder / "badge.md").write_text(PAGES["badge.md"], encoding="utf-8")
        assert (await indexing.search.refresh(local_operator())).added == 1
        assert "badge.md" in await cited(serving), "before its vectors are made"
    assert await indexing.search.remove(local_operator(), "pages") == len(PAGES)
    assert await cited(serving) == set()
