"""Tells the app what happens: only where it is installed, and what it may hear."""

from dataclasses import dataclass, field

from tests.fakes.teams import activities
from tests.fakes.teams.deliveries import Deliveries
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Conversation, Json, Message, User


@dataclass
class Feed:
    """Hands activities to the deliveries."""

    organisation: Organisation
    deliveries: Deliveries
    #: The messages of people that the app was told, for their edits.
    _told: set[tuple[str, str]] = field(default_factory=set)

    def posted(self, user: User, said: Message) -> None:
        """Tell of a message, if the app is to hear it."""
        conversation = self.organisation.conversations[said.conversation]
        if conversation.kind == "personal" or conversation.listens or self.names_app(said):
            self._told.add((said.conversation, said.id))
            self.tell(conversation, activities.message(self.organisation, user, said))

    def changed(self, user: User, said: Message, *, deleted: bool = False) -> None:
        """Tell of an edit or a deletion of a message that the app heard, or that names it now."""
        conversation = self.organisation.conversations[said.conversation]
        if (said.conversation, said.id) in self._told or self.names_app(said):
            self.tell(conversation, activities.message_changed(self.organisation, user, said, deleted=deleted))

    def tell(self, conversation: Conversation, activity: Json) -> None:
        """Deliver one activity where the app is installed."""
        if conversation.with_bot:
            self.deliveries.send(activity)

    def names_app(self, said: Message) -> bool:
        """Return whether a message mentions the app."""
        mentions = [each for each in said.entities if each.get("type") == "mention"]
        return any(each["mentioned"]["id"] == self.organisation.bot.id for each in mentions)

    def joined(self, conversation: Conversation, *people: User, by: User | None = None) -> None:
        """Let people come into a conversation."""
        conversation.members += [each.id for each in people if each.id not in conversation.members]
        self._members(conversation, people, by or people[0], added=True)

    def left(self, conversation: Conversation, *people: User, by: User | None = None) -> None:
        """Let people leave a conversation."""
        for each in people:
            conversation.members.remove(each.id)
        self._members(conversation, people, by or people[0], added=False)

    def installed(self, conversation: Conversation, by: User) -> None:
        """Add the app to a chat or a team; it is told twice, as in Teams."""
        self._set_installed(conversation, is_there=True)
        organisation, bot = self.organisation, (self.organisation.bot.id,)
        self.tell(conversation, activities.installation(organisation, by, conversation))
        self.tell(conversation, activities.members_changed(organisation, by, conversation, bot))

    def uninstalled(self, conversation: Conversation, by: User) -> None:
        """Take the app out of a chat or a team; it is told, and can write there no more."""
        organisation, bot = self.organisation, (self.organisation.bot.id,)
        self.tell(conversation, activities.installation(organisation, by, conversation, added=False))
        if conversation.kind != "personal":
            self.tell(conversation, activities.members_changed(organisation, by, conversation, bot, added=False))
        self._set_installed(conversation, is_there=False)

    def _set_installed(self, conversation: Conversation, *, is_there: bool) -> None:
        if conversation.team is None:
            conversation.with_bot = is_there
        else:
            for each in self.organisation.conversations.values():
                if each.team is conversation.team and each.channel_type == "standard":
                    each.with_bot = is_there
        self.organisation.changed("conversation", conversation)

    def _members(self, conversation: Conversation, people: tuple[User, ...], by: User, *, added: bool) -> None:
        self.organisation.changed("conversation", conversation)
        ids = tuple(each.id for each in people)
        self.tell(conversation, activities.members_changed(self.organisation, by, conversation, ids, added=added))
