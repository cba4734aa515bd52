"""What is said in a conversation, and what the person must read then: from YAML, checked before anything runs."""

from pathlib import Path
from typing import Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evals.cases import CasesInvalid

#: What a message is: each kind has a figure of its own.
Kind = Literal["ask", "follow_up", "unknown", "report", "mixed", "control", "alarm", "chat"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Turn(_Part):
    """One message or press, and what must be read then.

    Each of `reads` must stand in what is newly shown, none of `never` may; ` | ` stands between words of which one
    suffices. `{ticket}` is the number that was shown last.
    """

    kind: Kind = "ask"
    say: str = ""
    press: str = ""  # the label of a button that is shown
    by: str = ""  # who does it where it is not the conversation's own person; in a thread of their own
    ends: tuple[str, ...] = ()  # outcomes of which one must come
    reads: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    unjudged: bool = False  # it only leads to the next one

    @model_validator(mode="after")
    def _does_one_thing(self) -> Self:
        if bool(self.say) is bool(self.press):
            raise ValueError("a turn has `say` or `press`")
        if not (self.unjudged or self.ends or self.reads or self.never):
            raise ValueError("a turn tells what must come (`ends`, `reads`, `never`), or is `unjudged`")
        return self


class Conversation(_Part):
    """What one person says in one thread."""

    by: str = Field(alias="as")
    turns: tuple[Turn, ...] = Field(min_length=1)


class ConversationFile(_Part):
    """A file of conversations; `name` picks its thresholds, `pages` and `people` stand beside it."""

    name: str = Field(min_length=1)
    pages: str = "pages"
    people: str = "people.yaml"
    conversations: tuple[Conversation, ...] = Field(min_length=1)


def load_conversations(path: Path) -> ConversationFile:
    """Return the conversations of a file; raise `CasesInvalid` with one line per wrong turn."""
    try:
        return ConversationFile.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, yaml.YAMLError) as error:
        raise CasesInvalid(f"{path}: cannot be read ({error}).") from error
    except ValidationError as error:
        wrong = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise CasesInvalid("\n".join(f"{path}: {line}" for line in wrong)) from error
