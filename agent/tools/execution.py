"""Carrying out a call that was let through: once, in time, and with its trace in the audit.

The last part of the gate, and the only one that approvals share with it. No database transaction is ever open
while a handler runs: the intent is written before, the result after.
"""

import asyncio
import functools
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from agent.config import AgentConfig
from agent.errors import ToolRefused, ToolTimedOut
from agent.results import Result, Table, result_json, result_of
from agent.tools.arguments import without_words
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Tool, ToolResult
from identity import audit
from identity.errors import Forbidden
from storage import once
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject, digest
from storage.redaction.stored import MARK, redact_json

#: Seconds between two looks at a call that is running elsewhere.
POLL_S = 0.05
SCOPE = "agent.tool"
#: Values of arguments that stand for what a thread has spoken of last.
BACK_REFERENCES = ("last", "that", "it", "this")


@dataclass(frozen=True)
class Ran:
    """What came of a call; `replayed` says that an earlier run of the same call gave the result."""

    result: ToolResult
    replayed: bool = False


@dataclass(frozen=True)
class _Claim:
    """The right to run a call, until its lease ends."""

    key: str
    fence: int


class Executor:
    """Runs handlers."""

    def __init__(self, database: Database, clock: Clock, config: AgentConfig) -> None:
        self._database = database
        self._clock = clock
        self._config = config

    async def carry_out(self, tool: Tool, context: ToolContext, arguments: BaseModel) -> Ran:
        """Run a call; raise ToolRefused when the tool says no and ToolTimedOut when it does not come back.

        Calls that change something run once for the same words, caller and arguments within the window; a
        repetition gets the first result. An approved call is made unique by its approval instead.
        """
        if tool.policy.effect is Effect.READ:
            return Ran(_redacted(await self._handle(tool, context, arguments)))
        if context.approved is not None:
            await self.record(tool, context, arguments, outcome="started")
            return await self._finished(tool, context, arguments, claim=None)
        key = repeat_key(tool, context, arguments)
        begun = await self._begin(tool, context, arguments, key=key)
        return begun if isinstance(begun, Ran) else await self._finished(tool, context, arguments, claim=begun)

    async def record(
        self, tool: Tool, context: ToolContext, arguments: BaseModel, *, outcome: str, reason: str = "permitted"
    ) -> None:
        """Write one line of the audit about a call."""
        async with self._database.transaction() as session:
            await self._entry(tool, context, arguments, outcome=outcome, reason=reason)(session)

    async def _begin(self, tool: Tool, context: ToolContext, arguments: BaseModel, *, key: str) -> "Ran | _Claim":
        """Claim the call, waiting for the same call elsewhere; return its result when there is one."""
        lease_s = tool.policy.timeout_s + 1
        waited_s = 0.0
        while True:
            async with self._database.transaction() as session:
                begun = await once.begin(
                    session,
                    scope=SCOPE,
                    key=key,
                    fingerprint=key,
                    now=self._clock.now(),
                    window_s=self._config.repeat_window_s,
                    lease_s=lease_s,
                )
                if isinstance(begun, once.Fresh):
                    await self._entry(tool, context, arguments, outcome="started")(session)
                    return _Claim(key, begun.fence)
            if isinstance(begun, once.Replay):
                return Ran(stored_result(begun.response), replayed=True)
            if waited_s > lease_s or isinstance(begun, once.Mismatch):
                raise ToolRefused("busy")
            await self._clock.sleep(POLL_S)
            waited_s += POLL_S

    async def _finished(self, tool: Tool, context: ToolContext, arguments: BaseModel, *, claim: "_Claim | None") -> Ran:
        """Run the handler and write down how it ended.

        A refusal gives the claim back. What broke or took too long may have had its effect, so its claim stays
        until the lease ends.
        """
        outcome = "interrupted"
        try:
            result = _redacted(await self._handle(tool, context, arguments))
            outcome = "succeeded"
        except ToolRefused as refused:
            outcome = f"refused:{refused.code}"
            raise
        except ToolTimedOut:
            outcome = "unknown"
            raise
        finally:
            if outcome != "succeeded":
                await self._close(tool, context, arguments, claim=claim, outcome=outcome, response=None)
        if result.waits is None:
            await self._close(tool, context, arguments, claim=claim, outcome=outcome, response=result_record(result))
        else:
            await self._close(tool, context, arguments, claim=claim, outcome="waiting", response=None)
        return Ran(result)

    async def _close(
        self,
        tool: Tool,
        context: ToolContext,
        arguments: BaseModel,
        *,
        claim: "_Claim | None",
        outcome: str,
        response: JsonObject | None,
    ) -> None:
        async with self._database.transaction() as session:
            if claim is not None and response is not None:
                await once.finish(session, scope=SCOPE, key=claim.key, response=response, fence=claim.fence)
            elif claim is not None and (outcome == "waiting" or outcome.startswith("refused")):
                await once.abandon(session, scope=SCOPE, key=claim.key, fence=claim.fence)
            await self._entry(tool, context, arguments, outcome=outcome)(session)

    async def _handle(self, tool: Tool, context: ToolContext, arguments: BaseModel) -> ToolResult:
        try:
            async with asyncio.timeout(tool.policy.timeout_s):
                return await tool.handler(context, arguments)
        except TimeoutError as error:
            raise ToolTimedOut(tool.spec.name, timeout_s=tool.policy.timeout_s) from error
        except Forbidden as error:
            raise ToolRefused("forbidden", error.permission) from error

    def _entry(
        self, tool: Tool, context: ToolContext, arguments: BaseModel, *, outcome: str, reason: str = "permitted"
    ) -> "functools.partial[Coroutine[Any, Any, None]]":
        """Return the audit line of a call, ready to be written in a transaction."""
        approved = context.approved
        return functools.partial(
            audit.record,
            actor=context.actor,
            action=tool.policy.audit,
            resource=f"tool:{tool.spec.name}",
            allowed=not outcome.startswith("refused"),
            reason=reason if approved is None else f"approval:{approved.approval_id}",
            outcome=outcome,
            detail={"arguments": without_words(arguments.model_dump(mode="json"))},
            run_id=context.run_id,
            now=self._clock.now(),
        )


