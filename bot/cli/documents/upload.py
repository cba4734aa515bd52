"""`dutydesk knowledge upload`: files into a source that the desk keeps itself."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.documents.index import show_report
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option
from bot.cli.progress import Bars
from search.errors import FileUnreadable

if TYPE_CHECKING:
    from identity.actor import Actor
    from search.uploads.upload_folder import Arrival
    from search.uploads.uploads import Uploaded, Uploads

EXAMPLES = """\
\b
Examples:
  dutydesk knowledge upload contract.pdf prices.xlsx --to contracts --allow group:sales
  dutydesk knowledge upload contract.pdf --to contracts     takes the place of the one that is there
"""
#: Bytes that are copied at once.
_PIECE = 1_000_000


@click.command("upload", epilog=EXAMPLES, short_help="Put files into a source of the desk's own.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--to", "name", required=True, metavar="NAME", help="Source that the files go into; made if it is new.")
@click.option(
    "--allow",
    multiple=True,
    metavar="WHO",
    help="Who may read pages that say nothing themselves: public, staff, group:it, unit:sales, role:manager or "
    "person:ada.",
)
@as_option
@pass_invocation
def command(
    invocation: Invocation, files: tuple[Path, ...], name: str, allow: tuple[str, ...], person: str | None
) -> None:
    """Copy FILES into the source NAME and index it: the originals may go afterwards.

    A file takes the place of one with the same name. What cannot be read is told, and the others are taken.
    The copies lie in `uploads/NAME` of the home folder; `dutydesk knowledge remove NAME` takes them out again.
    """
    uploaded, refused = run(_upload(invocation, files, name, allow, person))
    for each in refused:
        screen.warn(each)
    if uploaded is not None:
        for each in uploaded.replaced:
            screen.say(f"{each} takes the place of the one that was there.", "dim")
        show_report(uploaded.report, again="" if allow else f"dutydesk knowledge upload FILE --to {name} --allow staff")
    if refused:
        raise SystemExit(1)


async def _upload(
    invocation: Invocation, files: tuple[Path, ...], name: str, allow: tuple[str, ...], person: str | None
) -> "tuple[Uploaded | None, list[str]]":
    async with open_desk(invocation.existing()) as desk:
        actor = await actor_of(desk, person)
        await desk.uploads.check(actor, name, allow)
        arrivals, refused = await _arrive(desk.uploads, actor, files)
        if not arrivals:
            return None, refused
        with Bars() as bars:
            uploaded = await desk.uploads.add(actor, name, arrivals, allow=allow, progress=bars.advance)
            await desk.search.embed_pending(progress=bars.advance)
        return uploaded, refused


async def _arrive(uploads: "Uploads", actor: "Actor", files: tuple[Path, ...]) -> "tuple[list[Arrival], list[str]]":
    """Return the files that came in, and a line for each that did not."""
    arrivals: list[Arrival] = []
    refused: list[str] = []
    for file in files:
        try:
            arrivals.append(await uploads.arrive(actor, file.name, _pieces(file)))
        except FileUnreadable as error:
            refused.append(f"{file}: {error}")
        except OSError as error:
            refused.append(f"{file}: {error.strerror}")
    return arrivals, refused


async def _pieces(file: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(file.open, "rb") as content:
        while piece := await asyncio.to_thread(content.read, _PIECE):
            yield piece
