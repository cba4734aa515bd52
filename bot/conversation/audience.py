"""Accounts and actors in the terms of the packages below."""

from adapters.events import Account
from identity.actor import Actor
from identity.directory import ChatAccount
from language.scripts import Language


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
