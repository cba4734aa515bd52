"""Retrieval on a judged corpus: what is measured, and what a folder must hold."""

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from evals.beir import CorpusInvalid, load_corpus
from evals.command import command
from evals.retrieval import ndcg, recall, reciprocal_rank
from search.config import ElasticsearchConfig
from tests.fixtures.elasticsearch import Generations

DOCUMENTS = {
    "d1": ("Printers", "Paper jams are cleared from the back of the printer."),
    "d2": ("VPN", "A session ends after twelve hours and error PPR-9087 is shown."),
    "d3": ("Parking", "Visitors leave their car on deck four."),
}
QUESTIONS = {"q1": ("PPR-9087", "d2"), "q2": ("where do guests put their automobile", "d3")}


def write(folder: Path, *, heading: bool = True) -> Path:
    (folder / "qrels").mkdir(parents=True)
    documents = (json.dumps({"_id": name, "title": title, "text": text}) for name, (title, text) in DOCUMENTS.items())
    (folder / "corpus.jsonl").write_text("\n".join(documents))
    questions = (json.dumps({"_id": name, "text": text}) for name, (text, _) in QUESTIONS.items())
    (folder / "queries.jsonl").write_text("\n".join([*questions, json.dumps({"_id": "q3", "text": "not judged"})]))
    lines = [f"{name}\t{found}\t1" for name, (_, found) in QUESTIONS.items()]
    if heading:
        lines.insert(0, "query-id\tcorpus-id\tscore")
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines))
    return folder


@pytest.mark.parametrize("heading", [True, False])
def test_a_corpus_is_read_with_its_judged_questions(tmp_path: Path, *, heading: bool) -> None:
    corpus = load_corpus(write(tmp_path / "small", heading=heading))

    assert [each.id for each in corpus.questions] == ["q1", "q2"]
    assert corpus.relevant == {"q1": {"d2": 1}, "q2": {"d3": 1}}
    assert len(corpus.documents) == 3


def test_ids_may_be_paths_with_spaces_and_grades_may_differ(tmp_path: Path) -> None:
    folder = tmp_path / "paths"
    (folder / "qrels").mkdir(parents=True)
    named = ("guides/set up/vpn.md", "指南/打印机.md")
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps({"_id": name, "text": "x"}) for name in named))
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q 1", "text": "x"}))
    lines = ("query-id\tcorpus-id\tscore", f"q 1\t{named[0]}\t2", f"q 1\t{named[1]}\t1", "q 1\tgone.md\t0")
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines))

    assert load_corpus(folder).relevant == {"q 1": {named[0]: 2, named[1]: 1}}


