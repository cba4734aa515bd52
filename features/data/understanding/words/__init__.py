"""The words of questions for numbers: those of every company, those of a catalogue, periods, and what each can mean."""
