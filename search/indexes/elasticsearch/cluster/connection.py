"""The way to the cluster: opened on first use, short time-outs, a breaker, and one clear line for what is wrong."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from elasticsearch import ApiError, AsyncElasticsearch, TransportError, UnsupportedProductError

from search.config import ElasticsearchConfig
from search.errors import IndexUnavailable, IndexUnusable
from search.indexes.elasticsearch.cluster.problems import ClusterBusy, answered, unreachable, unsupported
from storage.breaker import Breaker
from storage.clock import Clock

_LOG = logging.getLogger(__name__)
#: The oldest server that the client speaks to and that has all that is asked for.
_OLDEST = (8, 19)
#: A cluster says that it is busy when it is, and for a moment after a shard had to start. Questions wait no longer.
_BUSY_WAITS_S = (0.1, 0.2, 0.4, 0.8)
_PATIENCE_S = 3.0

AnswerT = TypeVar("AnswerT")


class Connection:
    """A cluster that may be away: then every call fails at once, until it answers again."""

    def __init__(self, config: ElasticsearchConfig, clock: Clock) -> None:
        self.config = config
        self.clock = clock
        self._breaker = Breaker(clock, failures=3, open_s=config.retry_s)
        self._opening = asyncio.Lock()
        self._client: AsyncElasticsearch | None = None

    async def call(self, work: Callable[[AsyncElasticsearch], Awaitable[AnswerT]]) -> AnswerT:
        """Return what the server answers; raise `IndexUnavailable` or `IndexUnusable` with what to do.

        What a busy server did not do is asked for again, so `work` has to be something that may be done twice. What
        the caller has to tell apart (a conflict, something that is not there) passes as the client raised it.
        """
        deadline = self.clock.monotonic() + _PATIENCE_S
        waits = iter(_BUSY_WAITS_S)
        while True:
            try:
                return await self._called(work)
            except ClusterBusy:
                wait_s = next(waits, _PATIENCE_S)
                if self.clock.monotonic() + wait_s > deadline:
                    self._breaker.failed()
                    raise
                await self.clock.sleep(wait_s)

    async def search(self, **request: Any) -> Mapping[str, Any]:
        """Return the answer to one search; arguments as the client has them."""
        found: Mapping[str, Any] = (await self.call(lambda client: client.search(**request))).body
        return found

    async def close(self) -> None:
        """Give back every connection; the next call opens them again."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _called(self, work: Callable[[AsyncElasticsearch], Awaitable[AnswerT]]) -> AnswerT:
        if not self._breaker.admits():
            raise IndexUnavailable(f"{self._name} did not answer a moment ago; it is asked again in a few seconds")
        try:
            answer = await work(await self._opened())
        except UnsupportedProductError as error:
            self._breaker.succeeded()
            raise unsupported(self._name) from error
        except ApiError as error:
            problem = answered(error, self.config)
            self._note_answer(problem)
            raise problem from error
        except TransportError as error:
            if self._breaker.failed():
                _LOG.warning("Elasticsearch does not answer: %s", type(error).__name__)
            raise unreachable(error, self.config) from error
        self._note_answer()
        return answer

    @property
    def _name(self) -> str:
        return f"Elasticsearch at {self.config.url}"

    def _note_answer(self, problem: Exception | None = None) -> None:
        if not isinstance(problem, ClusterBusy) and self._breaker.succeeded():
            _LOG.warning("Elasticsearch answers again")

    async def _opened(self) -> AsyncElasticsearch:
        async with self._opening:
            if self._client is None:
                client = AsyncElasticsearch(**await asyncio.to_thread(_arguments, self.config))
                try:
                    _check_version((await client.info()).body, self._name)
                except (ApiError, TransportError, UnsupportedProductError, IndexUnusable):
                    await client.close()
                    raise
                self._client = client
            return self._client


def _arguments(config: ElasticsearchConfig) -> dict[str, Any]:
    """Return how the client is built; reads the CA file."""
    arguments: dict[str, Any] = {
        "hosts": list(config.urls),
        "request_timeout": config.timeout_s,
        "max_retries": 1,
        "retry_on_status": (),  # `call` asks again, after a pause
    }
    if key := config.api_key.get_secret_value():
        arguments["api_key"] = key
    elif config.username:
        arguments["basic_auth"] = (config.username, config.password.get_secret_value())
    if any(url.startswith("https:") for url in config.urls):
        try:
            arguments["ssl_context"] = ssl.create_default_context(cafile=config.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise IndexUnusable(f"{config.ca_file} cannot be read as the CA file of Elasticsearch: {error}") from error
    return arguments


def _check_version(told: Mapping[str, Any], name: str) -> None:
    number = str(told["version"]["number"])
    if tuple(int(part) for part in number.split(".")[:2]) < _OLDEST:
        raise IndexUnusable(f"{name} is {number}; 8.19 or newer is needed: upgrade the cluster, or unset its address")
