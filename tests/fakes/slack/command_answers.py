"""What stands in a conversation after a slash command: the app's immediate words, or Slack's own about a failure."""

from tests.fakes.slack.content import read_content
from tests.fakes.slack.methods_messages import written
from tests.fakes.slack.records import Channel, Json, Message, User
from tests.fakes.slack.workspace import SlackWorkspace

SLACKBOT = "USLACKBOT"


def show_command_answer(workspace: SlackWorkspace, user: User, channel: Channel, body: Json) -> None:
    """Show what the app put into its acknowledgement: to the person alone, unless it says `in_channel`."""
    if body.get("text") or body.get("blocks"):
        only = None if body.get("response_type") == "in_channel" else user.id
        workspace.keep(written(workspace, channel, read_content(body), ephemeral_to=only))


def show_command_failure(workspace: SlackWorkspace, user: User, channel: Channel, shown: str) -> None:
    """Let Slackbot tell the person, and nobody else, that the app did not take the command."""
    if SLACKBOT not in workspace.users:
        workspace.add_user("slackbot", id=SLACKBOT, real_name="Slackbot", email=None)
    workspace.keep(Message(channel.id, workspace.new_ts(), SLACKBOT, shown, ephemeral_to=user.id))
