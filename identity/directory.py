"""From an id, an e-mail or a chat account to the actor behind it."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from identity import audit, people, store
from identity.actor import Actor, ActorKind, Preferences, local_operator, system_actor
from identity.errors import PeopleFileInvalid, UnknownPerson
from identity.people import AccountLink, ChatAccount, folded, link, owner, unlisted
from identity.permissions import Permission
from identity.policy import require
from storage.clock import Clock
from storage.database import Database
from storage.files.text import FileInvalid, read_text
from storage.ids import JsonObject

__all__ = ["ChatAccount", "Directory"]

log = logging.getLogger(__name__)

#: Seconds for which what people have chosen is taken as known: another replica may have written meanwhile.
FRESH_S = 1.0
#: Characters of people.yaml: a company of 60,000.
LONGEST_FILE = 10_000_000
#: How far the clocks of replicas may be apart when they write down what people choose.
_APART = timedelta(minutes=5)
#: Modification time in nanoseconds, size and inode: whatever way a file is saved, one of them changes.
Stamp = tuple[int, int, int] | None


@dataclass(frozen=True)
class _People:
    listed: tuple[Actor, ...] = ()
    by_id: Mapping[str, Actor] = field(default_factory=dict)
    by_email: Mapping[str, Actor] = field(default_factory=dict)


class Directory:
    """Knows the people of people.yaml, as of its last good version, and the accounts that wrote to the desk."""

    def __init__(self, database: Database, people_file: Path, clock: Clock) -> None:
        self._database = database
        self._path = people_file
        self._clock = clock
        self._stamp: Stamp = None
        self._people: _People | None = None
        self._chosen: dict[str, Preferences] = {}
        self._chosen_until = datetime(1970, 1, 1, tzinfo=UTC)  # what was chosen before is known
        self._chosen_at: float | None = None  # when it was looked at last; None: look again
        self.problem: PeopleFileInvalid | None = None  # why the file's present version is not in use

    async def person(self, id_or_email: str) -> Actor:
        """Return the listed person; raise `UnknownPerson`."""
        known = await self._current()
        found = known.by_id.get(id_or_email) or known.by_email.get(folded(id_or_email))
        if found is None:
            raise UnknownPerson(id_or_email)
        return await self._as_chosen(found)

    async def people(self) -> tuple[Actor, ...]:
        """Return everybody in people.yaml, in its order."""
        return tuple([await self._as_chosen(each) for each in (await self._current()).listed])

    async def prefer(self, actor: Actor, chosen: Preferences) -> Actor:
        """Keep what an actor has chosen for themselves, and return them as they are from now on."""
        require(actor, Permission.SETTINGS_OWN)
        now = self._clock.now()
        async with self._database.transaction() as session:
            await store.save_preferences(session, actor.id, chosen, now=now)
            was, will = _as_json(actor.preferences), _as_json(chosen)
            changed: JsonObject = {
                name: {"before": was[name], "after": will[name]} for name in was if was[name] != will[name]
            }
            await audit.record(
                session,
                actor=actor,
                action="settings.change",
                resource=actor.id,
                allowed=True,
                reason="own",
                outcome="done",
                detail=changed,
                now=now,
            )
        self._chosen_at = None
        return await self.actor(actor.id)

    async def actor(self, actor_id: str) -> Actor:
        """Return whoever an id from our own tables stands for, with the rights of now; raise `UnknownPerson`."""
        if actor_id == local_operator().id:
            return await self._as_chosen(local_operator())
        kind, _, rest = actor_id.partition(":")
        if not rest:
            return await self.person(actor_id)
        if kind == "system":
            return system_actor(rest)
        async with self._database.reading() as session:
            known = await store.account_of(session, actor_id)
        if known is None:
            raise UnknownPerson(actor_id)
        return await self._as_chosen(unlisted(known))

    async def resolve(self, account: ChatAccount) -> Actor:
        """Return the actor behind an account, and keep what is known of it.

        The verified e-mail of a full member makes it the listed person's. Another full member is `staff` and no
        more; guests, other companies' people and bots are guests, whatever their e-mail says.
        """
        known = await self._current()
        async with self._database.reading() as session:
            stored = await store.account(session, account)
        person_id = owner(account, stored=stored, by_email=lambda email: known.by_email.get(folded(email)))
        person = None if person_id is None else known.by_id.get(person_id)
        found = link(account, person_id=None if person is None else person.id)
        if found != stored:
            await self._keep(found, before=stored)
        return await self._as_chosen(unlisted(found) if person is None else person)

    async def shared(self, accounts: Sequence[ChatAccount]) -> frozenset[str]:
        """Return the principals that all of these accounts have; those of nobody at all are the public's."""
        members = await self.members(accounts)
        return frozenset.intersection(*(each.principals for each in members)) if members else frozenset({"public"})

    async def members(self, accounts: Sequence[ChatAccount]) -> tuple[Actor, ...]:
        """Return the actors behind accounts that only read along.

        Nothing is kept: somebody who only reads along has not come to the desk.
        """
        known = await self._current()
        async with self._database.reading() as session:
            rows = await store.several_accounts(session, accounts)
        stored = {(row.platform, row.tenant, row.user): row for row in rows}
        found = []
        for account in accounts:
            before = stored.get((account.platform, account.tenant, account.user))
            person_id = owner(account, stored=before, by_email=lambda email: known.by_email.get(folded(email)))
            person = None if person_id is None else known.by_id.get(person_id)
            found.append(person or unlisted(link(account, person_id=None)))
        return tuple(found)

    async def is_among(self, actor_id: str, accounts: Sequence[ChatAccount]) -> bool:
        """Return whether one of these accounts is an actor's by which they have come to the desk."""
        own = {(each.platform, each.tenant, each.user) for each in await self.accounts(actor_id)}
        return any((each.platform, each.tenant, each.user) in own for each in accounts)

    async def accounts(self, actor_id: str) -> tuple[AccountLink, ...]:
        """Return the chat accounts of an actor, the latest first: where they can be written to."""
        async with self._database.reading() as session:
            return await store.accounts_of(session, actor_id)

    async def _as_chosen(self, actor: Actor) -> Actor:
        """Return an actor with what they have chosen; what changed since the last look is read once for all of them."""
        if actor.kind is ActorKind.SYSTEM:
            return actor
        now = self._clock.monotonic()
        if self._chosen_at is None or now - self._chosen_at >= FRESH_S:
            async with self._database.reading() as session:
                newer = await store.preferences_since(session, self._chosen_until - _APART)
            self._chosen_at = now
            self._chosen |= {actor_id: chosen for actor_id, (chosen, _) in newer.items()}
            self._chosen_until = max([self._chosen_until, *(at for _, at in newer.values())])
        chosen = self._chosen.get(actor.id)
        return actor if chosen is None else actor.preferring(chosen)

    async def _keep(self, found: AccountLink, *, before: AccountLink | None) -> None:
        now = self._clock.now()
        async with self._database.transaction() as session:
            await store.save_account(session, found, now=now)
            if found.person_id == (None if before is None else before.person_id):
                return
            await audit.record(
                session,
                actor=system_actor("directory"),
                action="account.link" if found.person_id else "account.unlink",
                resource=f"{found.platform}:{found.tenant}:{found.user}",
                allowed=True,
                reason="verified_email" if found.person_id else "not_verified",
                outcome="done",
                detail={"person": found.person_id, "before": None if before is None else before.person_id},
                now=now,
            )

    async def _current(self) -> _People:
        """Return the people of the file's newest good version; raise `PeopleFileInvalid` when there never was one."""
        stamp = await asyncio.to_thread(_stamp, self._path)
        if self._people is None or stamp != self._stamp:
            try:
                self._people = await asyncio.to_thread(_read, self._path)
            except PeopleFileInvalid as problem:
                if self._people is None:
                    raise
                log.error("%s The last good version stays in use.", problem)  # noqa: TRY400 - the words say it all
                self.problem = problem
            else:
                self.problem = None
            self._stamp = stamp
        return self._people


def _as_json(chosen: Preferences) -> JsonObject:
    """Return what somebody has chosen as it stands in the audit."""
    quiet = "" if chosen.quiet is None else f"{chosen.quiet.begin:%H:%M}-{chosen.quiet.end:%H:%M}"
    return {"language": chosen.language, "timezone": chosen.timezone, "quiet": quiet, "way": chosen.way}


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PeopleFileInvalid(f"{path}: cannot be read ({error.strerror}). Check its permissions.") from error
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def listed_in(path: Path) -> tuple[Actor, ...]:
    """Return the people of a file; no file lists nobody. Raise `PeopleFileInvalid`."""
    if not path.exists():
        return ()
    try:
        return people.actors(read_text(path, longest=LONGEST_FILE).value, path=path)
    except FileInvalid as error:
        raise PeopleFileInvalid(str(error)) from error


def _read(path: Path) -> _People:
    listed = listed_in(path)
    by_email = {folded(actor.email): actor for actor in listed if actor.email is not None}
    return _People(listed=listed, by_id={actor.id: actor for actor in listed}, by_email=by_email)
