"""What the Slack adapter is told when it is built, and what it learns of its installation."""

from dataclasses import dataclass, field

from adapters.events import Account

#: The Web API of Slack itself; tests and proxies have others.
API_URL = "https://slack.com/api/"


@dataclass(frozen=True)
class SlackConfig:
    """One workspace. Secrets stay out of every repr."""

    bot_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)  # for events by HTTP
    app_token: str = field(default="", repr=False)  # for Socket Mode
    api_url: str = API_URL  # ends with a slash
    email_domains: frozenset[str] = frozenset()  # lower case; empty: an address links nobody to an account
    stream_after_s: float = 0.7  # an answer that is there before is posted whole
    form_actions: frozenset[str] = frozenset()  # presses that are answered by a form
    language: str = "en"  # for people whose language is not known yet


@dataclass
class Installation:
    """Where the desk is installed: learned from `auth.test`, until then from the events that come in."""

    team: str = ""
    enterprise: str = ""
    bot_user: str = ""
    bot_id: str = ""

    def learn(self, *, team: str = "", enterprise: str = "", bot_user: str = "", bot_id: str = "") -> None:
        """Keep what was not known yet; what is known stays."""
        self.team = self.team or team
        self.enterprise = self.enterprise or enterprise
        self.bot_user = self.bot_user or bot_user
        self.bot_id = self.bot_id or bot_id


def is_own(home: str, at: Installation) -> bool:
    """Return True when a person's home is the installation's; unsaid is taken for own, as Slack leaves it out there."""
    return not home or home in {at.team, at.enterprise}


def account(user: str, home: str, at: Installation, *, shared: bool = False) -> Account:
    """Return the account behind an event. In a channel shared with another company, who is not told is external.

    People of another workspace of the same organisation are external here; `identify` knows better.
    """
    own = is_own(home, at)
    tenant = f"{at.enterprise}/{at.team}" if at.enterprise else at.team
    return Account(
        platform="slack",
        tenant=tenant if own else home,
        user=user,
        name=user,
        kind="member" if own and (home or not shared) else "external",
    )
