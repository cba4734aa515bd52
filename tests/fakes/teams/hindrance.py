"""What faults make of a call before anybody looks at it."""

from aiohttp import web

from tests.fakes.loopback import cut
from tests.fakes.teams.errors import Refused
from tests.fakes.teams.organisation import Organisation


def outage(organisation: Organisation, request: web.Request) -> web.Response | None:
    """Return what a call gets while Teams is down, None when it is up."""
    down = organisation.faults.outage()
    if down is None:
        return None
    return web.Response(status=503) if down == "unavailable" else cut(request)


async def hindered(organisation: Organisation, operation: str, request: web.Request) -> web.Response | None:
    """Return what a call of the logins or the key server gets instead of an answer, None when it is answered."""
    if (down := outage(organisation, request)) is not None:
        return down
    faults = organisation.faults
    await organisation.clock.sleep(faults.delay(operation))
    if faults.takes_answer(operation):
        return cut(request)
    refusal = faults.refusal(operation)
    return None if refusal is None else refused(refusal[0])


def refused(refusal: Refused) -> web.Response:
    """Return a refusal as HTTP."""
    if not refusal.body:
        return web.Response(status=refusal.status, headers=refusal.headers)
    return web.json_response(refusal.body, status=refusal.status, headers=refusal.headers)
