"""Cards as the product really makes them, in both languages: a whole desk is talked to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters.cards import Card, Form
from storage.database import Database
from tests.scenarios.world import actions, button, words, world_in

#: By language: who speaks, what is asked, and what is to become a ticket.
SAID: Mapping[str, tuple[str, str, str]] = {
    "en": ("ada", "When does a VPN session end?", "My laptop does not start <!channel>. Please open a ticket."),
    "zh": ("bao", "VPN 会话多长时间后结束？", "我的笔记本电脑今天早上无法启动 <!channel>，请帮我开一个工单。"),
}
FILLED = {"location": "Floor 3", "contact": "ext 4411", "device": "Laptop 77"}


@dataclass(frozen=True)
class Made:
    """What the desk said and asked in one language."""

    language: str
    cards: Mapping[str, Card]
    form: Form


#: By language, what a desk of this process has made; nobody can change it.
_MADE: dict[str, Made] = {}


async def made_by_the_product(home: Path, database: Database, language: str) -> Made:
    """Return every kind of card; the first that asks for a language talks to a desk."""
    if language not in _MADE:
        _MADE[language] = await _talk(home, database, language)
    return _MADE[language]


async def _talk(home: Path, database: Database, language: str) -> Made:
    """Ask, report, complete, confirm, cancel; return every kind of card on the way."""
    user, question, wish = SAID[language]
    cards: dict[str, Card] = {}
    async with world_in(home, database) as world:
        cards["answer"] = await world.say(user, question)
        cards["nothing found"] = await world.say(user, "How much is a standing desk for the Lisbon office?", thread="b")
        cards["draft"] = await world.say(user, wish)
        edit = button(cards["draft"], "draft.edit")
        await world.fill(user, edit, FILLED)
        _, form = world.chat.forms[-1]
        cards["complete draft"] = world.draft_card(user)
        cards["home"] = await world.say(user, "/desk home", thread="h")
        cards["filed"] = await world.press(user, button(cards["complete draft"], "draft.confirm"))
        number = re.findall(r"TCK-[\w-]+\w", words(cards["filed"]))[0]
        cards["ticket"] = await world.say(user, f"/desk ticket show {number}")
        cards["list"] = await world.say(user, "/desk ticket list")
        cards["approval"] = await world.say(user, f"/desk ticket cancel {number}")
        await world.press(user, button(cards["approval"], "approval.confirm"))
        cards["ended"] = next(
            card
            for card in (posted.card for posted in world.all(user))
            if card.blocks[0] != cards["approval"].blocks[0] and card.blocks[1:2] == cards["approval"].blocks[1:2]
        )
        cards["help"] = await world.say(user, "/desk help")
        cards["refused"] = await world.press("ben", button(cards["complete draft"], "draft.confirm"))
    assert "approval.confirm" in actions(cards["approval"])
    return Made(language, cards, form)
