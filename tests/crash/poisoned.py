"""A served desk whose brain ends its process at a certain word: `python -m tests.crash.poisoned HOME DEATHS MESSAGES`.

A message (JSON) is `[event, person, words]`. It takes them in, prints the processor's seconds until it serves, works on
all that there is, and prints how many seconds after its start it had answered everything.
"""

import asyncio
import json
import os
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from adapters.events import Message
from adapters.web.transcript import TranscriptPlace
from agent.brains.assistant import Brain
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.conversation.people import own_account
from search.embedding.memory import HashEmbedder
from storage.clock import SystemClock
from tests.desks.harbour import settings_of
from tests.desks.house import all_done, serving
from tests.scenarios.slow_brain import SlowRules

WORD = "arsenic"
PATIENCE_S = 60.0


class DeadlyRules(SlowRules):
    """Answers as the rules do, and ends the process where the word stands."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the next step, or die."""
        if WORD in repr(messages[-1].parts):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().request(messages, model_settings, model_request_parameters)


def place_of(person: str) -> TranscriptPlace:
    """Return where a person talks to the desk."""
    return TranscriptPlace(user=person, thread="main")


async def say(desk: Desk, event_id: str, person: str, words: str) -> None:
    """Send a message as the browser does; a resend has the same event id."""
    place = place_of(person)
    await desk.inbox.receive(
        Message(
            event_id=event_id,
            account=own_account("web", await desk.people.named(person)),
            address=place.address(),
            thread=place.key,
            received_at=datetime.now(UTC),
            text=words,
        )
    )


async def main(home: Path, deaths: int, messages: list[list[str]]) -> None:
    """Take in what is said, and work until nothing is left."""
    brain = Brain(name="deadly", model=DeadlyRules(SystemClock(), 0), follows_text=False)
    settings = settings_of(home, {}, deaths=deaths)
    async with await compose(settings, embedder=HashEmbedder(), brain=brain) as desk:
        for event_id, person, words in messages:
            await say(desk, event_id, person, words)
        began = time.monotonic()
        async with serving(desk):
            print(time.process_time(), flush=True)  # noqa: T201 - what the parent process waits for
            await all_done(desk.database, within_s=PATIENCE_S)
        print(time.monotonic() - began)  # noqa: T201 - the same


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])))
