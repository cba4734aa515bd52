"""The tools of diagnosis: why an app or a namespace is in trouble, and what can be looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Annotated

from pydantic import Field

from adapters.cards import Language
from agent.errors import ToolRefused
from agent.results import Bilingual, Message, Records, Result
from agent.runs.rights import kept_id
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.texts import say
from features.diagnosis.drawing import APPS, CHOOSE, REPORT
from features.diagnosis.results import beside_of, findings_of, more_of, notes_of, series_of, steps_of
from features.diagnosis.runbooks import Runbooks
from features.diagnosis.understanding.changes import changes_since
from features.diagnosis.understanding.follow_ups import About
from features.diagnosis.understanding.vocabulary import APPS_TOOL, DIAGNOSED, SLASH, STEPS_TOOL, place_in_question
from identity.actor import Actor
from identity.policy import decide
from identity.readership import Readership
from queries.observe.access.permissions import DIAGNOSE
from queries.observe.errors import NoSuchReport, NothingNamed, ObserveError, OutOfScope, SeveralApps
from queries.observe.report.kept import KeptReport
from queries.observe.rules.wording import LANGUAGES
from queries.observe.service import USUAL_WINDOW_S, AskedIn, ObserveService, WantedDiagnosis
from storage.ids import JsonValue

#: Seconds that a diagnosis may take: its own limits end it sooner.
_LONGEST_S = 60.0
#: Apps that a refusal names.
_FEW = 8
_Name = Annotated[str, Field(max_length=253)]


class Diagnose(Arguments):
    """An app, or a whole namespace."""

    question: Annotated[str, Field(max_length=1_000, description="The person's question, as asked")] = ""
    app: Annotated[_Name, Field(description="Name of an app; leave it out for all that is in the namespace")] = ""
    namespace: Annotated[_Name, Field(description="Leave it out for an app of the directory")] = ""
    cluster: Annotated[_Name, Field(description="Only where several clusters have such a namespace")] = ""
    pod: Annotated[_Name, Field(description="Only where the person names one pod")] = ""
    minutes: Annotated[int, Field(ge=0, le=360, description="How far back; 0 for the last 30")] = 0


class ListApps(Arguments):
    """All that the person may look at, or one app of it."""

    app: Annotated[_Name, Field(description="Only this app, with who answers for it")] = ""


class AboutLast(Arguments):
    """About the last diagnosis of the thread."""

    about: Annotated[
        About, Field(description="What to do, what it rests on, its log lines, now and before, or since when")
    ] = "steps"


class DiagnosisTools:
    """Handlers over the service."""

    def __init__(self, observe: ObserveService, runbooks: Runbooks) -> None:
        self._observe = observe
        self._runbooks = runbooks

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        policy = ToolPolicy(
            permission=DIAGNOSE,
            effect=Effect.READ,
            audit="diagnosis.ask",
            returns_untrusted=True,
            timeout_s=_LONGEST_S,
            calls_per_run=3,
        )
        return (
            Tool(
                spec=ToolSpec(
                    name="diagnose",
                    description="Find out why an app or a namespace is in trouble, from the cluster, metrics and logs.",
                    arguments=Diagnose,
                ),
                policy=policy,
                handler=self._diagnose,
                things=self._things,
            ),
            Tool(
                spec=ToolSpec(
                    name=APPS_TOOL,
                    description="List the apps that the person may ask about, where they run and who answers for them.",
                    arguments=ListApps,
                ),
                policy=ToolPolicy(permission=DIAGNOSE, effect=Effect.READ, audit="diagnosis.apps"),
                handler=self._list,
                things=self._things,
            ),
            Tool(
                spec=ToolSpec(
                    name=STEPS_TOOL,
                    description="Return more of the last diagnosis here: all that is to be done, or what it rests on.",
                    arguments=AboutLast,
                ),
                policy=replace(policy, audit="diagnosis.steps"),
                handler=self._steps,
                things=self._things,
            ),
        )

    def _things(self, actor: Actor, readership: Readership) -> tuple[str, ...]:
        if not decide(actor, DIAGNOSE).allowed:
            return ()
        place = AskedIn(readership)
        namespaces = (f"{cluster}/{name}" for cluster, name in self._observe.namespaces(actor, place))
        return (*self._observe.apps(actor, place), *namespaces)

    async def _diagnose(self, context: ToolContext, arguments: Diagnose) -> ToolResult:
        place = place_of(context)
        wanted = WantedDiagnosis(
            question=arguments.question or context.text,
            language=language_of_context(context),
            app=arguments.app,
            namespace=arguments.namespace,
            cluster=arguments.cluster,
            pod=arguments.pod,
            window_s=arguments.minutes * 60 or USUAL_WINDOW_S,
        )
        try:
            asked = self._observe.resolve(context.actor, wanted, place)
        except NothingNamed:
            return ToolResult(
                (*self._no_such_place(context, wanted.question, place), Records(CHOOSE, (context.run_id,)))
            )
        except (OutOfScope, SeveralApps) as error:
            raise self._refusal(error, context, place) from error
        with _told(context):
            kept = await self._observe.diagnose(
                context.actor,
                asked,
                door="question",
                place=place,
                run_id=context.run_id,
                changes_since=partial(changes_since, wanted.question, context.actor.timezone),
            )
        shown: list[Result | None] = [
            *notes_of(kept, context.actor.timezone),
            findings_of(kept.report, context.actor.timezone),
        ]
        if kept.report.asked.changes_since is None:  # whoever asks what was changed asks for no chart and no runbook
            shown.append(series_of(kept.report))
            shown.extend(await self._runbooks.of(context.actor, kept.report, context.readership))
        results = (*(each for each in shown if each is not None), self._report(context, kept, place))
        return ToolResult(
            results,
            remembers={"diagnosis": kept.id, DIAGNOSED: asked.app or SLASH.join((asked.cluster, asked.namespace))},
            rests_on=kept_id(REPORT, f"{kept.id}@{place.channel}"),
        )

    def _report(self, context: ToolContext, kept: KeptReport, place: AskedIn) -> Records:
        """Return the report as a record, with the apps beside it that may be asked about next."""
        apps = self._observe.apps(context.actor, place)
        beside: list[JsonValue] = [each for each in beside_of(kept.report) if each in apps]
        return Records(REPORT, (kept.id,), tells={"beside": beside} if beside else {})

    def _no_such_place(self, context: ToolContext, question: str, place: AskedIn) -> tuple[Result, ...]:
        """Return that there is no such place for the asker, where the question names one: "staging"."""
        known = [
            word
            for cluster, namespace in self._observe.namespaces(context.actor, place)
            for title in [self._observe.config.clusters[cluster].title]
            for word in (cluster, namespace, title.en, title.zh)
        ]
        named = place_in_question(question, known)
        return (
            (Message(Bilingual(*(say(each, "diagnosis.no_place", place=named) for each in LANGUAGES))),)
            if named
            else ()
        )

    async def _steps(self, context: ToolContext, arguments: AboutLast) -> ToolResult:
        try:
            kept = await self._observe.report(
                context.actor, context.memory.last.get("diagnosis", ""), place_of(context)
            )
        except NoSuchReport as error:
            raise ToolRefused("diagnosis_none") from error
        if arguments.about != "steps":
            return ToolResult((more_of(kept.report, arguments.about, context.actor.timezone),))
        pages = await self._runbooks.of(context.actor, kept.report, context.readership)
        return ToolResult((steps_of(kept.report), *pages))

    def _refusal(self, error: OutOfScope | SeveralApps, context: ToolContext, place: AskedIn) -> ToolRefused:
        if isinstance(error, SeveralApps):
            return ToolRefused("diagnosis_several", ", ".join(error.names))
        apps = list(self._observe.apps(context.actor, place))
        known = ", ".join(apps[:_FEW]) or say(language_of_context(context), "diagnosis.no_apps")
        return ToolRefused("diagnosis_unknown", known)

    async def _list(self, context: ToolContext, arguments: ListApps) -> ToolResult:
        place = place_of(context)
        apps = self._observe.apps(context.actor, place)
        if arguments.app:
            if arguments.app not in apps:
                raise self._refusal(OutOfScope(arguments.app), context, place)
            apps = {arguments.app: apps[arguments.app]}
        told: dict[str, JsonValue] = {
            name: " · ".join(filter(None, (f"{app.cluster}/{app.namespace}", app.owner, app.team, app.channel)))
            for name, app in apps.items()
        }
        return ToolResult((Records(APPS, (arguments.app,) if arguments.app else (), tells={"apps": told}),))


def place_of(context: ToolContext) -> AskedIn:
    """Return where somebody asks, as the scopes are decided."""
    channel = context.address.get("channel")
    return AskedIn(context.readership, channel if isinstance(channel, str) else "")


def language_of_context(context: ToolContext) -> Language:
    """Return the language of the question."""
    return "zh" if context.language == "zh" else "en"


@contextmanager
def _told(context: ToolContext) -> Iterator[None]:
    """Turn what is in the way into a refusal in the person's words."""
    try:
        yield
    except ObserveError as error:
        raise ToolRefused("diagnosis_failed", say(language_of_context(context), "diagnosis.failed")) from error
