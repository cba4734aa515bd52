"""What every page stands on: who visits, a template with the visitor's words, and writes that carry their token."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, PackageLoader, PrefixLoader, StrictUndefined
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.compose.desk import Desk
from bot.console.access.visitors import Visitor, Visitors
from bot.conversation.people import spoken
from bot.rendering.texts.catalogue import has, say
from features.anatomy.feature import Feature
from features.anatomy.moments import moment
from features.anatomy.pages import SentFile, Upload, Visit
from features.anatomy.texts import folder_of
from identity.actor import Actor
from identity.permissions import AnyPermission, Permission
from identity.policy import decide, require
from language.scripts import Language

#: Longest form in bytes; the longest field is a comment.
FORM_BYTES = 64 * 1024

#: Entry of the menu → address and the permission that shows it; those of the features stand between.
_ABOVE: Mapping[str, tuple[str, AnyPermission]] = {"chat": ("/", Permission.KNOWLEDGE_ASK)}
_BELOW: Mapping[str, tuple[str, AnyPermission]] = {
    "runs": ("/runs", Permission.RUNS_READ_OWN),
    "jobs": ("/jobs", Permission.JOBS_MANAGE),
    "audit": ("/audit", Permission.AUDIT_READ),
}


Handler = Callable[[Visit], Awaitable[Response]]


class Pages:
    """Makes routes out of handlers, and pages out of templates."""

    def __init__(self, desk: Desk, visitors: Visitors) -> None:
        self.desk = desk
        self._visitors = visitors
        menus = {name: entry for each in desk.features for name, entry in _menu(each)}
        self._navigation = {**_ABOVE, **menus, **_BELOW}
        self._drawings = {name: f"{each.name}/{name}.svg" for each in desk.features for name, _ in _menu(each)}
        self._templates = _read(_templates(desk.features))  # before anybody waits for a page

    def get(self, path: str, handler: Handler) -> Route:
        """Return the route of a page for people who are signed in; others are led to the sign-in page."""

        async def endpoint(request: Request) -> Response:
            visitor = await self._visitors.of(request)
            fresh = None if visitor else await self._visitors.first_of_demo()
            known = visitor or fresh
            if known is None:
                return RedirectResponse("/sign-in", status_code=303)
            response = await handler(_visit(request, known))
            if fresh is not None:
                self._visitors.keep(response, fresh)
            return response

        return Route(path, endpoint, methods=["GET"])

    def post(self, path: str, handler: Handler, *, upload: Upload | None = None) -> Route:
        """Return the route of a write: it comes from somebody signed in, with their session's token, or not at all."""

        async def endpoint(request: Request) -> Response:
            visitor = await self._visitors.of(request)
            if visitor is None:
                return RedirectResponse("/sign-in", status_code=303)
            if upload is not None:
                require(visitor.actor, upload.permission)
            async with _sent(request, upload) as (form, files):
                if not visitor.may_write(form.get("csrf", "")):
                    raise HTTPException(403, "token")
                return await handler(_visit(request, visitor, form, files))

        return Route(path, endpoint, methods=["POST"])

    async def draw(
        self, visit: Visit, template: str, *, here: str = "", status_code: int = 200, **context: Any
    ) -> HTMLResponse:
        """Return a page inside the console's frame."""
        common = {
            **self._words(visit.language),
            "actor": visit.actor,
            "csrf": visit.session.csrf,
            "here": here,
            "people": await self._people(visit),
            "navigation": [
                {"name": name, "href": href, "drawing": self._drawings.get(name)}
                for name, (href, permission) in self._navigation.items()
                if decide(visit.actor, permission).allowed
            ],
            "when": partial(_when, visit),
            "done": _done(visit),
        }
        return HTMLResponse(
            self._templates.get_template(template).render({**common, **context}), status_code=status_code
        )

    def draw_alone(self, template: str, *, language: Language, status: int = 200, **context: Any) -> HTMLResponse:
        """Return a page outside of the frame, for whoever is not signed in or may not be there."""
        values = {**self._words(language), **context}
        return HTMLResponse(self._templates.get_template(template).render(values), status_code=status)

    def refusal(self, language: Language, status: int, code: str, *, text: str = "") -> HTMLResponse:
        """Return a page that says in plain words why there is nothing to see."""
        return self.draw_alone(
            "refusal.html",
            language=language,
            status=status,
            title=say(language, f"console.refusal.{code}.title"),
            text=text or say(language, f"console.refusal.{code}.text"),
        )

    async def language_of(self, request: Request) -> Language:
        """Return the visitor's language, or the one that the browser asks for."""
        visitor = await self._visitors.of(request)
        return spoken(visitor.actor) if visitor else preferred(request)

    def _words(self, language: Language) -> dict[str, Any]:
        return {"language": language, "say": partial(say, language)}

    async def _people(self, visit: Visit) -> list[dict[str, str]]:
        if not self.desk.settings.demo:
            return []
        return [
            {"id": person.id, "label": _label(person, visit.language)} for person in await self.desk.directory.people()
        ]


