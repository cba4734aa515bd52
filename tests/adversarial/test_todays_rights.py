"""Rights change while runs and conversations are kept: nobody is shown words of a page that they may not read.

Whether somebody may read a page is asked of the page itself, as they would: 200 or 404. Each page has words of its own
in its name, its title, its heading and its text; whatever a person can open is searched for them after each change.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from adapters.events import Account
from adapters.memory import MemoryChat
from adapters.web.transcript import TranscriptPlace
from agent.brains.assistant import Brain
from agent.errors import RunNotFound
from bot.cli.operations.runs import _document
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.server import build
from bot.settings import load
from identity.actor import Actor, local_operator
from search.embedding.memory import HashEmbedder
from tests.console.site import Browser, Site
from tests.fixtures.agent import brain_of
from tests.scale import scaled

Result = TypeVar("Result")

OPENS = {"gate": "quillon", "canteen": "zarfolk", "lift": "mevrost"}  # what a page is about → its own word
LISTS = ("nobody", "role:auditor", "group:it", "person:ben", None, "staff")  # None: the page is withdrawn
PEOPLE = ("ada", "ben", "cleo", "dora")
WITHHELD = ("This answer is withheld", '"answer": true')
ASKED = "What opens at seven every day?"  # each page answers it alone, whichever may be read


def page_text(about: str, allow: str) -> str:
    own = OPENS[about]
    listed = "person:someone-else" if allow == "nobody" else allow
    return f"""---
access:
  allow: ['{listed}']
---

# The {about} {own}title

## When the {about} opens {own}head

The {about} opens at seven {own}text every day.

## How to repair the {about} {own}next

Call the {own}desk.
"""


def people_yaml(groups: Sequence[str]) -> str:
    return (
        "people:\n"
        f"  - {{id: ada, email: ada@example.com, name: Ada, language: en, groups: [{', '.join(groups)}]}}\n"
        "  - {id: ben, email: ben@example.com, name: Ben, language: en, groups: [it], roles: [agent]}\n"
        "  - {id: cleo, email: cleo@example.com, name: Cleo, language: en, roles: [admin]}\n"
        "  - {id: dora, email: dora@example.com, name: Dora, language: en, roles: [auditor]}\n"
    )


def quoting(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Search, quote the first passage, and offer the words of all others as questions."""
    del info
    parts = [part for message in messages for part in message.parts]
    asked = max(at for at, part in enumerate(parts) if isinstance(part, UserPromptPart))
    found = [part for part in parts[asked:] if isinstance(part, ToolReturnPart)]
    if not found:
        return ModelResponse(parts=[ToolCallPart("search_knowledge", {"query": ASKED})])
    content: Any = found[-1].content
    passages = content.get("passages", [])
    if not passages:
        return ModelResponse(parts=[ToolCallPart("abstain", {})])
    first, *others = passages
    claims = [{"text": first["text"], "evidence": [first["evidence"]]}]
    reply = {"claims": claims, "followups": [other["text"][-80:] for other in others][:3]}
    return ModelResponse(parts=[ToolCallPart("reply", reply)])


def account(person: str) -> Account:
    email = f"{person}@example.com"
    return Account(platform="memory", tenant="T1", user=person, name=person, email=email, email_verified=True)


