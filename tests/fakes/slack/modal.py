"""A modal before a person: filled in, sent, closed, and changed by what the app answers."""

from dataclasses import dataclass

from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.carrying import Answer, Parcel
from tests.fakes.slack.controls import Control, controls, find, words
from tests.fakes.slack.deliveries import Deliveries
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.inputs import Typed, chosen, complaints, values
from tests.fakes.slack.records import Json, User, View
from tests.fakes.slack.views import change_view, close_modal, push_modal, read_view
from tests.fakes.slack.workspace import SlackWorkspace

TROUBLE = "We had some trouble connecting. Try again?"
#: The key of a complaint about the whole view, not about one of its blocks.
WHOLE = ""


@dataclass(frozen=True)
class Modal:
    """One view and the person before it; `complaints` (by view id, then block id) is what they read in it."""

    workspace: SlackWorkspace
    deliveries: Deliveries
    user: User
    view: View
    complaints: dict[str, dict[str, str]]

    @property
    def title(self) -> str:
        """The words at its top."""
        return words(self.view.content.get("title"))

    @property
    def blocks(self) -> list[Json]:
        """Its blocks as the app last gave them."""
        found: list[Json] = self.view.content.get("blocks", [])
        return found

    @property
    def values(self) -> Json:
        """What its inputs hold now, the way that the app will get it."""
        return values(self.blocks, self.view.state["values"])

    @property
    def labels(self) -> list[str]:
        """The labels of its inputs, in reading order."""
        return [each.label for each in controls(self.blocks) if each.block is not None]

    async def fill(self, name: str, typed: Typed) -> None:
        """Type or choose in one input, meant by its label, block id or action id."""
        control = find(self.blocks, name)
        element = control.element
        if control.kind in {"external_select", "multi_external_select"}:
            element = element | {"options": await self.suggestions(control, typed if isinstance(typed, str) else "")}
        state = {"type": control.kind, **chosen(element, typed)}
        self.view.state["values"].setdefault(control.block_id, {})[control.action_id] = state

    async def suggestions(self, control: Control, typed: str) -> list[Json]:
        """Return the choices that the app offers for what was typed into an external menu."""
        body = interactions.block_suggestion(
            self.workspace, self.user, self.view, element=control.element, block_id=control.block_id, typed=typed
        )
        answer = await self.deliveries.ask(Parcel("options", body))
        groups = answer.body.get("option_groups") or []
        return [*answer.body.get("options", ()), *(option for group in groups for option in group["options"])]

    async def submit(self) -> dict[str, str]:
        """Press the submit button; return what is wrong by block id (`WHOLE`: the view), nothing when it went."""
        found = complaints(self.blocks, self.values)
        if not found:
            body = interactions.view_submission(self.workspace, self.user, self.view)
            found = self._answered(await self.deliveries.ask(Parcel("view", body)))
        self.complaints[self.view.id] = found
        self.workspace.changed("view_changed", self.view)
        return found

    async def close(self, *, everything: bool = False) -> None:
        """Go back to the modal below, or leave them all; the app is told when it asked to be."""
        cleared = everything or bool(self.view.content.get("clear_on_close"))
        close_modal(self.workspace, self.view, everything=cleared)
        if self.view.content.get("notify_on_close"):
            body = interactions.view_closed(self.workspace, self.user, self.view, cleared=cleared)
            await self.deliveries.ask(Parcel("view", body))

    def _answered(self, answer: Answer) -> dict[str, str]:
        """Carry out the app's answer and return its complaints."""
        if answer.reason is not None:
            return {WHOLE: TROUBLE}
        try:
            match answer.body.get("response_action"):
                case None:
                    close_modal(self.workspace, self.view)
                case "clear":
                    close_modal(self.workspace, self.view, everything=True)
                case "update":
                    change_view(self.workspace, self.view, read_view(self.workspace, answer.body, "modal"))
                case "push":
                    push_modal(self.workspace, self.user.id, read_view(self.workspace, answer.body, "modal"))
                case "errors":
                    return self._complained(answer.body.get("errors"))
                case _:
                    return {WHOLE: TROUBLE}
        except Refused:
            return {WHOLE: TROUBLE}
        return {}

    def _complained(self, errors: object) -> dict[str, str]:
        """Return the app's errors; Slack shows none of them when one names a block that is no input."""
        inputs = {each.block_id for each in controls(self.blocks) if each.block is not None}
        if not isinstance(errors, dict) or not errors or not inputs.issuperset(errors):
            return {WHOLE: TROUBLE}
        return {str(block_id): str(wrong) for block_id, wrong in errors.items()}
