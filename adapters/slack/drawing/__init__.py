"""Cards as Slack's blocks and views."""
