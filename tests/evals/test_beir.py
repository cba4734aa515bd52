"""Corpora as others make them: what is taken, what is remarked upon, and what is refused with a line that helps."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from evals.beir import Corpus, CorpusInvalid, load_corpus
from evals.command import command

DOCUMENTS = {"d1": "Paper jams are cleared from the back.", "d2": "A session ends after twelve hours."}
QUESTIONS = {"q1": "paper jam", "q2": "how long is a session"}
JUDGED = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"


def texts(those: Mapping[str, str]) -> str:
    return "".join(json.dumps({"_id": name, "text": text}) + "\n" for name, text in those.items())


def write(folder: Path, **contents: str | bytes) -> Path:
    """Write a corpus; a content given by the name of its file takes the place of the usual one."""
    usual = {"corpus.jsonl": texts(DOCUMENTS), "queries.jsonl": texts(QUESTIONS), "qrels/test.tsv": JUDGED}
    (folder / "qrels").mkdir(parents=True)
    for name, content in {**usual, **contents}.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def asked(corpus: Corpus) -> dict[str, dict[str, float]]:
    return {question.id: dict(corpus.relevant[question.id]) for question in corpus.questions}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", "\ufeff" + texts(DOCUMENTS)),
        ("corpus.jsonl", texts(DOCUMENTS).replace("\n", "\r\n\r\n")),
        ("corpus.jsonl", texts(DOCUMENTS).replace('"text"', '"metadata": {"url": "x"}, "lang": null, "text"')),
        ("queries.jsonl", "\ufeff" + texts(QUESTIONS)),
        ("qrels/test.tsv", "\ufeff" + JUDGED.replace("\n", "\r\n")),
        ("qrels/test.tsv", "\n" + JUDGED),
        ("qrels/test.tsv", JUDGED.partition("\n")[2]),
        ("qrels/test.tsv", "q1 0 d1 1\nq2 Q0 d2 1"),
        ("qrels/test.tsv", "q1\t0 d1\t1\nq2\t0 d2\t1"),
        ("qrels/test.tsv", JUDGED.replace("\t1\n", "\t1.0\n")),
        ("qrels/test.tsv", JUDGED + "q1\td2\t0\nq2\td1\t-1\n"),
    ],
)
def test_files_may_be_written_in_many_ways(tmp_path: Path, name: str, content: str) -> None:
    corpus = load_corpus(write(tmp_path / "set", **{name: content}))

    assert asked(corpus) == {"q1": {"d1": 1}, "q2": {"d2": 1}}
    assert [(each.id, each.text) for each in corpus.documents] == list(DOCUMENTS.items())
    assert corpus.remarks == ()


def test_files_may_be_packed(tmp_path: Path) -> None:
    folder = write(tmp_path / "set")
    for file in [*folder.glob("*.jsonl"), *folder.glob("qrels/*.tsv")]:
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()

    assert asked(load_corpus(folder)) == {"q1": {"d1": 1}, "q2": {"d2": 1}}
    (folder / "corpus.jsonl.gz").write_bytes(b"not packed")
    with pytest.raises(CorpusInvalid, match="cannot be unpacked"):
        load_corpus(folder)


def test_a_split_is_named_or_is_test_or_the_only_one(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", **{"qrels/dev.tsv": "q1\td2\t1", "qrels/train.tsv": "q2\td1\t1"})

    assert asked(load_corpus(folder)) == {"q1": {"d1": 1}, "q2": {"d2": 1}}
    assert asked(load_corpus(folder, split="dev")) == {"q1": {"d2": 1}}
    with pytest.raises(CorpusInvalid, match=r"validation.tsv is missing.*there are dev, test, train"):
        load_corpus(folder, split="validation")
    (folder / "qrels" / "test.tsv").unlink()
    with pytest.raises(CorpusInvalid, match="there are dev, train"):
        load_corpus(folder)
    (folder / "qrels" / "dev.tsv").unlink()
    assert asked(load_corpus(folder)) == {"q2": {"d1": 1}}


def test_what_does_not_fit_together_is_remarked_upon(tmp_path: Path) -> None:
    contents = {
        "corpus.jsonl": texts(DOCUMENTS) + texts({"d2": "Twelve hours.", "d3": " "}),
        "queries.jsonl": texts(QUESTIONS) + texts({"q1": "paper", "q4": "not judged"}),
        "qrels/test.tsv": JUDGED + "q1\tgone\t2\nq9\td1\t1\nq2\td1\t0\nq4\td1\t0\n",
    }
    corpus = load_corpus(write(tmp_path / "set", **contents))

    assert asked(corpus) == {"q1": {"d1": 1, "gone": 2}, "q2": {"d2": 1}}
    assert {each.id: each.text for each in corpus.documents}["d2"] == "Twelve hours."
    assert corpus.questions[0].text == "paper"
    assert corpus.remarks == (
        "set: documents passed over for a later one of the same id in corpus.jsonl: 1",
        "set: questions passed over for a later one of the same id in queries.jsonl: 1",
        "set: documents without title and text, never found: 1",
        "set: relevant documents that are not in corpus.jsonl, counted as not found: 1",
        "set: judged questions that are not in queries.jsonl, not asked: 1",
        "set: judged questions without a relevant document, not asked: 1",
    )


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("corpus.jsonl", "", "corpus.jsonl is empty"),
        ("corpus.jsonl", "{'_id': 1}", "corpus.jsonl, line 1: an object with _id and text is wanted"),
        ("corpus.jsonl", b"\xff\xfe{", "corpus.jsonl is no UTF-8 text"),
        ("corpus.jsonl", texts({"1": "x"}), "no judged document of test.tsv is in corpus.jsonl: 'd1' there, '1' here"),
        ("queries.jsonl", texts({"1": "x"}), "no question of test.tsv is in queries.jsonl: 'q1' there, '1' here"),
        ("qrels/test.tsv", "", "test.tsv: no grade is above 0"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t0", "test.tsv: no grade is above 0"),
        ("qrels/test.tsv", JUDGED + "q1\td1\n", "test.tsv, line 4: question, document and grade are wanted"),
    ],
)
def test_what_is_no_corpus_is_refused(tmp_path: Path, name: str, content: str | bytes, told: str) -> None:
    with pytest.raises(CorpusInvalid, match=told):
        load_corpus(write(tmp_path / "set", **{name: content}))


def test_odd_texts_are_indexed_and_words_alone_need_no_vectors(tmp_path: Path) -> None:
    odd = {
        "d1": "half \ud83d of a character, a NUL \0 and paper jams",
        "../d2": "one\rtwo\r\n\r\nsession\u2028hours",
        "d3": "",
        "d4 \ud83d": "# \n\n|a|\n\n```",
    }
    judged = "q1\td1\t1\nq2\t../d2\t1\n"
    questions = {"q1": "paper jams", "q2": "session hours", "q3": ""}
    contents = {"corpus.jsonl": texts(odd), "queries.jsonl": texts(questions), "qrels/test.tsv": judged + "q3\td3\t1"}
    folder = write(tmp_path / "set", **contents)
    arguments = ["retrieval", "--corpus", str(folder), "--json", "--keep", str(tmp_path / "not" / "there")]
    by_words = CliRunner().invoke(command, [*arguments, "--mode", "bm25"])
    all_modes = CliRunner().invoke(command, arguments)

    assert by_words.exit_code == all_modes.exit_code == 0, f"{by_words.output}{all_modes.output}"
    assert "documents without title and text" in by_words.stderr
    told = {**json.loads(all_modes.stdout), "bm25 alone": json.loads(by_words.stdout)["bm25"]}
    assert set(told) == {"bm25", "dense", "hybrid", "bm25 alone"}
    for mode in ("bm25", "hybrid", "bm25 alone"):
        assert told[mode]["mrr@10"] == pytest.approx(2 / 3, abs=1e-4), mode
