"""What may stand in people.yaml, and the actors that it makes."""

from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from identity.accounts import folded
from identity.actor import Actor
from identity.errors import PeopleFileInvalid


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
