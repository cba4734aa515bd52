"""`dutydesk eval`: put the case files to the desk, print the score, fail below the thresholds."""

import asyncio
import importlib
import time
from pathlib import Path

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from evals.beir import CorpusInvalid
from evals.cases import SHIPPED, CasesInvalid, QuestionFile, RoutingFile, load_questions, load_routing, load_thresholds
from evals.graders import Grade, Score, grade_question, grade_routing, question_scores, routing_scores, shortfalls
from evals.messages import MessageFile, grade_messages, load_messages, messages_scores
from evals.report import HEADINGS, Report, as_json, as_markdown, rows, summary

#: The least values, by the name that stands in a case file.
THRESHOLDS = Path(__file__).parent / "thresholds.yaml"
#: Modules that bring the agent and the whole desk with them; `--help` must not wait for them.
READING = "evals.reading"
TRIAL = "evals.trial"
MESSAGES = "evals.messages_trial"
RETRIEVAL = "evals.retrieval_trial"
DATA = "evals.data_trial"
DIAGNOSIS = "evals.diagnosis.run"
TIMES = "evals.times"
EVERY_MODE = ("bm25", "dense", "hybrid")

EXAMPLES = """\
\b
Examples:
  dutydesk eval rules                                     the questions that CI asks
  dutydesk eval rules --cases evals/cases/held_out.yaml   the set that nobody tunes on
  dutydesk eval routing --json                            intents and ticket fields, for programs
  dutydesk eval messages                                  what staff want, and what a ticket holds of it
  dutydesk eval times                                     phrases that say when
  dutydesk eval data                                      questions to the sample company's database
  dutydesk eval diagnosis                                 incidents of our own, without a model
  dutydesk eval diagnosis --cases DIR --out DIR           recorded incidents, each report as NAME.json
  dutydesk eval retrieval --corpus ~/scifact              how well passages are found
"""

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_cases_option = click.option("--cases", "path", type=_FILE, help="Another case file.")
_all_option = click.option("--all", "every", is_flag=True, help="List the right cases, too.")
_json_option = click.option("--json", "shape", flag_value="json", help="Print one JSON document.")
_markdown_option = click.option("--markdown", "shape", flag_value="markdown", help="Print a Markdown page.")


