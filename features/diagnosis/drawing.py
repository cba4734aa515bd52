"""What stands below a report, what can be looked at, and the form that asks what to look at."""

from collections.abc import Mapping

from adapters.cards import Block, Button, Buttons, Facts, Field, Form, Heading, Link, Note, Suggestions
from adapters.events import FormSubmit, Press
from agent.results import Records
from agent.runs.answer import Outcome
from features.anatomy.handling import FormHandling, Pressed, Sent
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, note
from features.anatomy.texts import say
from identity.actor import Actor
from identity.policy import decide
from queries.observe.access.permissions import DIAGNOSE
from queries.observe.errors import NoSuchReport
from queries.observe.report.kept import KeptReport
from queries.observe.rules.seen import seen_words
from queries.observe.service import ObserveService
from storage.ids import JsonValue

#: The kinds of record: a report, the apps that can be asked about, and a question that named none of them.
REPORT, APPS, CHOOSE = "diagnosis_report", "diagnosis_apps", "diagnosis_choose"
#: The actions of the buttons. `PICK` is its form's name, too.
AGAIN, TICKET, PICK = "diagnosis.again", "diagnosis.ticket", "diagnosis.pick"
#: Apps that are offered to be pressed, choices of a form, and characters of a ticket's text.
_OFFERED, _CHOICES, _LONGEST = 4, 100, 6_000