class House:
    """One desk, its folder of pages, and a browser for each person."""

    def __init__(self, home: Path, brain: Brain | None) -> None:
        self.home = home
        self.brain = brain
        self.loop = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.browsers: dict[str, Browser] = {}
        self.chat = MemoryChat(people=[account(person) for person in PEOPLE])
        self.desk: Desk = self.do(self.open())

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run(work)

    async def open(self) -> Desk:
        self.employ(())
        self.write("gate", "staff")
        given = load(home=self.home, limits={"messages_per_minute": 10_000, "address_messages_per_minute": 10_000})
        desk = await self.stack.enter_async_context(
            await compose(given, embedder=HashEmbedder(), brain=self.brain, chats={"memory": self.chat})
        )
        self.chat.connect(desk.inbox.receive)
        site = Site(desk, build(desk))
        await desk.search.add_folder(local_operator(), self.home / "book")
        self.browsers = {person: await site.browser(person) for person in PEOPLE}
        return desk

    def close(self) -> None:
        self.do(self.stack.aclose())
        self.loop.close()

    def employ(self, groups: Sequence[str]) -> None:
        (self.home / "people.yaml").write_text(people_yaml(groups), encoding="utf-8")

    def write(self, about: str, allow: str | None) -> None:
        path = self.home / "book" / f"{OPENS[about]}.md"
        path.parent.mkdir(exist_ok=True)
        if allow is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(page_text(about, allow), encoding="utf-8")

    async def refresh(self) -> None:
        await self.desk.search.refresh(local_operator())

    async def ask(self, person: str, thread: str, number: int) -> None:
        answer = await self.browsers[person].door(
            "messages", {"event_id": f"event-{number:08}", "thread": thread, "text": ASKED}
        )
        assert answer.status_code == 202, answer.text
        await self.desk.inbox.drain()
        while await self.desk.outbox.drain_once():
            pass

    async def begin_elsewhere(self, person: str, thread: str) -> None:
        """Ask where an answer is posted, and leave the answer on its way."""
        await self.chat.say(person, ASKED, thread=thread)
        await self.desk.inbox.drain()

    async def end_elsewhere(self, person: str, thread: str) -> str:
        """Send what is on its way, and return what stands there then: its beginning was seen while it was made."""
        while await self.desk.outbox.drain_once():
            pass
        return str([each.card for each in self.chat.posted(self.chat.address(person, thread=thread))])

    async def actor(self, person: str) -> Actor:
        return local_operator() if person == "operator" else await self.desk.directory.person(person)

    async def forbidden(self, person: str) -> list[str]:
        """Return the own words of the pages that somebody may not read, as the page itself says."""
        if person == "operator":
            there = {each.stem for each in (self.home / "book").iterdir()}
            return [own for own in OPENS.values() if own not in there]
        asked = {own: await self.browsers[person].get(f"/knowledge/page/book/{own}.md") for own in OPENS.values()}
        assert {each.status for each in asked.values()} <= {200, 404}
        return [own for own, page in asked.items() if page.status == 404]


@dataclass
class Watch:
    """Looks at everything as everybody, and notes where words of a page were seen and where they were withheld."""

    house: House
    threads: dict[str, str] = field(default_factory=dict)  # person → the conversation of this example
    asked: int = 0
    shown: set[str] = field(default_factory=set)
    withheld: set[str] = field(default_factory=set)

    async def begin(self) -> None:
        """Open every page to the staff again; each example has conversations of its own."""
        self.threads.clear()
        self.house.employ(())
        for about in OPENS:
            self.house.write(about, "staff")
        await self.house.refresh()
        await self.ask("ada")

    async def ask(self, person: str) -> None:
        self.asked += 1
        thread = self.threads.setdefault(person, f"thread-{self.asked:06}")
        await self.house.ask(person, thread, self.asked)

    async def look(self) -> None:
        for person in (*PEOPLE, "operator"):
            await self._look(person)

    async def sent_since(self, person: str, thread: str) -> None:
        """Look at what is posted now that waited while rights changed."""
        forbidden, posted = await self.house.forbidden(person), await self.house.end_elsewhere(person, thread)
        assert not [own for own in forbidden if own in posted], f"{person} may not read {forbidden}: {posted[:600]}"
        if any(own in posted for own in OPENS.values()):
            self.shown.add("post")
        if any(words in posted for words in WITHHELD):
            self.withheld.add("post")

    async def _look(self, person: str) -> None:
        actor, forbidden = await self.house.actor(person), await self.house.forbidden(person)
        async for place, text in self._everything(actor, person):
            found = [own for own in forbidden if own in text]
            around = text[max(0, text.find(found[0]) - 300) :][:600] if found else ""
            assert not found, f"{person} may not read {found}, and reads them at {place}: …{around}…"
            if any(own in text for own in OPENS.values()):
                self.shown.add(place)
            if any(words in text for words in WITHHELD):
                self.withheld.add(place)

    async def _everything(self, actor: Actor, person: str) -> AsyncIterator[tuple[str, str]]:
        """Yield what a person can open: the kind of place, and all of its text."""
        desk = self.house.desk
        for who, thread in self.threads.items():
            asker = await self.house.actor(who)
            for run in (await desk.runs.list(asker, limit=2)) if person in (who, "cleo", "dora", "operator") else ():
                try:
                    shown = await desk.runs.show(actor, run.id)
                except RunNotFound:
                    continue
                yield "runs show --json", json.dumps(_document(shown), default=str)
                yield "runs replay", str(await desk.runner.replay(actor, run.id))
                if person != "operator":
                    yield "run page", (await self.house.browsers[person].get(f"/runs/{run.id}")).html
            if who == person:
                async for each in self._own(actor, person, thread):
                    yield each
        yield "runs list", str(await desk.runs.list(actor, limit=5))
        if person != "operator":
            yield "retrieval page", (await self.house.browsers[person].get(f"/retrieval?q={ASKED}")).html

    async def _own(self, actor: Actor, person: str, thread: str) -> AsyncIterator[tuple[str, str]]:
        desk, browser, place = self.house.desk, self.house.browsers[person], TranscriptPlace(person, thread)
        yield "conversation", (await browser.get(f"/c/{thread}")).html
        yield "list of conversations", (await browser.get("/conversations")).html
        yield "event stream", str(await desk.transcript.since(place, 0))
        yield "memory", str(await desk.memory.recall(actor, thread=place.key))


