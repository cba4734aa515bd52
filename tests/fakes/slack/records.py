"""What a Slack workspace holds: teams, people, conversations, messages, views, and what is lent for a short time."""

from dataclasses import dataclass, field
from typing import Any, Literal

from tests.fakes import changes

Json = dict[str, Any]

TokenKind = Literal["bot", "app"]
#: How a token is refused once it has been taken away.
Revocation = Literal["token_revoked", "invalid_auth", "account_inactive", "token_expired"]
ViewKind = Literal["modal", "home"]
#: What can happen to a workspace; `Change.subject` is the record that it happened to.
ChangeKind = Literal[
    "user", "channel", "message", "message_changed", "message_deleted", "ephemeral", "stream", "reaction",
    "status", "prompts", "title", "view_opened", "view_changed", "view_closed", "home", "call",
]  # fmt: skip
Change = changes.Change[ChangeKind]


@dataclass(frozen=True)
class Team:
    """A workspace, ours or another company's."""

    id: str
    name: str
    domain: str
    enterprise_id: str | None = None


@dataclass
class User:
    """A person or a bot; `team_id` other than the workspace's own means another company (Slack Connect)."""

    id: str
    name: str
    real_name: str
    team_id: str
    email: str | None = None
    locale: str = "en-US"
    tz: str = "Europe/Berlin"
    tz_offset: int = 3600
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    is_bot: bool = False
    is_admin: bool = False
    deleted: bool = False
    is_email_confirmed: bool = True
    bot_id: str | None = None


@dataclass
class Channel:
    """A conversation: `C…` public, `G…` private, `D…` between the app and `user`."""

    id: str
    name: str
    members: list[str]
    created: int
    is_private: bool = False
    is_im: bool = False
    is_ext_shared: bool = False
    is_archived: bool = False
    user: str | None = None


@dataclass
class Stream:
    """The life of a streamed message: `started` and `ended` are monotonic seconds of the workspace's clock."""

    started: float
    recipient_user_id: str | None = None
    recipient_team_id: str | None = None
    ended: float | None = None
    #: How it ended: stopped by the app, or closed by Slack after its time; None while nobody looked.
    ending: Literal["stopped", "expired"] | None = None
    chunks: list[Json] = field(default_factory=list)


@dataclass(frozen=True)
class SharedFile:
    """A file that somebody shared; `told` is what Slack says of it."""

    told: Json
    content: bytes


@dataclass
class Message:
    """A message as it stands now; `deleted` ones stay for tests, but the API no longer shows them."""

    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    bot_id: str | None = None
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    #: The Markdown of `markdown_text` or of a stream, as the app wrote it.
    markdown: str | None = None
    metadata: Json | None = None
    edited: Json | None = None
    ephemeral_to: str | None = None
    stream: Stream | None = None
    deleted: bool = False
    subtype: str | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    unfurl_links: bool = True
    unfurl_media: bool = True
    files: list[Json] = field(default_factory=list)
    #: Every text that it had before, oldest first.
    earlier: list[str] = field(default_factory=list)

    @property
    def root(self) -> str:
        """The ts of the thread that it starts or belongs to."""
        return self.thread_ts or self.ts


@dataclass
class View:
    """A modal or a home of one person, as the app last gave it; `state` is what the person typed (`values`)."""

    id: str
    kind: ViewKind
    user: str
    content: Json
    hash: str
    root_view_id: str
    previous_view_id: str | None = None
    external_id: str = ""
    state: Json = field(default_factory=lambda: {"values": {}})
    closed: bool = False
    #: How often the app gave it new content.
    updates: int = 0


@dataclass
class AssistantThread:
    """What the agent surface shows beside a thread (`thread_ts` "" is the whole direct message)."""

    channel: str
    thread_ts: str
    status: str = ""
    loading_messages: list[str] = field(default_factory=list)
    status_at: float = 0.0
    title: str | None = None
    prompts_title: str | None = None
    prompts: list[Json] = field(default_factory=list)
    session_status: str | None = None


@dataclass
class Trigger:
    """The right to open one modal, for three seconds after a person did something."""

    id: str
    user: str
    made: float
    used: bool = False
    #: The modal in which the person pressed, for `views.push`.
    view_id: str | None = None


@dataclass
class ResponseUrl:
    """The right to answer a command or a press: five times within half an hour."""

    id: str
    channel: str
    user: str
    made: float
    #: The message that was pressed, which `replace_original` and `delete_original` mean; None after a command.
    message_ts: str | None = None
    thread_ts: str | None = None
    uses: int = 0


@dataclass
class Token:
    """A credential of the app; `refused` is the error it gets since a test took it away."""

    value: str
    kind: TokenKind
    refused: Revocation | None = None


@dataclass(frozen=True)
class Call:
    """One call of the Web API: `at` in epoch seconds of the workspace's clock, `error` None when it went well."""

    method: str
    arguments: Json
    at: float
    status: int
    error: str | None = None
    answer: Json = field(default_factory=dict)
    #: The answer never reached the caller.
    lost: bool = False
