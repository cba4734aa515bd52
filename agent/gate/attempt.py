"""A call on its way through the gate, and how the gate's concerns are put one within the other."""

import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic import BaseModel

from agent.errors import ToolRefused
from agent.gate.outcomes import GateResult
from agent.tools.context import ToolContext
from agent.tools.registry import Tool
from storage.ids import JsonObject


@dataclass(frozen=True)
class Attempt:
    """A call that somebody wants to be made. What was not checked yet is refused to whoever asks for it."""

    context: ToolContext
    name: str
    given: JsonObject  # the arguments as they were written
    tainted: bool  # the brain has read text that somebody else wrote
    found: Tool | None
    checked: BaseModel | None = None

    @property
    def tool(self) -> Tool:
        """Return the tool; raise ToolRefused when there is none of that name."""
        if self.found is None:
            raise ToolRefused("unknown_tool", self.name)
        return self.found

    @property
    def arguments(self) -> BaseModel:
        """Return the arguments as the schema reads them; raise ToolRefused before they were checked."""
        if self.checked is None:
            raise ToolRefused("invalid_arguments")
        return self.checked


Pass = Callable[[Attempt], Awaitable[GateResult]]
#: Looks after one thing: refuses, answers by itself, or hands the attempt onward.
Concern = Callable[[Attempt, Pass], Awaitable[GateResult]]


def through(*concerns: Concern, to: Pass) -> Pass:
    """Return what an attempt passes: the concerns in this order, each around all that follow it."""
    for concern in reversed(concerns):
        to = functools.partial(_around, concern, to)
    return to


async def _around(concern: Concern, onward: Pass, attempt: Attempt) -> GateResult:
    return await concern(attempt, onward)
