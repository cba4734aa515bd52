"""The report of a diagnosis: its values (`report`), its JSON with its schema (`written`), and where it is kept."""
