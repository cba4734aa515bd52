"""Chat accounts, and the rules by which one is found to belong to a person."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from identity.actor import LANGUAGES, Actor, ActorKind

AccountKind = Literal["member", "guest", "external", "bot"]


@dataclass(frozen=True)
class ChatAccount:
    """An account as its platform vouches for it right now."""

    platform: str
    tenant: str
    user: str
    name: str
    email: str | None = None
    email_verified: bool = False
    kind: AccountKind = "member"
    language: str | None = None

    @property
    def actor_id(self) -> str:
        """Return `platform:tenant:user`; a colon in a tenant is written `%3A`, so that two never look the same."""
        return f"{self.platform}:{self.tenant.replace(':', '%3A')}:{self.user}"


@dataclass(frozen=True)
class AccountLink:
    """What is stored of an account, and the person that it belongs to."""

    platform: str
    tenant: str
    user: str
    actor_id: str
    person_id: str | None
    kind: str
    name: str
    email: str | None
    language: str | None


def folded(email: str) -> str:
    """Return an e-mail as it is compared.

    Only ASCII letters are folded: Unicode folds the Kelvin sign to `k`, which would open a listed address to others.
    """
    return email.lower() if email.isascii() else email


def owner(account: ChatAccount, *, stored: AccountLink | None, by_email: Callable[[str], Actor | None]) -> str | None:
    """Return the id of the listed person whose account it is: by the verified e-mail of a full member, or not at all.

    An account that comes without any e-mail keeps the link that a verified one made, while it stays a full member.
    """
    if account.kind != "member":
        return None
    if account.email is not None:
        person = by_email(account.email) if account.email_verified else None
        return None if person is None else person.id
    return stored.person_id if stored is not None and stored.kind == "member" else None


def link(account: ChatAccount, *, person_id: str | None) -> AccountLink:
    """Return what is to be stored of an account."""
    return AccountLink(
        platform=account.platform,
        tenant=account.tenant,
        user=account.user,
        actor_id=person_id or account.actor_id,
        person_id=person_id,
        kind=account.kind,
        name=account.name,
        email=account.email,
        language=account.language,
    )


def unlisted(known: AccountLink) -> Actor:
    """Return the actor of an account that belongs to nobody in people.yaml: staff for full members, else a guest."""
    account = ChatAccount(known.platform, known.tenant, known.user, known.name)
    return Actor(
        id=account.actor_id,
        name=known.name,
        kind=ActorKind.STAFF if known.kind == "member" else ActorKind.GUEST,
        tenant=f"{known.platform}:{known.tenant}",
        language=known.language if known.language in LANGUAGES else LANGUAGES[0],
    )
