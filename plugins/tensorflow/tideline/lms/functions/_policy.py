"""How the arguments of `apply` and `rewrite_function` become the options of a rewriter."""
from ... import _words
from .rewriting import Rewriting


def rewriting(device_memory, policy, options):
    """`policy`: the mode of `tideline rewrite`, "lms2" or "lms1", with `options` as keyword arguments; or an object LMS of one of both
    versions, which has its options."""
    if hasattr(policy, "_rewriting"):
        if device_memory is not None or options:
            raise TypeError("an LMS object has its options already: set them there")
        return policy._rewriting()
    if not isinstance(policy, str):
        raise TypeError("policy: expected \"lms2\", \"lms1\" or an LMS object, not {!r}".format(policy))
    options = dict(options)
    inline = bool(options.pop("inline", False))
    options.setdefault("keep_fusion", True)
    return Rewriting(policy, _words.keywords(dict(device_memory=device_memory, **options)), inline)
