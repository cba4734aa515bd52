"""Questions about pages, made from what stands in them in words that differ from the page's own, as people's do."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from language.scripts import is_chinese
from language.sentences import sentences
from language.words import content_words, normalise, synonyms
from search.documents import Document, Section, UnitKind


@dataclass(frozen=True)
class Asked:
    """A question with the page and section that answer it; an empty page for one that nothing answers."""

    text: str
    language: str
    page: str = ""
    section: tuple[str, ...] = ()
    form: str = ""  # how it was made
    says: tuple[str, ...] = ()  # where page and section are not named: what a passage that answers holds one of


_EMPTY = re.compile(
    r"^(?:what'?s next|before you begin|objectives|cleaning up|clean up|examples?|overview|introduction|motivation|"
    r"caveats|notes?|see also|summary|discussion|references?|feedback|limitations|接下来|准备开始|教程|清理|示例|"
    r"介绍|概述|教程目标|背景|动机|限制|讨论)$",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\{\{[<%].*?[%>]\}\}|!?\[([^\]]*)\]\([^)]*\)|[`*_#]+|<[^>]+>")
_VERB = re.compile(
    r"^(?:\w+ing|use|create|define|add|set|run|configure|delete|enable|install|verify|access)\b", re.IGNORECASE
)
_NAMES = (
    "what is {}",
    "{}?",
    "what's {} about",
    "can you tell me about {} please",
    "explain {}",
    "hi, {} - how does that work?",
)
_TASKS = ("how do i {}", "how to {}?", "what do I have to do to {}", "hello, i need to {}, how?", "steps to {}")
_STATED = ("is it true that {}?", "what happens when {}", "why {}", "how does it work: {}", "{}", "does {}?")
_NAMES_CHINESE = ("什么是{}？", "{}是什么意思", "请问{}是怎么回事", "想了解一下{}", "{}？", "介绍一下{}")
_TASKS_CHINESE = ("怎么{}", "如何{}？", "{}怎么弄", "请问怎样{}", "我想{}，怎么办")
_STATED_CHINESE = ("{}吗？", "为什么{}", "{}怎么办", "{}是什么情况", "如果{}会怎样")
_TASK_CHINESE = re.compile(r"^(?:使用|创建|配置|定义|设置|运行|删除|启用|安装|验证|访问|添加|管理|部署|查看|更新)")
_AMOUNT = re.compile(
    r"\b(\d[\d,.]*)\s+(seconds?|minutes?|hours?|days?|weeks?|months?|years?|nodes?|pods?|bytes|characters)\b"
)
_AMOUNT_CHINESE = re.compile(r"(?<![\d.])\d[\d,.]*\s*(?=个|秒|分钟|小时|天|月|年|次|字符|字节)")
_CLAUSE_CHINESE = re.compile(r"[，。；：！？、（）\n]+")
#: Words of a section from which something can be asked of it.
_LEAST_WORDS = 15


class QuestionMaker:
    """Makes questions, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def about(self, documents: Iterable[Document], *, each: int) -> Iterator[Asked]:
        """Yield up to `each` questions about each page; none about headings that several pages have."""
        pages = sorted(documents, key=lambda document: document.path)
        known = Counter(normalise(section.heading) for page in pages for section in page.root.walk())
        for page in pages:
            usable = [section for section in page.root.walk() if _is_usable(section, known)]
            for section in self._random.sample(usable, min(each, len(usable))):
                chinese = is_chinese(_text(section))
                made = self._chinese(page, section) if chinese else self._english(page, section)
                if made is not None:
                    form, text = made
                    yield Asked(text, "zh" if chinese else "en", page.path, section.path, form)

    def _english(self, page: Document, section: Section) -> tuple[str, str] | None:
        form = self._random.choice(("heading", "heading", "sentence", "sentence", "amount"))
        said = _sentences(section)
        if form == "amount":
            amounts = [sentence for sentence in said if _AMOUNT.search(sentence)]
            if amounts:
                return form, self._amount(self._random.choice(amounts))
            form = "heading"
        if form == "sentence" and said:
            words = self._random.choice(said).rstrip(".:").split()
            start = self._random.randrange(max(1, len(words) - 7))
            window = self._fewer(words[start : start + self._random.randint(6, 11)], 0.25)
            phrase = " ".join(self._reworded(window)).strip(" ,;:.()").lower()
            return (
                ("sentence", self._random.choice(_STATED).format(phrase)) if len(content_words(phrase)) >= 3 else None
            )
        heading = _plain(section.heading or page.title)
        words = self._reworded(self._fewer(heading.split(), 0.15) if len(heading.split()) > 3 else heading.split())
        if len(content_words(heading)) < 2:
            words += ["in", *_plain(page.title).split()]
        phrase = " ".join(words).lower()
        if _VERB.match(phrase):
            return "heading", self._random.choice(_TASKS).format(_imperative(phrase))
        return "heading", self._random.choice(_NAMES).format(phrase)

    def _amount(self, sentence: str) -> str:
        found = _AMOUNT.search(sentence)
        unit = found[2] if found else ""
        rest = _AMOUNT.sub("", sentence)
        words = self._fewer(rest.rstrip(".:").split(), 0.3)[:12]
        kind = "how long" if re.match(r"sec|min|hour|day|week|month|year", unit) else f"how many {unit}"
        return f"{kind} {' '.join(self._reworded(words)).lower()}?"

    def _chinese(self, page: Document, section: Section) -> tuple[str, str] | None:
        form = self._random.choice(("heading", "heading", "sentence", "sentence", "amount"))
        clauses = [part.strip() for part in _CLAUSE_CHINESE.split(_text(section)) if 6 <= len(part.strip()) <= 26]
        clauses = [part for part in clauses if is_chinese(part)]
        amounts = [part for part in clauses if _AMOUNT_CHINESE.search(part)]
        if form == "amount" and amounts:
            return form, _AMOUNT_CHINESE.sub("多少", self._random.choice(amounts)) + "？"
        if form == "sentence" and clauses:
            return form, self._random.choice(_STATED_CHINESE).format(self._cut(self._random.choice(clauses)))
        heading = _plain(section.heading or page.title)
        if len(heading) < 4:
            heading = f"{_plain(page.title)}的{heading}"
        tasks = _TASK_CHINESE.match(heading)
        return "heading", self._random.choice(_TASKS_CHINESE if tasks else _NAMES_CHINESE).format(self._cut(heading))

    def _fewer(self, words: Sequence[str], share: float) -> list[str]:
        return [word for word in words if self._random.random() >= share]

    def _reworded(self, words: Sequence[str]) -> list[str]:
        """Replace some words by another of the same meaning, where one is known."""
        return [self._other(word) if self._random.random() < 0.35 else word for word in words]

    def _other(self, word: str) -> str:
        others = sorted(other for other in synonyms(word.lower()) if other.isalpha() and len(other) > 3)
        return self._random.choice(others) if others else word

    def _cut(self, text: str) -> str:
        """Leave two characters of a longer Chinese text out."""
        if len(text) < 8 or self._random.random() < 0.4:
            return text
        at = self._random.randrange(len(text) - 2)
        return text[:at] + text[at + 2 :]


def _is_usable(section: Section, known: Counter[str]) -> bool:
    text = _text(section)
    words = len(text) / 2 if is_chinese(text) else len(text.split())
    unique = known[normalise(section.heading)] <= 1 or not section.heading
    return unique and words >= _LEAST_WORDS and not _is_empty(section)


def _is_empty(section: Section) -> bool:
    return _EMPTY.match(section.heading.strip()) is not None


def _text(section: Section) -> str:
    prose = (unit.text for unit in section.units if unit.kind in (UnitKind.PARAGRAPH, UnitKind.LIST))
    return _plain("\n".join(prose))


def _sentences(section: Section) -> list[str]:
    text = _text(section)
    found = (text[start:end].strip() for start, end in sentences(text, (0, len(text))))
    return [sentence for sentence in found if 6 <= len(sentence.split()) <= 40]


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda found: found[1] or "", text).split())


def _imperative(phrase: str) -> str:
    first, _, rest = phrase.partition(" ")
    if not first.endswith("ing"):
        return phrase
    base = first.removesuffix("ing")
    base = base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sl" else base
    return f"{base} {rest}"
