"""The help: what somebody can say here, made from the features that there are."""

from agent.tools.registry import Registry
from bot.rendering.commands import Grammar, Unknown, as_typed
from bot.rendering.texts.catalogue import say
from features.anatomy.verbs import Verb
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide


class HelpPages:
    """Says what there is to say: a verb is shown to whom its tool is offered, so a tool that is not there has none."""

    def __init__(self, registry: Registry, grammar: Grammar) -> None:
        self._registry = registry
        self._grammar = grammar

    def usage(self, verb: Verb, language: str, *, bare: bool) -> str:
        """Return how one verb is used, for whom has left out its words."""
        return as_typed("\n".join((say(language, "help.usage"), say(language, verb.help))), bare=bare)

    def unknown(self, command: Unknown, actor: Actor, language: str, *, bare: bool) -> str:
        """Return that there is no such verb, the nearest ones, and the help."""
        offered = {verb.name for verb in self._offered(actor)} | {"help", "status"}
        nearest = [f"`/desk {name}`" for name in command.nearest if name in offered]
        key = "help.unknown_nearest" if nearest else "help.unknown"
        between = "、" if language == "zh" else ", "
        said = say(language, key, verb=command.said.replace("`", "")[:60], nearest=between.join(nearest))
        return "\n\n".join((as_typed(said, bare=bare), self.text(actor, language, bare=bare)))

    def text(self, actor: Actor, language: str, *, bare: bool) -> str:
        """Return the help with examples, in Markdown; `bare` where commands are typed without their prefix."""
        lines = [say(language, "help.words"), say(language, "help.by_command")]
        lines += [say(language, verb.help) for verb in self._offered(actor)]
        lines += [say(language, "help.verbs.status"), say(language, "help.verbs.help")]
        return as_typed("\n".join(lines), bare=bare)

    def _offered(self, actor: Actor) -> list[Verb]:
        tools = {tool.spec.name for tool in self._registry.offered(actor)}
        asks = decide(actor, Permission.KNOWLEDGE_ASK).allowed
        return [verb for verb in self._grammar.verbs.values() if (verb.tool in tools if verb.tool else asks)]
