"""The two brains, both pydantic-ai models: a language model by name, and deterministic rules."""
