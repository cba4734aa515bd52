"""A language model by its name. Vendors' libraries are extras, so they are imported only when a name asks for one."""

import asyncio
from typing import Any

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.settings import ModelSettings

from agent.brains.assistant import Brain
from agent.brains.plain import PlainTextModel
from agent.config import ModelConfig
from agent.errors import BrainUnavailable

#: Vendor → the extra of dutydesk that brings its library; others come with pydantic-ai's own extra.
_EXTRAS = {"openai": "openai", "openai-chat": "openai", "openai-responses": "openai", "anthropic": "anthropic"}


#: What a question of the doctor may cost, and how much of an error is told.
ANSWER_TOKENS, _REASON_CHARS = 200, 300


def build(config: ModelConfig) -> Brain:
    """Return the brain of the configured language model; raise BrainUnavailable with what to install or set."""
    vendor, _, name = config.name.partition(":")
    if not vendor or not name:
        raise BrainUnavailable(f'the model name {config.name!r} has no vendor: write it like "openai:gpt-5"')
    return Brain(name=config.name, model=_model(config, vendor, name), follows_text=True, settings=_settings(config))


async def ask(config: ModelConfig, question: str) -> str:
    """Return what the configured model says to a question; raise BrainUnavailable with why it does not answer."""
    brain = build(config)
    settings = ModelSettings(**_settings(config), max_tokens=ANSWER_TOKENS)
    try:
        async with asyncio.timeout(config.timeout_s):
            said = await model_request(brain.model, [ModelRequest.user_text_prompt(question)], model_settings=settings)
    except (AgentRunError, OSError, TimeoutError) as error:
        words = " ".join(str(error).split())[:_REASON_CHARS] or f"no answer within {config.timeout_s:g} s"
        raise BrainUnavailable(f"{config.name} does not answer: {words}") from error
    return (said.text or said.thinking or "").strip()


def _model(config: ModelConfig, vendor: str, name: str) -> Model:
    # What calls itself OpenAI-compatible speaks the chat protocol, seldom the newer one that `openai:` stands for.
    kind = "openai-chat" if vendor == "openai" and config.base_url else vendor
    try:
        return PlainTextModel(infer_model(f"{kind}:{name}", lambda wanted: _provider(config, wanted)))
    except ImportError as error:
        raise BrainUnavailable(_how_to_install(vendor)) from error
    except (UserError, ValueError) as error:
        raise BrainUnavailable(f"the model {config.name!r} cannot be used: {error}") from error
    except TypeError as error:
        raise BrainUnavailable(f"{vendor} takes no base_url or api_key from the settings: {error}") from error


def _provider(config: ModelConfig, wanted: str) -> Provider[Any]:
    given: dict[str, str] = {}
    if config.base_url:
        given["base_url"] = config.base_url
    if config.api_key.get_secret_value():
        given["api_key"] = config.api_key.get_secret_value()
    provider: type[Any] = infer_provider_class(wanted)
    made: Provider[Any] = provider(**given)
    return made


def _settings(config: ModelConfig) -> ModelSettings:
    return ModelSettings(temperature=config.temperature, timeout=config.timeout_s, max_retries=config.retries)


def _how_to_install(vendor: str) -> str:
    extra = _EXTRAS.get(vendor)
    command = f'pip install -e ".[{extra}]"' if extra else f'pip install "pydantic-ai-slim[{vendor}]"'
    return f"the model of {vendor!r} needs a library that is not installed: {command}"
