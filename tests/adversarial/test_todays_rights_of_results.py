"""Rights change while results of databases and diagnoses are kept: nobody is shown what they would not be told now.

What somebody would be told is asked of the database and of the clusters themselves, with the rights of that moment.
Each sum of crates is a number of its own, and so is the pod that fails; whatever a person can open is searched for
them after each change of somebody's groups.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from features.anatomy.schedules import Slot
from features.digests.digest import TOPIC, Digests, SentDigest
from identity.actor import Actor
from identity.errors import Forbidden
from queries.sql.errors import SqlError
from queries.sql.saved.saved import SavedQuestion
from storage.queue.schedules import Cron
from tests.adversarial.test_todays_rights import WITHHELD, House, Watch
from tests.scale import scaled
from tests.scenarios.incident import write_incident
from tests.scenarios.shop import write_shop

QUESTIONS = ("Crates sold by region?", "Crates sold in January 2026?", "Why is checkout crashing?", "/desk digest")
BY_REGION = "SELECT region, SUM(crates) AS crates FROM orders GROUP BY region"
#: Crates of one day, by region; what is told is the sum of two days.
CRATES = {"north": 35_157, "south": 45_789}
POD = "checkout-7d9f5b-x2x4z"
TOLD = (POD, *(each for crates in CRATES.values() for each in (f"{2 * crates}", f"{2 * crates:,}")))
#: What ada and ben may be: nobody, of sales (the north, the shop's cluster), of IT (everything).
RIGHTS = {"none": "", "sales": "units: [sales]", "it": "groups: [it]", "both": "units: [sales], groups: [it]"}


class Harbour(House):
    """The house with a database and a cluster."""

    def __init__(self, home: Path) -> None:
        write_shop(home)
        write_incident(home)
        with closing(sqlite3.connect(home / "shop.sqlite")) as shop, shop:
            shop.executemany("UPDATE orders SET crates = ? WHERE region = ?", [(n, name) for name, n in CRATES.items()])
        self.rights = {"ada": "it", "ben": "none"}
        super().__init__(home, None)

    def employ(self, groups: Sequence[str] = ()) -> None:
        """Write down who is here; `groups` are those of the pages' property, which has others."""
        del groups
        lines = [
            f"  - {{id: {person}, email: {person}@example.com, name: {person.title()}, language: en{rights}}}\n"
            for person, rights in (
                *((person, f", {RIGHTS[has]}" if RIGHTS[has] else "") for person, has in self.rights.items()),
                ("cleo", ", roles: [admin]"),
                ("dora", ", roles: [auditor]"),
            )
        ]
        (self.home / "people.yaml").write_text(f"people:\n{''.join(lines)}# {self.rights}\n", encoding="utf-8")

    async def forbidden(self, person: str) -> list[str]:
        """Return the numbers and names that somebody would not be told now."""
        actor = await self.actor(person)
        try:
            rows = (await self.desk.sql.run(actor, "shop", BY_REGION)).rows.rows
        except (SqlError, Forbidden):
            rows = ()
        seen = {str(region): int(str(crates)) for region, crates in rows}
        hidden = [2 * crates for region, crates in CRATES.items() if region not in seen]
        numbers = [*hidden, 2 * sum(CRATES.values())] if hidden else []
        try:
            looks = ("prod", "shop") in self.desk.observe.namespaces(actor)
        except Forbidden:
            looks = False
        return [*(each for number in numbers for each in (str(number), f"{number:,}")), *(() if looks else (POD,))]

    async def save_a_question(self) -> None:
        """Have ada's own digest hold the crates of each region, once."""
        ada = await self.actor("ada")
        if not await self.desk.sql.saved(ada):
            kept = SavedQuestion("Crates", ada.id, "Crates sold by region?", source="shop", statement=BY_REGION)
            await self.desk.sql.save(ada, kept)


