"""What may be asked of a catalogue, as questions in the asker's language."""

from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog


def sample_questions(catalog: Catalog, language: str) -> tuple[str, ...]:
    """Return the sample questions of the metrics in a language, one of each metric first."""
    asked = [
        [question for question in metric.questions if language_of(question) == language]
        for metric in catalog.metrics.values()
    ]
    longest = max(map(len, asked), default=0)
    return tuple(each[turn] for turn in range(longest) for each in asked if turn < len(each))
