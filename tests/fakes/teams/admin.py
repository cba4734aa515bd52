"""A door for tests in another process: look at the organisation, fill it, let its people act, throw the switches."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from tests.fakes.admin_door import AdminDoor
from tests.fakes.teams.drawing import Shown
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.people import Person
from tests.fakes.teams.records import Json


class Admin(AdminDoor):
    """The door to one local Teams; people are named by their `29:` id, places as people name them."""

    def __init__(self, teams: LocalTeams) -> None:
        super().__init__(teams.organisation, teams.organisation.faults)
        self.teams = teams
        self.organisation = teams.organisation

    def shows(self) -> Mapping[str, Callable[[Json], Any]]:
        """Show the organisation, messages, calls, deliveries, what a person sees, and what tokens were asked for."""
        return {
            "organisation": self._describe,
            "messages": self._messages,
            "calls": self._calls,
            "deliveries": self._deliveries,
            "seen": self._seen,
            "logins": lambda _: [dataclasses.asdict(each) for each in self.teams.logins.requests],
        }

    def actions(self) -> Mapping[str, Callable[[Json], Any]]:
        """Install the app; add people and places; let people talk, press and fill in; throw switches."""
        return {
            "install": lambda body: self.teams.install(body["endpoint"]),
            "users": lambda body: dataclasses.asdict(self.organisation.add_user(body.pop("name"), **body)),
            "channels": self._add_channel,
            "group_chats": self._add_group_chat,
            "say": self._say,
            "press": self._press,
            "fill": self._fill,
            "rates": self._rates,
            "refuse": lambda body: self.organisation.faults.refuse(**body),
            "trouble": self._trouble,
            "revoke": lambda _: self.teams.logins.revoke(),
        }

    def _describe(self, _: Json) -> Json:
        organisation = self.organisation
        return {
            "tenant": organisation.tenant.id, "app_id": organisation.bot.app_id, "bot": organisation.bot.id,
            "app_secret": organisation.app_secret, "service_url": organisation.service_url,
            "login_url": self.teams.login_url, "keys_url": self.teams.keys_url,
            "users": [dataclasses.asdict(each) for each in organisation.users.values()],
            "conversations": [dataclasses.asdict(each) for each in organisation.conversations.values()],
        }  # fmt: skip

    def _messages(self, asked: Json) -> list[Json]:
        """Return every message, or those of a `conversation`, deleted ones too."""
        places = [asked["conversation"]] if "conversation" in asked else list(self.organisation.messages)
        return [dataclasses.asdict(each) for place in places for each in self.organisation.messages[place].values()]

    def _calls(self, asked: Json) -> list[Json]:
        """Return the calls from number `since` on, of one `operation` when it is named."""
        calls = self.organisation.calls[int(asked.get("since", 0)) :]
        return [dataclasses.asdict(each) for each in calls if asked.get("operation") in {None, each.operation}]

    def _deliveries(self, asked: Json) -> Json:
        """Return the attempts from number `since` on, and how many activities still wait."""
        deliveries = self.teams.deliveries
        records = deliveries.records[int(asked.get("since", 0)) :]
        return {"waiting": deliveries.waiting(), "records": [dataclasses.asdict(each) for each in records]}

    def _seen(self, asked: Json) -> list[Json]:
        person = self._person(asked["user"])
        return [_drawn(person.shown(each)) for each in person.sees(asked.get("where", "chat"))]

    def _add_channel(self, body: Json) -> Json:
        made = self.organisation.add_channel(body.pop("name"), self._users(body.pop("members", [])), **body)
        return dataclasses.asdict(made)

    def _add_group_chat(self, body: Json) -> Json:
        return dataclasses.asdict(self.organisation.add_group_chat(self._users(body.pop("members", [])), **body))

    async def _say(self, body: Json) -> Json:
        person = self._person(body.pop("user"))
        return dataclasses.asdict(await person.say(body.pop("where"), body.pop("text"), **body))

    async def _press(self, body: Json) -> Json:
        """Press a button; `dialog` is the title of the dialog that stands before the person then, if one does."""
        person = self._person(body.pop("user"))
        answer = await person.press(body.pop("label"), **body)
        return {
            "status": None if answer is None else answer.status,
            "dialog": person.dialog.title if person.has_dialog else None,
            "notices": person.notices,
        }

    async def _fill(self, body: Json) -> Json:
        """Fill in the dialog before a person and send it; return what is wrong by label."""
        dialog = self._person(body["user"]).dialog
        for name, typed in body["values"].items():
            dialog.fill(name, typed)
        return {"wrong": await dialog.submit(), "open": dialog.is_open}

    def _rates(self, body: Json) -> bool:
        self.organisation.rates.enforced = bool(body["enforced"])
        return self.organisation.rates.enforced

    def _trouble(self, body: Json) -> None:
        """Say which shares of the activities are delivered twice or late."""
        deliveries = self.teams.deliveries
        deliveries.duplicates = float(body.get("duplicates", deliveries.duplicates))
        deliveries.reordered = float(body.get("reordered", deliveries.reordered))

    def _person(self, user_id: str) -> Person:
        return self.teams.person(self.organisation.users[user_id])

    def _users(self, ids: list[str]) -> Any:
        return tuple(self.organisation.users[each] for each in ids)


def _drawn(seen: Shown) -> Json:
    drawn = dataclasses.asdict(seen) | {"words": seen.words, "labels": seen.labels}
    return {name: value for name, value in drawn.items() if name != "said"} | {"id": seen.said.id}
