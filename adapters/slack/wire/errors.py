"""What Slack's error codes mean for a caller: come back later, or never again."""

from enum import Enum

from adapters.outbound.errors import CallDenied, ContentRefused, PlaceClosed, StreamOver, Vanished


class SlackMeaning(Enum):
    """What to do after an error code."""

    LATER = "later"
    LIMITED = "limited"
    CREDENTIALS = "credentials"
    SCOPE = "scope"
    NEVER = "never"


_MEANINGS = {
    SlackMeaning.LIMITED: {"ratelimited", "rate_limited", "message_limit_exceeded", "too_many_requests"},
    # Slack's own failures, said with HTTP 200.
    SlackMeaning.LATER: {
        "fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org", "rollup_error",
    },
    SlackMeaning.CREDENTIALS: {
        "access_denied", "account_inactive", "ekm_access_denied", "enterprise_is_restricted", "invalid_auth",
        "not_allowed_token_type", "not_authed", "org_login_required", "team_access_not_granted", "token_expired",
        "token_revoked", "two_factor_setup_required",
    },
    SlackMeaning.SCOPE: {"missing_scope", "no_permission"},
}  # fmt: skip
_DENIALS: dict[type[CallDenied], set[str]] = {
    PlaceClosed: {
        "cannot_reply_to_message", "channel_is_archived", "channel_not_found", "is_archived", "not_in_channel",
        "restricted_action", "restricted_action_non_threadable_channel", "restricted_action_read_only_channel",
        "restricted_action_thread_locked", "restricted_action_thread_only_channel", "user_not_in_channel",
    },
    Vanished: {"cant_update_message", "edit_window_closed", "message_not_found"},
    ContentRefused: {
        "block_mismatch", "invalid_arguments", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long",
        "msg_too_long",
    },
    StreamOver: {"message_not_in_streaming_state", "message_not_owned_by_app"},
}  # fmt: skip
STILL_STREAMING = "streaming_state_conflict"


def meaning_of(code: str) -> SlackMeaning:
    """Return what an error code asks for; one that is not known is taken for the last word."""
    return next((meaning for meaning, codes in _MEANINGS.items() if code in codes), SlackMeaning.NEVER)


def denied(method: str, code: str) -> CallDenied:
    """Return the last word on a call."""
    kind = next((kind for kind, codes in _DENIALS.items() if code in codes), CallDenied)
    return kind(method, code)
