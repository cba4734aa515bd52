"""What Slack sends, as neutral events."""
