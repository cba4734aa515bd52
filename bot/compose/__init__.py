"""The composition root: settings to back ends to services to a desk. Start at `compose`."""
