"""Diagnoses of recorded incidents, judged by what each folder expects. Start reading at `trial.py`."""
