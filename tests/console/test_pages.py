"""What each page shows, to whom, and what it lets them do."""

import pytest

from agent.runs.answer import Answered, NoEvidence
from bot.rendering.texts.catalogue import catalogue
from identity.actor import local_operator
from tests.console.site import Site, look
from tickets.ticket import Status

EVIL = """"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7919*7907}}"""


async def test_the_pages_that_a_person_may_open_stand_in_the_navigation(desk_site: Site) -> None:
    async def offered(person: str) -> list[str]:
        page = await (await desk_site.browser(person)).get("/tickets")
        return [link for link in dict.fromkeys(page.links) if link in ("/", "/tickets", "/queue", "/runs", "/audit")]

    assert await offered("ada") == ["/", "/tickets", "/runs"]
    assert await offered("ben") == ["/", "/tickets", "/queue", "/runs"]
    assert await offered("cleo") == ["/", "/tickets", "/queue", "/runs", "/audit"]


@pytest.mark.parametrize("path", ["/queue", "/audit"])
async def test_a_page_without_the_right_to_it_says_so(desk_site: Site, path: str) -> None:
    page = await (await desk_site.browser("ada")).get(path)

    assert page.status == 403
    assert "Not permitted" in page.text


async def test_somebody_elses_ticket_looks_like_none(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada")
    browser = await desk_site.browser("bao")
    theirs, nothing = await browser.get(f"/tickets/{ticket.number}"), await browser.get("/tickets/TCK-2026-999999")

    assert theirs.status == nothing.status == 404
    assert theirs.html == nothing.html


async def test_somebody_elses_run_looks_like_none(desk_site: Site) -> None:
    ada, runs = await desk_site.person("ada"), desk_site.desk.runs
    run_id = runs.begin(ada, event_id="e", thread="t", text="What is band seven?", language="en", brain="rules")
    await runs.finish(run_id, NoEvidence())
    bao, cleo = await desk_site.browser("bao"), await desk_site.browser("cleo")
    theirs, nothing = await bao.get(f"/runs/{run_id}"), await bao.get("/runs/run_0")

    assert theirs.status == nothing.status == 404
    assert theirs.html == nothing.html
    assert "What is band seven?" not in (await bao.get("/runs?whose=all")).text
    assert "What is band seven?" in (await cleo.get("/runs?whose=all")).text
    assert "no evidence" in (await cleo.get(f"/runs/{run_id}")).text


async def test_a_verdict_is_still_shown_when_the_conversation_is_opened_again(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    await browser.door("messages", {"text": "How do I fly to the moon?"})
    await _settle(desk_site)
    page = await browser.get("/c/thread-0001")
    rated = page.all("div", **{"class": "rating"})[0]["data-rating"]
    await browser.door("feedback", {"event_id": "event-0000002", "id": rated, "verdict": "down", "reason": "no"})
    await _settle(desk_site)
    page = await browser.get("/c/thread-0001")

    assert page.all("button", **{"data-verdict": "down", "aria-pressed": "true"})
    assert page.all("button", **{"data-verdict": "up", "aria-pressed": "false"})


async def test_a_run_is_told_in_the_readers_words(desk_site: Site) -> None:
    bao, runs = await desk_site.person("bao"), desk_site.desk.runs
    run_id = runs.begin(bao, event_id="e", thread="t", text="?", language="zh", brain="rules")
    await runs.step(run_id, node="tool", given={}, returned={}, timing_ms=1.0)
    await runs.finish(run_id, NoEvidence(), timings_ms={"search": 2.0, "something_new": 3.0})
    page = await (await desk_site.browser("bao")).get(f"/runs/{run_id}")

    assert "检索" in page.text
    assert "工具" in page.text
    assert "something_new" in page.text


async def test_a_document_that_may_not_be_read_looks_like_none(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    hidden = await browser.get("/knowledge/page/handbook/salaries.md")
    nothing = await browser.get("/knowledge/page/handbook/nothing.md")
    nowhere = await browser.get("/knowledge/page/elsewhere/vpn.md")

    assert hidden.status == nothing.status == nowhere.status == 404
    assert hidden.html == nothing.html == nowhere.html


async def test_a_cited_section_can_be_pointed_at(desk_site: Site) -> None:
    page = await (await desk_site.browser("ada")).get("/knowledge/page/handbook/vpn.md")

    assert [section.get("id") for section in page.all("section")] == ["vpn", "session-length", "install-the-client"]
    assert "A VPN session ends after 12 hours" in page.text


async def test_a_crawled_page_names_the_page_on_its_site(desk_site: Site) -> None:
    folder = desk_site.desk.settings.home / "web"
    folder.mkdir()
    told = "---\nurl: https://docs.example.org/crane\n---\n# Crane\n\nThe crane is inspected every nine weeks.\n"
    (folder / "crane.md").write_text(told, encoding="utf-8")
    (folder / "else.md").write_text(told.replace("docs.", "evil."), encoding="utf-8")
    site = "https://docs.example.org/"
    await desk_site.desk.search.add_folder(local_operator(), folder, allow=("staff",), site=site)
    browser = await desk_site.browser("ada")
    crane, other = [await browser.get(f"/knowledge/page/web/{name}.md") for name in ("crane", "else")]
    found = await browser.get("/retrieval?q=crane+inspected")

    assert "Original: https://docs.example.org/crane" in crane.text
    assert "https://docs.example.org/crane" in crane.links
    assert "https://docs.example.org/crane" in found.links
    assert "Original:" not in other.text
    assert "evil" not in other.html + found.html


async def test_a_ticket_goes_through_its_life_on_its_page(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada")
    ada, ben = await desk_site.browser("ada"), await desk_site.browser("ben")
    path = f"/tickets/{ticket.number}"

    taken = await ben.post(f"{path}/assign", {"back": "queue"})
    await ada.post(f"{path}/comment", {"text": "It is urgent", "key": "k1"})
    resolved = await ben.post(f"{path}/resolve", {"text": "Changed the fuser", "key": "k2"})
    reopened = await ada.post(f"{path}/reopen", {"text": "Still jams", "key": "k3"})
    cancelled = await ada.post(f"{path}/cancel", {"text": "Never mind", "key": "k4"})
    page = await ada.get(path)

    assert taken.headers["location"] == "/queue?done=assign"
    assert resolved.headers["location"] == f"{path}?done=resolve"
    assert (reopened.status_code, cancelled.status_code) == (303, 303)
    for words in ("Ben Brook took it on", "Ada Adler wrote", "It is urgent", "Changed the fuser", "Still jams"):
        assert words in page.text
    assert (await desk_site.desk.tickets.show(await desk_site.person("ada"), ticket.number)).status is Status.CANCELLED


async def test_the_same_form_sent_twice_counts_once(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada")
    ada = await desk_site.browser("ada")
    for _ in range(3):
        answer = await ada.post(f"/tickets/{ticket.number}/comment", {"text": "Any news?", "key": "one"})
        assert answer.status_code == 303

    shown = await desk_site.desk.tickets.show(await desk_site.person("ada"), ticket.number)
    assert [comment.text for comment in shown.comments] == ["Any news?"]


async def test_what_cannot_be_done_is_said_and_what_was_typed_is_kept(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada")
    ben, cleo = await desk_site.browser("ben"), await desk_site.browser("cleo")
    await ben.post(f"/tickets/{ticket.number}/resolve", {"text": "Done", "key": "k1"})
    late = look(await cleo.post(f"/tickets/{ticket.number}/resolve", {"text": "My long story", "key": "k2"}))
    empty = look(await ben.post(f"/tickets/{ticket.number}/comment", {"text": "  ", "key": "k3"}))

    assert late.status == empty.status == 409
    assert "Ben Brook" in late.text
    assert "resolved" in late.text
    assert empty.all("p", role="alert")


async def test_urging_twice_says_when_again(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada")
    ada = await desk_site.browser("ada")
    first = await ada.post(f"/tickets/{ticket.number}/urge", {"key": "k1"})
    second = look(await ada.post(f"/tickets/{ticket.number}/urge", {"key": "k2"}))

    assert first.status_code == 303
    assert second.status == 409
    assert "minutes" in second.text


async def test_acts_that_need_a_right_are_neither_offered_nor_done(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada")
    ada = await desk_site.browser("ada")
    page = await ada.get(f"/tickets/{ticket.number}")
    offered = {str(form["action"]).rsplit("/", 1)[-1] for form in page.all("form") if "/TCK-" in str(form["action"])}

    assert offered == {"comment", "urge", "cancel"}
    assert (await ada.post(f"/tickets/{ticket.number}/resolve", {"text": "x"})).status_code == 403
    assert (await ada.post(f"/tickets/{ticket.number}/destroy", {"text": "x"})).status_code == 404


async def test_the_queue_is_searched_and_filtered(desk_site: Site) -> None:
    printer = await desk_site.ticket("ada", title="Printer jams")
    await desk_site.ticket("bao", title="显示器黑屏")
    ben = await desk_site.browser("ben")
    await ben.post(f"/tickets/{printer.number}/resolve", {"text": "Done"})

    assert "Printer jams" not in (await ben.get("/queue")).text
    assert "Printer jams" in (await ben.get("/queue?status=resolved")).text
    assert "Printer jams" in (await ben.get("/queue?status=all")).text
    found = (await ben.get("/queue?search=显示器")).text
    assert "显示器黑屏" in found
    assert "Printer" not in found
    assert (await ben.get("/queue?status=nonsense&search=%00%27%22")).status == 200


async def test_the_audit_is_filtered_and_verified(desk_site: Site) -> None:
    await desk_site.ticket("ada")
    cleo = await desk_site.browser("cleo")
    await desk_site.desk.audit.seal()
    filtered = await cleo.get("/audit?actor=ada")
    verified = look(await cleo.post("/audit/verify"))

    assert "ada" in filtered.text
    assert "draft.file" in filtered.text
    assert "sign_in" not in " ".join(filtered.text.split("Outcome")[-1].split()[:200]).replace("sign_in.link", "")
    assert "The chain is sound" in verified.text
    assert (await cleo.get("/audit?before=x&actor=%00&action=' OR 1=1")).status == 200


async def test_a_run_shows_its_answer_and_what_it_cited(desk_site: Site) -> None:
    ada, runs = await desk_site.person("ada"), desk_site.desk.runs
    run_id = runs.begin(ada, event_id="e", thread="t", text="How long?", language="en", brain="rules")
    await runs.step(run_id, node="tool", tool="search_knowledge", given={"query": EVIL}, returned={}, timing_ms=3.2)
    await runs.finish(run_id, Answered(text=f"**12 hours** {EVIL}"))
    await runs.feedback(ada, run_id, verdict="down", reason=EVIL)
    page = await (await desk_site.browser("ada")).get(f"/runs/{run_id}")

    assert page.all("strong")
    assert "search_knowledge" in page.text
    assert "This did not help" in page.text
    assert not page.all("img")


async def test_the_health_page_names_sources_to_those_who_manage_them(desk_site: Site) -> None:
    ada, cleo = await desk_site.browser("ada"), await desk_site.browser("cleo")
    plain, full = await ada.get("/status"), await cleo.get("/status")

    assert "sqlite" in plain.text
    assert "handbook" not in plain.text
    assert "handbook" in full.text


async def test_markup_in_any_field_stays_text(desk_site: Site) -> None:
    ticket = await desk_site.ticket("ada", title=EVIL, description=EVIL)
    ada, ben, cleo = [await desk_site.browser(person) for person in ("ada", "ben", "cleo")]
    await ada.post(f"/tickets/{ticket.number}/comment", {"text": EVIL, "key": "k"})
    await ben.post(f"/tickets/{ticket.number}/resolve", {"text": EVIL, "key": "k"})
    await ada.door("messages", {"text": EVIL})
    pages = [
        await ada.get("/tickets"),
        await ada.get(f"/tickets/{ticket.number}"),
        await ada.get("/c/thread-0001"),
        await ada.get("/conversations"),
        await ben.get(f"/queue?status=all&search={EVIL}"),
        await cleo.get(f"/audit?actor={EVIL}&action={EVIL}"),
        await cleo.get(f"/audit?done={EVIL}"),
        await desk_site.anybody().get(f"/sign-in?token={EVIL}"),
    ]

    for page in pages:
        assert page.status == 200
        assert not page.all("img")
        assert all(attributes.get("src") for attributes in page.all("script"))
        assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
        assert str(7919 * 7907) not in page.text


async def test_a_conversation_is_shown_again_and_only_to_its_person(desk_site: Site) -> None:
    ada, ben = await desk_site.browser("ada"), await desk_site.browser("ben")
    await ada.door("messages", {"text": "My printer jams"})

    assert "My printer jams" in (await ada.get("/c/thread-0001")).text
    assert "My printer jams" not in (await ben.get("/c/thread-0001")).text


async def test_pages_speak_the_persons_language(desk_site: Site) -> None:
    await desk_site.ticket("bao", title="显示器黑屏")
    page = await (await desk_site.browser("bao")).get("/tickets")

    assert page.all("html")[0]["lang"] == "zh-Hans"
    assert "我的工单" in page.text
    assert "年" in page.text


async def test_what_is_not_there_is_a_page_too(desk_site: Site) -> None:
    page = await desk_site.anybody().get("/nowhere")

    assert page.status == 404
    assert "Nothing here" in page.text


async def test_an_unforeseen_error_is_a_page_without_its_insides(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    desk_site.desk.inbox = None  # type: ignore[assignment]
    answer = await browser.client.get("/status")

    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "worker" not in answer.text.lower()
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_damaged_database_is_a_page_without_its_insides(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    await desk_site.desk.database.close()
    desk_site.desk.settings.home.joinpath("dutydesk.db").write_bytes(b"not a database at all" * 100)
    answer = await browser.client.get("/tickets")

    assert answer.status_code == 503
    assert "That cannot be done now" in answer.text
    assert "sqlite" not in answer.text.lower()
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_both_languages_have_every_word_of_the_console() -> None:
    english = {key for key in catalogue("en") if key.startswith(("console.", "web."))}

    assert english == {key for key in catalogue("zh") if key.startswith(("console.", "web."))}
    assert english


async def _settle(site: Site) -> None:
    await site.desk.inbox.drain()
    while await site.desk.outbox.drain_once():
        pass
