"""Who stands behind an account: our own platforms name a person, other platforms go through the directory."""

from adapters.events import Account
from identity.actor import Actor, local_operator
from identity.directory import ChatAccount, Directory
from identity.errors import UnknownPerson
from language.scripts import Language

#: Platforms whose accounts are made by our own sign-in or by whoever holds the machine; `user` is a person's id.
OWN_DOORS = frozenset({"web", "terminal"})
#: The tenant of such accounts.
HOME_TENANT = "home"


class People:
    """Finds actors."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory

    async def behind(self, account: Account) -> Actor:
        """Return the actor behind an account, with the rights of this moment."""
        if account.platform in OWN_DOORS and account.tenant == HOME_TENANT:
            return await self.named(account.user)
        return await self.directory.resolve(chat_account(account))

    async def named(self, person: str) -> Actor:
        """Return a person by id or e-mail, or the local operator; raise `UnknownPerson`."""
        operator = local_operator().id
        return await (self.directory.actor(person) if person == operator else self.directory.person(person))

    async def called(self, words: str) -> Actor:
        """Return the person that words name: an id, an e-mail, or a name or first name that only one person has."""
        try:
            return await self.named(words)
        except UnknownPerson:
            wanted = words.strip().casefold()
            found = [each for each in await self.directory.people() if wanted in _names(each)]
            if len(found) != 1:
                raise
            return found[0]

    async def all(self) -> tuple[Actor, ...]:
        """Return everybody of people.yaml."""
        return await self.directory.people()

    async def by_id(self, actor_id: str) -> Actor:
        """Return an actor by id with the rights of this moment, listed or not; raise `UnknownPerson`."""
        return await self.directory.actor(actor_id)

    async def account(self, user: str) -> Account | None:
        """Return the account under which a person uses the browser chat; None when they are not known any more."""
        known = {actor.id: actor for actor in (*await self.directory.people(), local_operator())}
        actor = known.get(user)
        return None if actor is None else own_account("web", actor)


def _names(actor: Actor) -> set[str]:
    name = actor.name.casefold()
    return {name, name.split(" ")[0]}


def own_account(platform: str, actor: Actor) -> Account:
    """Return the account of a person who came through one of our own platforms."""
    return Account(
        platform=platform,
        tenant=HOME_TENANT,
        user=actor.id,
        name=actor.name,
        email=actor.email,
        email_verified=actor.email is not None,
        language=actor.language,
    )


def chat_account(account: Account) -> ChatAccount:
    """Return an account in the directory's terms."""
    return ChatAccount(
        platform=account.platform,
        tenant=account.tenant,
        user=account.user,
        name=account.name,
        email=account.email,
        email_verified=account.email_verified,
        kind=account.kind,
        language=account.language,
    )


def spoken(actor: Actor) -> Language:
    """Return the language that an actor has set."""
    return "zh" if actor.language == "zh" else "en"
