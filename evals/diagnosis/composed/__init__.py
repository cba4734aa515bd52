"""Incidents put together from repeated shapes: `scene` has the shapes, the other modules what happens in them."""
