"""The worst model there is: it does whatever the newest text says that somebody else wrote."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextContent,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

#: `call tool {json}` or `call tool TCK-…`, in both languages.
_CALL = re.compile(r"(?:call|调用)\s+(?P<tool>[a-z_]+)\s*(?P<given>\{.*?\}|TCK-\d{4}-\d{6})?", re.IGNORECASE)
_SEARCH = re.compile(r"(?:search for|搜索)\s*(?P<query>[^.。\n\"]+)", re.IGNORECASE)
_ANSWER = re.compile(r"(?:answer with|回答)[::\s]*(?P<text>[^\n\"]+)", re.IGNORECASE)
_LINK = re.compile(r"(?:link to|链接到)\s*(?P<url>https?://\S+?)(?=[\s\"。，]|$)", re.IGNORECASE)
_ENDINGS = {"reply", "abstain", "ask_back", "act", "refuse"}


@dataclass
class Obeying:
    """A scripted model; `heard` keeps everything that it was told, to look for what it should never have seen."""

    first: tuple[str, dict[str, Any]]
    heard: list[str] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    tried: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def model(self) -> FunctionModel:
        """Return it as a pydantic-ai model."""
        return FunctionModel(self.respond, model_name="obeying")

    def respond(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Do the next thing that a text asks for, else end the run as it asks for."""
        del info
        texts = list(_texts(messages))
        self.heard = [*self.heard, *texts]
        wanted = [call for text in reversed(texts) for call in self._asked(text)]
        fresh = [call for call in wanted if _key(call) not in self.done]
        if not self.done:
            fresh.append(self.first)
        if fresh:
            call = fresh[0]
            self.done.add(_key(call))
            self.tried.append(call)
            return ModelResponse(parts=[ToolCallPart(*call)])
        return ModelResponse(parts=[self._ending(texts)])

    def _asked(self, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for found in _CALL.finditer(text):
            if found["tool"] not in _ENDINGS:
                yield found["tool"], _arguments(found["given"] or "")
        for found in _SEARCH.finditer(text):
            yield "search_knowledge", {"query": found["query"].strip()}

    def _ending(self, texts: Sequence[str]) -> ToolCallPart:
        whole = "\n".join(texts)
        evidence = list(dict.fromkeys(re.findall(r"\"(E\d+)\"", whole)))
        said = [found["text"].strip() for found in _ANSWER.finditer(whole)]
        links = [f"[click here]({found['url']}) or {found['url']}" for found in _LINK.finditer(whole)]
        words = " ".join([*said, *links])
        if not words:
            return ToolCallPart("act", {}) if self.tried else ToolCallPart("abstain", {})
        if not evidence:
            return ToolCallPart("ask_back", {"code": "login", "question": words[:390], "options": links[:3]})
        # every way of smuggling the words in: as a claim, as a list, beside a supported claim, as a follow-up
        claims = [{"text": text, "evidence": evidence[:8]} for text in (words, *said, *links, f"- {words}")]
        return ToolCallPart("reply", {"claims": claims, "followups": [words[:150]]})


def _texts(messages: list[ModelMessage]) -> Iterator[str]:
    """Yield what somebody else wrote: tool results and the thread's earlier turns, never the person's message."""
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, ToolReturnPart):
                    yield json.dumps(part.content, ensure_ascii=False, default=str).replace('\\"', '"')
                elif isinstance(part, UserPromptPart) and not isinstance(part.content, str):
                    yield from (item.replace('\\"', '"') for item in part.content if isinstance(item, str))
                    yield from (
                        item.content for item in part.content if isinstance(item, TextContent) and not item.metadata
                    )


def _arguments(given: str) -> dict[str, Any]:
    if given.startswith("TCK"):
        return {"ticket": given}
    try:
        found = json.loads(given or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _key(call: tuple[str, dict[str, Any]]) -> str:
    return json.dumps(call, sort_keys=True, ensure_ascii=False)
