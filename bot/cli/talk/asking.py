"""One question without a conversation: the run, its words, and its form for programs."""

from collections.abc import Mapping
from dataclasses import dataclass

import click

from adapters.cards import Block, Buttons, Facts, Heading, Link, Note, Text
from adapters.events import Message
from agent.gate.checks import REHEARSAL
from agent.results import Records
from agent.runner.requests import Request
from agent.runs.answer import Answer, Answered, Citation
from agent.runs.run import Step
from bot.compose.desk import Desk
from bot.conversation.people import own_account, spoken
from bot.delivery.showing import results_in
from bot.rendering.commands import Ask, Call, Unknown, Usage
from features.anatomy.reader import Reader
from identity.actor import Actor
from identity.readership import ALONE, Readership
from language.scripts import language_of
from storage.ids import JsonObject, JsonValue, new_id
from storage.redaction.said import redact_said


@dataclass(frozen=True)
class Reply:
    """How a question ended, as blocks for people and as JSON for programs."""

    run_id: str
    answer: Answer
    blocks: tuple[Block, ...]
    above: int = 0  # of the blocks, so many stand above the answer, whatever it is
    undone: tuple[Step, ...] = ()  # calls that a dry run has not made

    def as_json(self) -> JsonObject:
        """Return the documented form: the same keys whatever the outcome."""
        answered = self.answer if isinstance(self.answer, Answered) else Answered(text=_words(self.blocks))
        lead = _words(self.blocks[: self.above + bool(answered.lead)])
        return {
            "outcome": self.answer.outcome.value,
            "answer": "\n\n".join(filter(None, (lead, answered.text))) or _words(self.blocks) or _facts(self.blocks),
            "confidence": answered.confidence if answered.citations else None,
            "citations": [_citation(each) for each in answered.citations],
            "followups": list(answered.followups),
            **self._records(),
            **self._left_undone(),
            "run_id": self.run_id,
        }

    def _left_undone(self) -> JsonObject:
        calls: list[JsonValue] = [{"tool": each.tool, "arguments": each.given} for each in self.undone]
        return {"undone": calls} if calls else {}

    def _records(self) -> JsonObject:
        """Return the tickets and the draft that the answer shows, what the draft lacks, and where links lead."""
        records = [each for each in results_in(self.answer) if isinstance(each, Records)]
        drafts = [each for each in records if each.kind == "draft"]
        content = drafts[0].tells.get("draft") if drafts else None
        missing = content.get("missing") if isinstance(content, Mapping) else None
        links = [
            item.url
            for block in self.blocks
            if isinstance(block, Buttons)
            for item in block.items
            if isinstance(item, Link)
        ]
        tickets: list[JsonValue] = [number for each in records if each.kind.startswith("ticket") for number in each.ids]
        return {
            "tickets": tickets,
            "draft": drafts[0].ids[0] if drafts else None,
            "missing": list(missing) if isinstance(missing, list | tuple) else [],
            "links": list(links),
        }


async def ask(desk: Desk, actor: Actor, question: str, *, dry_run: bool = False) -> Reply:
    """Run one question in a thread of its own and return how it ended; a dry run reads, and does nothing."""
    question = redact_said(question)
    language = language_of(question) or spoken(actor)
    event_id = new_id("ask")
    request = Request(
        actor=actor,
        event_id=event_id,
        thread=f"ask:{event_id}",
        text=question,
        language=language,
        address={},
        now=desk.clock.now(),
        rehearsal=dry_run,
    )
    result = await desk.runner.run(request)
    steps = (await desk.runs.show(actor, result.run_id)).steps if dry_run else ()
    reader = desk.showing.reader(actor, language=language, platform="terminal")
    said = await desk.showing.said(actor, result, reader)
    undone = tuple(step for step in steps if step.error.get("type") == REHEARSAL)
    above = len(await desk.showing.blocks(actor, result.above, reader))
    return Reply(run_id=result.run_id, answer=result.answer, blocks=said.blocks, above=above, undone=undone)


async def command(desk: Desk, actor: Actor, line: str) -> tuple[Block, ...]:
    """Do what a line of the grammar says and return what there is to say."""
    line = redact_said(line)
    language = language_of(line) or spoken(actor)
    reader = desk.showing.reader(actor, language=language, platform="terminal")
    match desk.grammar.parse_line(line):
        case Ask(question=question):
            return (await ask(desk, actor, question)).blocks
        case Call(tool=tool, arguments=arguments, prose=prose):
            heard = _Typed(actor, _message(desk, actor, line), reader)
            said = await desk.engine.call(heard, tool, arguments, text=prose or line)
            if said.run is not None:
                async with desk.database.transaction() as session:
                    await said.run(session)
            return said.blocks
        case Usage(verb=verb):
            return (Text(desk.help_pages.usage(verb, language, bare=False)),)
        case Unknown() as unknown:
            raise click.UsageError(desk.help_pages.unknown(unknown, actor, language, bare=False))
        case _:
            return (Text(desk.help_pages.text(actor, language, bare=False)),)


@dataclass(frozen=True)
class _Typed:
    """A line of the command line as an event of the terminal."""

    actor: Actor
    event: Message
    reader: Reader
    readership: Readership = ALONE


def _message(desk: Desk, actor: Actor, line: str) -> Message:
    event_id = new_id("typed")
    return Message(
        event_id=event_id,
        account=own_account("terminal", actor),
        address={},
        thread=f"typed:{event_id}",
        received_at=desk.clock.now(),
        text=line,
    )


def _citation(citation: Citation) -> JsonObject:
    return {
        "title": citation.title,
        "section": citation.section,
        "source": citation.source,
        "url": citation.url or None,
        "quote": citation.quote,
    }


def _words(blocks: tuple[Block, ...]) -> str:
    return "\n".join(_block_words(block) for block in blocks if isinstance(block, Text | Note))


def _block_words(block: Text | Note) -> str:
    return block.markdown if isinstance(block, Text) else block.text


def _facts(blocks: tuple[Block, ...]) -> str:
    """Return what cards say whose words are headings and facts, such as a ticket."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Heading):
            lines.append(f"{block.text} ({block.badge})" if block.badge else block.text)
        elif isinstance(block, Facts):
            lines.extend(f"{name}: {value}" for name, value in block.rows)
    return "\n".join(lines)
