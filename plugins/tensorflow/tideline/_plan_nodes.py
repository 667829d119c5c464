"""The ops that a plan adds, as NodeDefs, and its attributes as AttrValues. The format: assets/docs/plan.md."""
import base64

from tensorflow.core.framework import types_pb2

from ._tensorflow import tf


def spelled(tensor):
    """'x:0' is written 'x' in a GraphDef."""
    return tensor[:-2] if tensor.endswith(":0") else tensor


def added_nodes(plan, original):
    """A NodeDef for each op of `added`, in their order. `original`: name -> NodeDef, for those that are copies."""
    return [_node(added, original) for added in plan["added"]]


def _node(added, original):
    node = tf.NodeDef()
    if "copy_of" in added:
        node.CopyFrom(original(added["copy_of"]))
        del node.input[:]
    node.name, node.op, node.device = added["name"], added["op"], added["device"]
    node.input.extend(spelled(name) for name in added["inputs"])
    node.input.extend("^" + name for name in added["control_inputs"])
    for key, value in added["attrs"].items():
        if value is None:
            node.attr.pop(key, None)
        else:
            node.attr[key].CopyFrom(attribute(value))
    return node


def attribute(value):
    """The AttrValue that the JSON of an attribute means."""
    attr = tf.AttrValue()
    if isinstance(value, bool):
        attr.b = value
    elif isinstance(value, int):
        attr.i = value
    elif isinstance(value, str):
        attr.type = types_pb2.DataType.Value(value)
    elif isinstance(value, list):
        attr.list.SetInParent()
        for dims in value:
            _set_shape(attr.list.shape.add(), dims)
    else:
        (kind, said), = value.items()
        _SETTERS[kind](attr, said)
    return attr


def _set_shape(shape, dims):
    shape.SetInParent()
    shape.unknown_rank = dims is None
    for dim in dims or []:
        shape.dim.add(size=-1 if dim is None else dim)


def _set_string(attr, said):
    attr.s = said.encode("utf-8")


def _set_float(attr, said):
    attr.f = said


_SETTERS = {
    "string": _set_string,
    "float": _set_float,
    "shape": lambda attr, said: _set_shape(attr.shape, said),
    "strings": lambda attr, said: attr.list.s.extend(text.encode("utf-8") for text in said),
    "integers": lambda attr, said: attr.list.i.extend(said),
    "types": lambda attr, said: attr.list.type.extend(types_pb2.DataType.Value(name) for name in said),
    "encoded": lambda attr, said: attr.ParseFromString(base64.b64decode(said)),
}
