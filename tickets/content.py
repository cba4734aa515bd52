"""What a draft holds, made safe to keep and checked against the configuration: pure rules."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

from identity.actor import Actor
from storage.ids import digest
from storage.redaction.stored import redact
from tickets.config import BUILT_IN_FIELDS, FieldConfig, FieldKind, TicketsConfig
from tickets.errors import FieldProblem, Invalid
from tickets.ticket import Priority

#: Characters that reorder what stands around them; a title must read as it is stored.
_DIRECTION = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
#: Line ends that are not "\n".
_LINE_ENDS = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\x85": "\n", "\x0b": "\n", "\x0c": "\n"})


def clean_line(text: str) -> str:
    """Return one line: control characters gone, runs of white space as one space, secrets redacted."""
    return redact(" ".join(_printable(text).split()))


def clean_paragraph(text: str) -> str:
    """Return a text that keeps its lines, with at most one empty line in a row, secrets redacted."""
    lines: list[str] = []
    for line in _printable(text).split("\n"):
        stripped = line.rstrip()
        if stripped or (lines and lines[-1]):
            lines.append(stripped)
    return redact("\n".join(lines).strip())


def _printable(text: str) -> str:
    unified = text.replace("\r\n", "\n").replace("\r", "\n").translate(_LINE_ENDS)
    return "".join(character for character in unified if _kept(character))


def _kept(character: str) -> bool:
    if character in "\n\t":
        return True
    # Cc: control; Cs: half a surrogate pair, which no database encoding can hold
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in _DIRECTION


@dataclass(frozen=True)
class Content:
    """The part of a draft or ticket that its requester writes."""

    category: str
    title: str
    description: str
    priority: Priority
    fields: Mapping[str, str]

    @property
    def digest(self) -> str:
        """Return the digest by which the same request said twice is known; case and white space do not count."""
        said = [self.category, self.title, self.description, *(f"{k}={v}" for k, v in sorted(self.fields.items()))]
        return digest([" ".join(part.casefold().split()) for part in said])


EMPTY = Content(category="", title="", description="", priority=Priority.NORMAL, fields={})


def revised(content: Content, changes: Mapping[str, str], config: TicketsConfig) -> Content:
    """Return the content with changes applied, cleaned and redacted; raise `Invalid` that names every problem."""
    problems: list[FieldProblem] = []
    for name, value in changes.items():
        outcome = _apply(content, name, value, config)
        if isinstance(outcome, FieldProblem):
            problems.append(outcome)
        else:
            content = outcome
    if problems:
        raise Invalid(*problems)
    return content


def missing(content: Content, config: TicketsConfig) -> tuple[str, ...]:
    """Return the names of required parts that are still empty, in the order in which to ask for them."""
    absent = [name for name, value in (("category", content.category), ("title", content.title)) if not value]
    required = config.required_fields(content.category, about=f"{content.title}\n{content.description}")
    absent.extend(name for name in required if not content.fields.get(name))
    if content.category and content.category not in config.categories:
        absent.insert(0, "category")  # the operator has removed it since
    return tuple(absent)


#: Words that say where something is: what the directory knows of somebody's place is not meant then.
_SAYS_WHERE = re.compile(
    r"\b(?:in|at|on|near|behind|outside|inside|beside|next to|opposite|above|below|under) (?:the |our |a |an |my )?"
    r"(?!(?:time|case|general|fact|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|"
    r"march|april|may|june|"
    r"july|august|september|october|november|december|order|work|screen|page|minutes?|hours?|days?|weeks?|it|"
    r"that|all|least|once|"
    r"first|last|laptop|computer|phone|mail|excel|word|outlook|teams|error|login|it's|top|hold|fire|purpose|me|"
    r"him|her)\b)[\w-]+|"
    r"在(?!线|处理|使用|用|等|运行|打|登|申)|[楼层室房门厅]|号(?:病床|床|桌|台)",
    re.IGNORECASE,
)


def known_of(actor: Actor, category: str, config: TicketsConfig, *, about: str = "") -> dict[str, str]:
    """Return what the directory knows of the fields that a category requires: nobody is asked for that.

    `about`: what somebody wrote; where it says a place, their own place is not taken for it.
    """
    place = "" if _SAYS_WHERE.search(about) else actor.location
    profile = {"location": place, "contact": actor.phone or actor.email or "", "phone": actor.phone}
    return {name: profile[name] for name in config.required_fields(category) if profile.get(name)}


def _apply(content: Content, name: str, value: str, config: TicketsConfig) -> Content | FieldProblem:
    match name:
        case "category":
            return _category(content, value, config)
        case "priority":
            return _priority(content, value)
        case "title":
            title = clean_line(value)
            return _too_long(name, title, config.title_chars) or replace(content, title=title)
        case "description":
            description = clean_paragraph(value)
            return _too_long(name, description, config.description_chars) or replace(content, description=description)
        case _:
            return _field(content, name, value, config)


def _category(content: Content, value: str, config: TicketsConfig) -> Content | FieldProblem:
    wanted = clean_line(value).casefold()
    if not wanted:
        return replace(content, category="")
    for name, category in config.categories.items():
        if wanted in (name.casefold(), category.labels.en.casefold(), category.labels.zh.casefold()):
            return replace(content, category=name)
    return FieldProblem("category", "unknown_category", allowed=tuple(config.categories))


def _priority(content: Content, value: str) -> Content | FieldProblem:
    wanted = clean_line(value).casefold()
    if wanted in set(Priority):
        return replace(content, priority=Priority(wanted))
    return FieldProblem("priority", "unknown_priority", allowed=tuple(Priority))


def _field(content: Content, name: str, value: str, config: TicketsConfig) -> Content | FieldProblem:
    field = config.fields.get(name)
    if field is None:
        return FieldProblem(name, "unknown_field", allowed=(*BUILT_IN_FIELDS, *config.fields))
    cleaned = clean_paragraph(value) if field.kind is FieldKind.PARAGRAPH else clean_line(value)
    if not cleaned:
        return replace(content, fields={k: v for k, v in content.fields.items() if k != name})
    if problem := _too_long(name, cleaned, field.max_length):
        return problem
    if field.kind is FieldKind.CHOICE:
        chosen = _chosen(field, cleaned)
        if chosen is None:
            return FieldProblem(name, "not_a_choice", allowed=tuple(choice.value for choice in field.choices))
        cleaned = chosen
    return replace(content, fields={**content.fields, name: cleaned})


def _chosen(field: FieldConfig, text: str) -> str | None:
    return next((choice.value for choice in field.choices if choice.answers_to(text)), None)


def _too_long(name: str, text: str, limit: int) -> FieldProblem | None:
    return FieldProblem(name, "too_long", limit=limit) if len(text) > limit else None
