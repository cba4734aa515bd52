"""Methods that open and change modals and homes."""

from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.method import Method
from tests.fakes.slack.payloads import view_json
from tests.fakes.slack.records import Json
from tests.fakes.slack.views import change_view, find_view, open_modal, publish_home, push_modal, read_view
from tests.fakes.slack.workspace import SlackWorkspace


def views_open(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Open a modal for the person whose trigger it is."""
    content = read_view(workspace, arguments, "modal")
    trigger = workspace.use_trigger(_trigger_id(arguments))
    return {"view": view_json(workspace, open_modal(workspace, trigger.user, content))}


def views_push(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Put a modal over the one in which the person pressed."""
    content = read_view(workspace, arguments, "modal")
    trigger = workspace.use_trigger(_trigger_id(arguments))
    stack = workspace.modals.get(trigger.user, [])
    if trigger.view_id not in {view.id for view in stack}:
        raise Refused("invalid_trigger_id")
    return {"view": view_json(workspace, push_modal(workspace, trigger.user, content))}


def views_update(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Change a view that is there; with `hash` only if nobody changed it meanwhile."""
    view = find_view(workspace, arguments)
    content = read_view(workspace, arguments, view.kind)
    if arguments.get("hash") and arguments["hash"] != view.hash:
        raise Refused("hash_conflict")
    return {"view": view_json(workspace, change_view(workspace, view, content))}


def views_publish(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Show a person their home."""
    content = read_view(workspace, arguments, "home")
    user = workspace.users.get(arguments["user_id"])
    if user is None or user.is_bot:
        raise Refused("user_not_found")
    home = workspace.homes.get(user.id)
    if arguments.get("hash") and (home is None or arguments["hash"] != home.hash):
        raise Refused("hash_conflict")
    return {"view": view_json(workspace, publish_home(workspace, user.id, content))}


def _trigger_id(arguments: Json) -> str:
    trigger_id = arguments.get("trigger_id") or arguments.get("interactivity_pointer")
    if not trigger_id:
        raise invalid("invalid_arguments", "missing required field: trigger_id")
    return str(trigger_id)


METHODS = (
    Method("views.open", views_open, ("view",), ("trigger_id", "interactivity_pointer"), tier="T4"),
    Method("views.push", views_push, ("view",), ("trigger_id", "interactivity_pointer"), tier="T4"),
    Method("views.update", views_update, ("view",), ("view_id", "external_id", "hash"), tier="T4"),
    Method("views.publish", views_publish, ("user_id", "view"), ("hash",), tier="T4"),
)
