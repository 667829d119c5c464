"""The variables of a Keras model and of its optimizer, in TMCI's order, with names that do not depend on it.

Names are paths along attributes, as in TensorFlow's own checkpoints: "layer_with_weights-0/kernel" in a Sequential model,
"encoder/dense/kernel" in a subclassed one. Slots of the optimizer are named after what they belong to:
"optimizer/m/layer_with_weights-0/kernel", whatever optimizer keeps them in which order. Numbers that Keras puts into the
names of layers depend on what the process did before; they are not used.
"""
import collections

import tensorflow as tf


def named(model, include_optimizer):
    """[(name, variable)]: those of each layer, those of the model itself, those of the optimizer."""
    paths = _paths(model)
    names = _Names()
    weights, seen = [], set()
    for variable in [weight for layer in model.layers for weight in layer.weights] + list(model.weights):
        if id(variable) not in seen:
            seen.add(id(variable))
            weights.append((names.unique(paths.get(id(variable)) or _plain(variable.name)), variable))
    optimizer = getattr(model, "optimizer", None)
    if not include_optimizer or optimizer is None:
        return weights
    return weights + _slots(optimizer, model.trainable_variables, {id(v): name for name, v in weights}, names)


class _Names:
    """Gives the second of a name a number."""

    def __init__(self):
        self.taken = set()

    def unique(self, name):
        found, number = name, 1
        while found in self.taken:
            found, number = f"{name}_{number}", number + 1
        self.taken.add(found)
        return found


def _plain(name):
    return name[:-2] if name.endswith(":0") else name


def _paths(root):
    """The shortest path of attributes to each object, by its identity; of equal ones, the first."""
    found, todo = {id(root): ""}, collections.deque([root])
    while todo:
        parent = todo.popleft()
        for name, child in tf.train.TrackableView.children(parent).items():
            if id(child) not in found:
                above = found[id(parent)]
                found[id(child)] = f"{above}/{name}" if above else name
                todo.append(child)
    return found


def build_optimizer(optimizer, variables):
    """Slots are there from now on; those that there were keep their values."""
    if hasattr(optimizer, "build"):
        if not getattr(optimizer, "_built", False):
            optimizer.build(variables)
    elif hasattr(optimizer, "_create_all_weights"):  # optimizers of Keras before 2.11
        optimizer._create_all_weights(variables)


def _slots(optimizer, trainable, paths, names):
    build_optimizer(optimizer, trainable)
    variables = optimizer.variables
    variables = variables() if callable(variables) else variables
    slot_of = {}
    if hasattr(optimizer, "get_slot_names"):
        for slot in optimizer.get_slot_names():
            for variable in trainable:
                slot_of[id(optimizer.get_slot(variable, slot))] = f"{slot}/{paths[id(variable)]}"
    found, count = [], collections.Counter()
    for variable in variables:
        name = slot_of.get(id(variable)) or _slot_by_name(_plain(variable.name), trainable, paths, count)
        found.append((names.unique("optimizer/" + name), variable))
    return found


def _slot_by_name(name, trainable, paths, count):
    """Keras names a slot "Adam/m/" and what it belongs to. Of several variables of one name, the first slot is the
    first one's."""
    owners = [v for v in trainable if name.endswith("/" + _plain(v.name))]
    if not owners:
        return "iteration" if name in ("iter", "iteration") else name
    longest = max(len(v.name) for v in owners)
    owners = [v for v in owners if len(v.name) == longest]
    slot = name[:-len(_plain(owners[0].name)) - 1].rsplit("/", 1)[-1]
    owner = owners[min(count[name], len(owners) - 1)]
    count[name] += 1
    return f"{slot}/{paths[id(owner)]}"
