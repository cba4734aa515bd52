"""The log: warnings and errors to the error stream, with secrets taken out whoever wrote them."""

import logging

from storage.redaction.stored import redact

#: Our job runner logs what a job raises; its scheduler would say it again, and complain of jobs that a stop ended.
#: That a node of Elasticsearch is away is one line of its pool; with each try again comes the whole trace.
SAID_ALREADY = ("apscheduler", "elastic_transport.transport")


class RedactingFormatter(logging.Formatter):
    """Formats like any other, then takes secrets out, traces included."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without secrets."""
        return redact(super().format(record))


def log_to_stderr(level: int = logging.WARNING) -> None:
    """Send the log to the error stream from this level on."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    for name in SAID_ALREADY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
