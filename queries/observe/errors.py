"""What can be in the way of a diagnosis.

ObserveError
├── ReadFailed        a source gave no answer: `kind` says in which way; a report goes on and says what is missing
├── OutOfScope        nothing of that name that this person may look at: also said when there is nothing of that name
├── NothingNamed      neither an app nor a namespace was named
├── SeveralApps       several apps fit what was said
├── ClustersInvalid   `clusters.yaml` is wrong: told with file and line
└── NoSuchReport      there is no such report, or it is out of this person's scope
"""

from enum import StrEnum


class ObserveError(Exception):
    """The base of this package's errors."""


class FailureKind(StrEnum):
    """In which way a source gave no answer."""

    UNAUTHORIZED = "unauthorized"  # 401, also with the credentials read again
    FORBIDDEN = "forbidden"  # 403: never to be told as "nothing there"
    NOT_FOUND = "not_found"  # 404
    BAD_REQUEST = "bad_request"  # 400, 422
    EXPIRED = "expired"  # 410: the page of a list is too old
    THROTTLED = "throttled"  # 429
    SERVER_ERROR = "server_error"  # 5xx
    TIMED_OUT = "timed_out"
    UNREACHABLE = "unreachable"
    UNREADABLE = "unreadable"  # not what the interface promises
    TOO_LARGE = "too_large"
    RESTING = "resting"  # it failed again and again, and is left alone for a while
    OVER_BUDGET = "over_budget"  # the run has asked often enough
    NOT_SET_UP = "not_set_up"  # no such source in `clusters.yaml`
    NOT_RECORDED = "not_recorded"  # a recording does not hold it


#: What is worth a second try.
RETRYABLE = frozenset({FailureKind.THROTTLED, FailureKind.SERVER_ERROR, FailureKind.TIMED_OUT, FailureKind.UNREACHABLE})


class ReadFailed(ObserveError):
    """A source gave no answer to a request. `detail` is the source's own words: untrusted, shown redacted and short."""

    def __init__(
        self,
        kind: FailureKind,
        request: str,
        *,
        detail: str = "",
        status: int = 0,
        retry_after_s: float = 0.0,
    ) -> None:
        super().__init__(f"{kind}: {request}" + (f": {detail}" if detail else ""))
        self.kind = kind
        self.request = request  # "GET /api/v1/namespaces/shop/pods?labelSelector=app%3Dx", or the PromQL
        self.detail = detail
        self.status = status  # of HTTP; 0 where no answer came
        self.retry_after_s = retry_after_s


class OutOfScope(ObserveError):
    """There is nothing of that name that this person may look at."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NothingNamed(ObserveError):
    """Neither an app nor a namespace was named."""


class SeveralApps(ObserveError):
    """Several apps fit what was said; the person chooses."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names


class ClustersInvalid(ObserveError):
    """`clusters.yaml` says something that cannot be followed; each line names file, line and what to do."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class NoSuchReport(ObserveError):
    """There is no report with that id that this person may see."""
