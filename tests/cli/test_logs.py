"""What is logged holds no secrets."""

import logging

import pytest

from bot.cli.running.logs import RedactingFormatter


def test_secrets_are_taken_out_of_messages_and_traces() -> None:
    secret = "ghp_" + "a1B2" * 9
    with pytest.raises(ValueError, match="invalid literal") as caught:
        int(secret)
    trace = (caught.type, caught.value, caught.tb)
    record = logging.LogRecord("bot", logging.ERROR, __file__, 1, "token %s", (secret,), trace)

    line = RedactingFormatter("%(message)s").format(record)

    assert "ValueError" in line
    assert secret not in line
