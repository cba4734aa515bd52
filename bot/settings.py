"""Every setting, and the only reader of the environment.

Order of precedence: arguments of `load`, the environment (`DUTYDESK_…`, nested with `__`), `dutydesk.toml` in the
home folder, the defaults here.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from agent.config import AgentConfig
from features.anatomy.sections import DigestConfig
from search.config import SearchConfig
from storage.files.given import given_text
from tickets.config import TicketsConfig, TicketsOverrides

#: Name of the settings file in the home folder.
FILE_NAME = "dutydesk.toml"


#: What the names of all settings begin with in the environment.
PREFIX = "DUTYDESK_"
#: From which likeness on an unknown name is a known one misspelt, and no name of something else.
_MISSPELT = 0.8


class SettingsInvalid(Exception):
    """A setting is wrong; the text names each one and says what to do."""


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WebSettings(_Group):
    """The web server: chat and console."""

    host: str = Field("127.0.0.1", description="Address to listen on. Anything but loopback needs TLS, or `insecure`.")
    port: int = Field(8765, ge=0, le=65_535, description="Port to listen on; 0 takes any free one.")
    url: str = Field("", description="Address that people open, when it differs from host and port (behind a proxy).")
    tls_certificate: Path | None = Field(None, description="PEM file with the certificate chain.")
    tls_key: Path | None = Field(None, description="PEM file with the private key.")
    insecure: bool = Field(
        default=False, description="Allow a non-loopback address without TLS, for use behind a proxy that adds it."
    )
    trusted_proxies: tuple[str, ...] = Field(
        (),
        description="Addresses or networks of proxies before the desk, which are believed when they say by "
        "`X-Forwarded-For` who asks; without any, whoever connects is who asks.",
    )
    session_hours: int = Field(12, ge=1, description="Hours a sign-in lasts.")


class WebhookSettings(_Group):
    """A signed webhook. docs/how-to/receive-news-by-webhook.md tells how it is verified."""

    url: str = Field("", description="Address that is posted to; empty: none.")
    secret: SecretStr = Field(SecretStr(""), description="Key that signs what is posted, at least 16 characters.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.url and not _safe_address(self.url):
            raise ValueError("url has to begin with https:// (or to be an address of this machine)")
        if self.url and len(self.secret.get_secret_value()) < 16:
            raise ValueError("url needs secret too, of at least 16 characters")
        return self


def _safe_address(url: str) -> bool:
    """Return whether nobody on the way can change what an address answers."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost"))


class AuditSettings(_Group):
    """What is kept of the audit beside the database."""

    witness: Path = Field(
        Path("audit-witness.jsonl"),
        description="File to which the head of the audit's chain is written each minute, below the home or anywhere; "
        "best where whoever may write to the database may not.",
    )
    webhook: WebhookSettings = WebhookSettings()


class LimitSettings(_Group):
    """How much one person or one address may ask for."""

    messages_per_minute: int = Field(20, ge=1, description="Messages a person may send in a minute.")
    address_messages_per_minute: int = Field(60, ge=1, description="Messages handled in one channel in a minute.")
    files_per_day: int = Field(100, ge=1, description="Files sent in chat that are read for one person in a day.")
    file_mb_per_day: int = Field(200, ge=1, description="Megabytes that these files may have together.")
    runs_per_person: int = Field(
        4, ge=1, description="Messages of one person that are worked on at once; the others wait their turn."
    )
    connections: int = Field(1_000, ge=50, description="Connections that the web server holds at once.")
    streams: int = Field(400, ge=1, description="Open pages that are followed at once; of more, the oldest gives way.")
    streams_per_person: int = Field(20, ge=1, description="The same for one person.")
    sign_ins_per_minute: int = Field(30, ge=1, description="Sign-in tries from one network address in a minute.")
    sign_ins_in_all_per_minute: int = Field(600, ge=1, description="The same from all addresses together.")
    waiting_per_person: int = Field(
        200,
        ge=1,
        description="Messages and presses of one person that may wait; more are refused and can be sent again.",
    )
    waiting: int = Field(5_000, ge=1, description="The same of all people together.")
    news_together_s: float = Field(
        60.0,
        ge=0,
        le=3_600,
        description="Seconds after news within which further ones to the same person become one message; 0: none do.",
    )
    run_seconds: float = Field(60.0, gt=0, description="Seconds one answer may take before the watchdog closes it.")
    deaths: int = Field(
        2,
        ge=1,
        description="Times that a message may end the process, while nothing else is in hand, before it is closed.",
    )


