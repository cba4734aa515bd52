"""Who reads along where an event comes from, as a value that is made once and carried to everything after."""

import logging
from collections.abc import Mapping

from adapters.events import Act, Address, FormSubmit, Message, Press
from adapters.port import Chat, Undeliverable
from bot.conversation.people import People, chat_account
from bot.conversation.requests import files_of
from identity.actor import Actor
from identity.policy import in_common
from identity.readership import PUBLIC, Alone, Readership, Shared

log = logging.getLogger(__name__)

#: What anybody who may join a place without being asked may read.
ANY_MEMBER = frozenset({"public", "staff"})


def is_shared(event: Act) -> bool:
    """Return whether an event comes from a place where others read along."""
    return isinstance(event, Message | Press | FormSubmit) and not event.private


class Readers:
    """Finds what everybody at a place may read."""

    def __init__(self, people: People, chats: Mapping[str, Chat]) -> None:
        self._people = people
        self._chats = chats

    async def of(self, event: Act) -> Readership:
        """Return who reads along; apps in a channel are nobody's eyes, whoever runs the workspace chose them.

        For a press or a form the platform is not asked: what it leads to is drawn from state, so no more than the
        public's documents may be used.
        """
        thread = files_of(event.thread)
        if not is_shared(event):
            return Alone(thread)
        is_asked = isinstance(event, Message)
        return Shared(await self.at(event.account.platform, event.address) if is_asked else PUBLIC, thread)

    async def includes(self, person: str, platform: str, address: Address) -> bool:
        """Return whether a person is among those who read along at an address; False where nobody can tell."""
        try:
            members = await self._chats[platform].members(address)
        except Undeliverable as why:
            log.warning("nobody can tell who reads along: %s", why)
            return False
        return await self._people.directory.is_among(person, [chat_account(each) for each in members.accounts])

    async def at(self, platform: str, address: Address) -> frozenset[str]:
        """Return the principals that all who read along at an address have in common."""
        return (await self.audience(platform, address))[1]

    async def audience(self, platform: str, address: Address) -> tuple[Actor, frozenset[str]]:
        """Return who stands for all who read along at an address, and the principals that they have in common."""
        try:
            members = await self._chats[platform].members(address)
        except Undeliverable as why:
            log.warning("nobody can tell who reads along, so only public documents are used: %s", why)
            return in_common(()), PUBLIC
        accounts = [chat_account(account) for account in members.accounts if account.kind != "bot"]
        people = await self._people.directory.members(accounts)
        shared = frozenset.intersection(*(each.principals for each in people)) if people else PUBLIC
        return in_common(people, is_open=members.open), shared & ANY_MEMBER if members.open else shared
