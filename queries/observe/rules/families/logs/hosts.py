"""Which host an error line is about, and which service of the cluster that is."""

import re

from queries.observe.facts.logs import LogLine

_HOST = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/@\"']{1,200}@)?(?P<url>[A-Za-z0-9_.-]{1,253}(?::\d{1,5})?)"
    r"|\blookup (?!(?:failed|failure|error|timed)\b)(?P<lookup>[A-Za-z0-9_.-]{1,253})(?= on |:)"
    r"|\b(?:tcp|udp) (?:[0-9A-Fa-f.:\[\]]{3,60}->)?(?P<dial>[A-Za-z0-9_.-]{1,253}:\d{1,5})"
    r"|\b(?:[Hh]ost ?(?:name)?(?:[=:] ?['\"]?| ['\"(])|(?:to|on|at) host )"
    r"(?P<host>[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){0,8})['\"]?"
    r"|(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|UnknownHostException:) "
    r"(?P<code>[A-Za-z0-9_.-]{1,253}(?::\d{1,5})?)"
    r"|\bserver (?:at|on) ['\"]?(?P<server>[A-Za-z0-9_.-]{1,253}(?::\d{1,5})?)"
    r"|\b(?:upstream|addr|address|peer|target|server)=(?P<key>[A-Za-z0-9_.:-]{1,253})"
    r"|\bconnect to (?P<to>[A-Za-z0-9_.-]{1,253})(?= port \d|/<unresolved>)"
    r"|\bipv4[:#](?P<ip>\d{1,3}(?:\.\d{1,3}){3}:\d{1,5})"
    r"|(?P<pair>\b[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_-]{1,63}){0,8}:\d{2,5})\b"
    r"|resolve '?(?P<resolve>[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,8})"
    r"|(?P<dotted>\b[a-z0-9_-]{1,63}\.[a-z0-9_-]{1,63}\.svc(?:\.[a-z0-9_-]{1,63}){0,3})"
    r"|(?:主机名?|域名|服务|地址)[::=\s]{0,2}(?P<zh>[A-Za-z0-9][A-Za-z0-9_.-]{1,253}(?::\d{1,5})?)",
    re.ASCII,  # a Chinese letter is no part of a name: it ends one
)
#: A time of day, also with its day before it.
_CLOCK = re.compile(r"(?:\d{4}-\d\d-\d\dT)?\d{1,2}:\d\d(?::\d\d)?")
#: A place in a program or in a file of settings: "_ssl.c:1032", "server.go:2087", "default.conf:12".
_SOURCE = re.compile(
    r"(?:\S{0,200}\.)?(?:c|cc|cfg|conf|cpp|cs|ex|go|h|ini|java|js|json|kt|lua|mjs|php|pl|py|rb|rs|scala|toml|ts|tsx|ya?ml)"
    r":\d{1,5}"
)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?")
#: A name before its address; before a bracket only what can be no word: "pg-main (10.1.2.3)", "pg/10.1.2.3".
_NAMED = re.compile(r"(?<![A-Za-z0-9_./-])(?P<name>[A-Za-z][A-Za-z0-9_.-]{0,253})(?P<sure>/|['\"] \()?(?: \()?$")
_NO_WORD = re.compile(r"[0-9._-]")
#: What follows the host of a database in the words of a login; another "host" may be the writer's own.
_OF_LOGIN = re.compile(r" (?:port|user|dbname|database)=")
#: What nginx sent a request to; the host after it is its own: `upstream: "http://shop:80/", host: "a.example"`.
_UPSTREAM = re.compile(r"\bupstream:? \"(?:[a-z]{1,10}://)?(?P<host>[A-Za-z0-9_.-]{1,253}(?::\d{1,5})?)[/\"]")
#: The cluster that Envoy sent a request to: "outbound|8080||quotes.shop.svc.cluster.local".
_MESH = re.compile(r"\boutbound\|(?P<port>\d{1,5})\|[^|\s]{0,100}\|(?P<host>[A-Za-z0-9_.-]{1,253})")
#: Where a person may read about an error.
_TO_READ = re.compile(
    r"(?:background on this error|see(?: also)?|learn more|read more|more (?:info|information|details)|docs"
    r"|documentation|help)(?: at| here| on)?:?\s{1,3}https?://\S{1,500}",
    re.IGNORECASE,
)


def host_of(line: LogLine) -> str:
    """Return the host that a line names, with its port where it says one; "" where it names none.

    A name is told rather than the address that it has; a page to read about an error is no host that is called.
    """
    words = _TO_READ.sub("", line.words[:2000])
    if mesh := _MESH.search(words):
        return f"{mesh['host']}:{mesh['port']}"
    if upstream := _UPSTREAM.search(words):
        return upstream["host"]
    best = address = ""
    for found in _HOST.finditer(words):
        host = next((each for each in found.groupdict().values() if each), "").strip(".:")
        if not host or _CLOCK.fullmatch(host) or _SOURCE.fullmatch(host):
            continue
        if found["lookup"] or (found["host"] and _OF_LOGIN.match(words, found.end())):
            return host
        if address:
            if found["key"] and _of_same_port(host, address):
                return host
        elif _ADDRESS.fullmatch(host):
            address = _name_before(words, found.end(), host) or host
        elif "." in host or ":" in host:
            return host
        else:
            best = best or host
    return address or best


def _name_before(words: str, end: int, address: str) -> str:
    """Return the name that stands before its address, with the port of that: "pg (10.1.2.3:5432)", "pg/10.1.2.3"."""
    start = words.rfind(address, 0, end)
    named = _NAMED.search(words, max(0, start - 256), start)
    if named is None or not (named["sure"] or _NO_WORD.search(named["name"])):
        return ""
    port = address.partition(":")[2]
    return f"{named['name']}:{port}" if port else named["name"]


def _of_same_port(name: str, address: str) -> bool:
    """Return whether a name can be that of an address: it is none itself, and names no other port."""
    port = name.partition(":")[2]
    return not _ADDRESS.fullmatch(name) and port in {"", address.partition(":")[2]}


def service_of(host: str, namespace: str) -> tuple[str, str]:
    """Return the service of the cluster that a host can only be, with its namespace; of any other no service."""
    name, *rest = host.partition(":")[0].split(".")
    inside = len(rest) > 1 and rest[1] == "svc"
    return ("" if rest and not inside else name), (rest[0] if inside else namespace)
