"""Use cases of drafts: from the first sentence to the filed ticket."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from identity import audit
from identity.actor import Actor, system_actor
from identity.permissions import Permission
from identity.policy import PolicyReason, require
from storage.columns import storable
from storage.database import Session
from storage.ids import JsonObject, canonical_json, new_id
from storage.queue import work
from tickets import content, store
from tickets.content import Content
from tickets.errors import AlreadyFiled, Discarded, Expired, NotFound, NotYours, Stale
from tickets.reference import is_id
from tickets.ticket import Draft, DraftState, Priority, nonce_of, version_of_nonce
from tickets.use_cases.desk import UseCases, may_see_draft, shown


class Drafting(UseCases):
    """What people do with drafts. A draft is its requester's alone."""

    async def draft(
        self,
        actor: Actor,
        *,
        thread: str,
        category: str,
        title: str,
        description: str,
        priority: str = Priority.NORMAL,
        fields: Mapping[str, str] | None = None,
        address: JsonObject | None = None,
        key: str = "",
    ) -> Draft:
        """Start a draft; the same request by the same person within `duplicate_window_s` returns the open one."""
        known = content.known_of(actor, category, self.config, about=description)
        said = {**known, **(fields or {}), "category": category, "title": title}
        said |= {"description": description, "priority": priority}
        async with self._audited(actor, "draft.create", resource=thread):
            require(actor, Permission.TICKETS_CREATE)
            written = content.revised(content.EMPTY, said, self.config)
            async with self.database.transaction() as session:
                request = canonical_json([thread, said])
                made = await self._replayed(session, actor, action="draft", key=key, request=request)
                draft = await self._repeated(session, actor, written, made=made)
                if draft is None:
                    draft = self._new_draft(actor, written, thread=thread, address=address or {})
                    await store.add_draft(session, draft, content=written.digest)
                    await self._record(session, actor, "draft.create", draft, detail={"version": draft.version})
                if not made:
                    await self._keep(session, actor, action="draft", key=key, made=draft.id)
                return self._with_missing(draft)

    async def revise(
        self, actor: Actor, draft_id: str, *, changes: Mapping[str, str], nonce: str | None = None
    ) -> Draft:
        """Change named parts and return the next version, whose buttons replace the old ones.

        With a nonce (from a form) it must be that of the version that stands; raises `Invalid` with all problems.
        """
        async with self._audited(actor, "draft.revise", resource=draft_id):
            require(actor, Permission.TICKETS_CREATE)
            async with self.database.transaction() as session:
                draft = await self._own_draft(session, actor, draft_id, nonce=nonce, any_version=nonce is None)
                written = content.revised(content_of(draft), changes, self.config)
                revision = self._revision(draft, written)
                if not await store.update_draft(session, revision, seen=draft.version, content=written.digest):
                    raise Stale(draft.id, version=draft.version)
                names: JsonObject = {"version": revision.version, "changed": sorted(changes)}
                await self._record(session, actor, "draft.revise", revision, detail=names)
                return self._with_missing(revision)

    async def discard(self, actor: Actor, draft_id: str, *, nonce: str) -> Draft:
        """Throw the version away that the button belongs to."""
        async with self._audited(actor, "draft.discard", resource=draft_id):
            require(actor, Permission.TICKETS_CREATE)
            async with self.database.transaction() as session:
                draft = await self._own_draft(session, actor, draft_id, nonce=nonce)
                now = self.clock.now()
                if not await store.close_draft(
                    session, draft, state=DraftState.DISCARDED, by=storable(actor.name), at=now
                ):
                    raise Stale(draft.id, version=draft.version)
                await self._record(session, actor, "draft.discard", draft, detail={"version": draft.version})
                await self._redraw(session, draft, "discarded")
                closed = replace(draft, state=DraftState.DISCARDED, closed_by=actor.name, closed_at=now)
                return self._with_missing(closed)

    async def restore(self, actor: Actor, draft_id: str, *, nonce: str) -> Draft:
        """Take a discarding back: the draft is open again, as its next version.

        The nonce is that of the version that was discarded; raises `Stale` where the draft is not discarded any more.
        """
        async with self._audited(actor, "draft.restore", resource=draft_id):
            require(actor, Permission.TICKETS_CREATE)
            async with self.database.transaction() as session:
                draft = await self._locked(session, actor, draft_id, nonce=nonce)
                if draft.state is not DraftState.DISCARDED:
                    self._require_open(draft)
                    raise Stale(draft.id, version=draft.version)
                self._require_version(draft, nonce=nonce)
                if draft.title == store.ERASED:
                    raise NotFound(shown(draft_id))
                now = self.clock.now()
                expires = now + timedelta(days=self.config.draft_days)
                restored = replace(
                    draft,
                    state=DraftState.OPEN,
                    version=draft.version + 1,
                    updated_at=now,
                    expires_at=expires,
                    closed_by=None,
                    closed_at=None,
                )
                if not await store.reopen_draft(session, restored, seen=draft.version):
                    raise Stale(draft.id, version=draft.version)
                await self._record(session, actor, "draft.restore", restored, detail={"version": restored.version})
                await self._redraw(session, restored, "restored")
                return self._with_missing(restored)

    async def erase_draft(self, session: Session, draft_id: str, *, since: datetime) -> bool:
        """Empty a draft whose words were taken back, if it was made since and is not filed."""
        now = self.clock.now()
        erased = await store.erase_draft(session, draft_id, since=since, at=now)
        if erased:
            await _record_of_job(session, "chat", "draft.erase", draft_id, now=now)
        return erased

    async def show_draft(self, actor: Actor, draft_id: str) -> Draft:
        """Return one's own draft, in whatever state it is."""
        async with self._audited(actor, "draft.show", resource=draft_id):
            async with self.database.reading() as session:
                draft = await store.find_draft(session, draft_id) if is_id(draft_id, "draft") else None
            if draft is None or not may_see_draft(actor, draft):
                raise NotFound(shown(draft_id), hidden=draft is not None)
            return self._with_missing(draft)

    async def open_draft(self, actor: Actor, draft_id: str, *, nonce: str) -> Draft:
        """Return one's own open draft for a button of any version of it; raise what is in the way of changing it."""
        async with self._audited(actor, "draft.show", resource=draft_id):
            async with self.database.transaction() as session:
                draft = await self._own_draft(session, actor, draft_id, nonce=nonce, any_version=True)
            return self._with_missing(draft)

    async def open_drafts(self, actor: Actor) -> tuple[Draft, ...]:
        """Return one's own open drafts, last touched first."""
        async with self.database.reading() as session:
            found = await store.open_drafts(session, actor.id, now=self.clock.now())
        return tuple(self._with_missing(draft) for draft in found)

    async def latest_draft(self, actor: Actor, *, thread: str) -> Draft | None:
        """Return "that draft": the thread's newest open one, else the only one the person has anywhere."""
        here = await self.drafts_of(actor, thread=thread)
        found = here or await self.open_drafts(actor)
        return found[0] if here or len(found) == 1 else None

    async def drafts_of(self, actor: Actor, *, thread: str) -> tuple[Draft, ...]:
        """Return one's own open drafts of a thread, last touched first."""
        return tuple(draft for draft in await self.open_drafts(actor) if draft.thread == thread)

    async def nonce_for(self, actor: Actor, draft_id: str) -> str:
        """Return the nonce for the buttons of the draft's present version."""
        draft = await self.show_draft(actor, draft_id)
        return nonce_of(self.signing_key, draft.id, version=draft.version)

    async def expire_drafts(self) -> tuple[str, ...]:
        """Close every draft whose time is over and return their ids; a job runs this."""
        now = self.clock.now()
        async with self.database.transaction() as session:
            expired = await store.expire_drafts(session, now=now)
            for draft_id in expired:
                await _record_of_job(session, "expire-drafts", "draft.expire", draft_id, now=now)
        return expired

    async def expiring_drafts(self) -> tuple[Draft, ...]:
        """Return the drafts that end within a day, or half of the time for which drafts live; a job asks for them."""
        now = self.clock.now()
        soon = min(timedelta(days=1), timedelta(days=self.config.draft_days) / 2)
        async with self.database.reading() as session:
            return await store.expiring_drafts(session, now=now, until=now + soon)

    async def _repeated(self, session: Session, actor: Actor, written: Content, *, made: str | None) -> Draft | None:
        if made:
            return await store.find_draft(session, made)
        since = self.clock.now() - self._duplicate_window
        return await store.same_draft(session, actor.id, content=written.digest, since=since)

    async def _own_draft(
        self, session: Session, actor: Actor, draft_id: str, *, nonce: str | None, any_version: bool = False
    ) -> Draft:
        """Return the actor's own draft, open and at the version of the nonce, locked; raise what is in the way."""
        draft = await self._locked(session, actor, draft_id, nonce=nonce or "")
        self._require_open(draft)
        self._require_version(draft, nonce=nonce or "", any_version=any_version)
        return draft

    async def _locked(self, session: Session, actor: Actor, draft_id: str, *, nonce: str) -> Draft:
        """Return the actor's own draft in whatever state, locked."""
        draft = await store.find_draft(session, draft_id, lock=True) if is_id(draft_id, "draft") else None
        if draft is None:
            raise NotFound(shown(draft_id))
        if draft.requester_id != actor.id:
            # only who holds one of its buttons has seen the draft and may learn that it exists
            pressed = self._version_of(draft, nonce)
            raise NotFound(shown(draft_id), hidden=True) if pressed is None else NotYours(draft.requester_name)
        return draft

    def _version_of(self, draft: Draft, nonce: str) -> int | None:
        return version_of_nonce(self.signing_key, draft.id, nonce=nonce, newest=draft.version)

    def _require_version(self, draft: Draft, *, nonce: str, any_version: bool = False) -> None:
        if not any_version and self._version_of(draft, nonce) != draft.version:
            raise Stale(draft.id, version=draft.version)

    def _require_open(self, draft: Draft) -> None:
        at = draft.closed_at or draft.updated_at
        by = draft.closed_by or draft.requester_name
        if draft.state is DraftState.FILED:
            raise AlreadyFiled(draft.ticket_number or "", by=by, at=at)
        if draft.state is DraftState.DISCARDED:
            raise Discarded(draft.id, by=by, at=at)
        if draft.state is DraftState.EXPIRED or draft.expires_at <= self.clock.now():
            raise Expired(draft.id, at=draft.expires_at)

    def _new_draft(self, actor: Actor, written: Content, *, thread: str, address: JsonObject) -> Draft:
        now = self.clock.now()
        return Draft(
            id=new_id("draft"),
            requester_id=actor.id,
            requester_name=storable(actor.name),
            thread=storable(thread),
            state=DraftState.OPEN,
            version=1,
            category=written.category,
            title=written.title,
            description=written.description,
            priority=written.priority,
            fields=written.fields,
            missing=(),
            created_at=now,
            updated_at=now,
            expires_at=now + timedelta(days=self.config.draft_days),
            address=address,
        )

    def _revision(self, draft: Draft, written: Content) -> Draft:
        now = self.clock.now()
        return replace(
            draft,
            version=draft.version + 1,
            category=written.category,
            title=written.title,
            description=written.description,
            priority=written.priority,
            fields=written.fields,
            updated_at=now,
            expires_at=now + timedelta(days=self.config.draft_days),
        )

    async def _redraw(self, session: Session, draft: Draft, what: str) -> None:
        """Have the posted cards of a draft drawn again."""
        key = f"draft:{draft.id}:{what}:{draft.version}"
        payload: JsonObject = {"draft_id": draft.id}
        await work.enqueue(session, topic="draft.changed", payload=payload, key=key, line=f"draft:{draft.id}")

    async def _record(self, session: Session, actor: Actor, action: str, draft: Draft, *, detail: JsonObject) -> None:
        await audit.record(
            session,
            actor=actor,
            action=action,
            resource=draft.id,
            allowed=True,
            reason=PolicyReason.OWN,
            outcome="done",
            detail=detail,
            now=self.clock.now(),
        )

    def _with_missing(self, draft: Draft) -> Draft:
        """Name what is still missing by the configuration of today, not of the day the draft was made."""
        return replace(draft, missing=content.missing(content_of(draft), self.config))


def content_of(draft: Draft) -> Content:
    """Return the part of a draft that its requester writes."""
    return Content(draft.category, draft.title, draft.description, draft.priority, draft.fields)


async def _record_of_job(session: Session, job: str, action: str, draft_id: str, *, now: datetime) -> None:
    await audit.record(
        session,
        actor=system_actor(job),
        action=action,
        resource=draft_id,
        allowed=True,
        reason=PolicyReason.SYSTEM,
        outcome="done",
        now=now,
    )
