"""What a run waits for after its answer: its open call, or the person's next words."""

from collections.abc import Sequence
from datetime import timedelta

from agent.brains.assistant import Call
from agent.brains.output import NO_QUESTIONS
from agent.gate.outcomes import Pending
from agent.runs.answer import Answer, AskedBack
from agent.runs.keys import ANSWER

#: After this a reply is a message of its own.
ANSWER_WITHIN = timedelta(hours=24)


def answer_key(actor_id: str, thread: str) -> str:
    """Return the key of a person's next words in a thread."""
    return f"{ANSWER}{actor_id}:{thread}"


def waits_for(answer: Answer, calls: Sequence[Call], *, actor_id: str, thread: str) -> str:
    """Return what a run that has come to this answer waits for; "" when it has ended."""
    for call in calls:
        if isinstance(call.result, Pending):
            return call.result.waits_for
    if isinstance(answer, AskedBack) and answer.code not in NO_QUESTIONS:
        return answer_key(actor_id, thread)
    return ""