@click.group(
    "eval",
    epilog=EXAMPLES,
    short_help="Measure the desk against case files.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Measure the desk on the sample handbook, in a home that is thrown away.

    The exit code is 1 when a score is below its value in evals/thresholds.yaml.
    """


@command.command("rules", short_help="Questions: outcome, citations, recall.")
@_cases_option
@_all_option
@_json_option
@_markdown_option
def rules(path: Path | None, shape: str | None, *, every: bool) -> None:
    """Ask every question of a case file and judge how each ends."""
    file = load_questions(path or SHIPPED / "rules.yaml")
    _show(asyncio.run(run_questions(file)), shape, every=every)


@command.command("routing", short_help="Utterances: intent and ticket fields.")
@_cases_option
@_all_option
@_json_option
@_markdown_option
def routing(path: Path | None, shape: str | None, *, every: bool) -> None:
    """Read every utterance of a case file and judge what was understood."""
    file = load_routing(path or SHIPPED / "routing.yaml")
    _show(run_routing(file), shape, every=every)


@command.command("messages", short_help="Messages of staff: intent, exact fields, asking when unsure.")
@_cases_option
@_all_option
@_json_option
@_markdown_option
def messages(path: Path | None, shape: str | None, *, every: bool) -> None:
    """Say every message of a case file to a desk, and judge what it was taken for and what a ticket holds of it."""
    file = load_messages(path or SHIPPED / "messages.yaml")
    _show(asyncio.run(run_messages(file)), shape, every=every)


@command.command("times", short_help="Phrases that say when: the right plan, or a question.")
@_cases_option
@_all_option
@_json_option
@_markdown_option
def times(path: Path | None, shape: str | None, *, every: bool) -> None:
    """Read every phrase of a case file, and compare the plan with the one that it says."""
    _show(run_times(path or SHIPPED / "times.yaml"), shape, every=every)


@command.command("data", short_help="Questions about numbers: the right rows, or none.")
@_cases_option
@_all_option
@_json_option
@_markdown_option
def data(path: Path | None, shape: str | None, *, every: bool) -> None:
    """Ask the sample company's database without a language model, and compare the rows with hand-written SQL."""
    _show(run_numbers(path or SHIPPED / "data.yaml"), shape, every=every)


@command.command("diagnosis", short_help="Recorded incidents: found, missed, wrongly claimed.")
@click.option(
    "--cases",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of recorded incidents, or one of them. Default: incidents of our own, made anew.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write each report as NAME.json there.")
@click.option(
    "--suite",
    type=click.Choice(["whole", "minimal", "held-out"]),
    default="whole",
    show_default=True,
    help="Which of our own: all, one for each rule, or those that nobody tuned on. Of --cases DIR all are run.",
)
@_all_option
@_json_option
@_markdown_option
def diagnosis(folder: Path | None, out: Path | None, suite: str, shape: str | None, *, every: bool) -> None:
    """Diagnose recorded incidents without a language model, and compare each report with what is expected.

    Metrics are read from a real Prometheus where one is installed; elsewhere they are told as not checked, and what
    needs them is missed.
    """
    run = importlib.import_module(DIAGNOSIS)
    started = time.perf_counter()
    try:
        name, grades, scores = run.run_diagnosis(folder, suite, out)
    except CasesInvalid as error:
        raise click.ClickException(str(error)) from error
    if not run.metrics_are_measured():
        screen.warn("Prometheus is not installed here: metrics are not checked, nor what needs them.")
    _show(_report(name, grades, scores, started), shape, every=every)


@command.command("retrieval", short_help="Judged questions: how well passages are found.")
@click.option(
    "--corpus",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv; each may be packed (.gz).",
)
@click.option("--split", default="", help="Judgements to use: qrels/SPLIT.tsv. Default: test, or the only one.")
@click.option(
    "--mode",
    "modes",
    type=click.Choice(EVERY_MODE),
    multiple=True,
    help="One leg alone, or both as the desk uses them; may be given more than once. Default: all three.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder that keeps the index: the next run makes no vectors.",
)
@click.option(
    "--index",
    "kind",
    type=click.Choice(["embedded", "elasticsearch"]),
    default="embedded",
    show_default=True,
    help="Where to put the corpus; elasticsearch is the cluster of your settings, under names of its own.",
)
@_json_option
@pass_invocation
def retrieval(
    invocation: Invocation,
    *,
    folder: Path,
    split: str,
    modes: tuple[str, ...],
    keep: Path | None,
    kind: str,
    shape: str | None,
) -> None:
    """Index a judged corpus, ask its questions, print nDCG@10, recall, MRR@10 and how long a question takes.

    Measured is what the settings say: the embedding model and the weights of the fusion. With bm25 alone no vectors
    are made. The JSON has by mode: ndcg@10, recall@3, recall@10, recall@100, mrr@10, p50_ms, p95_ms and questions.
    """
    config = invocation.settings().search
    if kind == "elasticsearch" and not config.elasticsearch.url:
        raise click.ClickException("no cluster is set: DUTYDESK_SEARCH__ELASTICSEARCH__URL names the one to measure")
    trial = importlib.import_module(RETRIEVAL)
    try:
        asked = trial.run(folder, split=split, modes=modes or EVERY_MODE, keep=keep, kind=kind, config=config)
        report = asyncio.run(asked)
    except CorpusInvalid as error:
        raise click.ClickException(str(error)) from error
    if shape == "json":
        screen.show_json(trial.as_json(report))
    else:
        screen.table(trial.HEADINGS, trial.rows(report), empty="no question was asked")


async def run_questions(file: QuestionFile) -> Report:
    """Return the report on a file of questions, asked on a desk of their own."""
    trial = importlib.import_module(TRIAL)
    started = time.perf_counter()
    seen = await trial.ask_all(file.cases)
    grades = tuple(grade_question(case, each) for case, each in zip(file.cases, seen, strict=True))
    return _report(file.name, grades, question_scores(grades), started)


async def run_messages(file: MessageFile) -> Report:
    """Return the report on a file of messages, said to a desk of their own."""
    trial = importlib.import_module(MESSAGES)
    started = time.perf_counter()
    seen = await trial.take_all(file.cases)
    grades = grade_messages(file.cases, seen)
    return _report(file.name, grades, messages_scores(file.cases, grades, seen), started)


def run_times(path: Path) -> Report:
    """Judge a file of phrases that say when."""
    reader = importlib.import_module(TIMES)
    file, started = reader.load_times(path), time.perf_counter()
    grades = reader.grade_times(file)
    return _report(file.name, grades, reader.times_scores(grades), started)


def run_routing(file: RoutingFile) -> Report:
    """Return the report on a file of utterances."""
    reading = importlib.import_module(READING)
    started = time.perf_counter()
    seen = reading.understand_all(file.cases)
    grades = tuple(grade_routing(case, each) for case, each in zip(file.cases, seen, strict=True))
    return _report(file.name, grades, routing_scores(grades), started)


def run_numbers(path: Path) -> Report:
    """Return the report on a file of questions about numbers."""
    trial = importlib.import_module(DATA)
    started = time.perf_counter()
    file = trial.load_data(path)
    grades = trial.run_data(file)
    return _report(file.name, grades, trial.data_scores(grades), started)


def _report(name: str, grades: tuple[Grade, ...], scores: tuple[Score, ...], started: float) -> Report:
    thresholds = load_thresholds(THRESHOLDS, name)
    return Report(
        name=name,
        grades=grades,
        scores=scores,
        thresholds=thresholds,
        shortfalls=shortfalls(scores, thresholds),
        seconds=time.perf_counter() - started,
    )


def _show(report: Report, shape: str | None, *, every: bool) -> None:
    if shape == "json":
        screen.show_json(as_json(report))
    elif shape == "markdown":
        click.echo(as_markdown(report))
    else:
        checked = any(score.of for score in report.scores)
        empty = "every case is right" if checked else "nothing was checked: no case says what is right"
        screen.table(HEADINGS, rows(report, every=every), empty=empty)
        for line in summary(report):
            screen.say(line)
    if not report.passed:
        raise click.exceptions.Exit(1)
