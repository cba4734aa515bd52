"""A link signs one browser in, once."""

import asyncio

import pytest
from sqlalchemy import select

from identity.actor import Actor, local_operator
from identity.audit import AuditTrail
from identity.errors import Forbidden, SignInRefused
from identity.sign_in import Session, SignIn
from identity.tables import SessionTable, SignInLinkTable
from storage.clock import ManualClock
from storage.database import Database


@pytest.fixture
def sign_in(database: Database, clock: ManualClock) -> SignIn:
    return SignIn(database, clock)


async def refusal(sign_in: SignIn, token: str) -> str:
    with pytest.raises(SignInRefused) as caught:
        await sign_in.redeem(token)
    return caught.value.reason


async def test_a_link_gives_a_session(sign_in: SignIn, ada: Actor) -> None:
    session = await sign_in.redeem(await sign_in.link(ada))
    assert session.actor_id == "ada"
    assert await sign_in.session(session.token) == session
    assert session.csrf != session.token


async def test_a_link_works_once(sign_in: SignIn, ada: Actor) -> None:
    token = await sign_in.link(ada)
    await sign_in.redeem(token)
    assert await refusal(sign_in, token) == "used"


async def test_a_link_that_two_browsers_open_at_once_works_in_one(sign_in: SignIn, ada: Actor) -> None:
    token = await sign_in.link(ada)
    results = await asyncio.gather(*(sign_in.redeem(token) for _ in range(16)), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Session"] + ["SignInRefused"] * 15


async def test_a_link_expires(sign_in: SignIn, ada: Actor, clock: ManualClock) -> None:
    token = await sign_in.link(ada, minutes=15)
    clock.advance(15 * 60)
    assert await refusal(sign_in, token) == "expired"


@pytest.mark.parametrize("forged", ["", "x", "A" * 44, "' OR 1=1 --"])
async def test_a_made_up_link_is_refused(sign_in: SignIn, ada: Actor, forged: str) -> None:
    await sign_in.link(ada)
    assert await refusal(sign_in, forged) == "unknown"
    assert await sign_in.session(forged) is None


async def test_the_token_of_a_link_is_no_cookie_and_a_cookie_is_no_link(sign_in: SignIn, ada: Actor) -> None:
    token = await sign_in.link(ada)
    assert await sign_in.session(token) is None
    session = await sign_in.redeem(token)
    assert await refusal(sign_in, session.token) == "unknown"


async def test_a_session_ends_when_told_and_by_itself(sign_in: SignIn, ada: Actor, clock: ManualClock) -> None:
    first, second = [await sign_in.redeem(await sign_in.link(ada)) for _ in range(2)]
    await sign_in.end(first.token)
    await sign_in.end(first.token)
    assert await sign_in.session(first.token) is None
    assert isinstance(await sign_in.session(second.token), Session)
    clock.advance(12 * 3600)
    assert await sign_in.session(second.token) is None
    assert await sign_in.prune() == 3


async def test_guests_get_no_link(sign_in: SignIn, gus: Actor) -> None:
    with pytest.raises(Forbidden):
        await sign_in.link(gus)


async def test_no_token_is_kept(database: Database, sign_in: SignIn, ada: Actor) -> None:
    token = await sign_in.link(ada)
    session = await sign_in.redeem(token)
    async with database.reading() as reading:
        links = list((await reading.execute(select(SignInLinkTable.token_hash))).scalars())
        cookies = list((await reading.execute(select(SessionTable.token_hash))).scalars())
    assert token not in links
    assert session.token not in cookies


async def test_every_sign_in_and_refusal_is_on_record(
    database: Database, sign_in: SignIn, ada: Actor, clock: ManualClock
) -> None:
    token = await sign_in.link(ada)
    session = await sign_in.redeem(token)
    await refusal(sign_in, token)
    await refusal(sign_in, "made-up")
    await sign_in.end(session.token)
    entries = await AuditTrail(database, clock).entries(local_operator(), actor_id="ada")
    assert [(entry.action, entry.allowed, entry.reason) for entry in reversed(entries)] == [
        ("sign_in.link", True, "own"),
        ("sign_in", True, "own"),
        ("sign_in", False, "used"),
        ("sign_out", True, "own"),
    ]
