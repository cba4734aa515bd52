"""Activities as Teams sends them to a bot: the fields, ids and shapes of the real ones."""

import html
import re
from datetime import datetime
from typing import Literal

from tests.fakes.teams.organisation import Organisation, thread_id
from tests.fakes.teams.records import Conversation, Json, Message, User

EventType = Literal["teamMemberAdded", "teamMemberRemoved", "channelCreated", "teamRenamed"]
#: What the client says of a person's time.
TIMEZONE = "Europe/Berlin"


def message(organisation: Organisation, user: User, said: Message) -> Json:
    """Return the activity of a message that a person wrote."""
    conversation = organisation.conversations[said.conversation]
    content = {
        "text": said.text,
        "textFormat": said.text_format,
        "attachments": [*said.files, {"contentType": "text/html", "content": _as_html(said.text)}],
        "entities": [*said.entities, _client_info(user)],
    }
    return _envelope(organisation, user, conversation, said.root, kind="message", known_as=said.id) | content


def message_changed(organisation: Organisation, user: User, said: Message, *, deleted: bool = False) -> Json:
    """Return the activity of an own message that was edited or deleted; it has the message's id."""
    kind, event = ("messageDelete", "softDeleteMessage") if deleted else ("messageUpdate", "editMessage")
    body = message(organisation, user, said) | {"type": kind}
    if deleted:
        for name in ("text", "textFormat", "attachments"):
            del body[name]
    body["channelData"] |= {"eventType": event}
    return body


def reaction(organisation: Organisation, user: User, said: Message, *, name: str, added: bool = True) -> Json:
    """Return the activity of a reaction to a message of the bot's."""
    conversation = organisation.conversations[said.conversation]
    body = _envelope(organisation, user, conversation, said.root, kind="messageReaction")
    return body | {"reactionsAdded" if added else "reactionsRemoved": [{"type": name}], "replyToId": said.id}


def value_message(organisation: Organisation, user: User, said: Message, *, value: Json) -> Json:
    """Return the activity of an Action.Submit on a card: a message without words."""
    conversation = organisation.conversations[said.conversation]
    body = _envelope(organisation, user, conversation, said.root, kind="message")
    return body | {"value": value, "replyToId": said.id, "entities": [_client_info(user)]}


def invoke(organisation: Organisation, user: User, said: Message, *, name: str, value: Json) -> Json:
    """Return the activity of a press that is answered at once."""
    conversation = organisation.conversations[said.conversation]
    invoke_id = f"f:{organisation.new_guid()}"
    body = _envelope(organisation, user, conversation, said.root, kind="invoke", known_as=invoke_id)
    body["channelData"] |= {"source": {"name": "message"}, "legacy": {"replyToId": f"1:{said.id}"}}
    return body | {"name": name, "value": value, "replyToId": said.id, "entities": [_client_info(user)]}


def installation(organisation: Organisation, user: User, conversation: Conversation, *, added: bool = True) -> Json:
    """Return the activity by which an app learns that it was installed or taken away."""
    body = _envelope(
        organisation, user, conversation, "", kind="installationUpdate", known_as=f"f:{organisation.new_guid()}"
    )
    body["channelData"] |= {"source": {"name": "message"}}
    if conversation.kind == "channel":
        body["channelData"] |= {"settings": {"selectedChannel": {"id": conversation.id}}}
    return body | {"action": "add" if added else "remove"}


def members_changed(
    organisation: Organisation, user: User, conversation: Conversation, ids: tuple[str, ...], *, added: bool = True
) -> Json:
    """Return the activity of people, or the bot itself, who came into a conversation or left it."""
    body = _envelope(
        organisation, user, conversation, "", kind="conversationUpdate", known_as=f"f:{organisation.new_guid()}"
    )
    if conversation.kind == "channel":
        event: EventType = "teamMemberAdded" if added else "teamMemberRemoved"
        body["channelData"] |= {"eventType": event}
    members = [{"id": each} | _object_id(organisation.users.get(each)) for each in ids]
    return body | {"membersAdded" if added else "membersRemoved": members}


def mention(user_id: str, name: str) -> Json:
    """Return the entity of a mention; its text stands in the message."""
    return {"type": "mention", "mentioned": {"id": user_id, "name": name}, "text": f"<at>{name}</at>"}


def _envelope(
    organisation: Organisation, user: User, conversation: Conversation, root: str, *, kind: str, known_as: str = ""
) -> Json:
    now = organisation.clock.now()
    return {
        "type": kind,
        "id": known_as or organisation.new_id(),
        "timestamp": _instant(now),
        "localTimestamp": _instant(now),
        "localTimezone": TIMEZONE,
        "channelId": "msteams",
        "serviceUrl": organisation.service_url,
        "from": {"id": user.id, "name": user.name} | _object_id(user),
        "conversation": _conversation(conversation, root),
        "recipient": {"id": organisation.bot.id, "name": organisation.bot.name},
        "channelData": _channel_data(conversation),
        "locale": user.locale,
    }


def _conversation(conversation: Conversation, root: str) -> Json:
    place = thread_id(conversation, root) if root else conversation.id
    told: Json = {"id": place, "conversationType": conversation.kind, "tenantId": conversation.tenant_id}
    if conversation.kind != "personal":
        told["isGroup"] = True
    if conversation.kind == "groupChat" and conversation.name:
        told["name"] = conversation.name
    return told


def _channel_data(conversation: Conversation) -> Json:
    told: Json = {"tenant": {"id": conversation.tenant_id}}
    team = conversation.team
    if conversation.kind == "channel" and team is not None:
        told |= {
            "teamsChannelId": conversation.id,
            "teamsTeamId": team.id,
            "channel": {"id": conversation.id, "type": conversation.channel_type},
            "team": {"id": team.id, "name": team.name, "aadGroupId": team.aad_group_id},
        }
    return told


def _object_id(user: User | None) -> Json:
    return {"aadObjectId": user.aad_object_id} if user is not None and user.aad_object_id else {}


def _client_info(user: User) -> Json:
    country = user.locale.rpartition("-")[2]
    return {
        "type": "clientInfo", "locale": user.locale, "country": country, "platform": "Web", "timezone": TIMEZONE,
    }  # fmt: skip


def _as_html(text: str) -> str:
    """Return the words of a message the way that Teams attaches them once more."""
    marked = re.sub(
        r"<at>(.*?)</at>",
        r'<span itemscope="" itemtype="http://schema.skype.com/Mention" itemid="0">\1</span>',
        text.strip(),
    )
    return f"<p>{marked}</p>"


def _instant(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def escaped(typed: str) -> str:
    """Return typed words as they travel: what would be markup is escaped."""
    return html.escape(typed, quote=False)
