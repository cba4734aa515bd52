"""Secrets in commands and tables that people paste: `--password=x`, `-p x`, `/p:x`, a column "PIN"."""

import itertools
import re
from collections.abc import Iterator

from storage.redaction import names
from storage.redaction.numbers import Span

_VALUE = r"""["']?(?P<value>[^\s"'\u4e00-\u9fff，。；、）]{3,200})"""
_NAMED = re.compile(
    r"(?i:(?<![\w-])(?:--?|/)(?:[a-z]{1,12}[-_])?(?:password|passwd|passphrase|pass|pwd|pw|token|secret|pin|api[-_]?key"
    r"|access[-_]?key|secret[-_]?key|storepass|keypass|requirepass|passin|passout|p(?=:))(?:[=:]|[ \t]{1,3})(?:pass:)?)"
    + _VALUE
)
#: A prose word after an option's name: "the --password option".
_ABOUT_OPTIONS = frozenset("option flag argument parameter switch value setting instead before after then".split())  # noqa: SIM905

_SHORT = re.compile(r"(?<![\w-])-(?P<flag>[pPawk])(?P<gap>[ \t]{0,2})" + _VALUE)
#: Commands whose `-p` (`-P`, `-a`, `-w`) is a password, glued to it or not.
_TAKES = re.compile(
    r"(?i:\b(?:mysql\w*|mariadb\w*|sshpass|(?:docker|podman|registry|az|oc|cf|helm|npm|argocd"
    r"|vault)[ ](?:\w+[ ])?login|mongo\w*"
    r"|7za?|zip|unzip|unrar|rar|winexe|psexec|htpasswd|ldap\w+|redis-cli|ipmitool|keytool|svn|expect|xfreerdp|rdesktop"
    r"|psql|impdp|expdp|sqlcmd|isql|openssl|ftp|ncftp|lftp|smbclient|influx|cqlsh|clickhouse-client|rabbitmqadmin)\b)"
)
#: Commands whose `-p` is something else.
_TAKES_NONE = re.compile(
    r"(?i:\b(?:mkdir|cp|ssh|scp|rsync|docker[ ](?:run|compose)|ps|nmap|pytest|git|tar|lsof|netstat|install|test|read"
    r"|journalctl|kubectl|tmux|perl|prove|iperf\d?|nc|date|touch|make|python\d?|pip|npm|node|java|gcc|serve|uvicorn"
    r"|patch|top|strace|kill|chmod|lp|lpr|print|port|tsc|jest|ls|find|grep|sed|ss|taskset|sudo)\b)"
)
_ACCOUNT = re.compile(
    r"""(?<![\w-])(?:-u|-U|--user|--proxy-user|--userpwd|--login)[= \t]{1,2}["']?(?P<user>[^\s:%"']{1,64})[:%]"""
    r"""(?P<value>[^\s"']{1,200})"""
)
#: "net use Z: \\\\fs1\\share /user:corp\\ada x", "jdbc:oracle:thin:scott/x@db1", "sqlplus scott/x@db1".
_SHARE = re.compile(r"(?i:/user:)[^\s]{1,100}[ \t]{1,2}(?![/\\-])" + _VALUE)
_ORACLE = re.compile(r"(?i:\bthin:|\bsqlplus[ ]|\bsqlldr[ ]|\brman[ ]target[ ])[^\s/:]{1,60}/(?P<value>[^\s/:]{1,64})@")
#: `<add key="DbPassword" value="x"/>`, `echo x | sudo -S`.
_ATTRIBUTE = re.compile(
    r"""(?i:(?:key|name|id)=["'][^"'\n]{0,60}(?:password|passwd|pwd|secret|token|api_?key)["'][ \t]{1,4}value=["'])"""
    r"""(?P<value>[^"'\n]{1,300})"""
)
#: "IDENTIFIED BY 'x'", `ConvertTo-SecureString "x"`, "snmp-server community x", of a wireless network's square code,
#: and of a line of `.pgpass`.
_STATED = re.compile(
    r"(?:(?i:\bidentified[ ](?:with[ ]\S{1,40}[ ])?by|\bconvertto-securestring(?:[ ]-string)?"
    r"|\bsnmp(?:-server)?[ ]community"
    r"(?:[ ]string)?(?:[ ]is)?|\bcommunity[ ]string(?:[ ]is)?)[ ]{1,2}|\bWIFI:[^\n]{0,80}?;P:(?=[^\n]{1,80};)"
    r"|(?<![\w:.-])[\w.-]{1,60}:[0-9]{2,5}:[\w*-]{1,40}:[\w*-]{1,40}:)"
    r"""["']?(?P<value>[^\s"';]{3,100})"""
)
_PIPED = re.compile(
    r"(?i:\becho[ ]{1,2})" + _VALUE + r"""["']?[ ]{0,2}\|[ ]{0,2}(?=(?i:sudo[ ]-S|passwd|chpasswd|docker))"""
)


