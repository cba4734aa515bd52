"""Slack's rate limits, as the lanes that a call of the Web API goes through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adapters.outbound.pacing import LaneName, Rate, Spot

#: Nine tenths of each tier (docs.slack.dev/apis/web-api/rate-limits): T1 1, T2 20, T3 50, T4 100 calls a minute.
T1, T2, T3, T4, SPECIAL = Rate(1), Rate(18), Rate(45), Rate(90), Rate(240)
#: Methods that are not named here are taken for tier 3.
RATES: Mapping[str, Rate] = {
    "assistant.threads.setStatus": SPECIAL,
    "assistant.threads.setSuggestedPrompts": T4,
    "auth.test": SPECIAL,
    "chat.appendStream": T4,
    "chat.postEphemeral": T4,
    "chat.postMessage": SPECIAL,  # over the whole workspace
    "chat.startStream": T2,
    "chat.stopStream": T2,
    "conversations.members": T4,
    "users.info": T4,
    "users.list": T2,
    "views.open": T4,
    "views.publish": T4,
    "views.push": T4,
    "views.update": T4,
}
#: About one post a second for each channel, with a short burst.
POSTS_OF_A_CHANNEL = Rate(4, 4.4)


@dataclass(frozen=True)
class SlackRates:
    """Each method has its rate over the whole workspace; posts have one for each channel, too."""

    rates: Mapping[str, Rate] = field(default_factory=lambda: RATES)
    posts_of_a_channel: Rate = POSTS_OF_A_CHANNEL

    def __call__(self, spot: Spot) -> Sequence[tuple[LaneName, Rate]]:
        """Return the lanes of a call, the narrowest last."""
        everywhere = ((spot.method, ""), self.rates.get(spot.method, T3))
        if spot.method == "chat.postMessage" and spot.channel:
            return everywhere, ((spot.method, spot.channel), self.posts_of_a_channel)
        return (everywhere,)
