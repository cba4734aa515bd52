"""What the lines of many programs tell of: an answer, a name, a certificate, another error, none; and of which host."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from queries.observe.facts.logs import LogLine, read_log
from queries.observe.reading import LogRead
from queries.observe.rules.families.logs.certificates import certificate_of
from queries.observe.rules.families.logs.hosts import host_of
from queries.observe.rules.families.logs.lines import no_answer_of, no_name_of

LINES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "lines_of_programs.yaml").read_text("utf-8"))


def _read(written: str) -> LogLine:
    read = LogRead(lines=(f"2026-11-20T09:57:01.000000Z {written}",), request="", sha256="", cut=False)
    return read_log("shop-0", "shop", read).lines[0]


def _says(line: LogLine) -> str:
    if not line.bad:
        return "none"
    told = (("certificate", certificate_of), ("name", no_name_of), ("answer", no_answer_of))
    return next((name for name, says in told if says(line)), "other")


@pytest.mark.parametrize("case", LINES, ids=lambda each: each["line"][:40])
def test_a_line_says_what_failed_and_of_whom(case: dict[str, Any]) -> None:
    line = _read(case["line"])
    assert _says(line) == case["says"]
    if "host" in case:
        assert host_of(line) == case["host"]


@pytest.mark.parametrize(
    "words",
    [
        "price lookup failed: connection refused",
        "Failed to connect to any host resolved for DNS name.",
        'time="2026-11-20T09:57:01Z" level=error msg="connection refused"',
        "[emerg] 1#1: connection refused in /etc/nginx/conf.d/default.conf:12",
    ],
)
def test_a_time_a_file_and_a_word_are_no_hosts(words: str) -> None:
    assert host_of(_read(words)) == ""
