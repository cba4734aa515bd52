"""One search: both legs, the words' frequencies and what stayed hidden, in one request."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from language.spelling import SHORTEST, corrected, may_be_misspelt
from search.access import Scope
from search.indexes.elasticsearch.commits.counting import ABROAD, CHUNK, WINDOW, lacking
from search.indexes.elasticsearch.commits.reader import Answer, Answers, Body, HeadReader, HeadView, hits
from search.indexes.elasticsearch.documents.documents import key_of, plain
from search.indexes.elasticsearch.documents.mapping import WEIGHTED_FIELDS, vector_field
from search.indexes.elasticsearch.documents.queries import Clause, access, access_alone_only, all_of, count
from search.indexes.port import ALONE_DEPTH, Candidate, IndexQuery, Leg, LegFindings

#: A pasted page is no question; the terms beyond are not looked for.
_MOST_TERMS = 64
#: How far down a leg the count of hidden passages looks.
_HIDDEN_DEPTH = 10
#: Vectors that the graph is searched for beyond those that are wanted: more find more, and cost more.
_CANDIDATES = 1.5
_SUGGESTIONS = 20
#: Hits are read from columns alone: with their ids, each would have to be unpacked with all that is stored of it.
_COLUMNS = {"stored_fields": "_none_", "track_total_hits": False}
_KEY = {**_COLUMNS, "docvalue_fields": ["version", "number"]}
_ALLOW = {**_COLUMNS, "docvalue_fields": ["allow", "source"]}

Bodies = dict[str, Body]


@dataclass(frozen=True)
class Searching:
    """Asks through a reader."""

    reader: HeadReader

    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        """Return each leg's best candidates among what the scope allows."""
        terms = question.terms[:_MOST_TERMS]
        found = await self._asked(question, terms, scope)
        meant = await self._corrections(found, scope)
        if meant:
            found = await self._asked(question, tuple(dict.fromkeys((*terms, *meant.values()))), scope)
        return found.findings(question, scope, meant) if found else _nothing(question)

    async def _asked(self, question: IndexQuery, terms: Sequence[str], scope: Scope) -> "_Found | None":
        names: list[str] = []

        def bodies(view: HeadView) -> Sequence[Body]:
            named = _bodies(question, terms, scope, view)
            names[:] = named
            return tuple(named.values())

        answers = await self.reader.ask(bodies)
        return _Found(tuple(terms), answers, dict(zip(names, answers.each, strict=True))) if answers else None

    async def _corrections(self, found: "_Found | None", scope: Scope) -> dict[str, str]:
        """Return for words that no permitted chunk holds the word that was probably meant."""
        unknown = found.unknown() if found else ()
        if not unknown:
            return {}
        answers = await self.reader.ask(lambda _: ({"size": 0, "suggest": {word: _near(word) for word in unknown}},))
        near = _suggested(answers.each[0]) if answers else {}
        if not any(near.values()):
            return {}
        others = sorted({other for each in near.values() for other in each})
        counted = await self.reader.ask(lambda view: (_counting(others, view, scope),))
        known = _frequencies(counted.each[0], others) if counted else {}
        choices = {word: [(other, known[other]) for other in each if known.get(other)] for word, each in near.items()}
        return {word: meant for word, each in choices.items() if (meant := corrected(word, each))}


