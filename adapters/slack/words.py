"""The few words that the Slack adapter itself says, finished, in one language."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class SlackWords:
    """Titles and buttons of views are at most 24 characters, in every language."""

    loading_title: str  # title of the view that opens at once
    loading: str  # its line, until the form is there
    see_conversation: str  # in place of a form: what followed stands in the conversation
    submit: str
    cancel: str
    close: str
    press_again: str  # a form could not be opened in the few seconds that Slack allows
    not_saved: str  # a form could not be stored: it stays open, nothing typed is lost
    see_direct_message: str  # said where a command was typed: the card waits in the direct message
    shortened: str
    reason_title: str  # title of the form behind 👎
    reason_label: str
    prompts_title: str
    prompts: tuple[tuple[str, str], ...]  # at most four: (title, what is said)


#: The words of a language ("en", "zh"); one that is not known gets the desk's own.
WordsFor = Callable[[str], SlackWords]
