"""Asks a desk without a language model, and tells what came of it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from agent.brains.output import UNSURE
from agent.runner.requests import Request
from agent.runs.answer import Answer, Answered
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import load
from identity.actor import local_operator
from language.scripts import language_of
from storage.ids import new_id

#: Who asks on a desk that knows nothing but pages.
ASKER = "ada"
_PEOPLE = "people:\n  - {id: ada, email: ada@pages.example, name: Ada, language: en, timezone: Europe/Amsterdam}\n"


@asynccontextmanager
async def desk_over(home: Path, pages: Path) -> AsyncIterator[Desk]:
    """Build a desk in a folder that knows the pages, vectors included, and one person."""
    people = home / "people.yaml"
    people.write_text(_PEOPLE, encoding="utf-8")
    async with await compose(load(home=home, people_file=people, database_url="", redis_url="", model="rules")) as desk:
        await desk.search.add_folder(local_operator(), pages, allow=("staff",))
        await desk.search.embed_pending()
        yield desk


async def ask(desk: Desk, text: str, *, thread: str, asker: str = ASKER) -> Answer:
    """Ask a question in a thread and return what the person gets."""
    request = Request(
        actor=await desk.directory.person(asker),
        event_id=new_id("asked"),
        thread=thread,
        text=text,
        language=language_of(text) or "en",
        address={},
        now=desk.clock.now(),
    )
    return (await desk.runner.run(request)).answer


def verdict(text: str, answer: Answer, says: Sequence[str]) -> str:
    """Return a line that begins with "right", "wrong", "unsure" or "nothing found"; one of `says` is right.

    Unsure is what names sections that come near and says so, though they do not hold it.
    """
    said = answer.text if isinstance(answer, Answered) else ""
    right = any(words in said for words in says) if said else not says
    sure = answer.confidence if isinstance(answer, Answered) else type(answer).__name__
    unsure = isinstance(answer, Answered) and answer.lead == UNSURE
    came = "right" if right else "unsure" if unsure else "wrong" if said else "nothing found"
    return f"{came:14} {sure} {text} -> {' '.join(said.split())[:150]}"


def share(verdicts: Sequence[str], word: str) -> float:
    """Return the share of the verdicts that begin with a word."""
    return sum(each.startswith(word) for each in verdicts) / len(verdicts)
