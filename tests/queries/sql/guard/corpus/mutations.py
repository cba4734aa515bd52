"""Make statements out of statements: what attackers do to get one past a guard, and what models do by accident."""

import random
import re
from collections.abc import Callable, Sequence

_WORD = re.compile(r"\w++")
_SPACES = ("/**/", "\n", "\t", " \r\n ", "/* x */", "--\n", "\u00a0", "\u3000", "\v", "/*/**/*/")
_WRAPPED = (
    "({})",
    "SELECT * FROM ({}) AS w",
    "WITH w AS ({}) SELECT * FROM w",
    "SELECT EXISTS ({})",
    "SELECT 1 UNION ALL {}",
    "SELECT * FROM orders WHERE id IN ({})",
    "SELECT (SELECT COUNT(*) FROM ({}) AS w)",
    "WITH orders AS ({}) SELECT * FROM orders",
    "EXPLAIN {}",
    "SELECT 1; {}",
    "{}; SELECT 1",
    "{} LIMIT 5",
    "{} FOR UPDATE",
    "/* {} */ SELECT 1",
    "SELECT '{}'",
    "SELECT $x${}$x$",
)
#: What stands where a value or a condition may stand.
_FRAGMENTS = (
    "salary", "password", "note", "lo_create(0)", "pg_sleep(3)", "(SELECT word FROM vault LIMIT 1)", "1/(id-7)",
    "randomblob(100000000)", "set_config('work_mem','8MB',false)", "nextval('numbers')", "o.erase_order", "p::text",
    "customer LIKE 'Hidden%\\'", "CAST(customer AS INTEGER)", "abs(-9223372036854775807 - (region = 'south'))",
    "(SELECT MAX(customer) FROM orders)", "erase_orders()", "(DELETE FROM lines RETURNING 1)", "'vault'::regclass",
    "pg_notify('canary', 'x')", "pg_advisory_lock(7)", "load_extension('x')", "rowid", "ctid", "*", "orders",
    "(p).password", "EXISTS (SELECT 1 FROM payroll)", "json_extract(customer, '$')",
    'U&"\\0070g_sleep"(3)', '"password"',
)  # fmt: skip


class Mutator:
    """Makes statements from a corpus, the same ones for the same seed."""

    def __init__(self, corpus: Sequence[str], *, seed: int) -> None:
        self._corpus = corpus
        self._random = random.Random(seed)
        self._ways: Sequence[Callable[[str], str]] = (
            self._case, self._space, self._wrap, self._splice, self._put, self._quote, self._escape, self._cut,
            self._double, self._swap,
        )  # fmt: skip

    def statement(self) -> str:
        """Return one more statement, changed one to four times."""
        made = self._random.choice(self._corpus)
        for _ in range(self._random.randint(1, 4)):
            made = self._random.choice(self._ways)(made)[:4_000]
        return made

    def _case(self, text: str) -> str:
        return "".join(self._random.choice((letter.lower(), letter.upper())) for letter in text)

    def _space(self, text: str) -> str:
        return re.sub(r" ", lambda _: self._random.choice((" ", " ", *_SPACES)), text)

    def _wrap(self, text: str) -> str:
        return self._random.choice(_WRAPPED).replace("{}", text)

    def _splice(self, text: str) -> str:
        """Put the end of another statement behind the beginning of this one."""
        other = self._random.choice(self._corpus)
        return text[: self._place(text)] + " " + other[self._place(other) :]

    def _put(self, text: str) -> str:
        """Put a fragment in the place of a word."""
        words = list(_WORD.finditer(text))
        if not words:
            return text
        word = self._random.choice(words)
        return text[: word.start()] + self._random.choice(_FRAGMENTS) + text[word.end() :]

    def _quote(self, text: str) -> str:
        sign = self._random.choice(('"', "'", "`", "\\", "[", "]", ";", "--", "/*", "$$", '""', "''"))
        place = self._place(text)
        return text[:place] + sign + text[place:]

    def _escape(self, text: str) -> str:
        """Write a word between quotes, plain or with a letter escaped."""
        words = list(_WORD.finditer(text))
        if not words:
            return text
        word = self._random.choice(words)
        first = f"\\{ord(word[0][0]):04x}"
        made = self._random.choice((f'"{word[0]}"', f'U&"{first}{word[0][1:]}"', f"[{word[0]}]", f"`{word[0]}`"))
        return text[: word.start()] + made + text[word.end() :]

    def _cut(self, text: str) -> str:
        start, end = sorted((self._place(text), self._place(text)))
        return text[:start] + text[end:]

    def _double(self, text: str) -> str:
        start, end = sorted((self._place(text), self._place(text)))
        return text[:end] + text[start:]

    def _swap(self, text: str) -> str:
        """Put one name of a table or a column in the place of another."""
        names = ("orders", "people", "vault", "payroll", "salary", "note", "customer", "password", "region", "events")
        old, new = self._random.sample(names, 2)
        return re.sub(rf"\b{old}\b", new, text)

    def _place(self, text: str) -> int:
        return self._random.randint(0, len(text))
