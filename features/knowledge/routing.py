"""What is asked of the documents: whatever nothing else claims, in the person's own words."""

from agent.brains.rules.routes import Route
from features.knowledge.tools import MAX_QUERY

ROUTE = Route("search_knowledge", lambda said: {"query": said.text[:MAX_QUERY]}, last_resort=True)
