"""Each check that safety rests on, taken out once: a test has to notice. Start at `mutants`."""
