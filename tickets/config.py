"""What an operator may decide about tickets, checked when it is read.

`TicketsConfig` is the whole truth that the service works with; `TicketsOverrides` is what `dutydesk.toml` may
say under `[tickets]`: only what differs from the built-in catalogue.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tickets.ticket import Priority

#: The categories and fields that the desk starts with, as an operator would write them in `dutydesk.toml`.
_CATALOGUE = tomllib.loads((Path(__file__).parent / "catalogue.toml").read_text(encoding="utf-8"))
#: Parts of a draft that are always there; a configured field may not take these names.
BUILT_IN_FIELDS = ("category", "title", "description", "priority")
#: A channel as the console names it: slack:C0123456, or nothing.
CHANNEL = r"^([a-z]{1,32}:\S{1,300})?$"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class FieldKind(StrEnum):
    """How a field is asked for."""

    TEXT = "text"
    PARAGRAPH = "paragraph"
    CHOICE = "choice"


class Labels(BaseModel):
    """One name in every language of the desk; Chinese falls back to English."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: str = Field(min_length=1, max_length=80)
    zh: str = Field(default="", max_length=80)

    def of(self, language: str) -> str:
        """Return the name in that language."""
        return self.zh if language == "zh" and self.zh else self.en


class Keywords(BaseModel):
    """Words that point to a category, for the brain that reads without a language model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()

    def of(self, language: str) -> tuple[str, ...]:
        """Return the words of that language."""
        return self.zh if language == "zh" else self.en


def _labels(value: Any) -> Any:
    """Take a plain string as the English label."""
    return {"en": value} if isinstance(value, str) else value


class Choice(BaseModel):
    """One value of a choice field; in the file a plain string is enough."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: str = Field(min_length=1, max_length=80)
    labels: Annotated[Labels, BeforeValidator(_labels)]

    @model_validator(mode="before")
    @classmethod
    def _plain_string(cls, value: Any) -> Any:
        return {"value": value, "labels": value} if isinstance(value, str) else value

    def answers_to(self, text: str) -> bool:
        """Return whether a text names this choice: by value or by label, in any language and case."""
        return text.casefold() in {name.casefold() for name in (self.value, self.labels.en, self.labels.zh) if name}


class FieldConfig(BaseModel):
    """A field that tickets may carry beside title and description."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labels: Annotated[Labels, BeforeValidator(_labels)]
    kind: FieldKind = FieldKind.TEXT
    choices: tuple[Choice, ...] = ()
    max_length: int = Field(default=200, ge=1, le=4_000)
    needless: Keywords = Keywords()  # words of matters that it is not asked for, whatever the category requires

    def is_needless(self, about: str) -> bool:
        """Return whether a matter does not need it, by the words that somebody wrote."""
        plain = about.casefold()
        english = any(re.search(rf"\b{re.escape(word.casefold())}\b", plain) for word in self.needless.en)
        return english or any(word.casefold() in plain for word in self.needless.zh)

    @model_validator(mode="after")
    def _choices_fit(self) -> Self:
        if self.kind is FieldKind.CHOICE and len(self.choices) < 2:
            raise ValueError('kind is "choice": list at least two choices, such as choices = ["yes", "no"]')
        if self.kind is not FieldKind.CHOICE and self.choices:
            raise ValueError(f'choices are listed but kind is "{self.kind}": set kind = "choice" or drop the choices')
        if repeated := _repeated(choice.value for choice in self.choices):
            raise ValueError(f"the choice {repeated!r} is listed twice: keep one of them")
        return self


class CategoryConfig(BaseModel):
    """A kind of request: what it is called, what must be known before it is filed, what points to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labels: Annotated[Labels, BeforeValidator(_labels)]
    required: tuple[str, ...] = ()
    keywords: Keywords = Keywords()
    channel: str = Field(default="", pattern=CHANNEL)  # told of new and urged tickets
    group: str = Field(default="", max_length=100)  # its people are told of them, where no channel is


def _default_categories() -> dict[str, CategoryConfig]:
    return {name: CategoryConfig.model_validate(said) for name, said in _CATALOGUE["categories"].items()}


def _default_fields() -> dict[str, FieldConfig]:
    return {name: FieldConfig.model_validate(said) for name, said in _CATALOGUE["fields"].items()}


def _default_overdue() -> dict[Priority, float]:
    return {Priority.URGENT: 4, Priority.HIGH: 24, Priority.NORMAL: 72, Priority.LOW: 336}


