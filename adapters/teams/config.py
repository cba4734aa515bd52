"""What the Teams adapter is told when it is built."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class TeamsConfig:
    """One company's bot. Secrets stay out of every repr."""

    app_id: str = ""
    app_secret: str = field(default="", repr=False)
    tenant_id: str = ""
    allowed_tenants: frozenset[str] = frozenset()  # besides the own one; their people are external
    signed: bool = True  # False: a test client that signs nothing, on loopback
    email_domains: frozenset[str] = frozenset()  # lower case; empty: an address links nobody to an account
    forms: Literal["dialogs", "cards"] = "dialogs"
    form_actions: frozenset[str] = frozenset()  # presses that are answered by a form
    stream_after_s: float = 0.7  # an answer that is there before is posted whole
    login_url: str = "https://login.microsoftonline.com"
    keys_url: str = "https://login.botframework.com/v1/.well-known/openidconfiguration"
    service_hosts: frozenset[str] = frozenset()  # further hosts that may be answered besides Microsoft's
    language: str = "en"  # for people whose language is not known yet
