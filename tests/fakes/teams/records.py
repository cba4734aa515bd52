"""What an organisation in Teams holds: people, teams, conversations, messages, streams and calls."""

from dataclasses import dataclass, field
from typing import Any, Literal

from tests.fakes import changes

Json = dict[str, Any]

ConversationKind = Literal["personal", "groupChat", "channel"]
ChannelType = Literal["standard", "private", "shared"]
PieceKind = Literal["informative", "streaming"]
UserRole = Literal["user", "guest", "anonymous"]
#: What can happen; `Change.subject` is the record that it happened to.
ChangeKind = Literal[
    "user", "conversation", "message", "message_changed", "message_deleted", "stream", "typing", "card", "dialog",
    "notice", "reaction", "call",
]  # fmt: skip
Change = changes.Change[ChangeKind]
#: How the connector refuses to write into a conversation.
Barrier = Literal["MessageWritesBlocked", "ConversationBlockedByUser", "BotDisabledByAdmin"]


@dataclass(frozen=True)
class Tenant:
    """A company in Entra ID, ours or another."""

    id: str
    name: str


@dataclass(frozen=True)
class Bot:
    """The app's account in conversations; `id` is `28:` and its application id."""

    app_id: str
    id: str
    name: str


@dataclass
class User:
    """A person as this bot knows them: `id` is `29:…`; people without an account have no `aad_object_id`."""

    id: str
    name: str
    tenant_id: str
    aad_object_id: str = ""
    email: str = ""
    upn: str = ""
    user_role: UserRole = "user"
    locale: str = "en-US"


@dataclass
class Team:
    """A team; `id` is that of its General channel."""

    id: str
    name: str
    aad_group_id: str
    members: list[str] = field(default_factory=list)


@dataclass
class Conversation:
    """A chat (`a:…` or `19:…@thread.v2`) or a channel (`19:…@thread.tacv2`) with the ids of its people."""

    id: str
    kind: ConversationKind
    tenant_id: str
    members: list[str]
    name: str = ""
    team: Team | None = None
    channel_type: ChannelType = "standard"
    with_bot: bool = True
    #: Gets messages that do not name the app (the permission that a team or chat may give it).
    listens: bool = False
    barrier: Barrier | None = None


@dataclass
class Glimpse:
    """One piece of a stream: `text` is the whole of what was shown then, `at` in epoch seconds."""

    kind: PieceKind
    text: str
    sequence: int
    at: float


@dataclass
class Stream:
    """The life of a streamed message; `started` and `ended` are monotonic seconds of the clock."""

    started: float
    sequence: int = 0
    last: float = 0.0
    ended: float | None = None
    ending: Literal["final", "stopped", "expired"] | None = None
    pieces: list[Glimpse] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text that was streamed so far."""
        return next((each.text for each in reversed(self.pieces) if each.kind == "streaming"), "")


@dataclass
class Message:
    """A message as it stands now; `deleted` ones stay for tests. `root` names a channel's thread, "" elsewhere."""

    conversation: str
    id: str
    sender: str
    at: float
    text: str = ""
    root: str = ""
    text_format: str = "markdown"
    summary: str = ""
    attachments: list[Json] = field(default_factory=list)
    files: list[Json] = field(default_factory=list)  # attachments that are files
    entities: list[Json] = field(default_factory=list)
    channel_data: Json = field(default_factory=dict)
    suggested_actions: Json = field(default_factory=dict)
    stream: Stream | None = None
    deleted: bool = False
    edited: bool = False
    #: By user id: the card that stands in the first one's place for one person, since they pressed it.
    own_cards: dict[str, Json] = field(default_factory=dict)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    #: Everything that was written here before, oldest first.
    earlier: list[Json] = field(default_factory=list)


@dataclass(frozen=True)
class Call:
    """One call of the connector: `at` in epoch seconds of the clock, `code` "" when it went well."""

    operation: str
    path: str
    body: Json
    at: float
    status: int
    code: str = ""
    answer: Any = None
    token: str = ""
    conversation: str = ""
    #: The answer never reached the caller.
    lost: bool = False
