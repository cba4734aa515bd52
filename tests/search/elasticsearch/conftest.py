from collections.abc import AsyncIterator

import pytest

from search.config import ElasticsearchConfig
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from storage.clock import ManualClock


@pytest.fixture
async def index(elasticsearch_config: ElasticsearchConfig) -> AsyncIterator[ElasticsearchIndex]:
    made = ElasticsearchIndex(elasticsearch_config)
    yield made
    await made.close()


@pytest.fixture
async def timed(elasticsearch_config: ElasticsearchConfig, clock: ManualClock) -> AsyncIterator[ElasticsearchIndex]:
    """Open the same corner with a clock that the test moves."""
    made = ElasticsearchIndex(elasticsearch_config, clock=clock)
    yield made
    await made.close()
