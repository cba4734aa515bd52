"""What a server answered, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus

HTML = frozenset({"text/html", "application/xhtml+xml"})
TEXT = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
FILE_TYPES: Mapping[str, str] = {
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.ms-word.document.macroenabled.12": ".docm",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.12": ".xlsm",
}
#: Types that say nothing; the bytes tell.
VAGUE = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Answer:
    """One response; `headers` have lower-case names. `content` is empty where it was not wanted."""

    address: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def content_type(self) -> str:
        """Return the media type in lower case, or ""."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """Return the encoding that the server names, or ""."""
        message = Message()
        message["content-type"] = self.headers.get("content-type", "")
        return message.get_content_charset("")

    @property
    def is_redirect(self) -> bool:
        """Say whether it leads elsewhere."""
        return self.status in _REDIRECTS and "location" in self.headers

    @property
    def is_for_later(self) -> bool:
        """Say whether asking again may help."""
        return self.status in _LATER

    @property
    def said(self) -> str:
        """Return the status in words."""
        try:
            return f"answers {self.status} ({HTTPStatus(self.status).phrase})"
        except ValueError:
            return f"answers {self.status}"

    def retry_after_s(self, now: datetime) -> float | None:
        """Return for how many seconds the server wants to be left alone, or None when it does not say."""
        value = self.headers.get("retry-after", "").strip()
        if value.isdecimal() and len(value) < 10:
            return float(value)
        try:
            at = parsedate_to_datetime(value)
        except ValueError:
            return None
        return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
