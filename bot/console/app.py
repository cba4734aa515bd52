"""All pages of the console and what is shown when one cannot be."""

import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ExceptionHandler

from agent.errors import RunNotFound
from bot.compose.desk import Desk
from bot.console.access.guard import headers_of
from bot.console.access.visitors import Visitors
from bot.console.audit_page import AuditPage
from bot.console.conversations import ChatPages
from bot.console.feature_pages import FeaturePages, feature_files
from bot.console.jobs_page import JobsPage
from bot.console.pages import Pages, preferred
from bot.console.run_pages import RunPages
from bot.console.sign_in import SignInPages
from bot.console.status_page import StatusPage
from features.anatomy.pages import NoSuchPage
from features.anatomy.spoken import refusal
from identity.errors import Forbidden
from search.errors import IndexUnavailable
from storage.database import AWAY, in_words, trouble_of

log = logging.getLogger(__name__)

#: Seconds after which a page is asked for again that could not be served.
RETRY_S = 30
#: Status → the words of `console.refusal`; any other status has those of "odd".
_CODES = {404: "not_found", 405: "odd", 413: "too_large"}


class Console:
    """Routes and refusals of the console."""

    def __init__(self, desk: Desk, visitors: Visitors) -> None:
        self._pages = Pages(desk, visitors)
        self._visitors = visitors

    def routes(self) -> list[BaseRoute]:
        """Return every route; static files need no sign-in and hold nothing of anybody's."""
        pages = self._pages
        return [
            *ChatPages(pages).routes(),
            *RunPages(pages).routes(),
            *JobsPage(pages).routes(),
            *AuditPage(pages).routes(),
            *FeaturePages(pages).routes(),
            *StatusPage(pages).routes(),
            *SignInPages(pages, self._visitors).routes(),
            *feature_files(pages.desk.features),
            Mount("/static", StaticFiles(packages=[("bot.console", "static")])),
            Mount("/chat/static", StaticFiles(packages=[("adapters.web", "static")])),
        ]

    def refusals(self) -> dict[type[Exception] | int, ExceptionHandler]:
        """Return the handlers: what is not there and what is not yours look the same."""
        return {
            HTTPException: self._plain,
            Forbidden: self._forbidden,
            NoSuchPage: self._not_found,
            RunNotFound: self._not_found,
            IndexUnavailable: self._away,
            **dict.fromkeys(AWAY, self._away),
            Exception: self._broken,
        }

    async def _plain(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        code = "token" if isinstance(error, HTTPException) and error.detail == "token" else _CODES.get(status, "odd")
        return self._pages.refusal(await self._pages.language_of(request), status, code)

    async def _forbidden(self, request: Request, error: Exception) -> Response:
        language = await self._pages.language_of(request)
        reason, permission = (error.reason, error.permission) if isinstance(error, Forbidden) else ("", "")
        return self._pages.refusal(language, 403, "forbidden", text=refusal(language, reason, permission))

    async def _not_found(self, request: Request, _error: Exception) -> Response:
        return self._pages.refusal(await self._pages.language_of(request), 404, "not_found")

    async def _away(self, request: Request, error: Exception) -> Response:
        """Answer 503 where the disk is full or the database or index does not answer; nothing of it is asked."""
        if isinstance(error, OSError) and not isinstance(error, TimeoutError) and trouble_of(error) is None:
            raise error
        log.error("%s %s: %s", request.method, request.url.path, in_words(error))
        answer = self._pages.refusal(preferred(request), 503, "away")
        answer.headers["Retry-After"] = str(RETRY_S)
        return answer

    async def _broken(self, _request: Request, _error: Exception) -> Response:
        # Nothing is looked up here: what broke may be what would be asked. The guard does not see this answer.
        answer = self._pages.refusal("en", 500, "broken")
        answer.headers.update(headers_of(self._pages.desk.settings))
        return answer
