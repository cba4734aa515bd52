"""The log: warnings and errors to the error stream, with secrets taken out whoever wrote them."""

import logging
import time
from collections.abc import Callable

from storage.queue.seldom import Seldom
from storage.redaction.stored import redact

#: Our job runner logs what a job raises; its scheduler would say it again, and complain of jobs that a stop ended.
#: That a node of Elasticsearch is away is one line of its pool; with each try again comes the whole trace.
SAID_ALREADY = ("apscheduler", "elastic_transport.transport")
#: What is logged, too, though it is no warning: whatever collects logs keeps it out of the desk's reach.
WITNESS = "bot.compose.witness"


class RedactingFormatter(logging.Formatter):
    """Formats like any other, then takes secrets out, traces included."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without secrets."""
        return redact(super().format(record))


class RepeatsSeldom(logging.Filter):
    """Lets the same line through once a minute, and a trace of one kind of error at one place, whoever met it.

    A full disk refuses each message at the same place. The next line that is let through says how many were not.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seldom = Seldom(monotonic)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        often = self._seldom.admit((record.name, *_what(record)))
        if often:
            record.msg, record.args = f"{record.getMessage().rstrip()} ({often} times more in between)", ()
        return often is not None


def _what(record: logging.LogRecord) -> tuple[object, ...]:
    """Return what makes two lines the same: their words, or the kind and place of the error that they tell of."""
    kind, _, trace = record.exc_info or (None, None, None)
    if kind is None:
        return (record.getMessage(),)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace else ()
    return (record.msg, kind, *at)


def log_to_stderr(level: int = logging.WARNING) -> None:
    """Send the log to the error stream from this level on."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatsSeldom())
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    for name in SAID_ALREADY:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def log_the_witness() -> None:
    """Log how far the audit reaches, each time that it is noted."""
    logging.getLogger(WITNESS).setLevel(logging.INFO)
