"""Numbers that the catalogue defines: what is asked of one (`query.py`), and the statement for it (`building.py`)."""
