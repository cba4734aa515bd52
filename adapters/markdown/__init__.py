"""One Markdown subset: read, measured, split and made harmless. Each platform adds its dialect beside it."""