class TicketsConfig(BaseModel):
    """Categories, fields and limits of the ticket service."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    categories: Mapping[str, CategoryConfig] = Field(default_factory=_default_categories)
    fields: Mapping[str, FieldConfig] = Field(default_factory=_default_fields)
    draft_days: int = Field(default=7, ge=1, le=365)
    overdue_hours: Mapping[Priority, float] = Field(default_factory=_default_overdue)  # from filing to its end
    urge_cooldown_s: int = Field(default=3_600, ge=0)
    duplicate_window_s: int = Field(default=60, ge=0)  # same person, same content: one ticket
    prefix: str = Field(default="TCK", pattern=r"^[A-Z]{2,10}$")
    title_chars: int = Field(default=200, ge=20, le=500)
    description_chars: int = Field(default=8_000, ge=200, le=40_000)
    comment_chars: int = Field(default=4_000, ge=200, le=40_000)
    channel: str = Field(default="", pattern=CHANNEL)
    group: str = Field(default="", max_length=100)

    def channel_of(self, category: str) -> str:
        """Return the channel that is told of new and urged tickets of a category, "" for none."""
        known = self.categories.get(category)
        return (known.channel if known else "") or self.channel

    def group_of(self, category: str) -> str:
        """Return the group whose people are told of new and urged tickets of a category, "" for none."""
        known = self.categories.get(category)
        return (known.group if known else "") or self.group

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.categories:
            raise ValueError("no category is left: keep at least one under [tickets.categories]")
        _check_names("categories", self.categories)
        _check_names("fields", self.fields)
        for name in BUILT_IN_FIELDS:
            if name in self.fields:
                raise ValueError(f"every ticket has {name!r} already: give [tickets.fields.{name}] another name")
        for name, category in self.categories.items():
            self._check_required(name, category)
        return self

    def _check_required(self, name: str, category: CategoryConfig) -> None:
        for wanted in category.required:
            if wanted not in self.fields:
                known = ", ".join(self.fields) or "none"
                raise ValueError(
                    f"category {name!r} requires the field {wanted!r}, which does not exist: "
                    f"define [tickets.fields.{wanted}] or use one of: {known}"
                )
        if repeated := _repeated(category.required):
            raise ValueError(f"category {name!r} requires {repeated!r} twice: list it once")

    def required_fields(self, category: str, *, about: str = "") -> tuple[str, ...]:
        """Return what must be known for a category beside title and description; nothing for an unknown one.

        `about`: what somebody wrote; a field that such a matter does not need is left out.
        """
        known = self.categories.get(category)
        return tuple(name for name in known.required if not self.fields[name].is_needless(about)) if known else ()


class CategoryOverride(BaseModel):
    """What the file says about a category: parts left out stay as they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = True
    labels: Annotated[Labels | None, BeforeValidator(_labels)] = None
    required: tuple[str, ...] | None = None
    keywords: Keywords | None = None
    channel: str | None = Field(default=None, pattern=CHANNEL)
    group: str | None = None


class FieldOverride(BaseModel):
    """What the file says about a field: parts left out stay as they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labels: Annotated[Labels | None, BeforeValidator(_labels)] = None
    kind: FieldKind | None = None
    choices: tuple[Choice, ...] | None = None
    max_length: int | None = None
    needless: Keywords | None = None


class TicketsOverrides(BaseModel):
    """The `[tickets]` part of `dutydesk.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    categories: Mapping[str, CategoryOverride] = Field(
        default_factory=dict, description="Categories, by name: what differs from those built in"
    )
    fields: Mapping[str, FieldOverride] = Field(
        default_factory=dict, description="Fields, by name: what differs from those built in"
    )
    draft_days: int | None = Field(default=None, description="Days that a draft waits; built in: 7")
    overdue_hours: Mapping[Priority, float] | None = Field(
        default=None,
        description="Hours after which a ticket that is not ended counts as open too long, by priority; built in: "
        "urgent 4, high 24, normal 72, low 336",
    )
    urge_cooldown_s: int | None = Field(default=None, description="Seconds between two urges; built in: 3600")
    duplicate_window_s: int | None = Field(
        default=None, description="Seconds in which the same words are one ticket; built in: 60"
    )
    prefix: str | None = Field(default=None, description="First part of ticket numbers; built in: TCK")
    title_chars: int | None = Field(default=None, description="Longest title, in characters; built in: 200")
    description_chars: int | None = Field(
        default=None, description="Longest description, in characters; built in: 8000"
    )
    comment_chars: int | None = Field(default=None, description="Longest comment, in characters; built in: 4000")

    channel: str | None = Field(
        default=None,
        pattern=CHANNEL,
        description="Channel that is told of new and urged tickets (slack:C0123456); a category may have its own",
    )
    group: str | None = Field(
        default=None,
        description="Group of people.yaml whose members are told of new and urged tickets where no channel is; "
        "a category may have its own",
    )

    def over(self, base: TicketsConfig) -> TicketsConfig:
        """Return `base` with what the file says laid over it, checked as a whole; raise pydantic's ValidationError."""
        merged = base.model_dump()
        merged.update(self.model_dump(exclude={"categories", "fields", "overdue_hours"}, exclude_none=True))
        merged["overdue_hours"].update(self.overdue_hours or {})
        for name, field in self.fields.items():
            merged["fields"][name] = _laid_over("field", name, merged["fields"], field)
        for name, category in self.categories.items():
            if category.enabled:
                merged["categories"][name] = _laid_over("category", name, merged["categories"], category)
            else:
                merged["categories"].pop(name, None)
        return TicketsConfig.model_validate(merged)


def _laid_over(what: str, name: str, base: Mapping[str, Any], override: BaseModel) -> dict[str, Any]:
    said = override.model_dump(exclude={"enabled"}, exclude_none=True)
    if name not in base and "labels" not in said:
        raise ValueError(f'{what} {name!r} is new and needs a name: add labels = {{ en = "…", zh = "…" }}')
    return {**base.get(name, {}), **said}


def _check_names(where: str, names: Iterable[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"[tickets.{where}.{name}]: a name is lower-case letters, digits and _, starting with a letter"
            )


def _repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
