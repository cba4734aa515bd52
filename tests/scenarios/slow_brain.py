"""The rules, taking their time as a language model does."""

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from agent.brains.assistant import Brain
from agent.brains.rules.model import RulesModel
from evals.reading import talks
from features.knowledge.routing import ROUTE, TALK
from storage.clock import Clock
from tickets.config import TicketsConfig


class SlowRules(RulesModel):
    """Answers as the rules do, a while later."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__((ROUTE,), (TALK, *talks(TicketsConfig())))
        self._clock = clock
        self._seconds = seconds

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the next step, after a while."""
        await self._clock.sleep(self._seconds)
        return await super().request(messages, model_settings, model_request_parameters)


def slow_brain(clock: Clock, seconds: float) -> Brain:
    """Return a brain whose every step takes so many seconds of the clock."""
    return Brain(name="thoughtful", model=SlowRules(clock, seconds), follows_text=False)
