"""Modals and homes as people have them before them: opened, stacked, changed, closed."""

import json

from tests.fakes.slack.blocks import named
from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.records import Json, View, ViewKind
from tests.fakes.slack.view_content import check_view
from tests.fakes.slack.workspace import SlackWorkspace

STACK_MAX = 3
VIEW_BYTES_MAX = 250_000


def read_view(workspace: SlackWorkspace, arguments: Json, *kinds: ViewKind) -> Json:
    """Return the checked content of a view of one of these kinds."""
    content = arguments.get("view")
    if not isinstance(content, dict):
        raise invalid("invalid_arguments", "must be a JSON object [json-pointer:/view]")
    if len(json.dumps(content, ensure_ascii=False).encode()) > VIEW_BYTES_MAX:
        raise Refused("view_too_large")
    if content.get("type") not in kinds:
        raise invalid("invalid_arguments", f"must be {' or '.join(kinds)} [json-pointer:/view/type]")
    check_view(content)
    return content | {"blocks": named(workspace, content["blocks"])}


def open_modal(workspace: SlackWorkspace, user_id: str, content: Json) -> View:
    """Show a person a modal; those that were open are gone."""
    _check_external_id(workspace, content)
    view = _made(workspace, user_id, content, "modal")
    for old in workspace.modals.get(user_id, []):
        old.closed = True
    workspace.modals[user_id] = [view]
    workspace.changed("view_opened", view)
    return view


def push_modal(workspace: SlackWorkspace, user_id: str, content: Json) -> View:
    """Put a modal over the ones that a person has open."""
    stack = workspace.modals.get(user_id, [])
    if len(stack) >= STACK_MAX:
        raise Refused("push_limit_reached")
    _check_external_id(workspace, content)
    view = _made(workspace, user_id, content, "modal")
    view.root_view_id, view.previous_view_id = stack[0].id, stack[-1].id
    stack.append(view)
    workspace.changed("view_opened", view)
    return view


def change_view(workspace: SlackWorkspace, view: View, content: Json) -> View:
    """Give a view new content; what was typed stays where block and action are still there."""
    kept = {str(block.get("block_id")) for block in content.get("blocks", [])}
    values = {block: actions for block, actions in view.state["values"].items() if block in kept}
    view.content, view.hash, view.state = content, workspace.new_id("h."), {"values": values}
    view.external_id = content.get("external_id", view.external_id)
    view.updates += 1
    workspace.changed("home" if view.kind == "home" else "view_changed", view)
    return view


def close_modal(workspace: SlackWorkspace, view: View, *, everything: bool = False) -> None:
    """Take a modal away, with those over it; `everything` closes the whole stack."""
    stack = workspace.modals.get(view.user, [])
    first = 0 if everything or view not in stack else stack.index(view)
    for gone in stack[first:]:
        gone.closed = True
        workspace.changed("view_closed", gone)
    del stack[first:]


def publish_home(workspace: SlackWorkspace, user_id: str, content: Json) -> View:
    """Show a person their home of the app."""
    home = workspace.homes.get(user_id)
    if home is not None:
        return change_view(workspace, home, content)
    home = workspace.homes[user_id] = _made(workspace, user_id, content, "home")
    workspace.changed("home", home)
    return home


def find_view(workspace: SlackWorkspace, arguments: Json) -> View:
    """Return the open modal, or the home, that a call means by `view_id` or `external_id`."""
    view_id, external_id = arguments.get("view_id"), arguments.get("external_id")
    if not view_id and not external_id:
        raise invalid("invalid_arguments", "missing required field: view_id or external_id")
    for view in workspace.views.values():
        if not view.closed and ((view_id and view.id == view_id) or (external_id and view.external_id == external_id)):
            return view
    raise Refused("not_found")


def _made(workspace: SlackWorkspace, user_id: str, content: Json, kind: ViewKind) -> View:
    view_id = workspace.new_id("V")
    external_id = content.get("external_id", "")
    view = View(view_id, kind, user_id, content, workspace.new_id("h."), root_view_id=view_id, external_id=external_id)
    workspace.views[view_id] = view
    return view


def _check_external_id(workspace: SlackWorkspace, content: Json) -> None:
    wanted = content.get("external_id")
    if wanted and any(view.external_id == wanted and not view.closed for view in workspace.views.values()):
        raise Refused("duplicate_external_id")
