import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from search.documents import Document
from search.errors import FolderUnreadable
from search.sources.folder import FolderSource
from search.sources.port import SourceProblem

PAGE = "# Page\n\nText.\n"


def write(root: Path, path: str, text: str | bytes = PAGE) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


async def read(
    root: Path, *, default_allow: tuple[str, ...] = (), longest: int = 10_000
) -> tuple[dict[str, Document], tuple[SourceProblem, ...]]:
    source = FolderSource("book", root, default_allow=default_allow, longest_file_bytes=longest)
    listing = await source.listing()
    loaded = await source.load(sorted(listing.hashes))
    return {page.document.path: page.document for page in loaded.pages}, (*listing.problems, *loaded.problems)


def texts(page: Document) -> list[str]:
    return [unit.text for section in page.root.walk() for unit in section.units]


async def test_the_nearest_access_list_wins(tmp_path: Path) -> None:
    write(tmp_path, "top.md")
    write(tmp_path, "it/.access.yaml", "allow: [staff]\n")
    write(tmp_path, "it/page.md")
    write(tmp_path, "it/own.md", "---\naccess:\n  allow: [person:ada, public]\n---\n" + PAGE)
    write(tmp_path, "it/secret/.access.yaml", "allow: ['group:it', 'role:manager']\n")
    write(tmp_path, "it/secret/deep/page.md")
    write(tmp_path, "it/closed/.access.yaml", "allow: []\n")
    write(tmp_path, "it/closed/page.md")
    pages, problems = await read(tmp_path, default_allow=("public",))
    assert {path: page.allow for path, page in pages.items()} == {
        "top.md": ("public",),
        "it/page.md": ("staff",),
        "it/own.md": ("person:ada", "public"),
        "it/secret/deep/page.md": ("group:it", "role:manager"),
        "it/closed/page.md": (),
    }
    assert not problems


async def test_without_any_list_only_the_operator_reads(tmp_path: Path) -> None:
    write(tmp_path, "page.md")
    pages, _ = await read(tmp_path)
    assert pages["page.md"].allow == ()


@pytest.mark.parametrize(
    "access",
    [
        "allow: everyone\n",
        "allow: [everyone]\n",
        "allow: ['group:']\n",
        "[staff]\n",
        "allow: [staff\n",
        "deny: [staff]\n",
        "allow: [staff]\ndeny: [person:ada]\n",
        "allow: [3]\n",
        b"allow: [staff]\xff\n",
        "",
    ],
)
async def test_a_list_that_cannot_be_read_closes_the_folder(tmp_path: Path, access: str | bytes) -> None:
    write(tmp_path, ".access.yaml", "allow: [public]\n")
    write(tmp_path, "it/.access.yaml", access)
    write(tmp_path, "it/page.md")
    pages, problems = await read(tmp_path, default_allow=("public",))
    assert pages["it/page.md"].allow == ()
    assert [problem.path for problem in problems] == ["it/.access.yaml"]
    assert "only the operator" in problems[0].what


@pytest.mark.parametrize(
    "access", ["staff", "{allow: [everyone]}", "{allow: staff}", "{}", "[staff]", "", "{deny: [x]}"]
)
async def test_a_pages_own_list_that_cannot_be_read_closes_the_page(tmp_path: Path, access: str) -> None:
    write(tmp_path, "page.md", f"---\naccess: {access}\n---\n{PAGE}")
    pages, problems = await read(tmp_path, default_allow=("public",))
    assert pages["page.md"].allow == ()
    assert [problem.path for problem in problems] == ["page.md"]


async def test_the_hash_follows_the_text_and_the_list_and_nothing_else(tmp_path: Path) -> None:
    file = write(tmp_path, "it/page.md")
    source = FolderSource("book", tmp_path, default_allow=("staff",))
    first = (await source.listing()).hashes
    os.utime(file, (1, 1))
    assert (await source.listing()).hashes == first
    write(tmp_path, "it/.access.yaml", "allow: [public]\n")
    second = (await source.listing()).hashes
    assert second != first
    write(tmp_path, "it/page.md", PAGE + "More.\n")
    assert (await source.listing()).hashes not in (first, second)


async def test_hidden_and_other_files_are_left_out(tmp_path: Path) -> None:
    for path in (".git/page.md", ".page.md", "~$open.md", "image.png", "page.md", "UPPER.MD", "long.markdown"):
        write(tmp_path, path)
    pages, problems = await read(tmp_path)
    assert set(pages) == {"page.md", "UPPER.MD", "long.markdown"}
    assert not problems


async def test_files_that_nobody_reads_are_counted_and_not_told_one_by_one(tmp_path: Path) -> None:
    for number in range(12):
        write(tmp_path, f"slides/{number:02}.PPTX")
        write(tmp_path, f"pictures/{number}.png")
    for path in ("old.doc", "LICENSE", "page.md"):
        write(tmp_path, path)
    listing = await FolderSource("book", tmp_path).listing()
    assert listing.passed_over == {".png": 12, "": 1}
    told = {problem.path: problem.what for problem in listing.problems}
    assert told == {
        "old.doc": "is in the old Word format, which is not read; save it as .docx",
        "slides/00.PPTX": "is a presentation, which is not read; save it as .pdf (11 more .pptx: "
        "slides/01.PPTX, slides/02.PPTX, slides/03.PPTX, …)",
    }


