"""Files from Slack: by the bot token, from Slack's own hosts alone, and never more of them than was asked for."""

from collections.abc import AsyncIterator

import pytest

from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.port import TooLarge, Unavailable, Undeliverable
from adapters.slack.inbound.origin import SlackIgnored
from adapters.slack.setup.manifest import SCOPES
from tests.adapters.slack.hearing import Hearing
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack.records import Json, SharedFile

CONTENT = b"# Lease\n\nEleven weeks.\n"


@pytest.fixture
async def desk() -> AsyncIterator[Outgoing]:
    async with outgoing() as made:
        yield made


def shared(desk: Outgoing, **told: object) -> File:
    file = desk.workspace.share("lease.md", CONTENT, str(told.pop("mimetype", "text/markdown")))
    known = str(file.told["id"])
    desk.workspace.files[known] = SharedFile(file.told | told, file.content)
    return File(name="lease.md", reference={"id": known})


async def fetched(desk: Outgoing, file: File, *, at_most: int = 1_000) -> bytes:
    return await desk.chat.fetch(desk.ask(desk.general).to_json(), file, at_most=at_most)


async def test_a_file_is_fetched_with_the_bot_token(desk: Outgoing) -> None:
    assert await fetched(desk, shared(desk)) == CONTENT
    assert await fetched(desk, shared(desk, mimetype="text/html")) == CONTENT


async def test_a_token_that_may_not_read_files_gets_none_and_the_operator_is_told(desk: Outgoing) -> None:
    assert "files:read" in SCOPES
    desk.workspace.scopes.discard("files:read")

    with pytest.raises(Undeliverable, match="files:read"):
        await fetched(desk, shared(desk))

    assert [episode.trouble.value for episode in desk.calls.health.episodes] == ["scope_missing"]
    assert desk.called("files.info")


async def test_a_page_to_sign_in_is_no_file(desk: Outgoing) -> None:
    file = shared(desk, url_private_download=f"{desk.server.base_url}/sign-in")

    with pytest.raises(Undeliverable, match="sign in"):
        await fetched(desk, file)


@pytest.mark.parametrize(
    "url",
    [
        "https://files.slack.com.evil.example/files-pri/x",
        "https://evil.example/files.slack.com/x",
        "http://files.slack.com/files-pri/x",
        "https://files.slack.com@evil.example/x",
        "https://files.slack.com:8443/x",
        "https://[files.slack.com/x",
        "file:///etc/passwd",
    ],
)
async def test_no_other_host_is_sent_the_token(desk: Outgoing, url: str) -> None:
    with pytest.raises(Undeliverable, match="no file is fetched"):
        await fetched(desk, shared(desk, url_private_download=url))


@pytest.mark.parametrize("at_most", [len(CONTENT) - 1, 0])
async def test_too_large_is_told_by_what_slack_says(desk: Outgoing, at_most: int) -> None:
    with pytest.raises(TooLarge):
        await fetched(desk, shared(desk), at_most=at_most)


async def test_too_large_is_told_by_the_bytes_whatever_slack_says(desk: Outgoing) -> None:
    with pytest.raises(TooLarge):
        await fetched(desk, shared(desk, size=1), at_most=10)


async def test_what_lies_elsewhere_or_is_gone_cannot_be_had(desk: Outgoing) -> None:
    for file in (shared(desk, is_external=True), shared(desk, url_private=None, url_private_download=None)):
        with pytest.raises(Undeliverable, match="not kept by Slack"):
            await fetched(desk, file)
    with pytest.raises(Undeliverable):
        await fetched(desk, File(name="x.md", reference={"id": "F404"}))


async def test_slack_that_is_away_is_asked_again_later(desk: Outgoing) -> None:
    file = shared(desk)
    desk.workspace.faults.down(600, kind="unreachable")
    with pytest.raises(Unavailable):
        await fetched(desk, file)


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ({"id": "F1", "name": "lease.pdf", "filetype": "pdf"}, "lease.pdf"),
        ({"id": "F1", "title": "Untitled", "filetype": "text"}, "Untitled.txt"),
        ({"id": "F1", "title": "Notes", "filetype": "markdown"}, "Notes.md"),
        ({"id": "F1", "mode": "hosted"}, "F1"),
    ],
)
def test_a_message_names_its_files_by_their_ids(told: dict[str, str], name: str) -> None:
    hearing = Hearing()
    said = hearing.said(f"<@{hearing.workspace.bot.id}> what does it say?", files=[told, {"name": "no id"}])
    heard = hearing.heard(hearing.told(said))

    assert isinstance(heard, Message)
    assert heard.files == (File(name=name, reference={"id": "F1"}),)


LEASE: Json = {"id": "F1", "name": "lease.md"}
PLAN: Json = {"id": "F2", "name": "plan.md"}
STONE: Json = {"id": "F1", "mode": "tombstone"}


def taken_back(*after: Json, make: str = "message_changed") -> tuple[object, Message]:
    """Return what an event about a message with two files is heard as, and the message as it was heard."""
    hearing = Hearing()
    said = hearing.said("here", channel=hearing.dm, files=[LEASE, PLAN])
    sent = hearing.heard(hearing.told(said))
    before = events.message(hearing.workspace, said)
    said.files = list(after)
    assert isinstance(sent, Message)
    return hearing.heard(hearing.told_of(getattr(events, make)(hearing.workspace, said, before))), sent


@pytest.mark.parametrize("make", ["message_deleted", "message_buried"])
def test_a_deletion_takes_back_what_the_message_brought(make: str) -> None:
    heard, sent = taken_back(LEASE, PLAN, make=make)

    assert isinstance(heard, Withdrawn)
    assert (heard.thread, heard.message, heard.kept) == (sent.thread, sent.event_id, ())
    assert heard.event_id == withdrawal_of(sent.event_id)


def test_a_deletion_takes_back_words_too_but_not_the_desk_s_own() -> None:
    hearing = Hearing()
    said = hearing.said("my words", channel=hearing.dm)
    before = events.message(hearing.workspace, said)
    heard = hearing.heard(hearing.told_of(events.message_deleted(hearing.workspace, said, before)))
    assert isinstance(heard, Withdrawn)

    own = {**before, "bot_id": "B1"}
    assert hearing.heard(hearing.told_of(events.message_deleted(hearing.workspace, said, own))) == SlackIgnored(
        "edited"
    )


@pytest.mark.parametrize("after", [[PLAN], [STONE, PLAN]])
def test_an_edit_says_which_files_still_stand(after: list[Json]) -> None:
    heard, sent = taken_back(*after)

    assert isinstance(heard, Withdrawn)
    assert (heard.message, heard.kept) == (sent.event_id, ("plan.md",))
    assert heard.event_id not in {sent.event_id, withdrawal_of(sent.event_id)}


def test_an_edit_of_the_words_takes_nothing_back() -> None:
    assert taken_back(LEASE, PLAN)[0] == SlackIgnored("edited")
    assert taken_back({"id": "F1"}, {"id": "F2"})[0] == SlackIgnored("edited")  # told by their ids alone, as Slack may
