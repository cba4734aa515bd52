"""What people do in Teams: talk, press, fill in; each act changes the organisation and reaches the app as in Teams."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.fakes.not_shown import NotShown
from tests.fakes.teams import activities
from tests.fakes.teams.controls import Control, find, has
from tests.fakes.teams.deliveries import Deliveries
from tests.fakes.teams.dialog import Dialog
from tests.fakes.teams.drawing import Shown, cards_of, shown
from tests.fakes.teams.endpoint import Answer
from tests.fakes.teams.feed import Feed
from tests.fakes.teams.inputs import Typed
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.pressing import Pressing
from tests.fakes.teams.records import Barrier, Conversation, Message, User
from tests.fakes.teams.streams import is_open

#: "chat" is the one with the app, "#name" a channel, an id any other.
Place = Conversation | str
Reaction = Literal["like", "dislike"]


@dataclass
class Scene:
    """Where people act: the organisation, and the way to the app."""

    organisation: Organisation
    deliveries: Deliveries
    feed: Feed
    _people: dict[str, "Person"] = field(default_factory=dict)

    def person(self, user: User) -> "Person":
        """Return the person behind a user, the same one each time."""
        return self._people.setdefault(user.id, Person(self, user))


@dataclass
class Person:
    """Somebody at their own Teams window."""

    scene: Scene
    user: User
    #: What Teams told them besides messages: failures, answers to presses; oldest first.
    notices: list[str] = field(default_factory=list)
    _dialogs: list[Dialog] = field(default_factory=list)

    @property
    def organisation(self) -> Organisation:
        """Where this person works, or is a guest."""
        return self.scene.organisation

    # Talking

    def place(self, where: Place) -> Conversation:
        """Return a conversation: "chat" (with the app), "#name", an id or the conversation itself."""
        if isinstance(where, Conversation):
            return where
        if where == "chat":
            return self.organisation.chat(self.user)
        for conversation in self.organisation.conversations.values():
            if where == conversation.id or (conversation.name and where.lstrip("#") == conversation.name):
                return conversation
        raise NotShown(f"there is no conversation {where}")

    async def say(
        self, where: Place, typed: str, *, thread: Message | str | None = None, naming: Sequence[User] = (),
        named: bool = False,
    ) -> Message:  # fmt: skip
        """Write: a new post, or into a thread of a channel. `naming` mentions people first, `named` the app."""
        conversation = self.place(where)
        if self.user.id not in conversation.members:
            raise NotShown(f"{self.user.name} is not in {conversation.name or conversation.id}")
        bot = self.organisation.bot
        mentions = [activities.mention(each.id, each.name) for each in naming]
        mentions += [activities.mention(bot.id, bot.name)] if named else []
        text = " ".join([*(each["text"] for each in mentions), activities.escaped(typed)])
        text += "\n" if conversation.kind == "channel" else ""
        root = thread.root if isinstance(thread, Message) else thread or ""
        said = self.organisation.say(
            self.user.id, conversation, root=root, text=text, entities=mentions, text_format="plain"
        )
        self.scene.feed.posted(self.user, said)
        return said

    async def mention(self, where: Place, typed: str, *, thread: Message | str | None = None) -> Message:
        """Write to the app by name."""
        return await self.say(where, typed, thread=thread, named=True)

    async def share(self, where: Place, name: str, content: bytes, typed: str = "", *, named: bool = False) -> Message:
        """Send a file; outside of the chat with the app, Teams tells the app nothing of it."""
        conversation = self.place(where)
        organisation, bot = self.organisation, self.organisation.bot
        key = organisation.new_guid()
        organisation.files[key] = content
        base = organisation.service_url.rsplit("/", 2)[0]
        file = {
            "contentType": "application/vnd.microsoft.teams.file.download.info",
            "contentUrl": f"https://harbour.sharepoint.example/personal/{self.user.id}/Documents/{name}",
            "name": name,
            "content": {
                "downloadUrl": f"{base}/download.aspx?tempauth={key}",
                "uniqueId": organisation.new_guid(),
                "fileType": name.rpartition(".")[2],
            },
        }
        mentions = [activities.mention(bot.id, bot.name)] if named else []
        text = " ".join([*(each["text"] for each in mentions), activities.escaped(typed)]).strip()
        said = organisation.say(
            self.user.id, conversation, root="", text=text, entities=mentions, text_format="plain",
            files=[file] if conversation.kind == "personal" else [],
        )  # fmt: skip
        self.scene.feed.posted(self.user, said)
        return said

    async def edit(self, said: Message, typed: str) -> None:
        """Change an own message; whom it mentions stays."""
        self._own(said)
        said.earlier.append({"text": said.text})
        said.text = " ".join([*(each["text"] for each in said.entities), activities.escaped(typed)])
        said.edited = True
        self.organisation.changed("message_changed", said)
        self.scene.feed.changed(self.user, said)

    async def drop_files(self, said: Message) -> None:
        """Take the files out of an own message; its words stay."""
        said.files = []
        await self.edit(said, said.text)

    async def delete(self, said: Message) -> None:
        """Take an own message away."""
        self._own(said)
        said.deleted = True
        self.organisation.changed("message_deleted", said)
        self.scene.feed.changed(self.user, said, deleted=True)

    async def react(self, said: Message, name: str) -> None:
        """Put a reaction under a message; the app is told of those under its own."""
        said.reactions.setdefault(name, []).append(self.user.id)
        self.organisation.changed("reaction", said)
        if said.sender == self.organisation.bot.id:
            conversation = self.organisation.conversations[said.conversation]
            self.scene.feed.tell(conversation, activities.reaction(self.organisation, self.user, said, name=name))

    def _own(self, said: Message) -> None:
        if said.sender != self.user.id or said.deleted:
            raise NotShown("only one's own messages can be changed")

    # Reading

    def sees(self, where: Place) -> list[Message]:
        """Return what this person sees in a conversation, oldest first; what streams is among it."""
        conversation = self.place(where)
        return list(self.organisation.standing(conversation.id)) if self.user.id in conversation.members else []

    def shown(self, said: Message) -> Shown:
        """Return a message as this person sees it now."""
        return shown(self.organisation, self.user, said)

    # Buttons

    async def press(
        self, label: str, *, on: Message | None = None, nth: int | None = None,
        inputs: Mapping[str, Typed] | None = None,
    ) -> Answer | None:  # fmt: skip
        """Press a button of a card by its words, with inputs of the card filled in; it may open a dialog.

        Returns the app's answer, None for a press that comes to it as a message.
        """
        said = on or self._message_with(label)
        return await self.press_control(said, find(cards_of(said, self.user), label, nth=nth), inputs=inputs)

    async def press_control(
        self, said: Message, control: Control, *, inputs: Mapping[str, Typed] | None = None
    ) -> Answer | None:
        """Press what was seen a while ago, although the message may have changed since."""
        if said.deleted or self.user.id not in self.organisation.conversations[said.conversation].members:
            raise NotShown("they cannot see that message")
        pressing = Pressing(self.organisation, self.scene.deliveries, self.user, self.notices)
        answer, dialog = await pressing.press(said, control, inputs or {})
        if dialog is not None:
            self._dialogs.append(dialog)
        return answer

    @property
    def has_dialog(self) -> bool:
        """Whether a dialog stands before this person."""
        return any(each.is_open for each in self._dialogs)

    @property
    def dialog(self) -> Dialog:
        """The dialog before this person; NotShown without one."""
        standing = [each for each in self._dialogs if each.is_open]
        if not standing:
            raise NotShown("no dialog is open")
        return standing[-1]

    async def rate(self, said: Message, reaction: Reaction, *, feedback: str = "") -> Answer:
        """Press one of the thumbs under an answer, and send the form that it opens."""
        if not self.shown(said).rated:
            raise NotShown("there are no thumbs under it")
        value = {"reaction": reaction, "feedback": json.dumps({"feedbackText": feedback}, ensure_ascii=False)}
        body = {"actionName": "feedback", "actionValue": value}
        activity = activities.invoke(self.organisation, self.user, said, name="message/submitAction", value=body)
        return await self.scene.deliveries.ask(activity)

    async def stop(self, said: Message) -> None:
        """Press Stop under an answer that is being written."""
        if said.stream is None or not is_open(self.organisation, said):
            raise NotShown("nothing is being written there")
        said.stream.ended, said.stream.ending = self.organisation.clock.monotonic(), "stopped"
        self.organisation.changed("stream", said)

    def _message_with(self, label: str) -> Message:
        mine = [each for each in self.organisation.conversations.values() if self.user.id in each.members]
        seen = sorted((said for each in mine for said in self.sees(each)), key=lambda said: int(said.id))
        for said in reversed(seen):
            if has(cards_of(said, self.user), label):
                return said
        raise NotShown(f"nothing called {label!r} is in sight")

    # The app

    async def install(self, where: Place = "chat") -> None:
        """Add the app to the own chat, a group chat or a team."""
        conversation = self.place(where)
        conversation.barrier = None
        self.scene.feed.installed(conversation, self.user)

    async def uninstall(self, where: Place = "chat") -> None:
        """Take the app away again."""
        self.scene.feed.uninstalled(self.place(where), self.user)

    async def block(self, barrier: Barrier = "ConversationBlockedByUser") -> None:
        """Block the app in the own chat; nobody tells it."""
        self.place("chat").barrier = barrier

    async def unblock(self) -> None:
        """Let the app write again."""
        self.place("chat").barrier = None
