"""The operations of the connector, by the names that Microsoft gives them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.teams import memberships as roster
from tests.fakes.teams.content import check_content, content_of, rewrite
from tests.fakes.teams.entity_rules import STREAM_INFO, entity_of
from tests.fakes.teams.errors import Refused, bad
from tests.fakes.teams.organisation import Organisation, place_of, thread_id
from tests.fakes.teams.rates import Scenario
from tests.fakes.teams.records import Conversation, Json, Message
from tests.fakes.teams.streams import check_change, is_open, stream_activity


@dataclass(frozen=True)
class Asked:
    """One request to the connector; ids are those of its path."""

    body: Json = field(default_factory=dict)
    conversation: str = ""
    activity: str = ""
    member: str = ""
    query: Mapping[str, str] = field(default_factory=dict)


Answered = tuple[int, Any]


@dataclass(frozen=True)
class Operation:
    """One operation: what it does, and under which rate limit."""

    run: Callable[[Organisation, Asked], Answered]
    scenario: Scenario


def create_conversation(organisation: Organisation, asked: Asked) -> Answered:
    """Open a person's chat, or begin a thread in a channel."""
    body = asked.body
    channel = ((body.get("channelData") or {}).get("channel") or {}).get("id")
    if channel:
        conversation = writable(organisation, str(channel))
        posted = _post(organisation, conversation, body.get("activity") or {}, root="")
        return 201, {"id": thread_id(conversation, posted.root), "activityId": posted.id}
    conversation = _personal(organisation, body)
    answer = {"id": conversation.id, "serviceUrl": organisation.service_url}
    if body.get("activity"):
        answer["activityId"] = _post(organisation, conversation, body["activity"], root="").id
    return 201, answer


def _personal(organisation: Organisation, body: Json) -> Conversation:
    members = body.get("members") or []
    if body.get("isGroup") or len(members) != 1 or not isinstance(members[0], dict):
        raise bad("Bots cannot make group chats; a personal chat has one member")
    if (body.get("bot") or {}).get("id") not in {organisation.bot.id, organisation.bot.app_id}:
        raise bad("Unknown bot")
    tenant = ((body.get("channelData") or {}).get("tenant") or {}).get("id") or body.get("tenantId")
    user = roster.user(organisation, str(members[0].get("id")))
    if user is None or user.tenant_id != tenant:
        raise bad("Failed to find the member in the tenant")
    if user.tenant_id != organisation.tenant.id or user.user_role == "anonymous":
        raise Refused(403, "ForbiddenOperationException")
    conversation = organisation.chat(user)
    if not conversation.with_bot:
        raise Refused(403, "ForbiddenOperationException")
    return conversation


def send(organisation: Organisation, asked: Asked) -> Answered:
    """Post a message, show that the bot is typing, or stream."""
    _, root = place_of(asked.conversation)
    conversation = writable(organisation, asked.conversation)
    if entity_of(asked.body, STREAM_INFO) is not None:
        return stream_activity(organisation, conversation, asked.body)
    if asked.body.get("type") == "typing":
        organisation.typing[asked.conversation] = organisation.epoch()
        organisation.changed("typing", conversation)
        return 202, {}
    return 201, {"id": _post(organisation, conversation, asked.body, root=root).id}


def reply(organisation: Organisation, asked: Asked) -> Answered:
    """Post a message into the thread of another; outside of channels that is any message."""
    conversation = writable(organisation, asked.conversation)
    said = organisation.message(conversation.id, asked.activity)
    if said is None:
        raise Refused(404, "ActivityNotFoundInConversation")
    if entity_of(asked.body, STREAM_INFO) is not None:
        return stream_activity(organisation, conversation, asked.body)
    return 201, {"id": _post(organisation, conversation, asked.body, root=said.root).id}


