"""What people mean who ask about apps: begin with `vocabulary`; `changes` is about what was done to them of late."""
