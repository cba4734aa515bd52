"""Columns that say how far something has come, and change after the day that a row is of."""

import re

from queries.sql.catalog.catalog import CatalogColumn

_STATE = re.compile(r"\b(?:status|state)\b|状态|进度", re.IGNORECASE)


def is_state(column: CatalogColumn) -> bool:
    """Tell whether a column is a state by what people call it: an order's status."""
    return column.type == "text" and any(_STATE.search(each) for each in column.called.every)