@pytest.mark.parametrize(
    ("broken", "content", "told"),
    [
        ("corpus.jsonl", None, "corpus.jsonl is missing"),
        ("corpus.jsonl", "{}", "corpus.jsonl, line 1: an object with _id and text is wanted"),
        ("corpus.jsonl", '{"_id": "d9", "text": "x"}', "no judged document of test.tsv is in corpus.jsonl"),
        ("queries.jsonl", "[1]", "queries.jsonl, line 1"),
        ("qrels/test.tsv", "q1 d2 yes\nq1 d2 maybe", "test.tsv, line 2: question, document and grade are wanted"),
        ("qrels/test.tsv", None, "test.tsv is missing, the file of judgements"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said(tmp_path: Path, broken: str, content: str | None, told: str) -> None:
    folder = write(tmp_path / "small")
    if content is None:
        (folder / broken).unlink()
    else:
        (folder / broken).write_text(content)

    with pytest.raises(CorpusInvalid, match=told):
        load_corpus(folder)
    run = CliRunner().invoke(command, ["retrieval", "--corpus", str(folder)])
    assert run.exit_code == 1
    assert told.split(":", maxsplit=1)[0] in run.output


def test_the_measures_are_those_of_the_field() -> None:
    ranked, grades = ["a", "b", "c", "d"], {"b": 2, "d": 1, "z": 1}
    gained = 2 / math.log2(3) + 1 / math.log2(5)
    best = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)

    assert ndcg(ranked, grades, at=10) == pytest.approx(gained / best)
    assert recall(ranked, grades, at=3) == pytest.approx(1 / 3)
    assert reciprocal_rank(ranked, grades, at=10) == pytest.approx(1 / 2)
    assert reciprocal_rank(ranked, grades, at=1) == 0


@given(
    grades=some.dictionaries(some.sampled_from("abcdefgh"), some.integers(1, 3), min_size=1),
    ranked=some.permutations("abcdefgh"),
    at=some.integers(1, 8),
)
def test_no_order_is_better_than_the_best(grades: dict[str, int], ranked: list[str], at: int) -> None:
    best = sorted(grades, key=lambda document: -grades[document])

    assert ndcg(best, grades, at=at) == pytest.approx(1)
    for measure in (ndcg, recall, reciprocal_rank):
        assert 0 <= measure(ranked, grades, at=at) <= 1 + 1e-9


def test_the_modes_of_a_small_corpus_are_told_for_programs(tmp_path: Path) -> None:
    folder, kept = write(tmp_path / "small"), tmp_path / "kept"
    run = CliRunner().invoke(
        command, ["retrieval", "--corpus", str(folder), "--keep", str(kept), "--mode", "hybrid", "--json"]
    )
    told = json.loads(run.stdout)

    assert run.exit_code == 0, run.output
    assert set(told) == {"hybrid"}
    assert told["hybrid"]["ndcg@10"] == 1
    assert told["hybrid"]["recall@3"] == 1
    again = CliRunner().invoke(command, ["retrieval", "--corpus", str(folder), "--keep", str(kept)])
    assert [line.split()[0] for line in again.stdout.splitlines()] == ["mode", "bm25", "dense", "hybrid"]


def test_a_corpus_without_titles_texts_or_latin_letters_is_measured(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    (folder / "qrels").mkdir(parents=True)
    documents: list[dict[str, object]] = [
        {"_id": "a/打印.md", "title": "", "text": "# 打印机\n\n卡纸时打开后盖。\n\n## 墨盒\n\n墨盒在二楼领取。"},
        {"_id": "a/vpn.md", "title": None, "text": "会话十二小时后断开，显示 PPR-9087。"},
        {"_id": "b/only-a-title.md", "title": "停车场在四楼", "text": ""},
        {"_id": "b/other.md", "text": "食堂十一点开门。"},
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    asked = {"q1": "墨盒在哪里领取", "q2": "PPR-9087", "q3": "停车场"}
    (folder / "queries.jsonl").write_text("\n".join(json.dumps({"_id": i, "text": t}) for i, t in asked.items()))
    found = {"q1": "a/打印.md", "q2": "a/vpn.md", "q3": "b/only-a-title.md"}
    (folder / "qrels" / "test.tsv").write_text("\n".join(f"{i}\t{d}\t1" for i, d in found.items()))
    run = CliRunner().invoke(command, ["retrieval", "--corpus", str(folder), "--json"])
    told = json.loads(run.stdout)

    assert run.exit_code == 0, run.output
    assert told["bm25"]["mrr@10"] == told["hybrid"]["mrr@10"] == 1
    assert told["hybrid"]["questions"] == 3


def test_a_corpus_is_measured_on_a_cluster_and_nothing_is_left_of_it(
    tmp_path: Path, elasticsearch_config: ElasticsearchConfig, generations: Generations
) -> None:
    folder = write(tmp_path / "small")
    environment = {
        f"DUTYDESK_SEARCH__ELASTICSEARCH__{name.upper()}": getattr(elasticsearch_config, name)
        for name in ("url", "prefix", "username")
    }
    environment["DUTYDESK_SEARCH__ELASTICSEARCH__PASSWORD"] = elasticsearch_config.password.get_secret_value()
    asked = ["retrieval", "--corpus", str(folder), "--index", "elasticsearch", "--json"]
    run = CliRunner().invoke(command, asked, env=environment)

    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["hybrid"]["ndcg@10"] == 1
    assert generations(elasticsearch_config) == []


def test_without_a_cluster_none_is_measured(tmp_path: Path) -> None:
    asked = ["retrieval", "--corpus", str(write(tmp_path / "small")), "--index", "elasticsearch"]
    run = CliRunner().invoke(command, asked)

    assert run.exit_code == 1
    assert "no cluster is set" in run.output
