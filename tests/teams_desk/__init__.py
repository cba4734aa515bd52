"""A whole desk with a local Teams before it: in this process, or in one of its own that may be killed."""
