"""What a platform's refusal means for whoever sends: come back later, or go on in another way.

Unavailable ── Ambiguous              nobody knows whether the call was carried out
            │  └─ Broken              the platform broke over it
            └─ NotAllowed             the credentials are refused
               └─ ScopeMissing        one kind of call needs a permission
Undeliverable ── Denied ── Closed, Vanished, ContentRefused, StreamOver
"""

from adapters.port import Unavailable, Undeliverable


class OutcomeUnknown(Unavailable):
    """No answer came: nobody knows whether the call was carried out. Any other `Unavailable` was not."""


class PlatformFailed(OutcomeUnknown):
    """The platform took the call and broke over it; it may be this very content that it breaks over."""


class NotAllowed(Unavailable):
    """The platform refuses the desk's credentials; somebody has to change the installation."""


class ScopeMissing(NotAllowed):
    """This one kind of call needs a permission that the app was not given."""


class CallDenied(Undeliverable):
    """The platform refuses this call for good; `code` is its word for the reason."""

    def __init__(self, what: str, code: str) -> None:
        super().__init__(f"{what}: {code}")
        self.code = code


class PlaceClosed(CallDenied):
    """The place is closed to the desk: what is meant for one person can still reach them directly."""


class Vanished(CallDenied):
    """The message is not there to be changed."""


class ContentRefused(CallDenied):
    """The content is refused, not the place: plain text may still pass."""


class StreamOver(CallDenied):
    """The stream takes nothing more: its time is up, somebody ended it, or none may be begun."""
