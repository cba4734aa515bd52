"""Teams' rate limits, as the lanes that a call of the Bot Connector goes through."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.outbound.pacing import LaneName, Rate, Spot

#: What a call does: it reads who is there, or it writes.
READS, WRITES = "read", "write"
#: About nine tenths of what one bot may do in one conversation (msteams-docs, bots/how-to/rate-limit.md).
WRITES_OF_A_CONVERSATION = (Rate(1_620, 3_600.0), Rate(54, 30.0), Rate(7, 2.0), Rate(6, 1.0))
READS_OF_A_CONVERSATION = (Rate(3_240, 3_600.0), Rate(108, 30.0), Rate(14, 2.0), Rate(12, 1.0))
#: Over all conversations: 30 a second, by the older of two pages.
OF_THE_APP = Rate(27, 1.0)


@dataclass(frozen=True)
class TeamsRates:
    """Each conversation has its rates for writing and for reading; the app has one over all of them."""

    of_the_app: Rate = OF_THE_APP
    writes: Sequence[Rate] = WRITES_OF_A_CONVERSATION
    reads: Sequence[Rate] = READS_OF_A_CONVERSATION

    def __call__(self, spot: Spot) -> Sequence[tuple[LaneName, Rate]]:
        """Return the lanes of a call, the narrowest last."""
        everywhere = (("", ""), self.of_the_app)
        if not spot.channel:
            return (everywhere,)
        rates = self.reads if spot.method == READS else self.writes
        lanes = [((f"{spot.method} in {rate.span_s:.0f} s", spot.channel), rate) for rate in rates]
        return (everywhere, *lanes)
