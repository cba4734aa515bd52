"""Which words a message is in, and who reads along."""

from typing import Literal

from adapters.events import Account
from identity.actor import Actor
from identity.directory import ChatAccount

Language = Literal["en", "zh"]
_HAN_FIRST, _HAN_LAST = 0x4E00, 0x9FFF


def language_of(text: str, *, default: str) -> Language:
    """Return the language that a text is answered in: Chinese as soon as a tenth of its letters are Chinese."""
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return "zh" if default == "zh" else "en"
    han = sum(_HAN_FIRST <= ord(character) <= _HAN_LAST for character in letters)
    return "zh" if han * 10 >= len(letters) else "en"


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
