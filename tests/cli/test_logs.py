"""What is logged holds no secrets."""

import logging

import pytest

from bot.cli.running.logs import RedactingFormatter, RepeatsSeldom


def test_secrets_are_taken_out_of_messages_and_traces() -> None:
    secret = "ghp_" + "a1B2" * 9
    with pytest.raises(ValueError, match="invalid literal") as caught:
        int(secret)
    trace = (caught.type, caught.value, caught.tb)
    record = logging.LogRecord("bot", logging.ERROR, __file__, 1, "token %s", (secret,), trace)

    line = RedactingFormatter("%(message)s").format(record)

    assert "ValueError" in line
    assert secret not in line


def test_one_error_at_one_place_is_written_once_a_minute_and_then_how_often() -> None:
    clock = [0.0]
    seldom = RepeatsSeldom(lambda: clock[0])

    def met(words: str) -> tuple[bool, str]:
        with pytest.raises(ValueError, match="invalid literal") as caught:
            int(words)
        trace = (caught.type, caught.value, caught.tb)
        record = logging.LogRecord("bot", logging.ERROR, __file__, 1, "event %s failed", (words,), trace)
        return seldom.filter(record), record.getMessage()

    assert [met(f"full-{number}")[0] for number in range(300)] == [True] + [False] * 299
    clock[0] = 61.0
    assert met("later") == (True, "event later failed (299 times more in between)")
    plain = logging.LogRecord("bot", logging.WARNING, __file__, 1, "no trace", (), None)
    assert [seldom.filter(plain) for _ in range(3)] == [True, False, False]