def _menu(feature: Feature) -> Iterator[tuple[str, tuple[str, AnyPermission]]]:
    """Yield the entries of the menu that a feature has."""
    for view in feature.views:
        if view.menu and view.menu_for is not None:
            yield view.menu, (view.address, view.menu_for)
    for page in feature.pages:
        yield page.name, (f"/features/{page.name}", page.permission)


def _templates(features: Iterable[Feature]) -> tuple[tuple[str, Path], ...]:
    """Return where `<feature>/<template>` is found."""
    return tuple((feature.name, folder_of(feature.name) / "templates") for feature in features)


@cache
def _read(folders: tuple[tuple[str, Path], ...]) -> Environment:
    """Read every template, once in a process; each is compiled when its page is first drawn, and opens no file then."""
    loaders = {name: FileSystemLoader(folder) for name, folder in folders}
    files = ChoiceLoader([PackageLoader("bot.console"), PrefixLoader(loaders)])
    templates = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, auto_reload=False)
    templates.loader = DictLoader({name: files.get_source(templates, name)[0] for name in files.list_templates()})
    return templates


def _visit(
    request: Request, visitor: Visitor, form: Mapping[str, str] | None = None, files: tuple[SentFile, ...] = ()
) -> Visit:
    return Visit(
        actor=visitor.actor,
        language=spoken(visitor.actor),
        session=visitor.session,
        parts=request.path_params,
        query=request.query_params,
        form=form or {},
        files=files,
    )


async def read_form(request: Request) -> Mapping[str, str]:
    """Return a small form's text fields; a larger one, or one of unknown size, is refused before it is read."""
    async with _sent(request, None) as (form, _):
        return form


@asynccontextmanager
async def _sent(
    request: Request, upload: Upload | None
) -> AsyncIterator[tuple[Mapping[str, str], tuple[SentFile, ...]]]:
    """Return a form's text fields and its files, which lie on disk as soon as they are not small."""
    size = request.headers.get("content-length", "")
    if not size.isdecimal():
        raise HTTPException(411, "size")
    if int(size) > (upload.most_bytes if upload else FORM_BYTES):
        raise HTTPException(413, "size")
    async with request.form(max_files=upload.most_files if upload else 0, max_fields=40) as form:
        texts = {name: value for name, value in form.items() if isinstance(value, str)}
        files = (value for _, value in form.multi_items() if isinstance(value, UploadFile))
        yield texts, tuple(SentFile(file.filename, file.read) for file in files if file.filename)


def preferred(request: Request) -> Language:
    """Return the language that a browser asks for first."""
    return "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"


def back_to(path: str, *, done: str = "") -> RedirectResponse:
    """Return the way back after a write, so that a reload does not send it again; `done` names what is then said."""
    return RedirectResponse(f"{path}?done={done}" if done else path, status_code=303)


def _when(visit: Visit, at: datetime) -> str:
    return moment(at, language=visit.language, timezone=visit.actor.timezone)


def _done(visit: Visit) -> str:
    key = f"console.done.{visit.asked('done')}"
    return visit.say(key) if has(key) else ""


def _label(person: Actor, language: Language) -> str:
    held = [*sorted(person.roles), *sorted(person.groups)] or sorted(person.units)
    return f"{person.name} ({', '.join(held)})" if held else f"{person.name} ({say(language, 'console.demo.staff')})"
