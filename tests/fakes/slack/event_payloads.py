"""The JSON of the Events API: the envelope, and every event that the app may be sent."""

import base64
import json
import uuid
from typing import Literal

from tests.fakes.slack.payloads import message_json, view_json
from tests.fakes.slack.records import Channel, Json, Message, User, View
from tests.fakes.slack.workspace import SlackWorkspace

#: The deprecated token that every payload still carries.
VERIFICATION_TOKEN = "ZZZZZZWSxiZZZ2yIvs3peJ"
ChannelType = Literal["channel", "group", "im"]
Tab = Literal["home", "messages", "about"]
#: By channel type: the subscription through which its messages come.
MESSAGE_EVENTS: dict[ChannelType, str] = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}


def channel_type(channel: Channel) -> ChannelType:
    """Return Slack's word for the kind of a conversation."""
    if channel.is_im:
        return "im"
    return "group" if channel.is_private else "channel"


def envelope(workspace: SlackWorkspace, event: Json, *, channel: Channel | None = None) -> Json:
    """Return what is posted for one event, under an event id of its own."""
    team = workspace.team
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": team.id,
        "context_team_id": team.id,
        "context_enterprise_id": team.enterprise_id,
        **({"enterprise_id": team.enterprise_id} if team.enterprise_id else {}),
        "api_app_id": workspace.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": workspace.new_id("Ev"),
        "event_time": int(workspace.epoch()),
        "authorizations": [
            {
                "enterprise_id": team.enterprise_id,
                "team_id": team.id,
                "user_id": workspace.bot.id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": channel is not None and channel.is_ext_shared,
        **({"event_context": _event_context(workspace, event, channel)} if channel else {}),
    }


def _event_context(workspace: SlackWorkspace, event: Json, channel: Channel) -> str:
    context = {"et": event["type"], "tid": workspace.team.id, "aid": workspace.app_id, "cid": channel.id}
    return "4-" + base64.b64encode(json.dumps(context, separators=(",", ":")).encode()).decode()


# Messages


def message(workspace: SlackWorkspace, said: Message) -> Json:
    """Return a message as events and interaction payloads hold it, without its channel."""
    author = workspace.users[said.user]
    body = message_json(workspace, said, with_metadata=True)
    if said.bot_id is not None:
        body["bot_profile"] = _bot_profile(workspace, author)
    else:
        body["client_msg_id"] = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{said.channel}:{said.ts}"))
    if author.team_id != workspace.team.id:
        body |= {"user_team": author.team_id, "source_team": author.team_id, "user_profile": _profile(author)}
    root = workspace.messages[said.channel].get(said.root)
    if root is not None and root.ts != said.ts:
        body["parent_user_id"] = root.user
    return body


def _bot_profile(workspace: SlackWorkspace, bot: User) -> Json:
    return {
        "id": bot.bot_id,
        "app_id": workspace.app_id,
        "user_id": bot.id,
        "name": bot.real_name,
        "icons": {},
        "deleted": False,
        "updated": 1700000000,
        "team_id": bot.team_id,
    }


def _profile(user: User) -> Json:
    return {
        "avatar_hash": "g" + user.id.casefold(),
        "real_name": user.real_name,
        "display_name": user.name,
        "team": user.team_id,
        "name": user.name,
        "is_restricted": user.is_restricted,
        "is_ultra_restricted": user.is_ultra_restricted,
    }


def _placed(body: Json, channel: Channel, *, event_ts: str) -> Json:
    return body | {"channel": channel.id, "event_ts": event_ts, "channel_type": channel_type(channel)}


def message_posted(workspace: SlackWorkspace, said: Message) -> Json:
    """Return the event of a new message; a broadcast of a thread carries the thread's first message as `root`."""
    body = message(workspace, said)
    if said.subtype == "thread_broadcast" and said.thread_ts is not None:
        body["root"] = message(workspace, workspace.messages[said.channel][said.thread_ts])
    return _placed(body, workspace.channels[said.channel], event_ts=said.ts)


def message_changed(workspace: SlackWorkspace, said: Message, previous: Json) -> Json:
    """Return the event of an edit: the message as it is now and as it was."""
    ts = workspace.new_ts()
    body = {
        "type": "message",
        "subtype": "message_changed",
        "message": message(workspace, said),
        "previous_message": previous,
        "hidden": True,
        "ts": ts,
    }
    return _placed(body, workspace.channels[said.channel], event_ts=ts)


def message_deleted(workspace: SlackWorkspace, said: Message, previous: Json) -> Json:
    """Return the event of a deletion: only what was there is left to tell."""
    ts = workspace.new_ts()
    body = {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": previous,
        "hidden": True,
        "deleted_ts": said.ts,
        "ts": ts,
    }
    return _placed(body, workspace.channels[said.channel], event_ts=ts)


def message_buried(workspace: SlackWorkspace, said: Message, previous: Json) -> Json:
    """Return the event of the deletion of a message that others stand below: a tombstone takes its place."""
    ts = workspace.new_ts()
    tombstone = {
        "type": "message",
        "subtype": "tombstone",
        "text": "This message was deleted.",
        "user": "USLACKBOT",
        "hidden": True,
        "thread_ts": said.root,
        "ts": said.ts,
    }
    body = {
        "type": "message",
        "subtype": "message_changed",
        "message": tombstone,
        "previous_message": previous,
        "hidden": True,
        "ts": ts,
    }
    return _placed(body, workspace.channels[said.channel], event_ts=ts)


def bot_message(workspace: SlackWorkspace, channel: Channel, text: str, *, username: str = "deploys") -> Json:
    """Return the event of what an incoming webhook of somebody else posted: it has no user at all."""
    ts = workspace.new_ts()
    body: Json = {"type": "message", "subtype": "bot_message", "text": text, "ts": ts, "username": username}
    return _placed(body | {"bot_id": "B0WEBHOOK", "icons": {"emoji": ":robot_face:"}}, channel, event_ts=ts)


def app_mention(workspace: SlackWorkspace, said: Message) -> Json:
    """Return the event of a message that names the app; its twin is the message event of the same ts."""
    body = message(workspace, said) | {"type": "app_mention", "channel": said.channel, "event_ts": said.ts}
    body.pop("subtype", None)
    return body


# The app and its people


def app_home_opened(workspace: SlackWorkspace, user: User, *, tab: Tab, channel: Channel, view: View | None) -> Json:
    """Return the event of an opened home or Messages tab; the home that stands there comes with it."""
    ts = workspace.new_ts()
    event: Json = {"type": "app_home_opened", "user": user.id, "channel": channel.id, "tab": tab, "event_ts": ts}
    return event | ({"view": view_json(workspace, view)} if view is not None and tab == "home" else {})


def member_joined_channel(
    workspace: SlackWorkspace, user: User, channel: Channel, *, inviter: User | None = None
) -> Json:
    """Return the event of somebody, perhaps the app itself, who came into a conversation."""
    return {
        "type": "member_joined_channel",
        "user": user.id,
        "channel": channel.id,
        "channel_type": "G" if channel.is_private else "C",
        "team": user.team_id,
        **({"inviter": inviter.id} if inviter else {}),
        "event_ts": workspace.new_ts(),
    }


def reaction_added(workspace: SlackWorkspace, user: User, said: Message, *, name: str) -> Json:
    """Return the event of a reaction to a message."""
    return {
        "type": "reaction_added",
        "user": user.id,
        "reaction": name,
        "item": {"type": "message", "channel": said.channel, "ts": said.ts},
        "item_user": said.user,
        "event_ts": workspace.new_ts(),
    }


def app_uninstalled(workspace: SlackWorkspace) -> Json:
    """Return the event of the app's end in this workspace."""
    return {"type": "app_uninstalled", "event_ts": workspace.new_ts()}


def tokens_revoked(workspace: SlackWorkspace) -> Json:
    """Return the event of the bot's token being taken away; it names users, never tokens."""
    return {"type": "tokens_revoked", "tokens": {"bot": [workspace.bot.id]}, "event_ts": workspace.new_ts()}


# What comes without an envelope


def app_rate_limited(workspace: SlackWorkspace) -> Json:
    """Return Slack's notice that it held events of this minute back."""
    return {
        "token": VERIFICATION_TOKEN,
        "type": "app_rate_limited",
        "team_id": workspace.team.id,
        "minute_rate_limited": int(workspace.epoch()) // 60 * 60,
        "api_app_id": workspace.app_id,
    }


def url_verification(challenge: str) -> Json:
    """Return the question by which Slack learns that a request URL is the app's."""
    return {"token": VERIFICATION_TOKEN, "challenge": challenge, "type": "url_verification"}
