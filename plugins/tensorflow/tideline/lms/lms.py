"""The module of the original in which its classes are: `from tensorflow_large_model_support.lms import LMS`."""
from ._version2 import LMS
from .v1 import LMSKerasCallback, LMSSessionRunHook

__all__ = ["LMS", "LMSKerasCallback", "LMSSessionRunHook"]
