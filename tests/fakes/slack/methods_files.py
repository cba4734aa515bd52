"""Methods about files that people shared."""

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import Method
from tests.fakes.slack.records import Json
from tests.fakes.slack.workspace import SlackWorkspace


def files_info(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return what is known of a file, with the address that hands it out to the token."""
    shared = workspace.files.get(arguments["file"])
    if shared is None:
        raise Refused("file_not_found")
    return {"file": shared.told}


METHODS = (Method("files.info", files_info, ("file",), scopes=("files:read",), tier="T4"),)
