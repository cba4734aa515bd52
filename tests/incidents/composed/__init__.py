"""Incidents put together from repeated shapes: the shapes are those of the product."""
