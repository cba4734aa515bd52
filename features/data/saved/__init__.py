"""Saved questions: asked again by name, sent on a schedule, shown in a digest. Start at `tools`."""
