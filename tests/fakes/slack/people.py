"""What people do in Slack: talk, press, fill in; each act changes the workspace and reaches the app as in Slack."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.fakes.not_shown import NotShown
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.app_settings import AppSettings
from tests.fakes.slack.carrying import Answer, Parcel
from tests.fakes.slack.command_answers import show_command_answer, show_command_failure
from tests.fakes.slack.composing import mrkdwn, rich_text
from tests.fakes.slack.controls import Control, controls, find, has, words
from tests.fakes.slack.deliveries import Deliveries, shown_to_person
from tests.fakes.slack.event_feed import EventFeed
from tests.fakes.slack.inputs import chosen
from tests.fakes.slack.modal import Modal
from tests.fakes.slack.records import AssistantThread, Channel, Json, Message, User, View
from tests.fakes.slack.workspace import SlackWorkspace

#: "dm" is the conversation with the app, "#name" or an id any other.
Place = Channel | str
Verdict = Literal["positive", "negative"]


@dataclass
class Scene:
    """Where people act: the workspace, the app's manifest, and the ways to the app."""

    workspace: SlackWorkspace
    app: AppSettings
    deliveries: Deliveries
    feed: EventFeed
    _people: dict[str, "Person"] = field(default_factory=dict)

    def person(self, user: User) -> "Person":
        """Return the person behind a user, the same one each time."""
        return self._people.setdefault(user.id, Person(self, user))


