"""Methods about people."""

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import Method, flag
from tests.fakes.slack.paging import page
from tests.fakes.slack.payloads import user_json
from tests.fakes.slack.records import Json, User
from tests.fakes.slack.workspace import SlackWorkspace


def users_info(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return one person."""
    user = workspace.users.get(arguments["user"])
    if user is None:
        raise Refused("user_not_found")
    return {"user": _shown(workspace, user, arguments)}


def users_list(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return a page of everybody whom the workspace knows, strangers left out."""
    known = [user for user in workspace.users.values() if not user.is_stranger]
    items, following = page(known, arguments, key=lambda user: user.id, default=len(known) or 1)
    return {
        "members": [_shown(workspace, user, arguments) for user in items],
        "cache_ts": int(workspace.epoch()),
        "response_metadata": {"next_cursor": following},
    }


def users_lookup_by_email(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return the active member who has an address."""
    wanted = arguments["email"].casefold()
    for user in workspace.users.values():
        if user.email and user.email.casefold() == wanted and not (user.deleted or user.is_stranger or user.is_bot):
            return {"user": _shown(workspace, user, arguments)}
    raise Refused("users_not_found")


def _shown(workspace: SlackWorkspace, user: User, arguments: Json) -> Json:
    reads_email = "users:read.email" in workspace.scopes
    return user_json(user, with_email=reads_email, with_locale=flag(arguments, "include_locale"))


METHODS = (
    Method("users.info", users_info, ("user",), ("include_locale",), scopes=("users:read",), tier="T4"),
    Method(
        "users.list",
        users_list,
        optional=("cursor", "limit", "include_locale", "team_id"),
        scopes=("users:read",),
        tier="T2",
    ),
    Method("users.lookupByEmail", users_lookup_by_email, ("email",), scopes=("users:read.email",)),
)