@dataclass(frozen=True)
class _Found:
    terms: tuple[str, ...]
    answers: Answers
    named: Mapping[str, Answer]

    def unknown(self) -> tuple[str, ...]:
        """Return the words that no chunk holds that may be read, and that may be misspelt."""
        return tuple(term for term, count in self.frequencies().items() if not count and may_be_misspelt(term))

    def frequencies(self) -> dict[str, int]:
        """Return in how many chunks each term stands."""
        return _frequencies(self.named["terms"], self.terms) if "terms" in self.named else {}

    def findings(self, question: IndexQuery, scope: Scope, meant: Mapping[str, str]) -> LegFindings:
        """Return what the port promises."""
        head = self.answers.view.head
        legs: dict[Leg, tuple[Candidate, ...]] = {}
        if question.terms:
            legs["bm25"] = self._candidates("bm25", "bm25", question.depth)
        served = question.model in ("", head.model)
        if question.vector is not None and served:
            legs["dense"] = self._candidates("dense", "dense", question.depth)
        alone = {leg: self._candidates(leg, f"{leg} alone", ALONE_DEPTH) for leg in legs}
        return LegFindings(
            legs=legs,
            alone={leg: candidates for leg, candidates in alone.items() if candidates},
            hidden=self._hidden(scope),
            frequencies=self.frequencies(),
            corrections=dict(meant),
            total=self._total(),
            vectors_share=self._share(served=served),
        )

    def _share(self, *, served: bool) -> float:
        """Return how many of the windows that were asked for have their vector: the head counts those of one kind."""
        head, counted = self.answers.view.head, self.named.get("abroad")
        windows, waiting = head.windows, head.waiting
        if counted is not None:
            windows, waiting = int(counted["hits"]["total"]["value"]), count(counted, "waiting")
        return served * (1 - waiting / windows) if windows else 1.0

    def _candidates(self, leg: Leg, name: str, depth: int) -> tuple[Candidate, ...]:
        """Return the chunks of the named hits of a leg, best first; a chunk counts by its best window."""
        best: dict[tuple[int, int], float] = {}
        for found in hits(self.named.get(name, {})):
            (version,), (number,) = found["fields"]["version"], found["fields"]["number"]
            score = float(found["_score"])
            best.setdefault((version, number), 2 * score - 1 if leg == "dense" else score)
        index = self.answers.view.index
        return tuple(
            Candidate(key=key_of(index, f"{version}.{number}"), document=str(version), score=score)
            for (version, number), score in list(best.items())[:depth]
        )

    def _total(self) -> int:
        """Return how many chunks may be read."""
        counted = self.named.get("total")
        return self.answers.view.head.chunks if counted is None else int(counted["hits"]["total"]["value"])

    def _hidden(self, scope: Scope) -> int:
        """Count what stands above the tenth allowed passage and is not allowed."""
        seen = hidden = 0
        for found in hits(self.named.get("best", {})):
            listed = found.get("fields", {})
            if scope.opens("".join(listed.get("source", ())), listed.get("allow", ())):
                seen += 1
            elif seen < _HIDDEN_DEPTH:
                hidden += 1
        return min(hidden, _HIDDEN_DEPTH)


def _nothing(question: IndexQuery) -> LegFindings:
    legs: dict[Leg, tuple[Candidate, ...]] = {}
    if question.terms:
        legs["bm25"] = ()
    if question.vector is not None:
        legs["dense"] = ()
    return LegFindings(legs=legs, frequencies=dict.fromkeys(question.terms, 0))


def _bodies(question: IndexQuery, terms: Sequence[str], scope: Scope, view: HeadView) -> Bodies:
    """Return what is asked at one commit, by name; a leg with nothing to look for is left out."""
    clauses = _permitted(view, scope)
    named: Bodies = {}
    if terms:
        named["terms"] = _counting(terms, view, scope)
        named["bm25"] = _lexical(terms, clauses, size=question.depth)
    if _readable(question, view):
        named["dense"] = _dense(question, clauses, view, size=question.depth)
        if len(clauses) > 1 and not terms:
            named["best"] = {**_dense(question, clauses[:1], view, size=_HIDDEN_DEPTH), **_ALLOW}
    if len(clauses) > 1 and terms:
        named["best"] = _best(terms, view)
    if scope.narrowed:
        kept_out = (clauses[0], *access_alone_only(scope))
        if terms:
            named["bm25 alone"] = _lexical(terms, kept_out, size=ALONE_DEPTH)
        if _readable(question, view):
            named["dense alone"] = _dense(question, kept_out, view, size=ALONE_DEPTH)
    if question.abroad:
        waiting = {"waiting": {"filter": lacking(view.head.model)}}
        query = all_of(view.head.visible(), ABROAD)
        named["abroad"] = {"size": 0, "query": query, "aggs": waiting, "track_total_hits": True}
    if len(clauses) > 1:
        named["total"] = {"size": 0, "query": all_of(*clauses, CHUNK), "track_total_hits": True}
    return named