_STATING = (_SHARE, _ORACLE, _ATTRIBUTE, _STATED, _PIPED)

#: What parts cells; the one that the head has is the table's.
_PARTING = ("|", "\t", ";", ",")
_MOST_ROWS = 500
_RULE = re.compile(r"[\s|:+-]*")


def option_spans(text: str) -> Iterator[Span]:
    """Yield where the secrets of options stand."""
    for found in _NAMED.finditer(text):
        value = found["value"]
        if (
            _can_be(value)
            and value.lower() not in _ABOUT_OPTIONS
            and (not value.isalpha() or names.is_plain_secret(value))
        ):
            yield found.span("value")
    for found in _SHORT.finditer(text):
        if _is_password_of(found, text[max(0, found.start() - 100) : found.start()]):
            yield found.span("value")
    for found in itertools.chain.from_iterable(each.finditer(text) for each in _STATING):
        if _can_be(found["value"]):
            yield found.span("value")
    for found in _ACCOUNT.finditer(text):
        if not found["user"].isdecimal() and not found["value"].startswith("//") and _can_be(found["value"]):
            yield found.span("value")


def _is_password_of(found: re.Match[str], before: str) -> bool:
    line, value = before.rpartition("\n")[2], found["value"]
    if not _can_be(value):
        return False
    if found["flag"] == "k" and not re.search(r"\bopenssl\b", line):
        return False
    if _TAKES.search(line):
        return not value.startswith(("/", "-"))
    if found["flag"] not in "pP" or not found["gap"] or _TAKES_NONE.search(line) or names.THING.fullmatch(value):
        return False
    letters, digits = any(each.isalpha() for each in value), any(each.isdigit() for each in value)
    return letters and digits and not re.search(r"[/\\:=]", value) and len(value) >= 5


def _can_be(value: str) -> bool:
    return not value.startswith("-") and not names.PLACEHOLDER.fullmatch(value.rstrip(".,;)"))


def column_spans(text: str) -> Iterator[Span]:
    """Yield the cells below a head such as `user,password` or `| name | PIN |`, down to the end of the table."""
    lines, at = [], 0
    for line in text.split("\n"):
        lines.append((at, line))
        at += len(line) + 1
    until = 0
    for number, (_, head) in enumerate(lines):
        parting = next((each for each in _PARTING if each in head), None)
        if number < until or parting is None:
            continue
        cells = head.split(parting)
        named = [place for place, cell in enumerate(cells) if names.NAME.fullmatch(cell.strip(" *\"'`"))]
        if not named or len(cells) > 2 * len(named) + 12:
            continue
        for start, row in lines[number + 1 : number + 1 + _MOST_ROWS]:
            if len(row.split(parting)) != len(cells):
                break
            until = max(until, number) + 1
            yield from _cells(row, start, parting, named)


def _cells(row: str, start: int, parting: str, named: list[int]) -> Iterator[Span]:
    if _RULE.fullmatch(row):
        return
    at = start
    for place, cell in enumerate(row.split(parting)):
        value = cell.strip(" *\"'`\r")
        if place in named and len(value) >= 3 and not names.PLACEHOLDER.fullmatch(value):
            begin = at + cell.index(value)
            yield begin, begin + len(value)
        at += len(cell) + 1