def update(organisation: Organisation, asked: Asked) -> Answered:
    """Put new content in the place of an own message, for everybody."""
    message = _own(organisation, asked)
    check_change(organisation, message)
    check_content(asked.body)
    if asked.body.get("type") != "message":
        raise bad("Only messages can be updated")
    rewrite(message, content_of(asked.body))
    message.edited = True
    organisation.changed("message_changed", message)
    return 200, {"id": message.id}


def delete(organisation: Organisation, asked: Asked) -> Answered:
    """Take an own message away. One that streams stays in sight although the answer says otherwise, as in Teams."""
    message = _own(organisation, asked)
    if not is_open(organisation, message):
        message.deleted = True
        organisation.changed("message_deleted", message)
    return 200, None


def members(organisation: Organisation, asked: Asked) -> Answered:
    """Return everybody in a conversation."""
    conversation = joined(organisation, asked.conversation)
    return 200, [roster.member(organisation, each) for each in roster.people(organisation, conversation)]


def member(organisation: Organisation, asked: Asked) -> Answered:
    """Return one person, by `29:` or Entra object id."""
    conversation = joined(organisation, asked.conversation)
    user = roster.user(organisation, asked.member)
    if user is None or user not in roster.people(organisation, conversation):
        raise Refused(404, "MemberNotFoundInConversation")
    return 200, roster.member(organisation, user)


def paged_members(organisation: Organisation, asked: Asked) -> Answered:
    """Return a page of the people in a conversation."""
    conversation = joined(organisation, asked.conversation)
    return 200, roster.page(organisation, conversation, asked.query)


def activity_members(organisation: Organisation, asked: Asked) -> Answered:
    """Return the people who see a message."""
    conversation = joined(organisation, asked.conversation)
    if organisation.message(conversation.id, asked.activity) is None:
        raise Refused(404, "ActivityNotFoundInConversation")
    return members(organisation, asked)


def joined(organisation: Organisation, conversation_id: str) -> Conversation:
    """Return a conversation that the bot is in."""
    place, root = place_of(conversation_id)
    conversation = organisation.conversations.get(place)
    if conversation is None or (root and organisation.messages[place].get(root) is None):
        raise Refused(404, "ConversationNotFound")
    if not conversation.with_bot:
        is_personal = conversation.kind == "personal"
        raise Refused(403, "MessageWritesBlocked" if is_personal else "BotNotInConversationRoster")
    return conversation


def writable(organisation: Organisation, conversation_id: str) -> Conversation:
    """Return a conversation that the bot may write into."""
    conversation = joined(organisation, conversation_id)
    if conversation.barrier is not None:
        raise Refused(403, conversation.barrier)
    return conversation


def _post(organisation: Organisation, conversation: Conversation, activity: Mapping[str, Any], *, root: str) -> Message:
    if activity.get("type") != "message":
        raise bad(f"Unknown activity type {activity.get('type')}")
    check_content(activity)
    if activity.get("suggestedActions") and conversation.kind != "personal":
        raise bad("suggestedActions are for personal chats")
    return organisation.say(organisation.bot.id, conversation, root=root, **content_of(activity))


def _own(organisation: Organisation, asked: Asked) -> Message:
    conversation = writable(organisation, asked.conversation)
    message = organisation.message(conversation.id, asked.activity)
    if message is None:
        raise Refused(404, "ActivityNotFoundInConversation")
    if message.sender != organisation.bot.id:
        raise Refused(403, "NotEnoughPermissions", "Bots can change their own messages only.")
    return message


OPERATIONS: dict[str, Operation] = {
    "CreateConversation": Operation(create_conversation, "create"),
    "SendToConversation": Operation(send, "send"),
    "ReplyToActivity": Operation(reply, "send"),
    "UpdateActivity": Operation(update, "send"),
    "DeleteActivity": Operation(delete, "send"),
    "GetConversationMembers": Operation(members, "members"),
    "GetConversationMember": Operation(member, "members"),
    "GetConversationPagedMembers": Operation(paged_members, "members"),
    "GetActivityMembers": Operation(activity_members, "members"),
}
