"""What every platform shares on the way out: packing, pacing, texts in the making, what becomes of a failed call."""
