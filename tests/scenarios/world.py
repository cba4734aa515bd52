"""A whole desk with a recording chat: people say and press things, and read what they would see."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from adapters.cards import Button, Buttons, Card, Facts, Heading, Note, Rating, Sources, Suggestions, Text
from adapters.events import Account
from adapters.memory import MemoryChat, RecordedPost
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import Settings, load
from features.anatomy.schedules import Slot
from identity.actor import local_operator
from search.embedding.memory import HashEmbedder
from storage.database import Database
from storage.queue.worker import Ending

PEOPLE = """\
people:
  - {id: ada, email: ada@example.com, name: Ada Adler, language: en, timezone: Europe/Berlin, units: [sales]}
  - {id: bao, email: bao@example.com, name: 鲍晓, language: zh, timezone: Asia/Shanghai, units: [sales]}
  - {id: ben, email: ben@example.com, name: Ben Brook, language: en, groups: [it], roles: [agent]}
  - {id: cleo, email: cleo@example.com, name: Cleo Carter, language: en, roles: [admin]}
"""

#: The domain whose addresses belong to the people of people.yaml, and their names.
DOMAIN = "example.com"
NAMES = {"ada": "Ada Adler", "bao": "鲍晓", "ben": "Ben Brook", "cleo": "Cleo Carter"}

PAGES = {
    ".access.yaml": "allow: [staff]\n",
    "vpn.md": (
        "# VPN\n\n## Session length\n\nA VPN session ends after 12 hours, and you sign in again.\n\n"
        "## Install the client\n\nOpen the Software Centre and install Tidegate.\n"
    ),
    "salaries.md": (
        "---\naccess:\n  allow: [group:hr]\n---\n\n# Salary bands\n\n"
        "## Band seven\n\nBand seven starts at 71,000 euros a year.\n"
    ),
    "zh/vpn.md": "# VPN 使用说明\n\n## 会话时长\n\nVPN 会话在 12 小时后结束，需要重新登录。\n",
}


def account(person: str, *, kind: str = "member", verified: bool = True) -> Account:
    """Return a person's account on the recording platform."""
    return Account(
        platform="memory",
        tenant="acme",
        user=person,
        name=person,
        email=f"{person}@example.com",
        email_verified=verified,
        kind="guest" if kind == "guest" else "member",
    )


ACCOUNTS = (*(account(person) for person in ("ada", "bao", "ben", "cleo")), account("gus", kind="guest"))


@dataclass
class World:
    """One desk and its recording chat."""

    desk: Desk
    chat: MemoryChat

    async def say(self, user: str, text: str, *, thread: str = "main", event_id: str = "") -> Card:
        """Say something and return what the desk answers."""
        await self.chat.say(user, text, thread=thread, event_id=event_id)
        return await self.settle(user, thread)

    async def press(self, user: str, button: Button, *, thread: str = "main", event_id: str = "") -> Card:
        """Press a button and return what the desk answers."""
        await self.chat.press(user, button, thread=thread, event_id=event_id)
        return await self.settle(user, thread)

    async def fill(self, user: str, button: Button, values: Mapping[str, str], *, thread: str = "main") -> Card:
        """Press a button that opens a form, send it with these values, and return what the desk answers."""
        await self.chat.press(user, button, thread=thread)
        _, form = self.chat.forms[-1]
        shown = {field.name: field.value for field in form.fields}
        await self.chat.submit(user, form, {**shown, **values}, thread=thread)
        return await self.settle(user, thread)

    def draft_card(self, user: str, thread: str = "main") -> Card:
        """Return the newest card with a draft on it, as it stands now."""
        cards = [posted.card for posted in self.all(user, thread)]
        return next(card for card in reversed(cards) if actions(card) & {"draft.confirm", "draft.edit"})

    async def settle(self, user: str = "", thread: str = "main") -> Card:
        """Work everything off, and return the newest card in that person's thread."""
        await self.desk.inbox.drain()
        while await self.desk.outbox.drain_once():
            pass
        return self.newest(user, thread).card

    def newest(self, user: str, thread: str = "main") -> RecordedPost:
        """Return the newest message in a person's thread."""
        return self.all(user, thread)[-1]

    def all(self, user: str, thread: str = "main") -> tuple[RecordedPost, ...]:
        """Return every message in a person's thread."""
        return self.chat.posted(self.chat.address(user, thread=thread))


async def happen(desk: Desk, topic: str, slot: Slot) -> None:
    """Have a slot of that topic happen, and commit what ends it."""
    (send,) = [feature.slots[topic] for feature in desk.features if topic in feature.slots]
    ended = await send(slot)
    if isinstance(ended, Ending) and ended.effects is not None:
        async with desk.database.transaction() as session:
            await ended.effects(session)


def words(card: Card) -> str:
    """Return everything that a card says, as a reader sees it."""
    parts: list[str] = []
    for block in card.blocks:
        match block:
            case Text(markdown=said) | Note(text=said):
                parts.append(said)
            case Heading(text=said, badge=badge):
                parts.append(f"{said} [{badge or ''}]")
            case Facts(rows=rows):
                parts.extend(f"{label}: {value}" for label, value in rows)
            case Sources(items=items):
                parts.extend(f"[{item.number}] {item.title} > {item.section}: {item.quote}" for item in items)
            case Suggestions(items=said_next):
                parts.extend(said_next)
            case Buttons(items=buttons):
                parts.extend(button.label for button in buttons)
            case Rating():
                parts.append("👍👎")
    return "\n".join(parts)


def button(card: Card, action: str) -> Button:
    """Return the card's button for an action; raise LookupError when it shows none."""
    for block in card.blocks:
        if isinstance(block, Buttons):
            for item in block.items:
                if isinstance(item, Button) and item.action == action:
                    return item
    raise LookupError(f"no {action} on: {words(card)}")


def actions(card: Card) -> set[str]:
    """Return what a card's buttons do."""
    rows = (block.items for block in card.blocks if isinstance(block, Buttons))
    return {item.action for row in rows for item in row if isinstance(item, Button)}


def write_pages(folder: Path, pages: Mapping[str, str] = PAGES) -> Path:
    """Write a folder of documents."""
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def settings_in(home: Path, *, database: Database, **given: object) -> Settings:
    """Return the settings of a desk in that folder, on that database; `given` are further ones."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "people.yaml").write_text(PEOPLE, encoding="utf-8")
    return load(home=home, database_url=database.url.render_as_string(hide_password=False), secret="s" * 32, **given)


@asynccontextmanager
async def world_in(
    home: Path,
    database: Database,
    *,
    people: Iterable[Account] = ACCOUNTS,
    chat: MemoryChat | None = None,
    settings: Mapping[str, object] | None = None,
    **replaced: object,
) -> AsyncIterator[World]:
    """Open a desk with documents; it has no workers: `settle` works everything off. `chat` outlives a restart."""
    chat = chat or MemoryChat(people=tuple(people))
    read = settings_in(home, database=database, **(settings or {}))
    parts: dict[str, object] = {"database": database, "embedder": HashEmbedder(), "chats": {chat.name: chat}}
    desk = await compose(read, **{**parts, **replaced})  # type: ignore[arg-type]  # names are checked by compose
    async with desk:
        chat.connect(desk.inbox.receive)
        folder = await asyncio.to_thread(write_pages, home / "pages")
        await desk.search.add_folder(local_operator(), folder)
        await desk.search.embed_pending()
        yield World(desk, chat)