@dataclass
class Look(Watch):
    """Looks at everything as everybody, at the results' own pages too."""

    results: dict[str, list[str]] = field(default_factory=dict)

    async def ask_for(self, person: str, question: str) -> None:
        self.asked += 1
        thread = f"thread-{self.asked:06}"
        self.threads[person] = thread
        body = {"event_id": f"event-{self.asked:08}", "thread": thread, "text": question}
        assert (await self.house.browsers[person].door("messages", body)).status_code == 202
        await self.house.desk.inbox.drain()
        while await self.house.desk.outbox.drain_once():
            pass

    async def look(self) -> None:
        for person in ("ada", "ben", "cleo", "dora", "operator"):
            actor, forbidden = await self.house.actor(person), await self.house.forbidden(person)
            async for place, text in self._everything(actor, person):
                found = [own for own in forbidden if own in text]
                at = text.find(found[0]) if found else 0
                assert not found, f"{person} may not be told {found}, and is at {place}: {text[at - 300 :][:600]}"
                if any(own in text for own in TOLD):
                    self.shown.add(place)
                if any(words in text for words in WITHHELD):
                    self.withheld.add(place)

    async def _everything(self, actor: Actor, person: str) -> AsyncIterator[tuple[str, str]]:
        async for each in super()._everything(actor, person):
            yield each
        if person == "operator":
            return
        browser = self.house.browsers[person]
        for run in await self.house.desk.runs.list(await self.house.actor("ada"), limit=3):
            yield "result page", (await browser.client.get(f"/data/results/{run.id}")).text
            yield "result file", (await browser.client.get(f"/data/results/{run.id}/table.csv")).text
        yield "diagnosis page", (await browser.client.get("/diagnosis")).text


CHANGE = st.tuples(st.sampled_from(("ada", "ben")), st.sampled_from(sorted(RIGHTS)), st.sampled_from(QUESTIONS))


def test_nobody_is_shown_rows_and_findings_that_they_would_not_be_told_now(migrated_home: Path) -> None:
    house = Harbour(migrated_home)
    watch = Look(house)

    async def play(changes: Sequence[tuple[str, str, str]]) -> None:
        for question in QUESTIONS:  # ada is told everything, and then loses it
            house.rights["ada"] = "it"
            house.employ()
            await house.save_a_question()
            await watch.ask_for("ada", question)
            await watch.look()
            house.rights["ada"] = "none"
            house.employ()
            await watch.look()
        for person, rights, question in changes:
            await watch.ask_for(person, question)
            house.rights[person] = rights
            house.employ()
            await watch.look()

    @settings(max_examples=scaled(20, least=1), phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(changes=st.lists(CHANGE, min_size=2, max_size=3))
    def played(changes: Sequence[tuple[str, str, str]]) -> None:
        house.do(asyncio.wait_for(play(changes), 600))

    try:
        played()
    finally:
        house.close()
    kept = {"runs show --json", "run page", "conversation", "event stream"}
    assert watch.shown >= {*kept, "result page", "result file"}, "what may be told is shown"
    assert watch.withheld >= kept, "what may not is said to be withheld"


def test_nor_a_digest_that_was_sent_before(migrated_home: Path) -> None:
    house = Harbour(migrated_home)

    async def conversation() -> str:
        return (await house.browsers["ada"].get("/c/thread-000001")).html

    async def play() -> tuple[str, str, str]:
        house.rights["ada"] = "it"
        house.employ()
        await house.save_a_question()
        await Look(house).ask_for("ada", "help")
        sent, digests = SentDigest("ada", (), Cron("0 9 * * 1"), "UTC"), Digests(house.desk.database, house.desk.clock)
        await digests.start(await house.actor("ada"), sent)
        send = next(each.slots[TOPIC] for each in house.desk.features if each.name == "digests")
        assert await send(Slot(sent.id, "slot-1", "ada", "UTC")) == "sent"
        for _ in range(3):  # what is told, and then what is posted
            await house.desk.jobs.tick()
            while await house.desk.outbox.drain_once():
                pass
        before = await conversation()
        house.rights["ada"] = "none"
        house.employ()
        closed = await conversation()
        house.rights["ada"] = "it"
        house.employ()
        return before, closed, await conversation()

    try:
        before, closed, again = house.do(asyncio.wait_for(play(), 120))
    finally:
        house.close()
    assert [number in before for number in TOLD[1:3]] == [True, True]
    assert [number for number in TOLD if number in closed] == []
    assert WITHHELD[0] in closed
    assert TOLD[1] in again
