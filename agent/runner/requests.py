"""A message that is to be answered, and what a run keeps of it."""

from dataclasses import dataclass, field
from datetime import datetime

from agent.runs.record import Origin
from agent.tools.context import Recollection
from identity.actor import Actor
from identity.readership import ALONE, Alone, Readership, Shared, ThreadOnly
from storage.ids import JsonObject


@dataclass(frozen=True)
class Request:
    """One message to answer."""

    actor: Actor
    event_id: str
    thread: str
    text: str
    language: str
    now: datetime
    address: JsonObject = field(default_factory=dict)
    readership: Readership = ALONE


def origin_of(request: Request, memory: Recollection) -> Origin:
    """Return what it takes to make the request again."""
    readership = request.readership
    place = readership.otherwise if isinstance(readership, ThreadOnly) else readership
    return Origin(
        text=request.text,
        language=request.language,
        address=request.address,
        shared=tuple(sorted(place.principals)) if isinstance(place, Shared) else None,
        files_thread=place.thread,
        files_alone=isinstance(request.readership, ThreadOnly),
        memory=memory,
    )


def readership_of(origin: Origin) -> Readership:
    """Return who read along where a run was asked."""
    thread = origin.files_thread
    place = Alone(thread) if origin.shared is None else Shared(frozenset(origin.shared), thread)
    return ThreadOnly(place) if origin.files_alone else place
