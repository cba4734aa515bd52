"""Slack, Teams and the browser: what is told by the clock shows nobody what they may not read when it is sent."""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import time, timedelta
from pathlib import Path

from features.anatomy.schedules import Slot
from features.digests.digest import TOPIC as DIGEST
from features.digests.digest import LastSent, SentDigest
from features.reminders.reminder import TOPIC as REMINDER
from features.reminders.reminder import Reminder, Where
from features.reminders.service import ReminderService
from identity.actor import local_operator
from identity.errors import Forbidden, UnknownPerson
from language.planning.plans import Again
from storage.ids import new_id
from storage.queue import schedules
from storage.queue.schedules import Rule
from tests.scale import in_parts
from tests.scenarios.everywhere import on
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import ENGLISH
from tests.scenarios.test_digest_rights import PRINCIPALS, person_line
from tests.scenarios.world import NAMES, happen
from tickets.errors import TicketsError

TOLD = ("ada", "ben")


@in_parts(40, least=6, parts=8)
@on("slack_http", "teams_dialogs", "web")
async def test_rights_change_between_what_happens_and_its_sending(
    stage: Stage, tmp_path: Path, seed: int, turns: int
) -> None:
    desk, chance = stage.desk, random.Random(23 + 100 * seed)
    number = await filed(stage, ENGLISH)
    for person in TOLD:
        await stage.say(person, ENGLISH.question)
    begun, people = stage.clock.now() - timedelta(days=1), tmp_path / "people.yaml"
    listed, shown = await asyncio.to_thread(people.read_text, encoding="utf-8"), 0
    pages: dict[str, Path] = {}
    for turn in range(turns):
        await asyncio.to_thread(people.write_text, listed, encoding="utf-8")
        word, said = f"zebu{turn}", f"quagga{turn}"
        pages[word] = tmp_path / "pages" / f"{word}.md"
        text = f"---\naccess:\n  allow: ['{chance.choice(PRINCIPALS)}']\n---\n\n# The {word}\n\nIt is striped.\n"
        await asyncio.to_thread(pages[word].write_text, text, encoding="utf-8")
        await desk.search.refresh(local_operator())
        seen = {person: Counter(each.text for each in await stage.read(person)) for person in TOLD}
        await desk.tickets.comment(local_operator(), number, text=f"Look: {said}")
        for person in TOLD:
            digest = SentDigest(person, (), Rule("FREQ=DAILY", "09:00"), "UTC", None, last=LastSent(begun, begun, ""))
            async with desk.database.transaction() as session:
                await schedules.put(session, replace(digest, name=f"own{turn}").schedule)
            await happen(desk, DIGEST, Slot(replace(digest, name=f"own{turn}").id, f"slot {turn}", person, "UTC"))
            with suppress(TicketsError, Forbidden):
                actor = await desk.directory.person(person)
                about = Reminder(
                    new_id("reminder"), "", f"See {person}", Again("FREQ=DAILY", time(9)), "UTC", Where.ALONE
                )
                kept = await ReminderService(desk.database, stage.clock).set(actor, replace(about, about=number))
                await happen(desk, REMINDER, Slot(kept.name, f"slot {turn}", person, "UTC"))
        for _ in range(chance.randint(0, 3)):
            await desk.outbox.drain_once()
        lines = "".join(person_line(person, chance) for person in NAMES)
        await asyncio.to_thread(people.write_text, f"people:\n{lines}", encoding="utf-8")
        for closed in chance.sample(sorted(pages), k=1):
            await asyncio.to_thread(pages.pop(closed).unlink)
        await desk.search.refresh(local_operator())
        drawn = {person: Counter(each.text for each in await stage.read(person)) for person in TOLD}
        await stage.settle()
        for person in TOLD:
            now = Counter(each.text for each in await stage.read(person))
            new = "\n".join((now - drawn[person]).elements())
            shown += bool(now - seen[person])
            assert [each for each in await unreadable(stage, person, number, pages, turn) if each in new] == [], turn
    assert shown > turns / 2


async def unreadable(stage: Stage, person: str, number: str, pages: dict[str, Path], turn: int) -> list[str]:
    """Return the words of what a person may not read at this moment."""
    words = {f"zebu{each}" for each in range(turn + 1)}
    try:
        actor = await stage.desk.directory.person(person)
    except UnknownPerson:
        return [*words, f"quagga{turn}"]
    ids = {f"pages:{each}.md": each for each in words if each in pages}
    readable = {ids[each] for each in await stage.desk.search.readable(actor, set(ids))}
    try:
        await stage.desk.tickets.show(actor, number)
    except (TicketsError, Forbidden):
        return [*(words - readable), f"quagga{turn}"]
    return [*(words - readable)]
