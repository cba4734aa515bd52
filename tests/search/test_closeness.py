"""The nearest sentence of a hit: what is compared, what is remembered, and how much is read at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from language.analysis import terms
from search.documents import Chunk, Hit, Signals
from search.embedding.memory import HashEmbedder
from search.embedding.port import FloatArray, Role
from search.ranking.closeness import MOST, Closeness


@dataclass
class Reader:
    """Embeds as the fake does and keeps the batches it was given."""

    batches: list[tuple[str, ...]] = field(default_factory=list)
    inner: HashEmbedder = field(default_factory=HashEmbedder)

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        self.batches.append(tuple(texts))
        return await self.inner.embed(texts, role=role)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


def hit(number: int, text: str) -> Hit:
    chunk = Chunk(document_id="d", number=number, section_path=("Page", "Part"), anchor="part", text=text, tokens=9)
    return Hit(
        chunk=chunk,
        source="s",
        document_path="page.md",
        title="Page",
        language="en",
        updated=None,
        score=1.0,
        signals=Signals(),
    )


async def closest(reader: Reader, question: str, *hits: Hit, closeness: Closeness | None = None) -> dict[str, float]:
    (vector,) = await HashEmbedder().embed([question])
    judge = closeness or Closeness(reader)  # type: ignore[arg-type]  # the rest of the port is delegated
    return dict(await judge.of(vector, frozenset(terms(question)), hits))


async def test_the_passage_with_the_nearest_sentence_is_nearest() -> None:
    found = await closest(
        Reader(), "swollen battery", hit(0, "Bring it in. Swollen battery part."), hit(1, "Ask reception. Wait there.")
    )
    assert found["d#0"] > found["d#1"]


async def test_rows_are_compared_below_their_header_and_with_the_heading() -> None:
    reader = Reader()
    await closest(reader, "seats", hit(0, "| Room | Seats |\n| --- | --- |\n| Left | 4 |\n| Right | 8 |"))
    assert reader.batches == [("Part: | Room | Seats |\n| Left | 4 |", "Part: | Room | Seats |\n| Right | 8 |")]


async def test_a_sentence_is_read_once() -> None:
    reader = Reader()
    closeness = Closeness(reader)  # type: ignore[arg-type]  # the rest of the port is delegated
    first = await closest(reader, "badge", hit(0, "Show the badge."), closeness=closeness)
    again = await closest(reader, "badge", hit(0, "Show the badge."), closeness=closeness)
    assert first == again
    assert len(reader.batches) == 1


async def test_one_question_reads_no_more_than_a_batch_and_first_what_shares_its_words() -> None:
    reader = Reader()
    text = " ".join(f"Number {at} is here." for at in range(40)) + " The badge lies there."
    found = await closest(reader, "badge", hit(0, text))
    (batch,) = reader.batches
    assert len(batch) == MOST
    assert batch[0] == "Part: The badge lies there."
    assert set(found) == {"d#0"}
