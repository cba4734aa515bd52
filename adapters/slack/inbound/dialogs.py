"""Modals: a form that opens while the press is worked on, the form behind a thumb down, and what comes back.

A trigger lives for three seconds, so a light view is opened at once and filled when it is known with what.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, assert_never

from slack_sdk.models.views import View

from adapters.events import Feedback, FormSubmit, Press
from adapters.inbound.tasks import Afterwards
from adapters.port import Accepted, InvalidForm, Receipt, Shown, Unavailable, Undeliverable
from adapters.slack.address import SlackAddress
from adapters.slack.drawing.modals import FormPlace, ViewWords, errors_of, form_view, notice_view, reason_view
from adapters.slack.inbound.origin import Json, record, text
from adapters.slack.words import SlackWords, WordsFor


class Calls(Protocol):
    """What of `adapters.slack.wire.client.SlackCalls` is needed here."""

    async def call(self, method: str, arguments: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Return what Slack answers; raise `Unavailable` or `Undeliverable`."""
        ...


class Dialogs:
    """Opens modals and answers them. `language_of` says a person's language as far as it is known by now."""

    def __init__(
        self, calls: Calls, *, words_for: WordsFor, language_of: Callable[[str], str], afterwards: Afterwards
    ) -> None:
        self._calls = calls
        self._words_for = words_for
        self._language_of = language_of
        self._afterwards = afterwards

    async def press(self, press: Press, body: Json, store: Callable[[Press], Awaitable[Receipt]]) -> None:
        """Store a press that is answered by a form while its view opens; whatever becomes of it, the view says so."""
        words = self._words_for(self._language_of(press.account.user))
        loading = notice_view(ViewWords(title=words.loading_title, close=words.close), words.loading)
        opening = asyncio.create_task(self._opened(text(body, "trigger_id"), loading))
        receipt = None
        try:
            receipt = await store(press)
        finally:
            self._afterwards.start(self._fill(opening, press, receipt, words), what="a form")

    def ask_reason(self, judged: Feedback, body: Json, *, language: str) -> None:
        """Open the form behind a thumb down, after the thumb itself is stored."""
        words = self._words_for(language)
        frame = ViewWords(title=words.reason_title, close=words.cancel, submit=words.submit)
        place = FormPlace(id=judged.id, address=judged.address, language=language)
        view = reason_view(frame, place, label=words.reason_label)
        arguments = {"trigger_id": text(body, "trigger_id"), "view": view.to_dict()}
        self._afterwards.start(self._call("views.open", arguments), what="the form behind a thumb down")

    def after(self, sent: FormSubmit | Feedback, body: Json, receipt: Receipt) -> str | dict[str, Any]:
        """Return what Slack is to do with the view of a stored form: nothing said closes it, errors leave it open."""
        match receipt:
            case Accepted():
                return ""
            case Shown(form=form):
                place = FormPlace(form.id, form.nonce, sent.address, language=form.language)
                return {"response_action": "update", "view": form_view(form, place).to_dict()}
            case InvalidForm(errors=errors):
                return _left_open(errors, body)
            case _:
                assert_never(receipt)

    def not_saved(self, body: Json) -> str | dict[str, Any]:
        """Return the same for one that could not be stored: it stays open with all that was typed."""
        metadata = text(record(body, "view"), "private_metadata")
        return _left_open({"": self._words_for(FormPlace.of(metadata).language).not_saved}, body)

    def suggest(self, channel: str, *, user: str) -> None:
        """Put what one may ask into the Messages tab."""
        words = self._words_for(self._language_of(user))
        prompts = [{"title": title, "message": message} for title, message in words.prompts]
        arguments = {"channel_id": channel, "title": words.prompts_title, "prompts": prompts}
        work = self._call("assistant.threads.setSuggestedPrompts", arguments)
        self._afterwards.start(work, what="the suggested prompts")

    async def _opened(self, trigger_id: str, view: View) -> str:
        """Return the id of the opened view, "" when the trigger was used up before."""
        try:
            answer = await self._calls.call("views.open", {"trigger_id": trigger_id, "view": view.to_dict()})
        except (Unavailable, Undeliverable):
            return ""
        return text(record(answer, "view"), "id")

    async def _fill(self, opening: asyncio.Task[str], press: Press, receipt: Receipt | None, words: SlackWords) -> None:
        view_id = await opening
        frame = ViewWords(title=words.loading_title, close=words.close)
        match receipt:
            case Shown(form=form):
                place = FormPlace(form.id, form.nonce, press.address, press.message or "", form.language)
                view = form_view(form, place)
            case None:
                view = notice_view(frame, words.not_saved)
            case Accepted() | InvalidForm():
                view = notice_view(frame, words.see_conversation)
            case _:
                assert_never(receipt)
        if view_id:
            await self._call("views.update", {"view_id": view_id, "view": view.to_dict()})
        elif not isinstance(receipt, Accepted):
            await self._say_again(press, words)

    async def _say_again(self, press: Press, words: SlackWords) -> None:
        """Tell the person to press once more: no view came up that could."""
        address = SlackAddress.of(press.address)
        where = {"channel": address.channel, "user": address.user, "text": words.press_again}
        if address.thread_ts:
            where["thread_ts"] = address.thread_ts
        if address.channel:
            await self._call("chat.postEphemeral", where)
        else:
            await self._call("chat.postMessage", {"channel": address.user, "text": words.press_again})

    async def _call(self, method: str, arguments: Mapping[str, Any]) -> None:
        await self._calls.call(method, arguments)


def _left_open(errors: Mapping[str, str], body: Json) -> str | dict[str, Any]:
    placed = errors_of(errors, record(body, "view"))
    return {"response_action": "errors", "errors": placed} if placed else ""
