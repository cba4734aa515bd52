"""Questions as values (`query.py`) and the statements that answer them (`building.py`): no words of people in here."""
