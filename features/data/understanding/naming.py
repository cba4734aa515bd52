"""What readings are called where one of them is to be chosen: what tells them apart, in the asker's language."""

from dataclasses import dataclass
from itertools import pairwise

from features.data.understanding.words.items import Item
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import Named
from features.data.wording import Wording
from language.scripts import Language
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import DataQuery, MetricQuery


@dataclass(frozen=True)
class Naming:
    """Names things of one catalogue in one language."""

    catalog: Catalog
    language: Language

    def name(self, meaning: Named) -> str:
        """Return what a thing of the catalogue is called."""
        if meaning.kind == "metric" and meaning.value:
            first, second = (Named("metric", each) for each in (meaning.refers_to, str(meaning.value)[1:]))
            sign = str(meaning.value)[0]
            between = {"-": ("减去", " minus "), "+": ("加", " plus ")}[sign][self.language != "zh"]
            return between.join((self.name(first), self.name(second)))
        if meaning.kind == "metric":
            return self.catalog.metrics[meaning.refers_to].called.first(self.language, meaning.refers_to)
        if meaning.kind == "table":
            return self.catalog.tables[meaning.refers_to].called.first(self.language, meaning.refers_to)
        table, name = self.catalog.place(meaning.refers_to)
        whole = self.catalog.tables[table].called.first(self.language, table)
        column = self.catalog.column(meaning.refers_to).called.first(self.language, name)
        if meaning.kind == "column":
            return f"{column} ({whole})"
        words = self.catalog.column(meaning.refers_to).values.get(str(meaning.value))
        value = words.first(self.language, str(meaning.value)) if words is not None else meaning.value
        beside = column if column.lower() in whole.lower() else f"{column}, {whole}"
        return f"{value} ({beside})"

    def label(self, items: tuple[Item, ...], options: list[tuple[DataQuery, tuple[Item, ...]]]) -> str:
        """Return what tells a reading apart from the others, in the asker's language."""
        told = [
            self.name(item.meaning)
            for at, item in enumerate(items)
            if isinstance(item.meaning, Named) and any(other[at].meaning != item.meaning for _, other in options)
        ]
        return ", ".join(dict.fromkeys(told)) or self.subject(next(query for query, each in options if each is items))

    def subject(self, query: DataQuery) -> str:
        """Return what a query asks for."""
        return Wording(self.catalog, self.language).subject(query)

    def is_flag(self, item: Item) -> bool:
        """Tell whether a word names a column of yes and no."""
        return item.names("column") and self.catalog.column(item.refers_to).type == "flag"

    def shares(self, query: DataQuery, items: tuple[Item, ...]) -> list[tuple[str, MetricQuery]]:
        """Return both things that "the share of web orders by region" may be; none for what is plain."""
        if not isinstance(query, MetricQuery) or not query.share or query.part or len(query.by) != 1:
            return []
        said = [item for item in items if item.meaning is not Sign.FILLER]
        held = [item for item in said if item.names("value") or self.is_flag(item)]
        values = [one for one, other in pairwise(said) if one in held and other.names("metric", "table")]
        if not any(item.names("metric", "table") for item in said):
            values = held  # 各区单程的占比
        part = next((each for each in query.where for one in values if each.column == one.refers_to), None)
        if part is None or len(part.values) != 1:
            return []
        column = self.name(Named("column", query.by[0])).partition(" (")[0]
        value, whole = values[0].word.text, tuple(each for each in query.where if each is not part)
        within = query.model_copy(update={"part": (part,), "where": whole})
        labels = (f"各{column}中{value}的占比", f"{value}在各{column}的分布")
        if self.language != "zh":
            labels = (f"{value} among all, for each {column}", f"each {column} among all that is {value}")
        return [(labels[0], within), (labels[1], query)]


def table_of(query: DataQuery, catalog: Catalog) -> str:
    """Return the table whose rows a query is of."""
    if not isinstance(query, MetricQuery):
        return query.table
    if query.metric in catalog.metrics and query.aggregate != "count":
        return catalog.metrics[query.metric].table
    return query.metric.partition(".")[0]


def taken_for(item: Item, query: DataQuery, catalog: Catalog) -> Named | None:
    """Return what a word was taken for in the end; None where it has no part: people who cancelled are no staff."""
    named = item.meaning
    if not isinstance(named, Named) or named.kind not in ("table", "metric"):
        return named if isinstance(named, Named) else None
    table, of_metric = table_of(query, catalog), named.kind == "metric"
    own = catalog.metrics[named.refers_to].table if of_metric else named.refers_to
    if catalog.path(table, own) is None:
        return None
    if not of_metric or not isinstance(query, MetricQuery) or own != table or query.metric not in catalog.metrics:
        return named
    return Named("metric", query.metric, f"-{query.minus}" if query.minus else f"+{query.plus}" if query.plus else "")
