"""Every platform of the suite: how it is opened, on which databases, and what it cannot do."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, fields
from functools import partial

import pytest

from adapters.memory import MemoryChat
from adapters.port import Limits
from adapters.slack.chat import SlackChat
from adapters.teams.chat import TeamsChat
from adapters.terminal.chat import TerminalChat
from adapters.web.chat import WebChat
from tests.scenarios.driver_memory import open_memory
from tests.scenarios.driver_slack import open_slack
from tests.scenarios.driver_teams import open_teams
from tests.scenarios.driver_terminal import open_terminal
from tests.scenarios.driver_web import open_web
from tests.scenarios.stage import Setting, Stage


@dataclass(frozen=True)
class Platform:
    """A platform of the suite. `lacks` says why it cannot what `Limits` has no word for."""

    limits: Limits
    open: Callable[[Setting], AbstractAsyncContextManager[Stage]]
    dialects: tuple[str, ...] = ("sqlite",)
    lacks: Mapping[str, str] = field(default_factory=dict)

    def missing(self, need: str) -> str | None:
        """Return why the platform cannot do something; None when it can."""
        if need in {each.name for each in fields(Limits)}:
            return None if getattr(self.limits, need) else self.limits.notes.get(need, "")
        return self.lacks.get(need)


#: What nobody can do on Teams, and its limits have no word for.
NOT_ON_TEAMS = {"overlong": "Nobody can type more into a field than it takes."}

PLATFORMS: Mapping[str, Platform] = {
    "memory": Platform(MemoryChat.limits, open_memory, dialects=("sqlite", "postgresql")),
    "web": Platform(WebChat.limits, open_web),
    "slack_http": Platform(SlackChat.limits, partial(open_slack, mode="http")),
    "slack_socket": Platform(SlackChat.limits, partial(open_slack, mode="socket")),
    "teams_dialogs": Platform(TeamsChat.limits, partial(open_teams, forms="dialogs"), lacks=NOT_ON_TEAMS),
    "teams_cards": Platform(TeamsChat.limits, partial(open_teams, forms="cards"), lacks=NOT_ON_TEAMS),
    "terminal": Platform(
        TerminalChat.limits,
        open_terminal,
        lacks={
            "redelivery": "A line is typed once.",
            "sharing": "A number presses what this session showed.",
        },
    ),
}


def on(*names: str) -> pytest.MarkDecorator:
    """Return the mark that plays a scenario on these platforms."""
    played = [
        pytest.param(name, dialect, id=name if len(PLATFORMS[name].dialects) == 1 else f"{name}-{dialect}")
        for name in names
        for dialect in PLATFORMS[name].dialects
    ]
    return pytest.mark.parametrize(("platform", "dialect"), played, indirect=True)


on_every_platform = on(*PLATFORMS)
needs = pytest.mark.needs
