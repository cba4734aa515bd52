"""Messages as a language model's server takes them: what a person says is one plain text, and no list of parts.

Parts are what vendors' own servers understand; templates of local ones (llama.cpp's) fail on them.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, TextContent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelRequestPart, ModelResponse, UserPromptPart
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings


class PlainTextModel(WrapperModel):
    """A model that is sent plain text; what travels beside a text for the rules alone stays here."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the response to the same messages in plain text."""
        return await super().request(_plain(messages), model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Yield the response to the same messages in plain text, as it comes."""
        plain = _plain(messages)
        async with super().request_stream(plain, model_settings, model_request_parameters, run_context) as streamed:
            yield streamed


def _plain(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    return [
        replace(message, parts=[_plain_part(part) for part in message.parts])
        if isinstance(message, ModelRequest)
        else message
        for message in messages
    ]


def _plain_part(part: ModelRequestPart) -> ModelRequestPart:
    """Return the part with its texts as one; what holds anything but texts stays as it is."""
    if not isinstance(part, UserPromptPart) or isinstance(part.content, str):
        return part
    texts = [item.content if isinstance(item, TextContent) else item for item in part.content]
    if not all(isinstance(text, str) for text in texts):
        return part
    return replace(part, content="\n\n".join(text for text in texts if isinstance(text, str)))