class ReportDrawing:
    """Draws from the service, as far as the viewer may look there today."""

    def __init__(self, observe: ObserveService) -> None:
        self._observe = observe

    async def below(self, _actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the buttons of a report, and the questions for the apps beside it that are not well."""
        (report_id,), language = shown.ids, reader.language
        beside = shown.tells.get("beside")
        names = [str(each) for each in beside] if isinstance(beside, list) else []
        more = Suggestions(label="", items=tuple(say(language, "diagnosis.why", app=each) for each in names))
        return (
            *((more,) if names else ()),
            Buttons(
                (
                    Link(say(language, "diagnosis.details"), f"{reader.base}/diagnosis/{report_id}"),
                    Button(label=say(language, "diagnosis.again"), action=AGAIN, id=report_id),
                    Button(label=say(language, "diagnosis.ticket"), action=TICKET, id=report_id),
                )
            ),
        )

    async def apps(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the apps that the actor may ask about; of one alone who answers for it."""
        language = reader.language
        apps = self._observe.apps(actor) if decide(actor, DIAGNOSE).allowed else {}
        apps = {name: app for name, app in apps.items() if name in (shown.ids or apps)}
        if not apps:
            return (Note(say(language, "diagnosis.no_apps")),)
        if shown.ids:
            ((name, app),) = apps.items()
            told = {
                "owner": app.owner,
                "team": app.team,
                "channel": app.channel,
                "place": f"{app.cluster}/{app.namespace}",
            }
            facts = tuple((say(language, f"diagnosis.app_{key}"), value) for key, value in told.items() if value)
            return (Heading(name), Facts(facts))
        rows = tuple(
            (name, " · ".join(filter(None, (f"{app.cluster}/{app.namespace}", app.team or app.owner))))
            for name, app in sorted(apps.items())
        )
        offered = tuple(say(language, "diagnosis.why", app=name) for name in sorted(apps)[:_OFFERED])
        return (Heading(say(language, "diagnosis.apps")), Facts(rows), Suggestions(label="", items=offered))

    async def choose(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Ask what to look at, with what there is: whole namespaces first."""
        (run_id,), language = shown.ids, reader.language
        places = [say(language, "diagnosis.anything", place=name) for _, name in self._observe.namespaces(actor)]
        apps = [say(language, "diagnosis.why", app=name) for name in sorted(self._observe.apps(actor))]
        offered = tuple(dict.fromkeys((*places[: _OFFERED - 1], *apps)))[:_OFFERED]
        return (
            Note(say(language, "diagnosis.which")),
            Suggestions(label="", items=offered),
            Buttons((Button(label=say(language, "diagnosis.pick"), action=PICK, id=run_id, style="primary"),)),
        )


class ReportButtons:
    """What the buttons and the form do."""

    def __init__(self, observe: ObserveService) -> None:
        self._observe = observe

    async def again(self, pressed: Pressed) -> Spoken:
        """Make the same diagnosis once more, as whoever presses."""
        kept = await self._kept(pressed)
        if kept is None:
            return _gone(pressed.reader)
        asked = kept.report.asked
        arguments: dict[str, JsonValue] = {
            "question": asked.question,
            "app": asked.app,
            "namespace": asked.namespace,
            "cluster": asked.cluster,
            "pod": asked.pod,
            "minutes": asked.window_s // 60,
        }
        return await pressed.engine.call(pressed, "diagnose", arguments, text=asked.question)

    async def ticket(self, pressed: Pressed) -> Spoken:
        """Draft a ticket from a report."""
        kept = await self._kept(pressed)
        if kept is None:
            return _gone(pressed.reader)
        language = pressed.reader.language
        title = kept.report.headline.in_language(language)
        arguments: dict[str, JsonValue] = {
            "category": "other",
            "title": title[:200],
            "description": described(kept, pressed.reader)[:_LONGEST],
        }
        return await pressed.engine.call(pressed, "draft_ticket", arguments, text=title)

    async def open(self, actor: Actor, press: Press, reader: Reader) -> Form:
        """Ask which app, and for how far back."""
        language = reader.language
        apps = sorted(self._observe.apps(actor))
        places = [f"{cluster}/{name}" for cluster, name in self._observe.namespaces(actor)]
        choices = tuple((each, each) for each in (*apps, *places)[:_CHOICES])
        windows = tuple((str(each), say(language, "diagnosis.minutes", count=each)) for each in (15, 30, 60, 180))
        return Form(
            form=PICK,
            id=press.id,
            nonce="",
            title=say(language, "diagnosis.pick"),
            submit=say(language, "diagnosis.look"),
            cancel=say(language, "draft.cancel"),
            fields=(
                Field(name="app", label=say(language, "diagnosis.app"), kind="choice", choices=choices),
                Field(
                    name="minutes",
                    label=say(language, "diagnosis.window"),
                    kind="choice",
                    choices=windows,
                    value="30",
                ),
            ),
            language=language,
        )

    def form(self) -> FormHandling:
        """Return what is done with the choice."""
        return FormHandling(
            self._picked,
            wrong=_wrong,
            row=lambda reader, name, value: (
                say(reader.language, "diagnosis.app" if name == "app" else "diagnosis.window"),
                value,
            ),
        )

    async def _picked(self, sent: Sent) -> Spoken:
        chosen = sent.event.values["app"]
        cluster, slash, namespace = chosen.partition("/")
        named = {"cluster": cluster, "namespace": namespace} if slash else {"app": chosen}
        question = say(sent.reader.language, "diagnosis.why", app=chosen)
        minutes = int(sent.event.values.get("minutes") or 30)
        return await sent.engine.call(
            sent, "diagnose", {"question": question, "minutes": minutes, **named}, text=question
        )

    async def _kept(self, pressed: Pressed) -> KeptReport | None:
        try:
            return await self._observe.report(pressed.actor, pressed.event.id)
        except NoSuchReport:
            return None


def described(kept: KeptReport, reader: Reader) -> str:
    """Return a report as the text of a ticket: what was found, on which evidence, what to do, where it stands."""
    report, language = kept.report, reader.language
    seen = {each.id: each for each in report.evidence}
    lines = [report.asked.question, ""]
    for issue in report.top:
        found = issue.hypothesis.in_language(language, reader.timezone, report.asked.now)
        lines.append(f"{issue.rule} ({issue.severity}): {found}")
        cited = [seen_words(seen[each], issue.hypothesis.en) for each in issue.evidence[:3] if each in seen]
        lines += [f"- {each.in_language(language, reader.timezone, report.asked.now)}" for each in cited]
        lines += ["", *(f"→ {each.text.in_language(language)}" for each in issue.recommendations[:1]), ""]
    lines += [f"{reader.base}/diagnosis/{kept.id}"]
    return "\n".join(lines).strip()


def _gone(reader: Reader) -> Spoken:
    return note(Outcome.REFUSED, say(reader.language, "diagnosis.gone"), tone="warn")


def _wrong(event: FormSubmit, reader: Reader) -> Mapping[str, str]:
    return {} if event.values.get("app") else {"app": say(reader.language, "diagnosis.needed")}
