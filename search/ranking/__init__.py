"""How a question becomes a ranked list of passages: query, fusion, reranking, explanation. Start at `finding`."""