class ChannelOptions(_Group):
    """How the desk behaves in channels; what differs from channel to channel is set there (`/desk channel`)."""

    answers_per_day: int = Field(
        5, ge=0, description="Answers that nobody asked for in one channel on one day (UTC), where the desk listens."
    )
    owners_may_set: bool = Field(
        default=False,
        description="Let the owner of a channel set when and in which language the desk speaks there, and digests; "
        "Slack tells who made a channel, Teams tells of nobody.",
    )


class SlackSettings(_Group):
    """Slack: one workspace, by HTTP or by Socket Mode. docs/how-to/connect-slack.md tells where each value is found."""

    mode: Literal["off", "http", "socket"] = Field(
        "off", description="How Slack reaches the desk: `http` (a public address) or `socket` (no address needed)."
    )
    bot_token: SecretStr = Field(SecretStr(""), description="Bot token, `xoxb-…`.")
    signing_secret: SecretStr = Field(SecretStr(""), description="Signing secret of the app; needed for `http`.")
    app_token: SecretStr = Field(SecretStr(""), description="App-level token, `xapp-…`; needed for `socket`.")
    email_domains: tuple[str, ...] = Field(
        (),
        description="Domains of the company. A full member with a confirmed address in one of them is the person of "
        "people.yaml with that address; with none, nobody is.",
    )
    stream_after_s: float = Field(
        0.7, ge=0, description="Seconds after which an answer that is still being made is shown as it grows."
    )
    api_url: str = Field("https://slack.com/api/", description="Address of Slack's Web API; only tests change it.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        missing = [name for name in _NEEDED_BY[self.mode] if not getattr(self, name).get_secret_value()]
        if missing:
            raise ValueError(f"mode {self.mode} needs {' and '.join(missing)} too (docs/how-to/connect-slack.md)")
        return self


class TeamsSettings(_Group):
    """Microsoft Teams: one company's bot. docs/how-to/connect-teams.md tells where each value is found."""

    mode: Literal["off", "on", "test"] = Field(
        "off",
        description="`on`: Teams reaches the desk at /api/messages. `test`: the same for a test client, which signs "
        "nothing: whoever reaches the port is believed, so the address has to be loopback.",
    )
    app_id: str = Field("", description="Application (client) id of the bot.")
    app_secret: SecretStr = Field(SecretStr(""), description="Client secret of the bot's app registration.")
    tenant_id: str = Field("", description="Directory (tenant) id of the company.")
    allowed_tenants: tuple[str, ...] = Field(
        (), description="Other tenants whose people may write to the desk; they are external: public knowledge only."
    )
    email_domains: tuple[str, ...] = Field(
        (),
        description="Domains of the company. A full member with an address in one of them is the person of people.yaml "
        "with that address; with none, nobody is.",
    )
    forms: Literal["dialogs", "cards"] = Field(
        "dialogs", description="How forms open: as dialogs, or in place of the card for clients that have no dialogs."
    )
    stream_after_s: float = Field(
        0.7, ge=0, description="Seconds after which an answer that is still being made is shown as it grows."
    )
    login_url: str = Field(
        "https://login.microsoftonline.com", description="Where tokens are asked for; only tests change it."
    )
    keys_url: str = Field(
        "https://login.botframework.com/v1/.well-known/openidconfiguration",
        description="Where the keys of Teams are announced; only tests change it.",
    )
    service_hosts: tuple[str, ...] = Field(
        (), description="Further hosts that may be answered besides Microsoft's; only tests need any."
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.mode != "on":
            return self
        for name in ("login_url", "keys_url"):
            if not _safe_address(getattr(self, name)):
                raise ValueError(f"{name} has to begin with https:// (or to be an address of this machine)")
        wanted = {"app_id": self.app_id, "app_secret": self.app_secret.get_secret_value(), "tenant_id": self.tenant_id}
        missing = [name for name, value in wanted.items() if not value]
        if missing:
            raise ValueError(f"mode on needs {' and '.join(missing)} too (docs/how-to/connect-teams.md)")
        return self


class MailSettings(_Group):
    """E-mail as a way of news. docs/how-to/send-news-by-mail.md tells how it is tried."""

    host: str = Field("", description="Name of the mail server (SMTP); empty: no e-mail is sent.")
    port: int = Field(587, ge=1, le=65_535, description="Its port.")
    security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="How the connection is protected: `none` only for a server on this machine."
    )
    username: str = Field("", description="Name to sign in with; empty: the server asks for none.")
    password: SecretStr = Field(SecretStr(""), description="Password to sign in with.")
    sender: str = Field("", description="What e-mails come from, such as `Duty desk <desk@example.com>`.")
    ca_file: Path | None = Field(None, description="PEM file of whoever signed the server's certificate, if it is own.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.host and "@" not in self.sender:
            raise ValueError("host needs sender too, such as Duty desk <desk@example.com>")
        if self.security == "none" and self.host not in ("", "127.0.0.1", "localhost"):
            raise ValueError("security none is for a server on this machine: set starttls or tls")
        return self


#: Mode of Slack → the secrets without which it cannot work.
_NEEDED_BY = {"off": (), "http": ("bot_token", "signing_secret"), "socket": ("bot_token", "app_token")}


class Settings(BaseSettings):
    """All settings of one desk; frozen once read."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True, protected_namespaces=()
    )

    home: Path = Field(Path(".dutydesk"), description="Folder of everything that the embedded default writes.")
    demo: bool = Field(
        default=False, description="Demo: sample people and handbook, and a person switcher in the page."
    )
    database_url: str = Field("", description="PostgreSQL or SQLite URL; empty: a SQLite file of its own in the home.")
    secret: SecretStr = Field(
        SecretStr(""),
        description="Key that signs buttons; empty: made once and kept in the home. Replicas share one.",
    )
    redis_url: str = Field("", description="Redis URL; empty: none is used. Redis only makes things faster.")
    people_file: Path | None = Field(None, description="Where people.yaml lies; empty: in the home.")
    datasources_file: Path | None = Field(
        None, description="Where datasources.yaml lies, which names the databases to ask; empty: in the home."
    )
    clusters_file: Path | None = Field(
        None, description="Where clusters.yaml lies, which names the clusters to look at; empty: in the home."
    )
    model: str = Field("rules", description="`rules`, or a language model such as `openai:gpt-5-mini`.")
    language: Literal["en", "zh"] = Field("en", description="Language for people who have not set one.")
    handbook: Path | None = Field(None, description="Folder that `demo` indexes; empty: the sample handbook.")
    web: WebSettings = WebSettings()
    audit: AuditSettings = AuditSettings()
    limits: LimitSettings = LimitSettings()
    channels: ChannelOptions = ChannelOptions()
    agent: AgentConfig = AgentConfig()
    search: SearchConfig = SearchConfig()
    tickets: TicketsOverrides = TicketsOverrides()
    slack: SlackSettings = SlackSettings()
    teams: TeamsSettings = TeamsSettings()
    digests: Mapping[str, DigestConfig] = Field({}, description="Digests for channels, each under a name.")
    mail: MailSettings = MailSettings()
    webhook: WebhookSettings = WebhookSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put the file below the environment, and leave out .env files: one place less to look."""
        del dotenv_settings, file_secret_settings
        home = _home_of(init_settings(), env_settings())
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, home / FILE_NAME)

    @property
    def owns_database(self) -> bool:
        """Return True when the database is the desk's own SQLite file, which it may migrate by itself."""
        return self.database_url == ""

    @property
    def database_path(self) -> Path:
        """Return the file of the desk's own database, where it owns one."""
        return self.home / "dutydesk.db"

    @property
    def resolved_database_url(self) -> str:
        """Return the async SQLAlchemy URL."""
        if self.owns_database:
            return f"sqlite+aiosqlite:///{self.database_path.resolve()}"
        return _async_url(self.database_url)

    @property
    def tickets_config(self) -> TicketsConfig:
        """Return the built-in categories and fields with the operator's own laid over them."""
        return self.tickets.over(TicketsConfig())

    @property
    def agent_config(self) -> AgentConfig:
        """Return the agent's configuration with the model that `model` names."""
        name = "" if self.model == "rules" else self.model
        return self.agent.model_copy(update={"model": self.agent.model.model_copy(update={"name": name})})

    @property
    def search_config(self) -> SearchConfig:
        """Return the search's configuration with the index and the uploads in the home."""
        uploads = self.search.uploads.model_copy(update={"path": self.home / "uploads"})
        return self.search.model_copy(update={"index_path": self.index_path, "uploads": uploads})

    @property
    def witness_path(self) -> Path:
        """Return where the head of the audit's chain is noted."""
        return self.home / self.audit.witness

    @property
    def people_path(self) -> Path:
        """Return where people.yaml is looked for."""
        return self.people_file or self.home / "people.yaml"

    @property
    def datasources_path(self) -> Path:
        """Return where datasources.yaml is looked for."""
        return self.datasources_file or self.home / "datasources.yaml"

    @property
    def clusters_path(self) -> Path:
        """Return where clusters.yaml is looked for."""
        return self.clusters_file or self.home / "clusters.yaml"

    @property
    def index_path(self) -> Path:
        """Return the file of the embedded index."""
        return self.home / "index.db"

    @property
    def public_url(self) -> str:
        """Return the address that links in messages begin with, without a slash at the end."""
        if self.web.url:
            return self.web.url.rstrip("/")
        scheme = "https" if self.web.tls_certificate else "http"
        return f"{scheme}://{self.web.host}:{self.web.port}"


def load(*, home: Path | None = None, **overrides: Any) -> Settings:
    """Read all settings once; raise `SettingsInvalid` with one line per wrong one."""
    given = {"home": home.expanduser(), **overrides} if home is not None else overrides
    if misspelt := [*_misspelt()]:
        raise SettingsInvalid("\n".join(misspelt))
    try:
        settings = Settings(**given)
        settings.tickets_config  # noqa: B018 - a wrong category is told now, not at the first ticket
    except ValidationError as error:
        lines = [f"{'.'.join(str(part) for part in each['loc'])}: {_problem(each)}" for each in error.errors()]
        advice = f"Correct it in the environment (DUTYDESK_…) or in {FILE_NAME} (docs/reference/settings.md lists all)."
        raise SettingsInvalid("\n".join([*lines, advice])) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsInvalid(f"{FILE_NAME} is not valid TOML: {error}") from error
    except UnicodeDecodeError as error:
        raise SettingsInvalid(f"{FILE_NAME} is not UTF-8 text. Save it as UTF-8.") from error
    except RecursionError as error:
        raise SettingsInvalid(f"A setting is nested too deeply, in the environment or in {FILE_NAME}.") from error
    except (
        ValueError,
        OSError,
    ) as error:  # a number too long, a variable that is no JSON, a closed file
        raise SettingsInvalid(f"The environment or {FILE_NAME} cannot be read: {str(error)[:200]}") from error
    return settings


def secret(reference: str) -> str:
    """Return the secret that `env:NAME` or `file:PATH` names; raise LookupError or OSError where there is none."""
    kind, _, name = reference.partition(":")
    # Named by whoever writes datasources.yaml or clusters.yaml, so no setting of ours can hold it.
    found = os.environ.get(name, "") if kind == "env" else given_text(Path(name).expanduser())  # noqa: TID251
    if not found.strip():
        raise LookupError(f"{reference} is empty or not set")
    return found.strip()


def _misspelt() -> Iterator[str]:
    """Yield a line for each variable whose name is nearly that of a setting; others may hold secrets of one's own."""
    for name in sorted(os.environ):  # noqa: TID251 - the one reader
        known = name.removeprefix(PREFIX).split("__")[0].lower()
        if not name.startswith(PREFIX) or known in Settings.model_fields:
            continue
        for meant in get_close_matches(known, Settings.model_fields, n=1, cutoff=_MISSPELT):
            yield f"{name}: there is no such setting; {PREFIX}{meant.upper()} is one"


def _problem(found: ErrorDetails) -> str:
    return "there is no such setting" if found["type"] == "extra_forbidden" else found["msg"]


def _home_of(given: dict[str, Any], environment: dict[str, Any]) -> Path:
    return Path(given.get("home") or environment.get("home") or Settings.model_fields["home"].default)


def _async_url(url: str) -> str:
    for plain, asynchronous in (
        ("postgresql://", "postgresql+psycopg://"),
        ("postgres://", "postgresql+psycopg://"),
        ("sqlite://", "sqlite+aiosqlite://"),
    ):
        if url.startswith(plain):
            return asynchronous + url.removeprefix(plain)
    return url
