"""Which message that names nobody is worth a look: asked of all talk of all channels, so nearly always from memory."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from adapters.events import Message
from adapters.port import Chat
from bot.channels.channels import ChannelService
from features.anatomy.channels import ChannelMode
from storage.clock import Clock
from storage.database import Database
from storage.queue import work

#: Seconds for which it is known which channels are listened to; making one quiet is looked up again before each answer.
KNOWN_S = 3.0
#: Messages of one channel that this process looks at in a minute; talk that is faster than that is no question.
PER_MINUTE = 20
#: Share of all places of the queue that may be taken while such messages are still let in: they are the first to go.
ROOM = 0.05
#: Fewest and most characters of a question that documents can answer.
SHORTEST, LONGEST = 8, 500
_ASKS = re.compile(
    r"[?？]|^\W{0,3}(?:how|what|where|when|which|who|why|whom|can|could|does|do|is|are|may|should|anyone|anybody)\b"
    r"|[吗呢么]\W{0,3}$|怎么|如何|什么|哪里|哪儿|哪个|谁知道|多少|为什么|有没有|能不能|可不可以|请问",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Return whether a text may be a question to whoever knows."""
    return len(text) * (1 if text.isascii() else 2) >= SHORTEST and len(text) <= LONGEST and bool(_ASKS.search(text))


class Overhearing:
    """Lets in what is worth a look; everything else costs no write and no work."""

    def __init__(
        self,
        channels: ChannelService,
        chats: Mapping[str, Chat],
        *,
        database: Database,
        clock: Clock,
        topics: Callable[[], Iterable[str]],
        waiting: int,
    ) -> None:
        self._channels = channels
        self._chats = chats
        self._database = database
        self._clock = clock
        self._topics = topics
        self._most = max(1, round(waiting * ROOM))
        self._listens: frozenset[tuple[str, str]] = frozenset()
        self._read_at = float("-inf")
        self._minute = 0
        self._seen: Counter[tuple[str, str]] = Counter()

    async def is_worth(self, event: Message) -> bool:
        """Return whether a message to nobody is put into the queue."""
        listens = await self._listening()
        if not listens or not asks(event.text) or event.account.kind == "bot":
            return False
        found = self._chats[event.account.platform].channel(event.address)
        if found is None or (event.account.platform, found[0]) not in listens:
            return False
        return self._is_in_time((event.account.platform, found[0])) and await self._has_room()

    async def _listening(self) -> frozenset[tuple[str, str]]:
        now = self._clock.monotonic()
        if now - self._read_at >= KNOWN_S:
            modes = await self._channels.modes()
            self._listens = frozenset(name for name, mode in modes.items() if mode is ChannelMode.LISTEN)
            self._read_at = now
        return self._listens

    def _is_in_time(self, channel: tuple[str, str]) -> bool:
        minute = int(self._clock.monotonic() // 60)
        if minute != self._minute:
            self._minute, self._seen = minute, Counter()
        self._seen[channel] += 1
        return self._seen[channel] <= PER_MINUTE

    async def _has_room(self) -> bool:
        async with self._database.reading() as session:
            waiting, _ = await work.count_waiting(session, topics=self._topics(), of="", path=("event",), value="")
        return waiting < self._most