def repeat_key(tool: Tool, context: ToolContext, arguments: BaseModel) -> str:
    """Return what makes two calls the same one: tool, caller, the person's words, and the arguments.

    Where an argument says "last", what its thread means by that: "make it urgent" in another thread is another call.
    """
    given = arguments.model_dump(mode="json")
    meant = {name: context.memory.last.get(name, "") for name, value in given.items() if value in BACK_REFERENCES}
    return digest(
        {
            "tool": tool.spec.name,
            "actor": context.actor.id,
            "text": context.text,
            "arguments": given,
            **({"meant": meant} if any(meant.values()) else {}),
        }
    )


def result_record(result: ToolResult) -> JsonObject:
    """Return a result in the form in which it is kept for repetitions and approvals."""
    return {
        "results": [result_json(each) for each in result.results],
        "remembers": dict(result.remembers),
        "rests_on": result.rests_on,
    }


def stored_result(value: JsonObject) -> ToolResult:
    """Return the result behind `result_record`; what an older release kept is not shown again."""
    kept, remembers = value.get("results"), value.get("remembers")
    results = tuple(result_of(each) for each in kept) if isinstance(kept, list | tuple) else ()
    known = {name: str(item) for name, item in remembers.items()} if isinstance(remembers, Mapping) else {}
    private = value.get("private")
    behind = str(value.get("rests_on") or "")
    return ToolResult(
        results, remembers=known, private=dict(private) if isinstance(private, Mapping) else {}, rests_on=behind
    )


def _redacted(result: ToolResult) -> ToolResult:
    """Take secrets out of what goes to the brain, the run store and the reply."""
    return replace(result, results=tuple(redacted(each) for each in result.results))


def redacted(result: Result) -> Result:
    """Return a result without secrets: in texts, and in whole columns that are named like one."""
    clean = redact_json(result_json(result))
    known = result_of(clean) if isinstance(clean, Mapping) else result
    return _without_secret_columns(known) if isinstance(known, Table) else known


def _without_secret_columns(table: Table) -> Table:
    secret = {
        column.name
        for column in table.columns
        if column.type == "text" and redact_json({column.name: "any"}) == {column.name: MARK}
    }
    if not secret:
        return table
    rows = tuple(
        tuple(
            MARK if column.name in secret and value else value for column, value in zip(table.columns, row, strict=True)
        )
        for row in table.rows
    )
    return replace(table, rows=rows)
