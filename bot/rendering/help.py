"""The help: what somebody can say here, made from the tools that there are."""

from agent.tools.registry import Registry
from bot.rendering.commands import TICKET_VERBS, as_typed
from bot.rendering.texts.catalogue import say
from identity.actor import Actor


class HelpPages:
    """Says what there is to say: a verb is shown to whom its tool is offered, so a tool that is not there has none."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def usage(self, verb: str, language: str, *, bare: bool) -> str:
        """Return how one verb is used, for whom has left out its words."""
        return as_typed("\n".join((say(language, "help.usage"), say(language, f"help.verbs.{verb}"))), bare=bare)

    def text(self, actor: Actor, language: str, *, bare: bool) -> str:
        """Return the help with examples, in Markdown; `bare` where commands are typed without their prefix."""
        offered = {tool.spec.name for tool in self._registry.offered(actor)}
        lines = [say(language, "help.words"), say(language, "help.by_command")]
        if "search_knowledge" in offered:
            lines.append(say(language, "help.verbs.ask"))
        if "draft_ticket" in offered:
            lines.append(say(language, "help.verbs.new"))
        shown = [name for name, verb in TICKET_VERBS.items() if verb.tool in offered]
        lines.extend(say(language, f"help.verbs.{name}") for name in shown)
        lines += [say(language, "help.verbs.status"), say(language, "help.verbs.help")]
        return as_typed("\n".join(lines), bare=bare)
