"""What an operator may set about runs; `bot/settings.py` reads it, everything here only receives it."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class _Config(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Budget(_Config):
    """The most that one run may use."""

    steps: int = Field(8, ge=1, le=50, description="Requests to a language model in one run")
    tool_calls: int = Field(12, ge=1, le=100, description="Tool calls in one run, over all tools")
    tokens: int = Field(60_000, ge=1_000, description="Tokens in and out in one run")
    seconds: float = Field(45.0, gt=0, description="Seconds for a language model before the rules answer instead")


class ModelConfig(_Config):
    """The language model beside the rules; without a name the rules brain works alone."""

    name: str = Field("", description='A pydantic-ai model name such as "openai:gpt-5"; empty: the rules brain only')
    base_url: str = Field("", description="Where an OpenAI-compatible server answers; empty: the vendor's own")
    api_key: SecretStr = Field(SecretStr(""), description="The key; empty: what the vendor's own library finds")
    temperature: float = Field(0.1, ge=0, le=0.3, description="Sampling temperature")
    timeout_s: float = Field(20.0, gt=0, description="Seconds for one request")
    rest_after: int = Field(3, ge=1, description="Failures in a row after which it is left alone for a while")
    rest_s: float = Field(30.0, ge=0, description="How long it is left alone; one message tries it again then")
    retries: int = Field(1, ge=0, le=5, description="Repeats of a request that failed on the way")


class AgentConfig(_Config):
    """Budgets, time spans and retention of runs."""

    budget: Budget = Budget()
    model: ModelConfig = ModelConfig()
    approval_minutes: int = Field(30, ge=1, description="How long a confirm button works")
    approval_lease_s: float = Field(60.0, gt=0, description="After this an execution counts as interrupted")
    repeat_window_s: float = Field(60.0, ge=0, description="The same call with the same words within this runs once")
    retention_days: int = Field(7, ge=1, description="Days that runs are kept")
    retention_runs: int = Field(200, ge=1, description="Runs that are kept for one person")
    memory_turns: int = Field(6, ge=0, description="Earlier exchanges of a thread that a run is told")
    memory_chars: int = Field(2_400, ge=0, description="Characters that those may take together")
    search_limit: int = Field(8, ge=1, le=50, description="Passages that one search gives the brain")
    around_tokens: int = Field(
        1_024,
        ge=0,
        le=4_096,
        description="Tokens to which the best passages are widened by their neighbours in the section; 0: they are not",
    )
    link_hosts: tuple[str, ...] = Field(
        (), description="Hosts that an answer may link to, besides cited pages and the sites that were crawled"
    )
