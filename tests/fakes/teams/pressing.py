"""What a press on a card does: an invoke with its answer, a message with a value, or a dialog that opens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.not_shown import NotShown
from tests.fakes.teams import activities
from tests.fakes.teams.content import CARD, check_card
from tests.fakes.teams.controls import Control, input_called
from tests.fakes.teams.deliveries import Deliveries
from tests.fakes.teams.dialog import TROUBLE, Dialog, read_task
from tests.fakes.teams.drawing import cards_of
from tests.fakes.teams.endpoint import Answer
from tests.fakes.teams.errors import Refused
from tests.fakes.teams.inputs import Typed, chosen, complaints, values
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Json, Message, User

UNREACHED = "Unable to reach app. Please try again."
#: Of an answer to Action.Execute that is no card.
MESSAGE, ERROR = "application/vnd.microsoft.activity.message", "application/vnd.microsoft.error"
CONTEXT = {"theme": "default"}


@dataclass(frozen=True)
class Pressing:
    """One person before a card; `notices` is what Teams tells them."""

    organisation: Organisation
    deliveries: Deliveries
    user: User
    notices: list[str]

    async def press(
        self, said: Message, control: Control, typed: Mapping[str, Typed]
    ) -> tuple[Answer | None, Dialog | None]:
        """Press; return what the app answered, and the dialog that opened."""
        data = self._data(said, control, typed)
        match control.kind:
            case "Action.Execute":
                return await self._execute(said, control, data), None
            case "Action.Submit" if control.opens_dialog:
                return await self._fetch(said, data)
            case "Action.Submit":
                body = activities.value_message(self.organisation, self.user, said, value=data)
                self.deliveries.send(body)
                return None, None
            case _:
                raise NotShown(f"a press on {control.label!r} does not reach the app: {control.kind}")

    def _data(self, said: Message, control: Control, typed: Mapping[str, Typed]) -> Json:
        """Return the data of an action with the inputs of its card, as the client sends them."""
        data = dict(control.action.get("data") or {})
        if control.action.get("associatedInputs", "auto").casefold() == "none":
            return data
        card = cards_of(said, self.user)[control.card :][:1]
        if not card:
            return data
        held = {each["id"]: chosen(each, words) for each, words in _meant(card[0], typed)}
        if wrong := complaints(card[0], held):
            raise NotShown(f"the client does not send this: {wrong}")
        return data | values(card[0], held)

    async def _execute(self, said: Message, control: Control, data: Json) -> Answer:
        action = {name: control.action[name] for name in ("type", "id", "title", "verb") if name in control.action}
        value = {"action": action | {"data": data}, "trigger": "manual"}
        answer = await self._invoke(said, "adaptiveCard/action", value)
        if answer.reason is None:
            self._take(said, control, answer.body)
        return answer

    def _take(self, said: Message, control: Control, body: Any) -> None:
        kind = body.get("type") if isinstance(body, dict) else None
        status = body.get("statusCode") if isinstance(body, dict) else None
        try:
            if status == 200 and kind == CARD and control.card == 0:
                check_card(body.get("value"))
                said.own_cards[self.user.id] = body["value"]
                self.organisation.changed("card", said)
            elif status == 200 and kind == MESSAGE and isinstance(body.get("value"), str):
                self._notice(body["value"])
            elif kind == ERROR and isinstance(body.get("value"), dict):
                self._notice(str(body["value"].get("message") or TROUBLE))
            else:
                self._notice(TROUBLE)
        except Refused:
            self._notice(TROUBLE)

    async def _fetch(self, said: Message, data: Json) -> tuple[Answer, Dialog | None]:
        answer = await self._invoke(said, "task/fetch", {"data": data, "context": CONTEXT})
        task = answer.body.get("task") if isinstance(answer.body, dict) else None
        if answer.reason is not None:
            return answer, None
        if isinstance(task, dict) and task.get("type") == "message":
            self._notice(str(task.get("value", "")))
            return answer, None
        try:
            title, card = read_task(task)
        except Refused:
            self._notice(TROUBLE)
            return answer, None
        return answer, Dialog(said, title, card, self._submit)

    async def _submit(self, dialog: Dialog, data: Json) -> Answer:
        answer = await self._invoke(dialog.message, "task/submit", {"data": data, "context": CONTEXT})
        self.organisation.changed("dialog", dialog)
        return answer

    async def _invoke(self, said: Message, name: str, value: Json) -> Answer:
        answer = await self.deliveries.ask(
            activities.invoke(self.organisation, self.user, said, name=name, value=value)
        )
        if answer.reason is not None:
            self._notice(TROUBLE if answer.status is not None else UNREACHED)
        return answer

    def _notice(self, words: str) -> None:
        self.notices.append(words)
        self.organisation.changed("notice", self.user)


def _meant(card: Json, typed: Mapping[str, Typed]) -> list[tuple[Json, Typed]]:
    return [(input_called(card, name), words) for name, words in typed.items()]
