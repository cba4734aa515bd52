"""How Slack writes its records as JSON, in answers and in events alike."""

from tests.fakes.slack.records import Channel, Json, Message, User, View
from tests.fakes.slack.workspace import SlackWorkspace


def user_json(user: User, *, with_email: bool, with_locale: bool = False) -> Json:
    """Return a person; the email only to those who may read it, and never a stranger's."""
    profile: Json = {"real_name": user.real_name, "display_name": user.name, "team": user.team_id}
    if with_email and user.email is not None and not user.is_stranger:
        profile["email"] = user.email
    shown: Json = {
        "id": user.id, "team_id": user.team_id, "name": user.name, "real_name": user.real_name, "deleted": user.deleted,
        "tz": user.tz, "tz_offset": user.tz_offset, "profile": profile, "is_bot": user.is_bot, "is_app_user": False,
        "is_admin": user.is_admin, "is_restricted": user.is_restricted, "is_ultra_restricted": user.is_ultra_restricted,
        "is_stranger": user.is_stranger, "is_email_confirmed": user.is_email_confirmed,
    }  # fmt: skip
    return shown | ({"locale": user.locale} if with_locale else {})


def channel_json(channel: Channel, *, member: bool, with_count: bool = False) -> Json:
    """Return a conversation as the app sees it."""
    shown: Json = {
        "id": channel.id, "created": channel.created, "is_im": channel.is_im, "is_archived": channel.is_archived,
        "is_ext_shared": channel.is_ext_shared, "is_shared": channel.is_ext_shared, "is_private": channel.is_private,
    }  # fmt: skip
    if channel.is_im:
        return shown | {"user": channel.user, "is_open": True}
    shown |= {"name": channel.name, "is_channel": not channel.is_private, "is_group": channel.is_private}
    shown |= {"is_member": member, "is_general": channel.name == "general", "is_mpim": False}
    return shown | ({"num_members": len(channel.members)} if with_count else {})


def message_json(workspace: SlackWorkspace, message: Message, *, with_metadata: bool = False) -> Json:
    """Return a message as it stands; of a thread's root also the count of its replies."""
    shown: Json = {"type": "message", "ts": message.ts, "user": message.user, "text": message.text}
    author = workspace.users.get(message.user)
    optional = {
        "subtype": message.subtype, "thread_ts": message.thread_ts, "bot_id": message.bot_id, "edited": message.edited,
        "app_id": workspace.app_id if message.user == workspace.bot.id else None,
        "team": author.team_id if author is not None else None,
        "files": message.files or None, "blocks": message.blocks or None, "attachments": message.attachments or None,
        "reactions": [
            {"name": name, "users": users, "count": len(users)} for name, users in message.reactions.items()
        ] or None,
        "metadata": message.metadata if with_metadata else None,
        "streaming_state": streaming_state(workspace, message),
    }  # fmt: skip
    shown |= {key: value for key, value in optional.items() if value is not None}
    if message.thread_ts is None and message.ephemeral_to is None:
        replies = workspace.replies(message.channel, message.ts)[1:]
        if replies:
            shown |= {"thread_ts": message.ts, "reply_count": len(replies), "latest_reply": replies[-1].ts}
            shown["reply_users"] = sorted({each.user for each in replies})
    return shown


def streaming_state(workspace: SlackWorkspace, message: Message) -> str | None:
    """Return `in_progress` or `completed` for a streamed message, None for any other."""
    if message.stream is None:
        return None
    return "in_progress" if workspace.is_streaming(message) else "completed"


def view_json(workspace: SlackWorkspace, view: View) -> Json:
    """Return a view as the app gets it back: its content, where it stands, and what the person typed."""
    content = {"blocks": [], "private_metadata": "", "callback_id": "", "clear_on_close": False}
    return content | view.content | {
        "id": view.id, "team_id": workspace.team.id, "type": view.kind, "hash": view.hash, "state": view.state,
        "root_view_id": view.root_view_id, "previous_view_id": view.previous_view_id, "app_id": workspace.app_id,
        "external_id": view.external_id, "bot_id": workspace.bot.bot_id, "app_installed_team_id": workspace.team.id,
    }  # fmt: skip
