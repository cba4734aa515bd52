"""A whole desk with a local Slack before it: in this process, or in one of its own that may be killed."""