def _permitted(view: HeadView, scope: Scope) -> Sequence[Clause]:
    """Return the filter for what may be read; the first clause is that for what is there at all."""
    return (view.head.visible(), *access(scope))


def _readable(question: IndexQuery, view: HeadView) -> bool:
    """Say whether the question's vector can be compared with those of the index."""
    head, vector = view.head, question.vector
    if vector is None or not head.windows or question.model not in ("", head.model):
        return False
    return len(vector) == head.dimensions and bool(vector.any())


def _lexical(terms: Iterable[str], clauses: Sequence[Clause], *, size: int) -> Body:
    """Return BM25 over all fields as one: scores of separate fields added up did harm where it was measured."""
    words = {"combined_fields": {"query": " ".join(terms), "fields": WEIGHTED_FIELDS}}
    return {"query": {"bool": {"must": [words], "filter": list(clauses)}}, "size": size, **_KEY}


def _dense(question: IndexQuery, clauses: Sequence[Clause], view: HeadView, *, size: int) -> Body:
    """Return the search for the nearest windows; the filter is inside, so that it takes nothing from what is found."""
    assert question.vector is not None  # noqa: S101 - for the type checker
    head = view.head
    wanted = size * min(3, -(-head.windows // max(head.chunks, 1)))
    return {
        "knn": {
            "field": vector_field(head.dimensions),
            "query_vector": plain(question.vector),
            "k": wanted,
            "num_candidates": round(wanted * _CANDIDATES),
            "filter": [*clauses, ABROAD if question.abroad else WINDOW, {"term": {"model": head.model}}],
        },
        "size": wanted,
        **_KEY,
    }


def _best(terms: Iterable[str], view: HeadView) -> Body:
    """Return the question for what the words find best whoever may read it: only counted, so a coarse order will do."""
    words = {"match": {"words": " ".join(terms)}}
    query = {"bool": {"must": [words], "filter": [view.head.visible()]}}
    return {"query": query, "size": 2 * _HIDDEN_DEPTH, **_ALLOW}


def _counting(terms: Iterable[str], view: HeadView, scope: Scope) -> Body:
    """Return the question in how many chunks each term stands, and in how many that may be read."""
    each = {term: {"term": {"words": term}} for term in terms}
    query = all_of(view.head.visible(), {"terms": {"words": list(each)}})
    counted = {"filters": {"filters": each}, "aggs": {"permitted": {"filter": all_of(*access(scope))}}}
    return {"size": 0, "query": query, "aggs": {"terms": counted}, "track_total_hits": False}


def _frequencies(answer: Answer, terms: Iterable[str]) -> dict[str, int]:
    buckets: Mapping[str, Any] = answer["aggregations"]["terms"]["buckets"]
    return {term: int(buckets[term]["permitted"]["doc_count"]) for term in terms}


def _near(word: str) -> Body:
    """Return the question for words that differ in one place and begin with the same letter."""
    return {
        "text": word,
        "term": {
            "field": "words",
            "suggest_mode": "always",
            "max_edits": 1,
            "prefix_length": 1,
            "min_word_length": SHORTEST - 1,
            "size": _SUGGESTIONS,
            "sort": "frequency",
        },
    }


def _suggested(answer: Answer) -> dict[str, list[str]]:
    return {
        word: [option["text"] for entry in entries for option in entry["options"]]
        for word, entries in answer["suggest"].items()
    }
