"""What Slack's error codes mean for a caller: come back later, or never again."""

from enum import Enum

from adapters.outbound.gates import Ambiguous
from adapters.port import Unavailable, Undeliverable


class Meaning(Enum):
    """What to do after an error code."""

    LATER = "later"
    LIMITED = "limited"
    CREDENTIALS = "credentials"
    SCOPE = "scope"
    NEVER = "never"


class Denied(Undeliverable):
    """Slack refuses this call for good; `code` is its word for the reason."""

    def __init__(self, method: str, code: str) -> None:
        super().__init__(f"{method}: {code}")
        self.code = code


class NotAllowed(Unavailable):
    """Slack refuses the desk's credentials; somebody has to change the installation."""

    def __init__(self, method: str, code: str, *, retry_after_s: float) -> None:
        super().__init__(f"{method}: {code}", retry_after_s=retry_after_s)
        self.code = code


class ScopeMissing(NotAllowed):
    """This one method needs a scope that the app was not given."""


class Failing(Ambiguous):
    """Slack took the call and broke over it; it may be this very content that it breaks over."""


_LIMITED = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded", "too_many_requests"})
#: Slack's own failures, said with HTTP 200.
_LATER = frozenset(
    {"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org", "rollup_error"}
)
_CREDENTIALS = frozenset(
    {
        "access_denied", "account_inactive", "ekm_access_denied", "enterprise_is_restricted", "invalid_auth",
        "not_allowed_token_type", "not_authed", "org_login_required", "team_access_not_granted", "token_expired",
        "token_revoked", "two_factor_setup_required",
    }
)  # fmt: skip
_SCOPE = frozenset({"missing_scope", "no_permission"})

#: The place is closed to the desk: what is meant for one person can still reach them directly.
CLOSED = frozenset(
    {
        "cannot_reply_to_message", "channel_is_archived", "channel_not_found", "is_archived", "not_in_channel",
        "restricted_action", "restricted_action_non_threadable_channel", "restricted_action_read_only_channel",
        "restricted_action_thread_locked", "restricted_action_thread_only_channel", "user_not_in_channel",
    }
)  # fmt: skip
#: The message is not there to be changed.
GONE = frozenset({"cant_update_message", "channel_not_found", "edit_window_closed", "message_not_found"})
#: Slack refuses the content, not the place: plain text may still pass.
CONTENT = frozenset(
    {
        "block_mismatch", "invalid_arguments", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long",
        "msg_too_long",
    }
)  # fmt: skip
#: Slack ended the stream, or it never was one.
NOT_STREAMING = frozenset({"message_not_in_streaming_state", "message_not_owned_by_app"})
STILL_STREAMING = "streaming_state_conflict"


def meaning_of(code: str) -> Meaning:
    """Return what an error code asks for; one that is not known is taken for the last word."""
    for codes, meaning in (
        (_LIMITED, Meaning.LIMITED),
        (_LATER, Meaning.LATER),
        (_CREDENTIALS, Meaning.CREDENTIALS),
        (_SCOPE, Meaning.SCOPE),
    ):
        if code in codes:
            return meaning
    return Meaning.NEVER
