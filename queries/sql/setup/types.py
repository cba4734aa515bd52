"""Types of columns: from what a database writes to what a catalogue says."""

from queries.sql.catalog.catalog import ColumnType
from queries.sql.datasource import Dialect

#: Parts of a type's name, in the order in which they are looked for: "datetime" before "date", "interval" before "int".
_PARTS: tuple[tuple[str, ColumnType], ...] = (
    ("interval", "text"),
    ("point", "text"),
    ("bool", "flag"),
    ("timestamp", "time"),
    ("datetime", "time"),
    ("date", "date"),
    ("time", "text"),  # of day alone
    ("char", "text"),
    ("clob", "text"),
    ("text", "text"),
    ("int", "number"),
    ("serial", "number"),
    ("numeric", "number"),
    ("decimal", "number"),
    ("number", "number"),
    ("real", "number"),
    ("floa", "number"),
    ("doub", "number"),
    ("money", "number"),
)
#: SQLite keeps days and moments as text or numbers, and flags as numbers.
_KEPT_AS: dict[ColumnType, tuple[ColumnType, ...]] = {"date": ("text", "number"), "time": ("text", "number", "date")}


def catalog_type(written: str) -> ColumnType:
    """Return the catalogue's type of a column; what it has no word for is text."""
    lower = written.lower()
    if lower.endswith("[]"):
        return "text"
    return next((type_ for part, type_ in _PARTS if part in lower), "text")


def fits(declared: ColumnType, written: str, dialect: Dialect | None = None) -> bool:
    """Tell whether a column of the database can be what the catalogue says; None is any database."""
    live = catalog_type(written)
    if declared == live or not written:  # SQLite has columns without a type
        return True
    if dialect == "postgres":
        return {declared, live} == {"date", "time"}
    return live in _KEPT_AS.get(declared, ()) or (declared == "flag" and live == "number")
