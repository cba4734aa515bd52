"""One text from a language model, without tools: instructions of ours, and facts that are data."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.usage import UsageLimits

from agent.brains.assistant import Brain

#: Seconds that a text may take, and tokens in and out.
_SECONDS, _TOKENS = 30.0, 12_000


@dataclass(frozen=True)
class WrittenProse:
    """What a model wrote, and the tokens that it took; no text where it failed."""

    text: str = ""
    tokens: int = 0


#: Writes a text about facts as the instructions say.
WriteProse = Callable[[str, str], Awaitable[WrittenProse]]


def writer_of(brain: Brain | None) -> WriteProse | None:
    """Return what writes with a desk's model; None for a desk without one."""
    if brain is None or not brain.follows_text:
        return None

    async def write(instructions: str, facts: str) -> WrittenProse:
        agent = Agent(brain.model, output_type=str, instructions=instructions, model_settings=brain.settings)
        try:
            async with asyncio.timeout(_SECONDS):
                run = await agent.run(facts, usage_limits=UsageLimits(request_limit=2, total_tokens_limit=_TOKENS))
        except (AgentRunError, TimeoutError):
            return WrittenProse()
        return WrittenProse(run.output, run.usage.total_tokens or 0)

    return write
