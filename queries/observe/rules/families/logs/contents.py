"""What logs hold that must not be shown, or not be followed."""

import re
from collections.abc import Iterator

from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.logs import LogLine
from queries.observe.report.report import Role, Severity
from queries.observe.rules.families.logs.templates import is_read_twice, mentions
from queries.observe.rules.finding import Outcome, RuleFinding
from storage.redaction.stored import redact

_SAID_TO_ASSISTANT = re.compile(
    r"ignore (?:all |any |the )?(?:previous|prior|above|earlier) (?:instructions?|prompts?|messages?)"
    r"|disregard (?:all |any |the )?(?:previous|prior|above|earlier)|\b(?:system|developer) prompt\b"
    r"|you are (?:now )?(?:an?|the|our|my) (?:[\w-]{1,20} ){0,3}(?:ai|assistant)\b"
    r"|(?:ai|note to|dear|hello) assistants?\b|\bassistants?[:,] |\bas an ai\b|<\|(?:im_start|system)\|>|\[/?INST\]"
    r"|忽略(?:以上|之前|前面|所有|上述)[^\n]{0,12}(?:指令|指示|提示)|无视(?:以上|之前|前面|所有)[^\n]{0,12}(?:指令|指示)",
    re.IGNORECASE,
)


_SAID_PARTS = (
    "ignore",
    "disregard",
    "prompt",
    "assistant",
    "as an ai",
    "an ai",
    "im_start",
    "system|",
    "inst]",
    "忽略",
    "无视",
)


def secret_in_log(facts: ClusterFacts) -> Iterator[Outcome]:
    """SECRET_IN_LOG: a log prints what looks like credentials."""
    for log in facts.logs:
        showing = [line for line in log.lines if _may_hold_secret(line.raw) and redact(line.raw) != line.raw]
        if showing and not (log.previous and is_read_twice(facts, log)):
            values = {
                "count": str(len(showing)),
                "where": log.origin.object,
                "pod": log.pod,
                "container": log.container,
            }
            yield RuleFinding(
                rule="SECRET_IN_LOG",
                object=log.origin.object,
                severity=Severity.S3,
                role=Role.CONTEXT,
                evidence=(log.cite(showing[0], count=len(showing), first=showing[0].at, last=showing[-1].at),),
                values=values,
                pod=log.pod,
                family=("log", log.origin.object),
            )


#: One of these stands in a line that holds a secret of a known kind.
_HINTS = (
    "passw", "pwd", "secret", "token", "bearer", "basic ", "api_key", "api-key", "apikey", "credential",
    "private key", "://", "akia", "asia", "eyj", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "glpat",
    "xox", "xapp", "sk-", "sk_", "rk_", "pk_", "whsec", "aiza", "hf_", "sg.", "npm_", "dckr_", "pypi-", "ltai",
    "akid", "hvs.", "hvb.", "sig=", "cookie", "authorization", "_key", "-key", "ya29", "gocspx", "sq0", "shp",
    "dop_", "atatt", "dapi", "nrak", "密码", "令牌", "密钥", "口令",
)  # fmt: skip


def _may_hold_secret(raw: str) -> bool:
    """Return whether the whole look is worth its time; what is kept is always redacted, whatever this says."""
    return mentions(raw, _HINTS)


def said_to_assistant(line: LogLine) -> re.Match[str] | None:
    """Return the words of a line that are addressed to an assistant: such a line is evidence of nothing else."""
    return _SAID_TO_ASSISTANT.search(line.raw) if mentions(line.raw, _SAID_PARTS) else None


def log_injection(facts: ClusterFacts) -> Iterator[Outcome]:
    """LOG_INJECTION_SUSPECTED: text in the data is addressed to an assistant; it is told of, and never followed."""
    for log in facts.logs:
        hits = [(line, found) for line in log.lines if (found := said_to_assistant(line)) is not None]
        if hits and not (log.previous and is_read_twice(facts, log)):
            line, found = hits[0]
            cited = log.cite(
                LogLine(line.at, line.level, levelled=line.levelled, words="", raw=found[0]), count=len(hits)
            )
            yield RuleFinding(
                rule="LOG_INJECTION_SUSPECTED",
                object=log.origin.object,
                severity=Severity.S0,
                role=Role.CONTEXT,
                evidence=(cited,),
                values={"count": str(len(hits)), "where": log.origin.object},
                pod=log.pod,
                family=("log", log.origin.object),
            )
