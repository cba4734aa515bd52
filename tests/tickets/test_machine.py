"""Drafts and tickets against a model: whatever the order of steps, the service does what the rules say."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from identity.actor import Actor
from identity.errors import Forbidden
from storage.clock import ManualClock
from storage.database import Database
from storage.ids import new_id
from tests.scale import scaled
from tests.tickets.conftest import SIGNING_KEY
from tickets.config import TicketsConfig
from tickets.errors import (
    AlreadyFiled,
    Conflict,
    Discarded,
    Expired,
    Incomplete,
    NotFound,
    NotYours,
    Stale,
    TicketsError,
    TooSoon,
)
from tickets.service import TicketService
from tickets.ticket import Action, DraftState, Status
from tickets.trackers.local import LocalTracker

Result = TypeVar("Result")

CONFIG = TicketsConfig(draft_days=1, urge_cooldown_s=600, duplicate_window_s=0)
DAY = timedelta(days=1)
ENDED = (Status.RESOLVED, Status.CANCELLED)


@dataclass
class ModelDraft:
    id: str
    owner: str
    expires_at: datetime
    complete: bool
    nonces: list[str]
    state: DraftState = DraftState.OPEN
    number: str = ""


@dataclass
class ModelTicket:
    number: str
    owner: str
    status: Status = Status.OPEN
    assignee: str | None = None
    version: int = 1
    urged_at: datetime | None = None
    actions: list[str] = field(default_factory=lambda: ["filed"])


class Machine(RuleBasedStateMachine):
    """The steps; `url` is set by the test that runs it."""

    url = ""
    drafts = Bundle("drafts")
    tickets = Bundle("tickets")
    who = st.sampled_from(["ada", "bao", "ben", "cleo"])

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = Database(self.url)
        self.clock = ManualClock()
        self.service = TicketService(self.database, self.clock, CONFIG, LocalTracker(), SIGNING_KEY)
        self.filed: list[ModelTicket] = []

    def teardown(self) -> None:
        self.runner.run(self.database.close())
        self.runner.close()

    def do(self, work: Awaitable[Result]) -> Result | Exception:
        async def attempt() -> Result | Exception:
            try:
                return await work
            except (TicketsError, Forbidden) as refused:
                return refused

        return self.runner.run(attempt())

    @initialize()
    def people_of_this_run(self) -> None:
        """Everybody has an id of this run, since all runs share one database."""
        run = new_id("run")
        works = frozenset({"agent"})
        self.people = {name: Actor(id=f"{run}:{name}", name=name) for name in ("ada", "bao")}
        self.people |= {name: Actor(id=f"{run}:{name}", name=name, roles=works) for name in ("ben", "cleo")}

    def works(self, name: str) -> bool:
        return name in ("ben", "cleo")

    @rule(target=drafts, owner=who, complete=st.booleans())
    def draft(self, owner: str, complete: bool) -> ModelDraft:
        fields = {"location": "Berlin", "device": "HP"} if complete else {}
        title = new_id("title")
        work = self.service.draft(
            self.people[owner], thread=owner, category="hardware", title=title, description="", fields=fields
        )
        made = self.do(work)
        assert not isinstance(made, Exception)
        model = ModelDraft(made.id, owner, self.clock.now() + DAY, complete, [])
        self.note_nonce(model)
        return model

    def note_nonce(self, model: ModelDraft) -> None:
        nonce = self.do(self.service.nonce_for(self.people[model.owner], model.id))
        assert isinstance(nonce, str)
        assert nonce not in model.nonces
        model.nonces.append(nonce)

    def barrier(self, model: ModelDraft, name: str, *, nonce: str | None) -> type[TicketsError] | None:
        """Return what stands in the way of a change to a draft; a nonce of None is no button at all."""
        if name != model.owner:
            return NotYours if nonce in model.nonces else NotFound
        if model.state is DraftState.FILED:
            return AlreadyFiled
        if model.state is DraftState.DISCARDED:
            return Discarded
        if model.state is DraftState.EXPIRED or self.clock.now() >= model.expires_at:
            return Expired
        return Stale if nonce is not None and nonce != model.nonces[-1] else None

    @rule(model=drafts, name=who)
    def revise(self, model: ModelDraft, name: str) -> None:
        expected = self.barrier(model, name, nonce=None)
        changes = {"location": "Bonn", "device": "Canon"}
        outcome = self.do(self.service.revise(self.people[name], model.id, changes=changes))
        if expected is not None:
            assert type(outcome) is expected
            return
        assert not isinstance(outcome, Exception)
        assert outcome.version == len(model.nonces) + 1
        model.complete = True
        model.expires_at = self.clock.now() + DAY
        self.note_nonce(model)

    @rule(model=drafts, name=who, age=st.integers(-1, 2))
    def discard(self, model: ModelDraft, name: str, age: int) -> None:
        nonce = self.nonce(model, age)
        expected = self.barrier(model, name, nonce=nonce)
        outcome = self.do(self.service.discard(self.people[name], model.id, nonce=nonce))
        if expected is not None:
            assert type(outcome) is expected
            return
        assert not isinstance(outcome, Exception)
        model.state = DraftState.DISCARDED

    @rule(target=tickets, model=drafts, name=who, age=st.integers(-1, 2))
    def file(self, model: ModelDraft, name: str, age: int) -> ModelTicket | MultipleResults[ModelTicket]:
        nonce = self.nonce(model, age)
        expected = self.barrier(model, name, nonce=nonce)
        if expected is None and not model.complete:
            expected = Incomplete
        outcome = self.do(self.service.file(self.people[name], model.id, nonce=nonce))
        if expected is not None:
            assert type(outcome) is expected
            if isinstance(outcome, AlreadyFiled):
                assert outcome.number == model.number
            return multiple()
        assert not isinstance(outcome, Exception)
        model.state, model.number = DraftState.FILED, outcome.number
        ticket = ModelTicket(outcome.number, model.owner)
        assert all(ticket.number > other.number for other in self.filed)
        self.filed.append(ticket)
        return ticket

    def nonce(self, model: ModelDraft, age: int) -> str:
        """Return the newest nonce, an older one, or a made-up one (-1)."""
        return "made up" if age < 0 else model.nonces[max(0, len(model.nonces) - 1 - age)]

    @rule(minutes=st.sampled_from([1, 9, 11, 60 * 13]))
    def wait(self, minutes: int) -> None:
        self.clock.advance(minutes * 60)

    @rule()
    def expire(self) -> None:
        self.do(self.service.expire_drafts())

    @rule(model=tickets, name=who, action=st.sampled_from(list(Action)))
    def act(self, model: ModelTicket, name: str, action: Action) -> None:
        actor = self.people[name]
        expected = self.hindrance(model, name, action)
        outcome = self.do(self.call(actor, model.number, action))
        if expected is not None:
            assert type(outcome) is expected, (expected, outcome)
            return
        assert not isinstance(outcome, Exception)
        self.move(model, name, action)

    def call(self, actor: Actor, number: str, action: Action) -> Awaitable[object]:
        service = self.service
        calls: dict[Action, Callable[[], Awaitable[object]]] = {
            Action.ASSIGN: lambda: service.assign(actor, number, assignee=actor),
            Action.CANCEL: lambda: service.cancel(actor, number, reason=""),
            Action.COMMENT: lambda: service.comment(actor, number, text="Hello"),
            Action.REOPEN: lambda: service.reopen(actor, number, reason=""),
            Action.RESOLVE: lambda: service.resolve(actor, number, resolution=""),
            Action.URGE: lambda: service.urge(actor, number),
        }
        return calls[action]()

    def hindrance(self, model: ModelTicket, name: str, action: Action) -> type[Exception] | None:
        if action in (Action.ASSIGN, Action.RESOLVE) and not self.works(name):
            return Forbidden
        if not self.works(name) and name != model.owner:
            return NotFound
        wrong_state = {
            Action.COMMENT: False,
            Action.REOPEN: model.status not in ENDED,
            Action.ASSIGN: model.status in ENDED or model.assignee not in (None, name),
        }.get(action, model.status in ENDED)
        if wrong_state:
            return Conflict
        cooling = model.urged_at is not None and self.clock.now() - model.urged_at < timedelta(seconds=600)
        return TooSoon if action is Action.URGE and cooling else None

    def move(self, model: ModelTicket, name: str, action: Action) -> None:
        if action is Action.ASSIGN and model.assignee == name:
            return
        model.version += 1
        model.actions.append(action)
        match action:
            case Action.ASSIGN:
                model.status, model.assignee = Status.IN_PROGRESS, name
            case Action.CANCEL:
                model.status = Status.CANCELLED
            case Action.RESOLVE:
                model.status = Status.RESOLVED
            case Action.REOPEN:
                model.status, model.assignee, model.urged_at = Status.OPEN, None, None
            case Action.URGE:
                model.urged_at = self.clock.now()
            case Action.COMMENT:
                pass

    @rule(model=tickets)
    def compare(self, model: ModelTicket) -> None:
        shown = self.do(self.service.show(self.people[model.owner], model.number))
        assert not isinstance(shown, Exception)
        assert (shown.status, shown.version) == (model.status, model.version)
        assert shown.assignee_name == model.assignee
        assert [change.action for change in shown.changes] == model.actions

    @invariant()
    def everybody_sees_their_own(self) -> None:
        for name in ("ada", "bao") if hasattr(self, "people") else ():
            mine = self.do(self.service.mine(self.people[name]))
            assert not isinstance(mine, Exception)
            own = [model for model in self.filed if model.owner == name]
            assert [ticket.number for ticket in mine] == [model.number for model in own][::-1]


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
def test_the_service_does_what_the_rules_say(database_url: str) -> None:
    machine = type("TicketsMachine", (Machine,), {"url": database_url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=scaled(150, least=15),
            stateful_step_count=30,
            suppress_health_check=list(HealthCheck),
        ),
    )
