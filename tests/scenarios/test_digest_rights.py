"""Rights change at random between digests: nothing stands in one that a member of its audience may not read then."""

import asyncio
import random
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from adapters.cards import Text
from adapters.memory import MemoryChat
from features.anatomy.reader import Reader
from features.anatomy.schedules import Slot
from features.anatomy.sections import Audience
from features.digests.digest import TOPIC, LastSent, SentDigest
from features.digests.drawing import DigestDrawing
from identity.actor import Actor, local_operator
from identity.permissions import Permission
from identity.policy import decide
from storage.queue import schedules
from storage.queue.schedules import SYSTEM, Rule
from tests.scale import in_parts
from tests.scenarios.everywhere import on
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import ENGLISH
from tests.scenarios.world import DOMAIN, NAMES

NOBODY_KNOWS = "Which colour has the zeppelin of the harbour?"
PRINCIPALS = ("staff", "group:it", "group:hr", "unit:sales", "role:agent", "role:admin", "public")
_PAGE = re.compile(r"/knowledge/page/[^)]*?/(?P<path>[^)/#]+\.md)")


def person_line(person: str, chance: random.Random) -> str:
    roles = [role for role in ("agent", "admin", "auditor", "manager") if chance.random() < 0.35]
    groups = [group for group in ("it", "hr") if chance.random() < 0.4]
    units = [unit for unit in ("sales",) if chance.random() < 0.5]
    return (
        f"  - {{id: {person}, email: {person}@{DOMAIN}, name: {NAMES[person]}, language: en, "
        f"roles: [{', '.join(roles)}], groups: [{', '.join(groups)}], units: [{', '.join(units)}]}}\n"
    )


async def may_read(stage: Stage, member: Actor, text: str, *, number: str) -> bool:
    """Return whether one member alone may read all that a digest says."""
    works, audits = (
        decide(member, permission).allowed for permission in (Permission.TICKETS_WORK, Permission.RUNS_READ_ALL)
    )
    ids = {f"pages:{path}" for path in _PAGE.findall(text)}
    return (
        (number not in text or works)
        and (NOBODY_KNOWS not in text or audits)
        and await stage.desk.search.readable(member, ids) == ids
    )


@in_parts(120, least=12, parts=3)
@on("memory")
async def test_nothing_is_shown_that_one_of_them_may_not_read(
    stage: Stage, tmp_path: Path, seed: int, turns: int
) -> None:
    desk, chance = stage.desk, random.Random(17 + 100 * seed)
    number = await filed(stage, ENGLISH)
    await stage.say("bao", NOBODY_KNOWS)
    folder = tmp_path / "pages"
    for name, allow in enumerate(PRINCIPALS):
        page = f"---\naccess:\n  allow: ['{allow}']\n---\n\n# Page {name}\n\nWords of page {name}.\n"
        await asyncio.to_thread((folder / f"p{name}.md").write_text, page, encoding="utf-8")
    await desk.search.refresh(local_operator())
    places = [
        await stage.channels.channel(*people)
        for people in (("ada", "ben"), ("ben", "cleo"), ("bao", "ben", "cleo"), ("ada", "cleo"))
    ]
    for place in places:
        await stage.say("ben" if place is not places[3] else "cleo", ENGLISH.question, place)
    channels = await desk.job_control.channels(local_operator())
    drawing = DigestDrawing(lambda: tuple(each for feature in desk.features for each in feature.sections), stage.clock)
    telling = desk.telling
    reader = Reader("en")
    shown = 0
    for _ in range(turns):
        lines = "".join(person_line(person, chance) for person in NAMES)
        await asyncio.to_thread((tmp_path / "people.yaml").write_text, f"people:\n{lines}", encoding="utf-8")
        channel = chance.choice(channels)
        audience: Audience = await telling.audience(channel.target)
        gathered = await drawing.gathered(audience, (), since=stage.clock.now() - timedelta(days=1), reader=reader)
        blocks = gathered.blocks(reader)
        text = "\n".join(block.markdown for block in blocks if isinstance(block, Text))
        members = (await desk.chats["memory"].members(channel.address)).accounts
        for account in members:
            if account.kind == "bot":
                continue
            member = await desk.directory.person(account.user)
            assert await may_read(stage, member, text, number=number), (account.user, text)
        shown += gathered.count
    assert shown > 0


@in_parts(150, least=15, parts=10)
@on("memory")
async def test_what_is_sent_by_the_clock_is_for_the_rights_of_that_moment(
    stage: Stage, tmp_path: Path, seed: int, turns: int
) -> None:
    """Digests are sent while people come, go and change: who reads a post may read all of it."""
    desk, chance = stage.desk, random.Random(18 + 100 * seed)
    number = await filed(stage, ENGLISH)
    await stage.say("bao", NOBODY_KNOWS)
    place = await stage.channels.channel("ada", "ben")
    await stage.say("ben", ENGLISH.question, place)
    await stage.say("ben", ENGLISH.question)
    (channel,) = await desk.job_control.channels(local_operator())
    begun = stage.clock.now() - timedelta(days=1)
    rule = Rule("FREQ=DAILY", "09:00")
    kept = {
        "ben": SentDigest("ben", (), rule, "UTC", None, name="own"),
        "ada": SentDigest("ada", (), rule, "UTC", channel.target, name="ours"),
        SYSTEM: SentDigest(SYSTEM, (), rule, "UTC", channel.target, name="configured"),
    }
    send = next(feature.slots[TOPIC] for feature in desk.features if TOPIC in feature.slots)
    chat = desk.chats["memory"]
    assert isinstance(chat, MemoryChat)
    sent, refused = 0, 0
    for turn in range(turns):
        here = [person for person in NAMES if chance.random() < 0.8]
        lines = "".join(person_line(person, chance) for person in here)
        await asyncio.to_thread((tmp_path / "people.yaml").write_text, f"people:\n{lines}", encoding="utf-8")
        owner, digest = chance.choice(list(kept.items()))
        last = LastSent(begun, begun, "")
        async with desk.database.transaction() as session:
            await schedules.put(session, replace(digest, last=last).schedule)
        before = len(chat.posted())
        came = await send(Slot(digest.id, f"slot {turn}", owner, "UTC"))
        await stage.settle()
        posts = chat.posted()[before:]
        refused += not posts
        assert not posts or owner == SYSTEM or owner in here, (owner, came)
        for post in posts:
            text = "\n".join(block.markdown for block in post.card.blocks if isinstance(block, Text))
            accounts = (await chat.members(post.address)).accounts if post.address.get("members") else ()
            readers = [each.user for each in accounts if each.kind != "bot"] or [str(post.address["user"])]
            for reader in readers:
                member = await desk.directory.person(reader)
                assert await may_read(stage, member, text, number=number), (reader, text)
            sent += 1
    assert sent > 0
    assert refused > 0
