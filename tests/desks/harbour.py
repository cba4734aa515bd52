"""What the desk of these tests knows: every berth has an answer of its own."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.compose.compose import compose
from bot.settings import Settings, load
from identity.actor import local_operator
from search.embedding.memory import HashEmbedder
from tests.scenarios.world import write_pages

#: By berth: the tons that its crane lifts. Only the right passage tells.
BERTHS = {
    name: 103 + 7 * number
    for number, name in enumerate((
        "Achernar", "Aldebaran", "Alioth", "Altair", "Antares", "Arcturus", "Bellatrix", "Canopus", "Capella",
        "Castor", "Deneb", "Elnath", "Fomalhaut", "Gienah", "Hadar", "Izar", "Kochab", "Menkar", "Mirach", "Nunki",
        "Pollux", "Procyon", "Rasalhague", "Regulus", "Rigel", "Sabik", "Schedar", "Spica", "Tarazed", "Vega",
    ))
}  # fmt: skip
#: These tests ask more than a person would.
LIMITS = {"messages_per_minute": 100_000, "address_messages_per_minute": 100_000}


def question(berth: str) -> str:
    """Return what a person asks about a berth."""
    return f"How many tons does the crane of berth {berth} lift?"


def answers(berth: str, said: str) -> bool:
    """Return whether a text answers the question about that berth, and no other."""
    return f"berth {berth} lifts {BERTHS[berth]} tons" in said


def settings_of(
    home: Path, platforms: Mapping[str, Mapping[str, Any]], *, database_url: str = "", deaths: int = 2, **given: Any
) -> Settings:
    """Return the settings of such a desk on these platforms; without a URL it has a database in its home."""
    groups = {name: dict(values) for name, values in platforms.items()}
    return load(
        home=home, database_url=database_url, secret="s" * 32, limits=LIMITS | {"deaths": deaths}, **groups, **given
    )


async def prepare(settings: Settings) -> None:
    """Fill a home: the database, the pages, their index."""
    folder = settings.home / "pages"
    text = "\n".join(
        f"## Berth {name}\n\nThe crane of berth {name} lifts {tons} tons. It stops at night.\n"
        for name, tons in BERTHS.items()
    )
    pages = {".access.yaml": "allow: [public]\n", "berths.md": f"# Berths\n\n{text}"}
    await asyncio.to_thread(write_pages, folder, pages)
    off = {name: getattr(settings, name).model_copy(update={"mode": "off"}) for name in ("slack", "teams")}
    async with await compose(settings.model_copy(update=off), embedder=HashEmbedder()) as desk:
        await desk.search.add_folder(local_operator(), folder)
        await desk.search.embed_pending()
