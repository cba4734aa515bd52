"""Files from Teams: from the address that opens each, on Microsoft's hosts alone, and without any token."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.port import TooLarge, Undeliverable
from adapters.teams.inbound.activities import DOWNLOAD, Json, read
from adapters.teams.inbound.events import heard
from adapters.teams.inbound.origin import TeamsIgnored
from tests.adapters.teams.hearing import activity, understood
from tests.adapters.teams.outgoing import Outgoing, outgoing

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CONTENT = b"# Lease\n\nEleven weeks.\n"


@pytest.fixture
async def desk() -> AsyncIterator[Outgoing]:
    async with outgoing() as made:
        yield made


def at(desk: Outgoing, key: str = "key") -> File:
    desk.organisation.files["key"] = CONTENT
    base = desk.organisation.service_url.rsplit("/", 2)[0]
    return File(name="lease.md", reference={"url": f"{base}/download.aspx?tempauth={key}"})


async def test_a_file_is_fetched_without_a_token(desk: Outgoing) -> None:
    assert await desk.chat.fetch(desk.ask().to_json(), at(desk), at_most=100) == CONTENT


async def test_an_address_that_has_run_out_opens_nothing(desk: Outgoing) -> None:
    with pytest.raises(Undeliverable):
        await desk.chat.fetch(desk.ask().to_json(), at(desk, "another"), at_most=100)


async def test_too_large_is_told(desk: Outgoing) -> None:
    with pytest.raises(TooLarge):
        await desk.chat.fetch(desk.ask().to_json(), at(desk), at_most=10)


@pytest.mark.parametrize(
    "url", ["https://evil.example/x", "http://harbour.sharepoint.com/x", "https://sharepoint.com.evil.example/x", ""]
)
async def test_nothing_is_fetched_from_elsewhere(desk: Outgoing, url: str) -> None:
    with pytest.raises(Undeliverable):
        await desk.chat.fetch(desk.ask().to_json(), File(name="x.md", reference={"url": url}), at_most=100)


def said(*attachments: Json, text: str = "") -> Message:
    body: Json = {
        "type": "message",
        "id": "1",
        "text": text,
        "serviceUrl": "https://smba.trafficmanager.net/emea/",
        "from": {"id": "29:ada", "name": "Ada", "aadObjectId": "ada"},
        "recipient": {"id": "28:desk"},
        "conversation": {"id": "a:1", "conversationType": "personal", "tenantId": "t"},
        "attachments": list(attachments),
    }
    event = heard(read(body), tenant="t", now=NOW)
    assert isinstance(event, Message)
    return event


def test_a_message_names_its_files_and_pictures_and_nothing_else() -> None:
    url = "https://harbour-my.sharepoint.com/x?tempauth=secret"
    event = said(
        {"contentType": DOWNLOAD, "name": "lease.md", "content": {"downloadUrl": url}},
        {"contentType": "image/png", "contentUrl": "https://smba.trafficmanager.net/v3/attachments/1"},
        {"contentType": "text/html", "content": "<p>here</p>"},
        {"contentType": "application/vnd.microsoft.card.adaptive", "content": {}},
    )

    assert [(each.name, each.reference.get("url")) for each in event.files] == [
        ("lease.md", url),
        ("picture.png", ""),
    ]
    assert "secret" not in repr(event)


@pytest.mark.parametrize("attachments", [None, "x", [None, 1, "x"], [{"contentType": DOWNLOAD, "content": "x"}]])
def test_attachments_of_another_shape_lose_no_question(attachments: object) -> None:
    body: Json = {"type": "message", "id": "1", "attachments": attachments}

    assert all(not each.url for each in read(body).attached)


LEASE: Json = {"contentType": DOWNLOAD, "name": "lease.md", "content": {"downloadUrl": "https://x.sharepoint.com/1"}}
WORDS: Json = {"contentType": "text/html", "content": "<p>here</p>"}


def changed(kind: str, event: str, *attachments: Json) -> object:
    data: Json = {"tenant": {"id": "t"}, "eventType": event}
    return understood(activity(kind, id="7", channelData=data, attachments=list(attachments)))


def test_a_deletion_takes_back_what_the_message_brought() -> None:
    sent, gone = understood(activity("message", id="7", text="here")), changed("messageDelete", "softDeleteMessage")

    assert isinstance(sent, Message)
    assert isinstance(gone, Withdrawn)
    assert (gone.thread, gone.message, gone.kept) == (sent.thread, sent.event_id, ())
    assert gone.event_id == withdrawal_of(sent.event_id)


def test_an_edit_says_which_files_still_stand() -> None:
    kept, dropped = (changed("messageUpdate", "editMessage", *files, WORDS) for files in ([LEASE], []))
    again = changed("messageUpdate", "editMessage", LEASE, WORDS)

    assert isinstance(kept, Withdrawn)
    assert isinstance(dropped, Withdrawn)
    assert (kept.kept, dropped.kept) == (("lease.md",), ())
    assert isinstance(again, Withdrawn)
    assert kept.event_id == again.event_id != dropped.event_id


def test_a_message_that_is_brought_back_is_not_read_again() -> None:
    assert changed("messageUpdate", "undeleteMessage", LEASE) == TeamsIgnored("edited")


def test_of_channels_nothing_is_taken_back_since_no_file_came_from_there() -> None:
    assert understood(activity("messageDelete", "channel")) == TeamsIgnored("edited")
