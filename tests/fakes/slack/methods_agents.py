"""Methods of the agent surface: status, suggested prompts, title, session."""

from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.method import Method, find_place
from tests.fakes.slack.methods_messages import find_thread
from tests.fakes.slack.records import AssistantThread, Json
from tests.fakes.slack.sessions import check_session_status
from tests.fakes.slack.workspace import SlackWorkspace

PROMPTS_MAX = 4
LOADING_MESSAGES_MAX = 10
TITLE_MAX = 200


def set_status(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Show what the app is doing; an empty status takes it away."""
    thread = _thread(workspace, arguments, thread_needed=True)
    messages = arguments.get("loading_messages") or []
    if not isinstance(messages, list) or len(messages) > LOADING_MESSAGES_MAX:
        raise invalid(
            "invalid_arguments", f"no more than {LOADING_MESSAGES_MAX} items [json-pointer:/loading_messages]"
        )
    thread.status, thread.loading_messages = arguments.get("status") or "", messages
    thread.status_at = workspace.clock.monotonic()
    workspace.changed("status", thread)
    return {}


def set_suggested_prompts(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Offer up to four questions to ask, in a thread or, in a direct message, in all of it."""
    thread = _thread(workspace, arguments)
    prompts = arguments["prompts"]
    if not isinstance(prompts, list) or not 0 < len(prompts) <= PROMPTS_MAX:
        raise invalid("invalid_arguments", f"between 1 and {PROMPTS_MAX} items allowed [json-pointer:/prompts]")
    for number, prompt in enumerate(prompts):
        if not isinstance(prompt, dict) or set(prompt) != {"title", "message"} or not all(prompt.values()):
            raise invalid("invalid_arguments", f"needs a title and a message [json-pointer:/prompts/{number}]")
    thread.prompts, thread.prompts_title = prompts, arguments.get("title")
    workspace.changed("prompts", thread)
    return {}


def set_title(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Name a thread in the list of conversations with the app."""
    thread = _thread(workspace, arguments, thread_needed=True)
    thread.title = arguments["title"]
    workspace.changed("title", thread)
    return {}


def set_session_status(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Say in which state the work in a thread is; the title counts only for a new session."""
    status = check_session_status(arguments["status"])
    thread = _thread(workspace, arguments, thread_needed=True)
    title = arguments.get("title")
    if title is not None and len(title) > TITLE_MAX:
        raise invalid("invalid_arguments", f"must be less than {TITLE_MAX + 1} characters [json-pointer:/title]")
    if thread.session_status is None and title:
        thread.title = title
        workspace.changed("title", thread)
    thread.session_status = status
    workspace.changed("status", thread)
    return {"status": status, "agent_status": status, "title": thread.title}


def _thread(workspace: SlackWorkspace, arguments: Json, *, thread_needed: bool = False) -> AssistantThread:
    channel = find_place(workspace, arguments.get("channel_id") or "")
    thread_ts = arguments.get("thread_ts")
    if not thread_ts and (thread_needed or not channel.is_im):
        raise invalid("invalid_arguments", "missing required field: thread_ts")
    try:
        find_thread(workspace, channel, thread_ts)
    except Refused:
        raise Refused("thread_not_found") from None
    return workspace.thread(channel.id, thread_ts or "")


_LOOKS = ("icon_emoji", "icon_url", "username")
METHODS = (
    Method(
        "assistant.threads.setStatus",
        set_status,
        ("channel_id", "thread_ts"),
        ("status", "loading_messages", *_LOOKS),
        scopes=("chat:write", "assistant:write"),
        tier="special",
    ),
    Method(
        "assistant.threads.setSuggestedPrompts",
        set_suggested_prompts,
        ("channel_id", "prompts"),
        ("thread_ts", "title"),
        scopes=("assistant:write",),
        tier="T4",
    ),
    Method(
        "assistant.threads.setTitle",
        set_title,
        ("channel_id", "thread_ts", "title"),
        scopes=("assistant:write",),
        tier="T4",
    ),
    Method(
        "agents.sessions.setStatus",
        set_session_status,
        ("status", "channel_id"),
        ("thread_ts", "title", "initiator_user_id", *_LOOKS),
        scopes=("chat:write",),
    ),
)
