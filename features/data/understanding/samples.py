"""What may be asked of a metric, as questions in the asker's language."""

from language.scripts import language_of
from queries.sql.catalog.catalog import Metric


def sample_questions(metric: Metric, language: str) -> tuple[str, ...]:
    """Return the sample questions of a metric in a language."""
    return tuple(question for question in metric.questions if language_of(question) == language)
