"""Methods about the app itself: who it is, and its Socket Mode connections."""

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import Method
from tests.fakes.slack.records import Json
from tests.fakes.slack.workspace import SlackWorkspace


def auth_test(workspace: SlackWorkspace, _: Json) -> Json:
    """Tell the app who it is."""
    return {
        "url": f"https://{workspace.team.domain}.slack.com/", "team": workspace.team.name,
        "team_id": workspace.team.id, "user": workspace.bot.name, "user_id": workspace.bot.id,
        "bot_id": workspace.bot.bot_id, "app_id": workspace.app_id, "enterprise_id": workspace.team.enterprise_id,
        "is_enterprise_install": False,
    }  # fmt: skip


def apps_connections_open(workspace: SlackWorkspace, _: Json) -> Json:
    """Hand out the address of a websocket, when somebody serves one."""
    if workspace.open_socket is None:
        raise Refused("internal_error")
    return {"url": workspace.open_socket()}


METHODS = (
    Method("auth.test", auth_test, tier="special"),
    Method("apps.connections.open", apps_connections_open, scopes=("connections:write",), token="app"),
)