async def test_links_that_turn_round_or_lead_out_are_told_and_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "book"
    write(root, "a/page.md")
    write(tmp_path, "outside/secret.md")
    (root / "a" / "back").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "secret.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "gone.md").symlink_to(tmp_path / "nowhere.md")
    pages, problems = await read(root)
    assert set(pages) == {"a/page.md"}
    told = {problem.path: problem.what for problem in problems}
    assert set(told) == {"a/back", "out", "secret.md", "gone.md"}
    assert "links back" in told["a/back"]
    assert "leads out" in told["out"]


async def test_a_file_that_cannot_be_taken_in_is_one_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    write(tmp_path, "good.md", "# Gut\r\n\r\nÜber alles.\r\n")
    write(tmp_path, "latin.md", "# Gut\n\nÜber".encode("latin-1"))
    write(tmp_path, "unclear.md", b"# Gut\n\n\xff\xff\xff\xff\xff\xff\n")
    write(tmp_path, "huge.md", "x" * 20_000)
    write(tmp_path, "utf16.md", "# Sechzehn\n\n年假".encode("utf-16"))
    write(tmp_path, "empty.md", "")
    write(tmp_path, "binary.md", b"\x00\x01# Title\n\ntext\n")
    pages, problems = await read(tmp_path)
    assert set(pages) == {"good.md", "latin.md", "utf16.md", "empty.md", "binary.md"}
    assert {problem.path for problem in problems} == {"latin.md", "unclear.md", "huge.md"}
    assert texts(pages["latin.md"]) == ["Über"]


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    folder = tmp_path / "locked"
    write(tmp_path, "locked/page.md")
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


@pytest.mark.usefixtures("locked")
async def test_a_locked_folder_is_told(tmp_path: Path) -> None:
    write(tmp_path, "page.md")
    pages, problems = await read(tmp_path)
    assert set(pages) == {"page.md"}
    assert [problem.path for problem in problems] == ["locked"]


async def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FolderUnreadable, match="does not exist"):
        await FolderSource("book", tmp_path / "nowhere").listing()
    with pytest.raises(FolderUnreadable, match="no folder"):
        await FolderSource("book", write(tmp_path, "file.md")).listing()


TOP = "---\ntitle: Salary bands\nupdated: 2026-03-01\naccess: {allow: [group:hr]}\n---\n"
BODIES = {
    "page.md": "# Bands\n\nBand seven starts at 71,000 euros.\n",
    "page.html": "<h1>Bands</h1><p>Band seven starts at 71,000 euros.</p>",
    "page.htm": "<html><head><title>Bands</title></head><body><p>Band seven starts at 71,000 euros.</p></body></html>",
    "page.xhtml": "<!doctype html><html><body><p>Band seven starts at 71,000 euros.</p></body></html>",
    "page.txt": "Band seven starts at 71,000 euros.\n",
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("windows", [False, True])
async def test_front_matter_says_the_same_in_every_format_of_text(tmp_path: Path, name: str, *, windows: bool) -> None:
    told = TOP + BODIES[name]
    write(tmp_path, name, "\ufeff" + told.replace("\n", "\r\n") if windows else told)
    pages, problems = await read(tmp_path, default_allow=("staff",))
    page = pages[name]
    assert page.allow == ("group:hr",)
    assert (page.title, page.updated) == ("Salary bands", date(2026, 3, 1))
    assert texts(page) == ["Band seven starts at 71,000 euros."]
    assert not problems


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize(
    "top",
    [
        "---\ntitle: [x\naccess: {allow: [group:hr]}\n---\n",
        "---\naccess: {allow: [group:hr]}\n\n",
        "---\naccess: {allow: [nobody]}\n---\n",
        "---\naccess: group:hr\n---\n",
        "---\njust words\n---\n",
    ],
)
async def test_front_matter_that_cannot_be_read_closes_a_page_of_every_format_alike(
    tmp_path: Path, name: str, top: str
) -> None:
    write(tmp_path, name, top + BODIES[name])
    write(tmp_path, "as/page.md", top + BODIES["page.md"])
    pages, problems = await read(tmp_path, default_allow=("staff",))
    assert pages[name].allow == ()
    assert any("71,000" in text for text in texts(pages[name]))
    (first, second) = problems
    assert {first.path, second.path} == {name, "as/page.md"}
    assert first.what == second.what


@pytest.mark.parametrize("name", ["page.html", "page.txt"])
async def test_a_page_without_front_matter_is_read_as_it_was(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, BODIES[name] + "\n---\naccess: {allow: [public]}\n---\n")
    pages, problems = await read(tmp_path, default_allow=("staff",))
    assert pages[name].allow == ("staff",)
    assert not problems
