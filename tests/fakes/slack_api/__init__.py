"""The local Slack, tried with the client that talks to the real one."""
