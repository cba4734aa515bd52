"""How the local Teams says no, with the codes and words of the real one."""

import json
from typing import Any

Json = dict[str, Any]

BAD_ARGUMENT = "BadArgument"
NOT_ALLOWED = "ContentStreamNotAllowed"
#: Code → the words that Teams sends with it, where nothing more is known.
WORDS = {
    "ActivityNotFoundInConversation": "Conversation not found.",
    "BotDisabledByAdmin": "The tenant admin disabled this bot",
    "BotNotInConversationRoster": "The bot is not part of the conversation roster.",
    "ConversationBlockedByUser": "User blocked the conversation with the bot.",
    "ConversationNotFound": "Conversation not found.",
    "ForbiddenOperationException": "Bot is not installed in user's personal scope",
    "MemberNotFoundInConversation": "Member not found in conversation.",
    "MessageSizeTooBig": "Message size too large.",
    "PreconditionFailed": "Precondition failed, please try again.",
    "ServiceError": "Service error.",
    "Throttled": "Too many requests.",
}
#: Status → the code that comes with it when a test asks for the status alone.
CODES = {
    412: "PreconditionFailed",
    413: "MessageSizeTooBig",
    429: "Throttled",
    500: "ServiceError",
    502: "ServiceError",
}


class Refused(Exception):
    """A refusal by the connector; `code` "" is one without a body that says more (503, 504)."""

    def __init__(self, status: int, code: str = "", message: str = "", *, retry_after_s: int | None = None) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.code = code
        self.message = message or WORDS.get(code, "")
        self.retry_after_s = retry_after_s

    @property
    def headers(self) -> dict[str, str]:
        """The headers that tell when to come back, if Teams says so."""
        return {} if self.retry_after_s is None else {"Retry-After": str(self.retry_after_s)}

    @property
    def body(self) -> Json:
        """The JSON of the refusal; the one for a blocked chat has a shape of its own."""
        if self.code == "MessageWritesBlocked":
            details = {"subCode": self.code, "details": "Thread is blocked from message writes."}
            return {"errorCode": 209, "message": json.dumps(details | {"errorCode": None, "errorSubCode": None})}
        if not self.code:
            return {"error": {"message": self.message}} if self.message else {}
        return {"error": {"code": self.code, "message": self.message}}


def bad(message: str) -> Refused:
    """Return the refusal of a request that makes no sense."""
    return Refused(400, BAD_ARGUMENT, message)


def unauthorized() -> Refused:
    """Return the refusal of a request without a good token."""
    return Refused(401, "Unauthorized", "Authorization has been denied for this request.")
