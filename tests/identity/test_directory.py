"""Who is behind an account: only the verified e-mail of a full member makes it a listed person's."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identity.actor import Actor, ActorKind, local_operator
from identity.audit import AuditTrail
from identity.directory import Directory
from identity.errors import PeopleFileInvalid, UnknownPerson
from identity.people import AccountLink, ChatAccount, folded, link, owner
from storage.clock import ManualClock
from storage.database import Database

PEOPLE = """
people:
  - id: ada
    email: Ada@Example.com
    name: Ada Adler
    timezone: Europe/Berlin
    groups: [berlin]
    units: [sales]
  - id: bao
    email: bao@example.com
    name: 鲍晓
    language: zh
    roles: [agent, manager]
  - id: cleo
    name: Cleo
"""

Save = Callable[[str], None]

MEMBER = ChatAccount(
    platform="slack", tenant="T1", user="U1", name="Ada in Slack", email="ada@example.COM", email_verified=True
)


@pytest.fixture
def people_file(tmp_path: Path) -> Path:
    path = tmp_path / "people.yaml"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


@pytest.fixture
def save(people_file: Path) -> Save:
    """Return what an editor does: save the file with other words."""

    def write(text: str) -> None:
        people_file.write_text(text, encoding="utf-8")

    return write


@pytest.fixture
def directory(database: Database, people_file: Path, clock: ManualClock) -> Directory:
    return Directory(database, people_file, clock)


async def test_people_are_known_by_id_and_by_email(directory: Directory) -> None:
    ada = await directory.person("ada")
    assert ada == await directory.person("ADA@example.com")
    assert ada == Actor(
        id="ada",
        name="Ada Adler",
        email="Ada@Example.com",
        timezone="Europe/Berlin",
        groups=frozenset({"berlin"}),
        units=frozenset({"sales"}),
    )
    assert [person.id for person in await directory.people()] == ["ada", "bao", "cleo"]
    with pytest.raises(UnknownPerson, match="nobody"):
        await directory.person("nobody")


async def test_no_file_lists_nobody(database: Database, clock: ManualClock, tmp_path: Path) -> None:
    directory = Directory(database, tmp_path / "people.yaml", clock)
    assert await directory.people() == ()


async def test_a_saved_file_counts_at_once(directory: Directory, save: Save) -> None:
    assert (await directory.person("ada")).roles == frozenset()
    save("people: [{id: ada, name: Ada, roles: [admin]}]")
    assert (await directory.person("ada")).roles == {"admin"}
    with pytest.raises(UnknownPerson):
        await directory.person("bao")


async def test_a_broken_file_leaves_the_last_good_one_in_use(
    directory: Directory, save: Save, caplog: pytest.LogCaptureFixture
) -> None:
    await directory.people()
    save("people: [{id: ada}]")
    for _ in range(3):
        assert (await directory.person("ada")).name == "Ada Adler"
    assert caplog.text.count("The last good version stays in use") == 1
    assert directory.problem is not None
    save("people: [{id: ada, name: Ada}]")
    assert (await directory.person("ada")).name == "Ada"
    assert directory.problem is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("people: [{id: ada}]", ["entry 1 (id 'ada')", "name", "write the name"]),
        ("people: [{id: 1, name: x}]", ["entry 1 (id 1)", "in quotes when it is only digits"]),
        ("people: [{id: 'a:b', name: x}]", ["entry 1", "id: write a short id"]),
        ("people: [{id: operator, name: x}]", ["taken by dutydesk itself"]),
        ("people: [{id: a, name: x, email: nope}]", ["email: write an address"]),
        ("people: [{id: a, name: x, language: fr}]", ["language: write en or zh"]),
        ("people: [{id: a, name: x, timezone: Mars/Base}]", ["timezone: write a time zone"]),
        ("people: [{id: a, name: x, roles: admin}]", ["roles: write a list"]),
        ("people: [{id: a, name: x, group: [it]}]", ["group: no such field", "groups"]),
        ("people: [{id: a, name: x}, {id: a, name: y}]", ["entry 2 (id 'a')", "stands in entry 1 already"]),
        (
            "people: [{id: a, name: x, email: a@b.c}, {id: b, name: y, email: A@B.C}]",
            ["entry 2 (id 'b')", "a@b.c stands in entry 1 already"],
        ),
        ("people: [ada]", ["entry 1", "begin the entry with"]),
        ("people: ada", ["has to be a list"]),
        ("persons: []", ["one list under `people:`"]),
        ("- ada", ["one list under `people:`"]),
        ("people: [", ["people.yaml:2", "this is no YAML"]),
    ],
)
async def test_a_wrong_file_says_where_and_what_to_do(
    directory: Directory, people_file: Path, save: Save, text: str, words: list[str]
) -> None:
    save(text)
    with pytest.raises(PeopleFileInvalid) as caught:
        await directory.people()
    message = str(caught.value)
    assert str(people_file) in message
    for word in words:
        assert word in message


async def test_a_file_that_is_no_text_is_named(directory: Directory, people_file: Path) -> None:
    await asyncio.to_thread(people_file.write_bytes, b"people: \xff\xfe")
    with pytest.raises(PeopleFileInvalid, match="is not UTF-8"):
        await directory.people()


async def test_a_folder_in_place_of_the_file_is_named(database: Database, clock: ManualClock, tmp_path: Path) -> None:
    with pytest.raises(PeopleFileInvalid, match="cannot be read"):
        await Directory(database, tmp_path, clock).people()


async def test_a_verified_member_is_the_listed_person_and_it_is_on_record(
    database: Database, clock: ManualClock, directory: Directory
) -> None:
    assert (await directory.resolve(MEMBER)).id == "ada"
    assert (await directory.resolve(MEMBER)).kind is ActorKind.PERSON
    (kept,) = await directory.accounts("ada")
    assert (kept.platform, kept.tenant, kept.user) == ("slack", "T1", "U1")
    entries = await AuditTrail(database, clock).entries(local_operator())
    assert [(entry.action, entry.resource) for entry in entries] == [("account.link", "slack:T1:U1")]


@pytest.mark.parametrize(
    ("account", "kind"),
    [
        (replace(MEMBER, email_verified=False), ActorKind.STAFF),
        (replace(MEMBER, email=None), ActorKind.STAFF),
        (replace(MEMBER, email="else@example.com"), ActorKind.STAFF),
        (replace(MEMBER, kind="guest"), ActorKind.GUEST),
        (replace(MEMBER, kind="external"), ActorKind.GUEST),
        (replace(MEMBER, kind="bot"), ActorKind.GUEST),
    ],
)
async def test_everybody_else_is_staff_or_a_guest(directory: Directory, account: ChatAccount, kind: ActorKind) -> None:
    actor = await directory.resolve(account)
    assert (actor.id, actor.kind, actor.email, actor.roles) == ("slack:T1:U1", kind, None, frozenset())
    assert await directory.actor(actor.id) == actor


async def test_a_link_ends_with_what_it_stands_on(directory: Directory, save: Save) -> None:
    await directory.resolve(MEMBER)
    assert (await directory.resolve(replace(MEMBER, email=None))).id == "ada", "not asked again is not taken back"
    assert (await directory.resolve(replace(MEMBER, kind="guest"))).kind is ActorKind.GUEST
    assert (await directory.resolve(replace(MEMBER, email=None))).kind is ActorKind.STAFF
    assert (await directory.resolve(MEMBER)).id == "ada"
    assert (await directory.resolve(replace(MEMBER, email="bao@example.com"))).id == "bao"
    save("people: []")
    assert (await directory.resolve(MEMBER)).kind is ActorKind.STAFF


async def test_rights_are_those_of_this_moment(directory: Directory, save: Save) -> None:
    assert (await directory.resolve(MEMBER)).roles == frozenset()
    save("people: [{id: ada, name: Ada, email: ada@example.com, roles: [agent]}]")
    assert (await directory.resolve(MEMBER)).roles == {"agent"}


async def test_an_account_that_wrote_twice_at_once_is_one(directory: Directory) -> None:
    actors = await asyncio.gather(*(directory.resolve(MEMBER) for _ in range(8)))
    assert {actor.id for actor in actors} == {"ada"}
    assert len(await directory.accounts("ada")) == 1


async def test_ids_from_our_own_tables_are_found_again(directory: Directory) -> None:
    assert (await directory.actor("ada")).kind is ActorKind.PERSON
    assert (await directory.actor("operator")).kind is ActorKind.OPERATOR
    assert (await directory.actor("system:digest")).kind is ActorKind.SYSTEM
    for unknown in ("nobody", "slack:T1:U404"):
        with pytest.raises(UnknownPerson):
            await directory.actor(unknown)


async def test_a_colon_in_a_tenant_makes_no_twin(directory: Directory) -> None:
    one = replace(MEMBER, email=None, tenant="a:b", user="c")
    other = replace(MEMBER, email=None, tenant="a", user="b:c")
    assert (await directory.resolve(one)).id != (await directory.resolve(other)).id


# The rules on their own, against any account

LISTED = {"ada@example.com": Actor(id="ada", name="Ada"), "bao@example.com": Actor(id="bao", name="Bao")}
EMAILS = (
    st.none() | st.sampled_from([*LISTED, "ADA@example.com", "bao@exam\u212aple.com", "x@y.z"]) | st.text(max_size=9)
)
ACCOUNTS = st.builds(
    ChatAccount,
    platform=st.sampled_from(["slack", "teams"]),
    tenant=st.text(max_size=5),
    user=st.text(min_size=1, max_size=5),
    name=st.text(max_size=5),
    email=EMAILS,
    email_verified=st.booleans(),
    kind=st.sampled_from(["member", "guest", "external", "bot"]),
)


@given(st.lists(ACCOUNTS, max_size=6))
def test_no_unverified_email_guest_or_outsider_ever_becomes_a_listed_person(history: list[ChatAccount]) -> None:
    """One account as it changes over time: a listed person is only ever what a verified member's e-mail said."""
    stored: AccountLink | None = None
    earned: str | None = None
    owners: list[tuple[str | None, str | None]] = []
    for seen in history:
        person = owner(seen, stored=stored, by_email=LISTED.get)
        if seen.kind != "member" or (seen.email is not None and not seen.email_verified):
            earned = None
        elif seen.email is not None:
            earned = LISTED[seen.email].id if seen.email in LISTED else None
        owners.append((person, earned))
        stored = link(seen, person_id=person)
    assert [person for person, _ in owners] == [known for _, known in owners]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(account=ACCOUNTS)
async def test_what_a_platform_says_never_gives_roles(account: ChatAccount, directory: Directory) -> None:
    actor = await directory.resolve(account)
    if actor.kind is not ActorKind.PERSON:
        assert actor.roles == frozenset()
        assert ":" in actor.id
    else:
        assert account.kind == "member"


def test_an_address_is_not_opened_by_a_letter_that_folds_into_it() -> None:
    assert folded("\u212aim@example.com") != folded("kim@example.com")
    assert folded("KIM@example.com") == folded("kim@example.com")
