"""Found as `tensorflow_large_model_support`; see tideline.compat."""
from tideline import compat

compat.stand_in(__name__)
