"""`datasources.yaml` of the home: which databases may be asked, and within which limits."""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from queries.sql.catalog.catalog import Described, Name

#: Where a secret stands: in the environment or in a file, never in `datasources.yaml` itself.
REFERENCES = ("env:", "file:")


class SourceConfig(BaseModel):
    """One database."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["sqlite", "postgresql"] = Field(description="What it is.")
    title: Described = Field(Described(), description="What people call it, in each language.")
    path: str = Field("", description="File of an SQLite database, below the home or anywhere.")
    url: str = Field("", description="Where the address of a PostgreSQL database stands: `env:NAME` or `file:PATH`.")
    schema_name: str = Field("public", alias="schema", description="Schema of the tables (PostgreSQL).")
    catalog: str = Field("", description="File of its catalogue; `catalog/<name>.yaml` when not given.")
    pool: int = Field(5, ge=1, le=50, description="Statements that run at once; more wait their turn.")
    timeout_s: float = Field(10.0, gt=0, le=300, description="Seconds a statement may take, waiting included.")
    most_bytes: int = Field(2_000_000, ge=10_000, description="Bytes of rows that one answer may hold.")
    most_cost: int = Field(
        5_000_000, ge=1_000, description="Rows that a statement may read, as estimated; more needs a button."
    )

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.kind == "sqlite" and not self.path:
            raise ValueError("a database of SQLite needs `path`")
        if self.kind == "postgresql" and not self.url.startswith(REFERENCES):
            raise ValueError("`url` is `env:NAME` or `file:PATH`: the password never stands in this file")
        return self


class SqlConfig(BaseModel):
    """Every database."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    datasources: Mapping[Name, SourceConfig] = Field(default_factory=dict)
