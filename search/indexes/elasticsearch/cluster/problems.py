"""What the server, or its absence, means: one line each, with what to do about it."""

import ssl
from collections.abc import Mapping
from typing import Any

from elasticsearch import ApiError, ConflictError, NotFoundError, TransportError

from search.config import ElasticsearchConfig
from search.errors import IndexUnavailable, IndexUnusable

_SETTINGS = "DUTYDESK_SEARCH__ELASTICSEARCH__"
_HOW_TO = "docs/how-to/use-elasticsearch.md"
#: How Elasticsearch says that a disk is full, with the status of a server that is too busy.
_FULL = "flood-stage"


class ClusterBusy(IndexUnavailable):
    """The same request may well succeed a little later."""


def unreachable(error: TransportError, config: ElasticsearchConfig) -> Exception:
    """Return what no answer means."""
    name = f"Elasticsearch at {config.url}"
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error)):
        return IndexUnusable(f"the certificate of {name} is not trusted: set {_SETTINGS}CA_FILE to its CA ({_HOW_TO})")
    return IndexUnavailable(f"{name} does not answer ({type(error).__name__}): start it, or correct {_SETTINGS}URL")


def unsupported(name: str) -> Exception:
    """Return what an answer of something else means."""
    return IndexUnusable(f"what answers as {name} is not Elasticsearch 8.19 or newer: correct {_SETTINGS}URL")


def answered(error: ApiError, config: ElasticsearchConfig) -> Exception:
    """Return what an error answer means; the error itself when the caller has to tell."""
    if isinstance(error, ConflictError | NotFoundError):
        return error
    return meaning(error.meta.status, _reason(error.body), config) or error


def is_busy(status: int, reason: str = "") -> bool:
    """Say whether the same request may well succeed a little later."""
    return status in {429, 502, 503, 504} and _FULL not in reason


def meaning(status: int, reason: str, config: ElasticsearchConfig) -> Exception | None:
    """Return what a status means, whether of an answer or of an item in it; None for what nobody expects."""
    name = f"Elasticsearch at {config.url}"
    match status:
        case 401:
            return IndexUnusable(f"{name} does not know the key or password: correct {_SETTINGS}API_KEY, or USERNAME")
        case 403 | 429 if _FULL in reason:
            return IndexUnusable(f"{name} takes no writes, its disk is full: make room ({reason})")
        case 403:
            return IndexUnusable(f"{name} refuses: the key needs more rights on {config.prefix}* ({_HOW_TO}): {reason}")
        case _ if is_busy(status, reason):
            return ClusterBusy(f"{name} is too busy (status {status}): {reason}")
        case _:
            return None


def _reason(body: object) -> str:
    error = body.get("error", body) if isinstance(body, Mapping) else body
    return reason_of(error)


def reason_of(error: Any) -> str:
    """Return the words of an error in an answer, in one line."""
    words = error.get("reason", error) if isinstance(error, Mapping) else error
    return " ".join(str(words).split())[:300]


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting:
        one = waiting.pop()
        if isinstance(one, BaseException) and one not in found:
            found.append(one)
            waiting += [one.__cause__, one.__context__, *getattr(one, "errors", ()), *one.args]
            waiting.append(getattr(one, "certificate_error", None))
    return found
