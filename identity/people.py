"""Who is known: what may stand in people.yaml, chat accounts, and the rules by which one belongs to a person."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from identity.actor import LANGUAGES, Actor, ActorKind
from identity.errors import PeopleFileInvalid

AccountKind = Literal["member", "guest", "external", "bot"]


@dataclass(frozen=True)
class ChatAccount:
    """An account as its platform vouches for it right now."""

    platform: str
    tenant: str
    user: str
    name: str
    email: str | None = None
    email_verified: bool = False
    kind: AccountKind = "member"
    language: str | None = None

    @property
    def actor_id(self) -> str:
        """Return `platform:tenant:user`; a colon in a tenant is written `%3A`, so that two never look the same."""
        return f"{self.platform}:{self.tenant.replace(':', '%3A')}:{self.user}"


@dataclass(frozen=True)
class AccountLink:
    """What is stored of an account, and the person that it belongs to."""

    platform: str
    tenant: str
    user: str
    actor_id: str
    person_id: str | None
    kind: str
    name: str
    email: str | None
    language: str | None


def folded(email: str) -> str:
    """Return an e-mail as it is compared.

    Only ASCII letters are folded: Unicode folds the Kelvin sign to `k`, which would open a listed address to others.
    """
    return email.lower() if email.isascii() else email


def owner(account: ChatAccount, *, stored: AccountLink | None, by_email: Callable[[str], Actor | None]) -> str | None:
    """Return the id of the listed person whose account it is: by the verified e-mail of a full member, or not at all.

    An account that comes without any e-mail keeps the link that a verified one made, while it stays a full member.
    """
    if account.kind != "member":
        return None
    if account.email is not None:
        person = by_email(account.email) if account.email_verified else None
        return None if person is None else person.id
    return stored.person_id if stored is not None and stored.kind == "member" else None


def link(account: ChatAccount, *, person_id: str | None) -> AccountLink:
    """Return what is to be stored of an account."""
    return AccountLink(
        platform=account.platform,
        tenant=account.tenant,
        user=account.user,
        actor_id=person_id or account.actor_id,
        person_id=person_id,
        kind=account.kind,
        name=account.name,
        email=account.email,
        language=account.language,
    )


def unlisted(known: AccountLink) -> Actor:
    """Return the actor of an account that belongs to nobody in people.yaml: staff for full members, else a guest."""
    account = ChatAccount(known.platform, known.tenant, known.user, known.name)
    return Actor(
        id=account.actor_id,
        name=known.name,
        kind=ActorKind.STAFF if known.kind == "member" else ActorKind.GUEST,
        tenant=f"{known.platform}:{known.tenant}",
        language=known.language if known.language in LANGUAGES else LANGUAGES[0],
    )


def _known_timezone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError("write a time zone such as Europe/Berlin") from error
    return name


#: Ids never hold a colon (`slack:T1:U1` is an account, `system:digest` a job).
PersonId = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Email = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, pattern=r"^[^\s@]+@[^\s@]+$")]
Label = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=100, pattern=r"^\S(.*\S)?$")]
RESERVED = frozenset({"operator"})


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: PersonId
    name: Label
    email: Email | None = None
    language: Literal["en", "zh"] = "en"
    timezone: Annotated[str, AfterValidator(_known_timezone)] = "UTC"
    location: Label | None = None
    phone: Label | None = None
    groups: tuple[Label, ...] = ()
    units: tuple[Label, ...] = ()
    roles: tuple[Label, ...] = ()

    def actor(self) -> Actor:
        return Actor(
            id=self.id,
            name=self.name,
            email=self.email,
            language=self.language,
            timezone=self.timezone,
            location=self.location or "",
            phone=self.phone or "",
            groups=frozenset(self.groups),
            units=frozenset(self.units),
            roles=frozenset(self.roles),
        )


#: What to do about a wrong field, or a kind of mistake.
ADVICE = {
    "id": "write a short id of letters, digits, dots, dashes and underscores; in quotes when it is only digits",
    "name": "write the name as people read it; in quotes when it is only digits",
    "email": "write an address such as ada@example.com",
    "language": "write en or zh",
    "timezone": "write a time zone such as Europe/Berlin",
    "location": "write where they work, such as Rotterdam 2.14; in quotes when it is only digits",
    "phone": 'write a telephone number in quotes, such as "+31 10 555 0155"',
    "groups": "write a list of names, such as [it, berlin]",
    "units": "write a list of names, such as [sales]",
    "roles": "write a list of names, such as [agent]",
    "extra_forbidden": f"no such field; remove it, or use one of {', '.join(_Entry.model_fields)}",
    "model_type": "begin the entry with `- id: …` and put its other fields below",
}


def actors(document: object, *, path: Path) -> tuple[Actor, ...]:
    """Return the people of a parsed people.yaml in its order; raise `PeopleFileInvalid` for the first wrong entry."""
    if document is None:
        return ()
    if not isinstance(document, dict) or set(document) - {"people"}:
        raise PeopleFileInvalid(f"{path}: the file has to hold one list under `people:` and nothing else")
    entries = document.get("people") or []
    if not isinstance(entries, list):
        raise PeopleFileInvalid(f"{path}: `people:` has to be a list, each entry beginning with `- id: …`")
    found = tuple(_entry(entry, number=number, path=path) for number, entry in enumerate(entries, start=1))
    _refuse_twins(found, path=path)
    return found


def _entry(entry: object, *, number: int, path: Path) -> Actor:
    named = f"entry {number}"
    if isinstance(entry, dict) and "id" in entry:
        named += f" (id {entry['id']!r})"
    try:
        actor = _Entry.model_validate(entry).actor()
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        field = str(problem["loc"][0]) if problem["loc"] else ""
        advice = ADVICE.get(field) or ADVICE.get(problem["type"]) or f"{problem['msg']}. Correct it."
        raise PeopleFileInvalid(f"{path}: {named}: {field or 'entry'}: {advice}") from error
    if actor.id in RESERVED:
        raise PeopleFileInvalid(f"{path}: {named}: this id is taken by dutydesk itself. Choose another one.")
    return actor


def _refuse_twins(found: tuple[Actor, ...], *, path: Path) -> None:
    seen: dict[str, str] = {}
    for number, actor in enumerate(found, start=1):
        emails = [] if actor.email is None else [folded(actor.email)]
        for value in (actor.id, *emails):
            if value in seen:
                raise PeopleFileInvalid(
                    f"{path}: entry {number} (id {actor.id!r}): {value} stands in {seen[value]} already. "
                    "Remove one of the two."
                )
        for value in (actor.id, *emails):
            seen[value] = f"entry {number}"
