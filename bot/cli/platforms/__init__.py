"""Commands that connect the desk to Slack and Teams."""
