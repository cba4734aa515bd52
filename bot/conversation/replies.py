"""Expected errors to words. What is not named here is a failure with a reference."""

from collections.abc import Mapping

from agent.errors import RunNotFound
from features.anatomy.feature import Feature, Phrase
from features.anatomy.reader import Reader
from features.anatomy.spoken import refusal
from identity.errors import Forbidden


class Replies:
    """The words for errors of the engine, and for those that each feature expects."""

    def __init__(self, features: tuple[Feature, ...]) -> None:
        self._phrases: Mapping[type[Exception], Phrase] = {
            RunNotFound: lambda reader, _: refusal(reader.language, "not_yours", ""),
            **{kind: phrase for feature in features for kind, phrase in feature.phrases.items()},
        }
        self.expected: tuple[type[Exception], ...] = (Forbidden, *self._phrases)

    def of(self, error: Exception, reader: Reader, *, guest: bool = False) -> str:
        """Return the words for an error that is one of `expected`; guests cannot be given a right."""
        if isinstance(error, Forbidden):
            return refusal(reader.language, "guest" if guest else error.reason, error.permission)
        kind = next(each for each in type(error).__mro__ if each in self._phrases)
        return self._phrases[kind](reader, error)
