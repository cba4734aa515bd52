"""The `dutydesk` command: its groups, what others add by entry point, and how errors are told."""

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from types import TracebackType

import click

from bot.cli import screen
from bot.cli.documents import crawl, index, knowledge, search
from bot.cli.health import doctor
from bot.cli.invocation import Invocation, add_common_options
from bot.cli.operations import audit, backup, inspect, jobs, observe, runs, sql, tickets
from bot.cli.platforms import slack, teams
from bot.cli.running import demo, login, migrate, serve
from bot.cli.running.logs import log_to_stderr
from bot.cli.talk import ask, chat, verb
from bot.rendering.texts.catalogue import say
from features.anatomy.verbs import Verb, every_verb

#: Packages add commands of their own under this entry-point group: the name is the command's name.
ENTRY_POINTS = "dutydesk.commands"

#: The sections of `dutydesk --help`, in the order in which a newcomer needs them.
SECTIONS: Mapping[str, Sequence[click.Command]] = {
    "Try it": (demo.command, chat.command, ask.command),
    "Documents": (index.command, crawl.command, search.command, knowledge.command),
    "Run it": (serve.command, login.command, slack.command, teams.command, doctor.command, migrate.command),
    "Look after it": (
        tickets.command,
        inspect.command,
        sql.command,
        observe.command,
        runs.command,
        jobs.command,
        audit.command,
        backup.backup,
        backup.restore,
    ),
}

EXAMPLES = """\
\b
Examples:
  dutydesk demo                                  the whole desk in your browser, with sample people
  dutydesk index handbook --allow staff          index a folder of documents for all staff
  dutydesk ask "How do I reset my password?"     one question, one answer with its sources
  dutydesk serve                                 your own desk; prints a sign-in link
  dutydesk doctor                                what is set, what is wrong, and how to mend it
"""


class SectionedGroup(click.Group):
    """A group whose help lists its commands under headings."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command; any other word is a verb of the grammar that `/desk` has, too."""
        return super().get_command(context, name) or verb.command_of(name)

    def _has(self, verb: Verb) -> bool:
        """Tell whether a command of that name takes what is typed."""
        return verb.name.partition(" ")[0] in self.commands

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the known sections, then whatever other packages added."""
        placed = {command.name for commands in SECTIONS.values() for command in commands}
        added = [command for name, command in sorted(self.commands.items()) if name not in placed]
        width = max(len(name) for name in self.commands)
        verbs = [(verb.name.ljust(width), _example(verb)) for verb in every_verb() if not self._has(verb)]
        for title, commands in (*SECTIONS.items(), ("More", added)):
            if commands:
                with formatter.section(title):
                    formatter.write_dl(
                        [((each.name or "").ljust(width), each.get_short_help_str(limit=90)) for each in commands]
                    )
        with formatter.section("As /desk does"):
            formatter.write_dl(verbs)
        del context


def _example(verb: Verb) -> str:
    """Return how a verb is used, as one types it here."""
    return say("en", verb.help).removeprefix("- ").replace("`/desk ", "dutydesk ").replace("`", "")


@click.group(
    cls=SectionedGroup,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="dutydesk", message="dutydesk %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Run a duty desk: answers from your documents with citations, and tickets after one button.

    Everything that it keeps lies in one folder (--home), so that removing the folder removes it all.
    """
    context.ensure_object(Invocation)


def build() -> click.Group:
    """Return the whole command line, with what other packages added."""
    for commands in SECTIONS.values():
        for command in commands:
            cli.add_command(command)
    for found in entry_points(group=ENTRY_POINTS):
        if found.name not in cli.commands:
            cli.add_command(found.load(), name=found.name)
    add_common_options(cli)
    return cli


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; errors become one clear line, unless --debug asks for the trace."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    log_to_stderr()
    if "--debug" not in given:
        sys.excepthook = tell
    build().main(args=given, prog_name="dutydesk")


def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an error as words: those of our own errors say what to do, others name what broke."""
    del trace
    words = _words(error) or kind.__name__
    if refused := _refused(error):
        screen.fail(refused)
        screen.note("dutydesk doctor says more, and what helps.")
        return
    ours = kind.__module__.partition(".")[0] in {
        "adapters",
        "agent",
        "bot",
        "evals",
        "features",
        "identity",
        "queries",
        "search",
        "storage",
        "tickets",
    }
    expected = ours or issubclass(kind, OSError)
    screen.fail(words if expected else f"{kind.__name__}: {words}")
    if not expected:
        screen.warn("This should not happen. The same command with --debug shows where it broke.")


def _refused(error: BaseException) -> str:
    """Return what a database or the disk refused; "" for any other error. SQL statements are for `--debug`."""
    if type(error).__module__.partition(".")[0] not in {"sqlalchemy", "sqlite3", "psycopg"}:
        return ""
    # Imported by name, since only an error of the database may pay for loading it: it is loaded by then.
    return f"the database: {importlib.import_module('storage.database').in_words(error)}"


def _words(error: BaseException) -> str:
    """Return what an error says; one of the system without its number, the file first."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
