"""The connector without its transport: who may call, how often, what is carried out, and how it is refused."""

from dataclasses import dataclass, field
from typing import Any

from tests.fakes.teams.entity_rules import STREAM_INFO, entity_of
from tests.fakes.teams.errors import Refused, unauthorized
from tests.fakes.teams.logins import Logins
from tests.fakes.teams.operations import OPERATIONS, Asked
from tests.fakes.teams.organisation import Organisation, place_of
from tests.fakes.teams.records import Call
from tests.fakes.teams.streams import OUT_OF_ORDER


@dataclass(frozen=True)
class ConnectorAnswer:
    """An answer of the connector, ready to be sent; a body of None is none."""

    status: int
    body: Any = None
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Connector:
    """Every operation on one organisation; `signed` False asks nobody for a token."""

    organisation: Organisation
    logins: Logins
    signed: bool = True
    #: By conversation: the piece of a stream whose answer is not out yet.
    _streaming: dict[str, Asked] = field(default_factory=dict)

    def answer(self, name: str, asked: Asked, token: str, *, path: str = "", lost: bool = False) -> ConnectorAnswer:
        """Carry out one call and log it; `lost` says that its answer will not arrive."""
        try:
            answer = self._answer(name, asked, token)
        except Refused as refused:
            answer = ConnectorAnswer(refused.status, refused.body or None, refused.code, refused.headers)
        call = Call(
            name, path, asked.body, self.organisation.epoch(), answer.status, answer.code, answer.body, token,
            asked.conversation, lost,
        )  # fmt: skip
        self.organisation.calls.append(call)
        self.organisation.changed("call", call)
        return answer

    def answered(self, asked: Asked) -> None:
        """Note that the answer to a call is out."""
        place = place_of(asked.conversation)[0]
        if self._streaming.get(place) is asked:
            del self._streaming[place]

    def _answer(self, name: str, asked: Asked, token: str) -> ConnectorAnswer:
        organisation, operation = self.organisation, OPERATIONS[name]
        if self.signed and not self.logins.is_good(token):
            raise unauthorized()
        storm = organisation.faults.storm_left()
        if storm:
            raise Refused(429, "Throttled", retry_after_s=max(1, round(storm)))
        refusal = organisation.faults.refusal(name)
        if refusal is not None and not refusal[1]:
            raise refusal[0]
        place = place_of(asked.conversation)[0]
        wait = organisation.rates.take(operation.scenario, place or str(asked.body.get("members")))
        if wait is not None:
            raise Refused(429, "Throttled", retry_after_s=wait)
        self._in_turn(asked, place)
        status, body = operation.run(organisation, asked)
        if refusal is not None:
            raise refusal[0]
        return ConnectorAnswer(status, body)

    def _in_turn(self, asked: Asked, place: str) -> None:
        """Drop a piece of a stream that did not wait for the answer to the one before."""
        if entity_of(asked.body, STREAM_INFO) is None:
            return
        if place in self._streaming:
            raise Refused(202, "ContentStreamSequenceOrderPreConditionFailed", OUT_OF_ORDER)
        self._streaming[place] = asked