CHANGE = st.tuples(
    st.sampled_from(sorted(OPENS)), st.sampled_from(LISTS), st.sampled_from(PEOPLE), st.sampled_from([(), ("it",)])
)


@pytest.mark.parametrize("brain", [None, brain_of(FunctionModel(quoting))], ids=["rules", "model"])
def test_nobody_is_shown_words_of_a_page_that_they_may_not_read_now(migrated_home: Path, brain: Brain | None) -> None:
    house = House(migrated_home, brain)
    watch = Watch(house)

    async def play(changes: Sequence[tuple[str, str | None, str, Sequence[str]]]) -> None:
        await watch.begin()
        for about, allow, asker, groups in changes:
            thread = f"elsewhere-{watch.asked}"
            await house.begin_elsewhere(asker, thread)
            house.write(about, allow)
            house.employ(groups)
            await house.refresh()
            await watch.sent_since(asker, thread)
            await watch.look()
            await watch.ask(asker)
        await house.begin_elsewhere("ada", f"closed-{watch.asked}")
        for about in OPENS:
            house.write(about, "nobody")
        await house.refresh()
        await watch.sent_since("ada", f"closed-{watch.asked}")
        await watch.look()

    # What is found is told as it was found: shrinking takes minutes here.
    @settings(max_examples=scaled(20, least=2), phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(changes=st.lists(CHANGE, min_size=2, max_size=2))
    def played(changes: Sequence[tuple[str, str | None, str, Sequence[str]]]) -> None:
        house.do(play(changes))

    try:
        played()
    finally:
        house.close()
    kept = {"runs show --json", "run page", "conversation", "event stream", "post"}
    assert watch.shown >= {*kept, "runs replay", "memory"}, "what may be read is shown"
    assert watch.withheld >= kept, "what may not is said to be withheld"


def acting(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Search, then ask to comment on the newest ticket, with words of a page."""
    del info
    found = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    if not found:
        return ModelResponse(parts=[ToolCallPart("search_knowledge", {"query": ASKED})])
    content: Any = found[0].content
    quoted = content["passages"][0]["text"][-80:]
    return ModelResponse(parts=[ToolCallPart("comment_ticket", {"ticket": "last", "text": quoted})])


def test_what_waits_for_a_button_is_shown_without_words_of_a_page_that_is_closed_since(migrated_home: Path) -> None:
    house = House(migrated_home, brain_of(FunctionModel(acting)))

    async def play() -> tuple[str, str]:
        desk, ada = house.desk, await house.actor("ada")
        draft = await desk.tickets.draft(
            ada,
            thread="t0",
            category="other",
            title="Lift",
            description="stuck",
            priority="normal",
            fields={},
            address={},
        )
        await desk.tickets.file(ada, draft.id, nonce=await desk.tickets.nonce_for(ada, draft.id))
        await house.ask("ada", "thread-waiting", 1)
        (approval,) = await desk.approvals.waiting(ada)
        reader = desk.showing.reader(ada, language="en", platform="web")
        before = await desk.showing.approval(ada, approval.id, reader)
        house.write("gate", "nobody")
        await house.refresh()
        return str(before), str(await desk.showing.approval(ada, approval.id, reader))

    try:
        before, after = house.do(play())
    finally:
        house.close()
    assert OPENS["gate"] in before
    assert OPENS["gate"] not in after
    assert "withheld" in after
    assert "approval.confirm" in after
