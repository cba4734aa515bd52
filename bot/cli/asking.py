"""One question without a conversation: the run, its words, and its form for programs."""

from dataclasses import dataclass

from adapters.cards import Block, Note, Text
from agent.runner.runner import Request
from agent.runs.answer import Answer, Answered, Citation
from bot.compose.desk import Desk
from bot.conversation.audience import language_of
from bot.delivery.showing import results_in
from bot.rendering.cards import answer_blocks
from identity.actor import Actor
from storage.ids import JsonObject, new_id


@dataclass(frozen=True)
class Reply:
    """How a question ended, as blocks for people and as JSON for programs."""

    run_id: str
    answer: Answer
    blocks: tuple[Block, ...]

    def as_json(self) -> JsonObject:
        """Return the documented form: the same keys whatever the outcome."""
        answered = self.answer if isinstance(self.answer, Answered) else Answered(text=_words(self.blocks))
        return {
            "outcome": self.answer.outcome.value,
            "answer": answered.text or _words(self.blocks),
            "confidence": answered.confidence if answered.citations else None,
            "citations": [_citation(each) for each in answered.citations],
            "followups": list(answered.followups),
            "run_id": self.run_id,
        }


async def ask(desk: Desk, actor: Actor, question: str) -> Reply:
    """Run one question in a thread of its own and return how it ended."""
    language = language_of(question, default=actor.language)
    event_id = new_id("ask")
    request = Request(
        actor=actor,
        event_id=event_id,
        thread=f"ask:{event_id}",
        text=question,
        language=language,
        address={},
        now=desk.clock.now(),
    )
    result = await desk.runner.run(request)
    reader = desk.showing.reader(actor, language=language, platform="terminal")
    shown = await desk.showing.blocks(actor, results_in(result.answer), reader)
    blocks = answer_blocks(result.answer, reader, run_id=result.run_id, shown=shown)
    return Reply(run_id=result.run_id, answer=result.answer, blocks=blocks or shown)


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
