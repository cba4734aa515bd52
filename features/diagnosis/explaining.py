"""A language model's words about a report, where nobody asks in a chat: alerts, and the command line.

In a chat the brain itself explains, and its claims stand the same checks as all others.
"""

from agent.brains.prose import WriteProse, WrittenProse
from features.anatomy.texts import prompt_of

#: How the language is called that the model writes in.
_LANGUAGES = {"en": "English", "zh": "Chinese (Simplified)"}


class ModelExplainer:
    """Explains with the desk's model; what it says is kept only as far as the domain's check lets it."""

    def __init__(self, write: WriteProse) -> None:
        self._write = write
        self._instructions = prompt_of("features.diagnosis", "explain.md")

    async def explain(self, digest: str, *, language: str) -> WrittenProse:
        """Return sentences about a digest of facts, each with its [E1]; no text where the model fails."""
        instructions = self._instructions.replace("{language}", _LANGUAGES.get(language, "English"))
        return await self._write(instructions, digest)


class NoExplainer:
    """Says nothing: what a report looks like when a model fails."""

    async def explain(self, digest: str, *, language: str) -> WrittenProse:
        """Return no text."""
        del digest, language
        return WrittenProse()
