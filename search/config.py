"""Everything about search that may be set; the environment is read elsewhere."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class FusionConfig(BaseModel):
    """How the legs are weighed; measured on SciFact and StackFAQ with one default for both (no half was held out)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dense_least: float = Field(default=0.40, ge=0, le=1, description="Least share of the dense leg")
    dense_most: float = Field(default=0.80, ge=0, le=1, description="Greatest share of the dense leg")
    middle: float = Field(default=0.65, description="Best cosine at which the share is half way")
    slope: float = Field(default=12.0, description="How fast the share grows with the best cosine")
    heading_weight: float = Field(default=0.5, ge=0, description="Weight of a nearest heading that says what was asked")
    coverage_weight: float = Field(
        default=0.3, ge=0, description="Weight of the question's words in a passage, times the words' share"
    )
    navigation_weight: float = Field(
        default=0.4, ge=0, le=1, description="Weight of a passage that only leads elsewhere"
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
    embed_batch: int = Field(default=32, ge=1, description="Texts that are embedded at once")
    longest_file_bytes: int = Field(default=20_000_000, ge=1, description="Larger files are not read")
    fusion: FusionConfig = FusionConfig()
