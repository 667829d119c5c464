"""A folder for PYTHONPATH: its modules have the names of the originals (see tideline.compat)."""
