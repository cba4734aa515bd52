"""Commands that look after a desk: tickets, runs, jobs, the audit trail."""
