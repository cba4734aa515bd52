"""Inbound events: durable, de-duplicated, in order within a thread, never without a reply. Start at `inbox`."""