@dataclass
class Person:
    """Somebody at their own Slack window."""

    scene: Scene
    user: User
    #: What Slack's window told them besides messages: failures, mostly; oldest first.
    notices: list[str] = field(default_factory=list)
    #: By view id: the words under its inputs (by block id; "" is for the whole view).
    complaints: dict[str, dict[str, str]] = field(default_factory=dict)
    #: By message ts or view id: the action ids beside which a warning triangle stands.
    triangles: dict[str, set[str]] = field(default_factory=dict)

    @property
    def workspace(self) -> SlackWorkspace:
        """The workspace that this person is in."""
        return self.scene.workspace

    # Talking

    def place(self, where: Place) -> Channel:
        """Return a conversation: "dm" (with the app), "#name", an id or the conversation itself."""
        if isinstance(where, Channel):
            return where
        if where == "dm":
            return self.workspace.im(self.user)
        for channel in self.workspace.channels.values():
            if where == channel.id or (channel.name and where.lstrip("#") == channel.name):
                return channel
        raise NotShown(f"there is no conversation {where}")

    async def say(
        self, where: Place, typed: str, *, thread: Message | str | None = None, broadcast: bool = False
    ) -> Message:
        """Write into a conversation or a thread of it; `broadcast` also sends a reply to the channel."""
        channel = self.place(where)
        if self.user.id not in channel.members:
            raise NotShown(f"{self.user.name} is not in {channel.name or channel.id}")
        root = thread.root if isinstance(thread, Message) else thread
        block = rich_text(typed, block_id=self.workspace.new_id("rt"))
        subtype = "thread_broadcast" if broadcast and root else None
        text = mrkdwn(typed)
        return self.workspace.say(self.user, channel, text, thread_ts=root, blocks=[block], subtype=subtype)

    async def mention(self, where: Place, typed: str, *, thread: Message | str | None = None) -> Message:
        """Write to the app by name."""
        return await self.say(where, f"<@{self.workspace.bot.id}> {typed}", thread=thread)

    async def share(
        self, where: Place, name: str, content: bytes, typed: str = "", *, thread: Message | str | None = None,
        named: bool = False, media_type: str = "text/plain",
    ) -> Message:  # fmt: skip
        """Share a file, with words beside it or none; `named` names the app in them."""
        channel = self.place(where)
        root = thread.root if isinstance(thread, Message) else thread
        shared = self.workspace.share(name, content, media_type)
        text = mrkdwn(f"<@{self.workspace.bot.id}> {typed}".strip() if named else typed)
        return self.workspace.say(
            self.user, channel, text, thread_ts=root, subtype="file_share", files=[dict(shared.told)]
        )

    async def edit(self, said: Message, typed: str) -> None:
        """Change an own message."""
        self._own(said)
        said.earlier.append(said.text)
        said.text, said.blocks = mrkdwn(typed), [rich_text(typed, block_id=self.workspace.new_id("rt"))]
        said.edited = {"user": self.user.id, "ts": self.workspace.new_ts()}
        self.workspace.changed("message_changed", said)

    async def drop_files(self, said: Message) -> None:
        """Delete the files of an own message; its words stay, and a stone for each file."""
        self._own(said)
        said.files = [{"id": each["id"], "mode": "tombstone"} for each in said.files]
        self.workspace.changed("message_changed", said)

    async def delete(self, said: Message) -> None:
        """Take an own message away."""
        self._own(said)
        said.deleted = True
        self.workspace.changed("message_deleted", said)

    async def react(self, said: Message, name: str) -> None:
        """Put an emoji under a message."""
        said.reactions.setdefault(name, []).append(self.user.id)
        self.workspace.changed("reaction", said)
        channel = self.workspace.channels[said.channel]
        event = events.reaction_added(self.workspace, self.user, said, name=name)
        self.scene.feed.tell(event, "reaction_added", channel=channel)

    def sees(self, where: Place) -> list[Message]:
        """Return what this person sees in a conversation, oldest first."""
        return self.workspace.seen_by(self.user, self.place(where))

    def _own(self, said: Message) -> None:
        if said.user != self.user.id or said.deleted:
            raise NotShown("only one's own messages can be changed")

    # Commands and shortcuts

    async def command(self, typed: str, where: Place = "dm") -> Answer:
        """Type a slash command; what the app answers at once is shown."""
        name, _, text = typed.partition(" ")
        channel = self.place(where)
        if name not in self.scene.app.commands or not self._at_home():
            raise NotShown(f"{name} is not a valid command")
        form = interactions.command(self.workspace, self.user, channel, name=name, text=text.strip())
        parcel = Parcel("command", form)
        answer = await self.scene.deliveries.ask(parcel)
        if failure := shown_to_person(parcel, answer):
            show_command_failure(self.workspace, self.user, channel, failure)
        else:
            show_command_answer(self.workspace, self.user, channel, answer.body)
        return answer

    async def shortcut(self, said: Message, name: str) -> Answer:
        """Choose a shortcut of the app, by its name or callback id, from the menu of a message."""
        known = self.scene.app.message_shortcuts
        callback_id = next((each for each, shown in known.items() if name in {each, shown}), None)
        if callback_id is None or not self._at_home():
            raise NotShown(f"there is no shortcut {name!r}; there are: {', '.join(known.values()) or 'none'}")
        body = interactions.message_shortcut(self.workspace, self.user, said, callback_id=callback_id)
        parcel = Parcel("shortcut", body)
        answer = await self.scene.deliveries.ask(parcel)
        if failure := shown_to_person(parcel, answer):
            self.notices.append(failure)
        return answer

    def _at_home(self) -> bool:
        """Return whether they belong to the workspace of the app; guests from other companies have no commands."""
        return self.user.team_id == self.workspace.team.id

    # Buttons and menus

    async def press(
        self, name: str, *, on: Message | View | None = None, nth: int | None = None, confirm: bool | None = None
    ) -> Answer | None:
        """Press a button by its words or action id; `confirm` answers its dialog, and None comes back after a no."""
        place = on or self._place_of(name)
        control = self.control(name, on=place, nth=nth)
        if "confirm" in control.element:
            if confirm is None:
                raise NotShown(f"{name!r} asks first: {words(control.element['confirm'].get('text'))!r}")
            if not confirm:
                return None
        return await self._act(place, control, {})

    async def choose(self, name: str, choice: str, *, on: Message | View | None = None) -> Answer:
        """Choose from a menu, by the words of the choice or its value."""
        place = on or self._place_of(name)
        control = self.control(name, on=place)
        return await self._act(place, control, chosen(control.element, choice))

    async def rate(self, said: Message, verdict: Verdict) -> Answer:
        """Press one of the thumbs under an answer."""
        thumbs = next((each for each in controls(said.blocks) if each.kind == "feedback_buttons"), None)
        if thumbs is None:
            raise NotShown("there are no feedback buttons")
        return await self._act(said, thumbs, interactions.feedback_value(thumbs.element, verdict))

    def control(self, name: str, *, on: Message | View, nth: int | None = None) -> Control:
        """Return what is called so in something that this person can see, the nth of several."""
        if isinstance(on, View):
            return find(on.content.get("blocks", ()), name, nth=nth)
        if on.deleted or on.ephemeral_to not in {None, self.user.id}:
            raise NotShown("they cannot see that message")
        return find(on.blocks, name, nth=nth)

    def _place_of(self, name: str) -> Message | View:
        """Return the modal before the person, else the newest message, that has such a control."""
        open_views = self.workspace.modals.get(self.user.id)
        if open_views:
            return open_views[-1]
        mine = [each for each in self.workspace.channels.values() if self.user.id in each.members]
        seen = sorted((said for channel in mine for said in self.sees(channel)), key=lambda said: said.ts)
        for said in reversed(seen):
            if has(said.blocks, name):
                return said
        raise NotShown(f"nothing called {name!r} is in sight")

    async def _act(self, place: Message | View, control: Control, value: Json) -> Answer:
        if not self.scene.app.interactivity:
            raise NotShown("This app is not configured to handle interactive responses.")
        action_ts = self.workspace.new_ts()
        action = interactions.action_body(control.element, block_id=control.block_id, value=value, action_ts=action_ts)
        if isinstance(place, View):
            key, body = place.id, interactions.view_action(self.workspace, self.user, place, action=action)
        else:
            state = {control.block_id: {control.action_id: {"type": control.kind} | value}} if value else {}
            body = interactions.message_action(self.workspace, self.user, place, action=action, values=state)
            key = place.ts
        answer = await self.scene.deliveries.ask(Parcel("action", body))
        marked = self.triangles.setdefault(key, set())
        (marked.add if answer.reason is not None else marked.discard)(control.action_id)
        return answer

    # Modals

    @property
    def modal(self) -> Modal:
        """The modal before this person; NotShown without one."""
        open_views = self.workspace.modals.get(self.user.id)
        if not open_views:
            raise NotShown("no modal is open")
        return Modal(self.workspace, self.scene.deliveries, self.user, open_views[-1], self.complaints)

    async def send_form(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Fill the modal in by labels or block ids and send it; return what was wrong, by block id."""
        modal = self.modal
        for name, typed in values.items():
            await modal.fill(name, typed)
        return await modal.submit()

    # The app's own place

    async def open_home(self) -> View | None:
        """Open the app's home tab; return what stands there now, before the app reacts."""
        if not self.scene.app.home_tab:
            raise NotShown("the app has no home tab")
        home = self.workspace.homes.get(self.user.id)
        self._opened("home", home)
        return home

    async def open_messages(self) -> AssistantThread:
        """Open the app's Messages tab; return what stands beside it: prompts and status."""
        if not self.scene.app.messages_tab:
            raise NotShown("the app has no Messages tab")
        self._opened("messages", None)
        return self.workspace.thread(self.workspace.im(self.user).id, "")

    def _opened(self, tab: Literal["home", "messages"], home: View | None) -> None:
        dm = self.workspace.im(self.user)
        event = events.app_home_opened(self.workspace, self.user, tab=tab, channel=dm, view=home)
        self.scene.feed.tell(event, "app_home_opened")

    async def take_prompt(self, title: str) -> Message:
        """Press a suggested prompt of the Messages tab: its message is sent."""
        dm = self.workspace.im(self.user)
        for prompt in self.workspace.thread(dm.id, "").prompts:
            if prompt["title"] == title:
                return await self.say(dm, prompt["message"])
        raise NotShown(f"there is no prompt {title!r}")
