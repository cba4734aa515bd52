"""Who reads along, and what an answer in their sight may be made of."""

import logging
from collections.abc import Mapping

from adapters.events import Event, FormSubmit, Message, Press
from adapters.port import Chat, Undeliverable
from bot.conversation.audience import chat_account
from bot.conversation.people import People

log = logging.getLogger(__name__)

#: What is shown where it cannot be found out who reads along.
NOBODY_KNOWN = frozenset({"public"})
#: What anybody who may join a place without being asked may read.
ANY_MEMBER = frozenset({"public", "staff"})


def others_read(event: Event) -> bool:
    """Return whether an event comes from a place where others read along."""
    return isinstance(event, Message | Press | FormSubmit) and not event.private


class Readers:
    """Finds what everybody at a place may read."""

    def __init__(self, people: People, chats: Mapping[str, Chat]) -> None:
        self._people = people
        self._chats = chats

    async def audience(self, event: Event) -> frozenset[str] | None:
        """Return the principals that everybody has who reads along; None when nobody else does.

        Apps in a channel are nobody's eyes: they are there by the choice of whoever runs the workspace.
        """
        if not others_read(event):
            return None
        try:
            members = await self._chats[event.account.platform].members(event.address)
        except Undeliverable as why:
            log.warning("nobody can tell who reads along, so only public documents are used: %s", why)
            return NOBODY_KNOWN
        people = [chat_account(account) for account in members.accounts if account.kind != "bot"]
        shared = await self._people.directory.shared(people)
        return shared & ANY_MEMBER if members.open else shared
