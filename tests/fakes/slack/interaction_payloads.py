"""The JSON of what people do: commands, buttons, message shortcuts and modals."""

from typing import Any, Literal

from tests.fakes.slack import inputs
from tests.fakes.slack.event_payloads import VERIFICATION_TOKEN, message
from tests.fakes.slack.payloads import view_json
from tests.fakes.slack.records import Channel, Json, Message, User, View
from tests.fakes.slack.workspace import SlackWorkspace


def command(workspace: SlackWorkspace, user: User, channel: Channel, *, name: str, text: str) -> Json:
    """Return the form of a slash command; nothing in it says in which thread it was typed."""
    team = workspace.teams[user.team_id]
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.team.id,
        "team_domain": workspace.team.domain,
        **({"enterprise_id": team.enterprise_id, "enterprise_name": team.name} if team.enterprise_id else {}),
        "channel_id": channel.id,
        "channel_name": channel_name(channel, private="privategroup"),
        "user_id": user.id,
        "user_name": user.name,
        "command": name,
        "text": text,
        "api_app_id": workspace.app_id,
        "is_enterprise_install": "false",
        "response_url": workspace.new_response_url(user, channel),
        "trigger_id": workspace.new_trigger(user),
    }


def channel_name(channel: Channel, *, private: str) -> str:
    """Return the name that interaction payloads give a conversation; direct messages have none of their own."""
    if channel.is_im:
        return "directmessage"
    return private if channel.is_private else channel.name


def _person(workspace: SlackWorkspace, user: User) -> Json:
    """Return what every interaction payload says of who acted, and where the app is installed."""
    team = workspace.team
    enterprise = {"id": team.enterprise_id, "name": team.name} if team.enterprise_id else None
    return {
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id},
        "api_app_id": workspace.app_id,
        "token": VERIFICATION_TOKEN,
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": enterprise,
        "is_enterprise_install": False,
    }


def _view(workspace: SlackWorkspace, view: View) -> Json:
    """Return a view with what its inputs hold now, untouched ones included."""
    state = {"values": inputs.values(view.content.get("blocks", ()), view.state["values"])}
    return view_json(workspace, view) | {"state": state}


def action_body(element: Json, *, block_id: str, value: Json, action_ts: str) -> Json:
    """Return one entry of `actions`: what was pressed, and (for menus and inputs) what was chosen."""
    known: Json = {name: element[name] for name in ("action_id", "type") if name in element}
    shown: Json = {name: element[name] for name in ("text", "value", "style", "url", "confirm") if name in element}
    pressed = shown if element["type"] in {"button", "icon_button"} else {}
    return {**known, "block_id": block_id, **pressed, **value, "action_ts": action_ts}


def message_action(workspace: SlackWorkspace, user: User, said: Message, *, action: Json, values: Json) -> Json:
    """Return the block_actions payload of something pressed in a message."""
    channel = workspace.channels[said.channel]
    container: Json = {
        "type": "message",
        "message_ts": said.ts,
        "channel_id": channel.id,
        "is_ephemeral": said.ephemeral_to is not None,
    }
    if said.thread_ts is not None:
        container["thread_ts"] = said.thread_ts
    return {
        "type": "block_actions",
        **_person(workspace, user),
        "container": container,
        "trigger_id": workspace.new_trigger(user),
        "channel": {"id": channel.id, "name": channel_name(channel, private="privategroup")},
        "state": {"values": values},
        "response_url": workspace.new_response_url(user, channel, message=said),
        "actions": [action],
        # An ephemeral message is not kept by Slack: the payload cannot hold it.
        **({"message": message(workspace, said)} if said.ephemeral_to is None else {}),
    }


def view_action(workspace: SlackWorkspace, user: User, view: View, *, action: Json) -> Json:
    """Return the block_actions payload of something pressed in a modal or a home."""
    return {
        "type": "block_actions",
        **_person(workspace, user),
        "container": {"type": "view", "view_id": view.id},
        "trigger_id": workspace.new_trigger(user, view_id=view.id if view.kind == "modal" else None),
        "view": _view(workspace, view),
        "actions": [action],
    }


def message_shortcut(workspace: SlackWorkspace, user: User, said: Message, *, callback_id: str) -> Json:
    """Return the payload of a shortcut from the menu of a message."""
    channel = workspace.channels[said.channel]
    return {
        "type": "message_action",
        **_person(workspace, user),
        "action_ts": workspace.new_ts(),
        "channel": {"id": channel.id, "name": channel_name(channel, private="privategroup")},
        "callback_id": callback_id,
        "trigger_id": workspace.new_trigger(user),
        "response_url": workspace.new_response_url(user, channel, message=said),
        "message_ts": said.ts,
        "message": message(workspace, said),
    }


def view_submission(workspace: SlackWorkspace, user: User, view: View) -> Json:
    """Return the payload of a sent modal; `view.state.values` is what the person typed."""
    return {
        "type": "view_submission",
        **_person(workspace, user),
        "trigger_id": workspace.new_trigger(user, view_id=view.id),
        "view": _view(workspace, view),
        "response_urls": [],
    }


def view_closed(workspace: SlackWorkspace, user: User, view: View, *, cleared: bool) -> Json:
    """Return the payload of a modal that was closed; `cleared` says that the whole stack went."""
    body = _view(workspace, view)
    return {"type": "view_closed", **_person(workspace, user), "view": body, "is_cleared": cleared}


def block_suggestion(
    workspace: SlackWorkspace, user: User, view: View, *, element: Json, block_id: str, typed: str
) -> Json:
    """Return the question for the choices of an external menu."""
    return {
        "type": "block_suggestion",
        **_person(workspace, user),
        "container": {"type": "view", "view_id": view.id},
        "action_id": element["action_id"],
        "block_id": block_id,
        "value": typed,
        "view": _view(workspace, view),
    }


def feedback_value(element: Json, verdict: Literal["positive", "negative"]) -> Json:
    """Return what a pressed thumb adds to its action."""
    button: dict[str, Any] = element[f"{verdict}_button"]
    return {"text": button["text"], "value": button["value"]}
