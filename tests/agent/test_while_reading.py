"""While vectors are still being made, the desk says so where it found nothing or is not sure; later it does not."""

import asyncio
from pathlib import Path

import pytest

from adapters.cards import Note
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.rendering.cards import answer_blocks
from bot.settings import load
from features.anatomy.reader import Reader
from identity.actor import local_operator
from language.scripts import Language
from tests.evals.asking import ask

_PEOPLE = "people:\n  - {id: ada, email: ada@pages.example, name: Ada, language: en, timezone: Europe/Amsterdam}\n"
_PAGE = "# House\n\n## Bikes\n\nBicycles stand behind the warehouse.\n\n# 房屋\n\n## 自行车\n\n自行车停在仓库后面。\n"
_WORDS = {"en": "still reading the documents", "zh": "还在读取文档"}
_ASKED = {"en": "how do comets get their tails?", "zh": "彗星的尾巴是怎么来的？"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_says_that_it_still_reads_as_long_as_that_is_true(language: Language, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "house.md").write_text(_PAGE, encoding="utf-8")
    people = tmp_path / "people.yaml"
    people.write_text(_PEOPLE, encoding="utf-8")

    async def play() -> tuple[str, str]:
        settings = load(home=tmp_path, people_file=people, database_url="", redis_url="", model="rules")
        async with await compose(settings) as desk:
            await desk.search.add_folder(local_operator(), pages, allow=("staff",))
            early = await _notes(desk, language)
            await desk.search.embed_pending()
            return early, await _notes(desk, language)

    early, late = asyncio.run(play())

    assert _WORDS[language] in early
    assert _WORDS[language] not in late


async def _notes(desk: Desk, language: Language) -> str:
    answer = await ask(desk, _ASKED[language], thread=f"thread-{language}")
    blocks = answer_blocks(answer, Reader(language=language), run_id="run")
    return "\n".join(block.text for block in blocks if isinstance(block, Note))
