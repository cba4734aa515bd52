"""Everything about search that may be set; the environment is read elsewhere."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class FusionConfig(BaseModel):
    """How the legs are weighed; measured on SciFact and StackFAQ, on half of each set's questions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dense_least: float = Field(default=0.40, ge=0, le=1)
    dense_most: float = Field(default=0.80, ge=0, le=1)
    middle: float = 0.65  # the best cosine at which the weight is half way
    slope: float = 12.0


class SearchConfig(BaseModel):
    """Settings of the package."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    index_path: Path = Path("search.sqlite")
    depth: int = Field(default=100, ge=10, le=1_000)  # candidates of each leg
    alike: float = Field(default=0.9, gt=0, le=1)  # share of words from which two passages count as the same
    hits_per_page: int = Field(default=3, ge=1)  # more than that of one page crowd other pages out
    navigation_weight: float = Field(default=0.4, ge=0, le=1)  # of a passage that only leads elsewhere
    embed_batch: int = Field(default=32, ge=1)
    longest_file_bytes: int = 20_000_000
    fusion: FusionConfig = FusionConfig()
