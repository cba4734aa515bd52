"""What every platform makes of its people: whose address counts, and who stands for whom among readers."""

from collections.abc import Iterable

from adapters.events import Account


def domain_of(email: str | None) -> str:
    """Return the domain of an address in lower case, "" of what is no plain ASCII address."""
    name, _, domain = (email or "").partition("@")
    return domain.lower() if name and (email or "").isascii() else ""


def one_full_member(accounts: Iterable[Account]) -> list[Account]:
    """Return everybody but the full members, and one of them for all."""
    listed = list(accounts)
    full = [account for account in listed if account.kind == "member"]
    return [account for account in listed if account.kind != "member"] + full[:1]
