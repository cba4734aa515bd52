"""`dutydesk search`: the passages that answer a question, and with --explain why each of them was found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option
from bot.cli.progress import with_whole_index
from identity.actor import Actor, local_operator
from storage.ids import JsonObject

if TYPE_CHECKING:
    from search.documents import Hit
    from search.ranking.explanation import Explained, Explanation, Leg, PassagePlace, Word

EXAMPLES = """\
\b
Examples:
  dutydesk search "How long does a VPN session last?"
  dutydesk search "salary bands" --as ada --explain      what Ada finds, and through which leg
  dutydesk search "报销要多久?" --json | jq '.hits[].page'
"""

#: Why a leg stayed out.
ABSENCES: Mapping[str, str] = {
    "language": "stayed out: the embedding model does not read this language",
    "model": "stayed out: the embedding model is not there (dutydesk doctor says why)",
    "no_vectors": "stayed out: no passage has a vector of this model yet (dutydesk knowledge refresh makes them)",
    "nothing": "found nothing",
}
#: Why a passage among the best is not shown.
CAUSES: Mapping[str, str] = {
    "repeats": "says the same as {}",
    "page_full": "its page has its share above",
    "section_full": "its section has its share above",
}
#: Longest excerpt in characters.
EXCERPT = 220


@click.command("search", epilog=EXAMPLES, short_help="Find passages, and see why they were found.")
@click.argument("question")
@as_option
@click.option("--explain", is_flag=True, help="Show what each leg made of every passage, and who lets it be read.")
@click.option("--limit", default=8, show_default=True, type=click.IntRange(1, 100), help="Passages to show.")
@click.option("--json", "as_json", is_flag=True, help="Print all of it as one JSON document.")
@pass_invocation
def command(
    invocation: Invocation, question: str, person: str | None, *, explain: bool, limit: int, as_json: bool
) -> None:
    """Search for QUESTION as the desk does before it answers, and print the passages, the best first.

    With --as it is searched with that person's rights, which is noted in the audit trail. A leg is one way to search:
    bm25 finds words, dense finds what is said in other words. The JSON has: question, person, language, words, legs,
    vectors_share, hidden, timings_ms, hits and left_out.
    """
    if not question.strip():
        raise click.BadParameter("ask something", param_hint="QUESTION")
    reader, found = run(_search(invocation, question, person, limit=limit))
    if as_json:
        screen.show_json({"question": question, "person": person and reader.id, **_document(found)})
    else:
        _show(found, explain=explain)


async def _search(
    invocation: Invocation, question: str, person: str | None, *, limit: int
) -> "tuple[Actor, Explanation]":
    async with open_desk(invocation.existing()) as desk:
        reader = await actor_of(desk, person)
        found = await with_whole_index(
            desk, lambda: desk.search.explain(local_operator(), question, reader=reader, limit=limit)
        )
        if not await desk.search.sources(local_operator()):
            screen.warn("Nothing is indexed yet, so there is nothing to find: dutydesk index PATH")
        return reader, found


def _show(found: "Explanation", *, explain: bool) -> None:
    if explain:
        legs = [(leg.name, _leg(leg)) for leg in found.legs]
        screen.facts([("question", _words(found)), *legs, ("vectors", _vectors(found)), ("time", _time(found))])
    if not found.words:
        screen.say("There is no word in it to look for.", "dim")
        return
    judgement = (*(leg.name for leg in found.legs), "words", "heading", "score", "read by") if explain else ()
    rows = [_row(str(number), each, found, explain=explain) for number, each in enumerate(found.hits, start=1)]
    screen.table(("#", "passage", *judgement), rows, empty="Nothing was found that may be read.")
    if explain and found.left_out:
        screen.say("Among the best, and not shown:", "bold")
        dropped = [_row(_cause(each), each, found, explain=True) for each in found.left_out]
        screen.table(("why", "passage", *judgement), dropped, empty="")
    if found.hidden:
        screen.say(f"Kept back by access lists: {found.hidden} of the best passages.", "dim")


def _row(first: str, each: "Explained", found: "Explanation", *, explain: bool) -> tuple[str, ...]:
    lines = [_title(each), *([each.hit.url] if each.hit.url else []), _cut(each.excerpt)]
    if not explain:
        return (first, "\n".join(lines))
    return (
        first,
        "\n".join([*lines, _met(found, each)]),
        *(_place(each.places.get(leg.name)) for leg in found.legs),
        f"{each.coverage:.0%}",
        f"{each.heading:.0%}",
        f"{each.score:.2f}",
        each.authz,
    )


def _title(each: "Explained") -> str:
    path = " > ".join(dict.fromkeys((each.hit.title, *each.hit.chunk.section_path)))
    return f"{path}  [{each.hit.source}/{each.hit.document_path}]"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"


def _met(found: "Explanation", each: "Explained") -> str:
    """Return which words of the question a passage has."""
    marks = [
        f"{_word(word)} {'✓' if share > 0.99 else '½' if share > 0 else '–'}"
        for word, share in zip(found.words, each.meets, strict=True)
    ]
    return "  ".join(marks)


def _word(word: "Word") -> str:
    return f"{word.text} → {word.corrected}" if word.corrected else word.text


def _words(found: "Explanation") -> str:
    said = ", ".join(f"{_word(word)} {word.weight:.0%}" for word in found.words)
    return f"{said}  (language: {found.language or 'unclear'})"


def _leg(leg: "Leg") -> str:
    if leg.absence is not None:
        return ABSENCES[leg.absence]
    return f"weight {leg.weight:.2f}, {leg.candidates} passages found"


def _place(place: "PassagePlace | None") -> str:
    return "–" if place is None else f"{place.rank}  ({place.share if place.score is None else place.score:.2f})"


def _cause(each: "Explained") -> str:
    return CAUSES[each.cause].format((each.instead or 0) + 1) if each.cause is not None else ""


def _vectors(found: "Explanation") -> str:
    share = found.vectors_share
    return "" if share >= 1 else f"{share:.0%} are made; until then the dense leg has that much less to say"


def _time(found: "Explanation") -> str:
    return ", ".join(f"{name} {spent:.1f} ms" for name, spent in found.timings_ms.items())


def _document(found: "Explanation") -> JsonObject:
    """Return the documented form: the same keys whatever was found."""
    return {
        "language": found.language,
        "words": [
            {"text": word.text, "terms": list(word.terms), "weight": word.weight, "corrected": word.corrected}
            for word in found.words
        ],
        "legs": [
            {"name": leg.name, "weight": leg.weight, "candidates": leg.candidates, "absence": leg.absence}
            for leg in found.legs
        ],
        "vectors_share": found.vectors_share,
        "hidden": found.hidden,
        "timings_ms": dict(found.timings_ms),
        "hits": [_passage(each, found) for each in found.hits],
        "left_out": [
            {**_passage(each, found), "cause": each.cause, "instead": each.instead} for each in found.left_out
        ],
    }


def _passage(each: "Explained", found: "Explanation") -> JsonObject:
    return {
        **_page(each.hit),
        "excerpt": each.excerpt,
        "score": each.score,
        "legs": {leg.name: _ranked(each.places.get(leg.name)) for leg in found.legs},
        "coverage": each.coverage,
        "meets": list(each.meets),
        "heading": each.heading,
        "read_by": each.authz,
    }


def _page(hit: "Hit") -> JsonObject:
    return {
        "source": hit.source,
        "page": hit.document_path,
        "url": hit.url or None,
        "title": hit.title,
        "section": list(hit.chunk.section_path),
        "anchor": hit.chunk.anchor,
        "updated": hit.updated.isoformat() if hit.updated else None,
        "text": hit.chunk.text,
    }


def _ranked(place: "PassagePlace | None") -> JsonObject | None:
    return None if place is None else {"rank": place.rank, "score": place.score}
