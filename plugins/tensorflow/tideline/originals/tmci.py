"""Found as `tmci`; see tideline.compat."""
from tideline import compat

compat.stand_in(__name__)
