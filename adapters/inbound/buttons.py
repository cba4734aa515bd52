"""What every platform carries in a button of a card and reads when it is pressed. Nothing in it may be trusted."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PressedButton:
    """A button of a card."""

    action: str
    id: str
    nonce: str


@dataclass(frozen=True)
class SaidSuggestion:
    """A suggestion: its words are said by the presser."""

    text: str
