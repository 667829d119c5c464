"""The ops that train: one for the whole step, or as the original has it, one for each section."""
from .._tensorflow import tf


def gradients(optimizer, loss, var_list, grads):
    """[(gradient, variable)], computed from the loss unless they are given."""
    if grads is not None:
        return list(grads)
    assert loss is not None, "Either gradients or loss have to be given."
    return optimizer.compute_gradients(loss, var_list=var_list)


def one_op(sections, optimizer, pairs, global_step, verbose, summaries):
    """An op that trains all variables and runs the UPDATE_OPS of all sections, each once. Variables of no section are
    trained as well."""
    pairs = list(pairs)
    updates = []
    for section in reversed(sections):
        own = _positions(section, pairs)
        _decorate(section, pairs, own, verbose, summaries, "gradients/{}")
        updates += section.get_collection(tf.GraphKeys.UPDATE_OPS)
    apply_op = optimizer.apply_gradients(pairs, global_step=global_step)
    return tf.group(apply_op, *updates) if updates else apply_op


def one_op_each(sections, optimizer, pairs, global_step, verbose, summaries):
    """Gives each section its own training op, the last section first, as partialflow does: an optimizer with steps of its own,
    such as Adam, then counts one for every section, and variables of no section are not trained."""
    for section in reversed(sections):
        mine = list(pairs)
        own = _positions(section, mine)
        _decorate(section, mine, own, verbose, summaries, "gradients/%s{}")
        step = global_step if section.get_index() == 0 else None
        ops = []
        if own:
            ops.append(optimizer.apply_gradients([mine[at] for at in own], global_step=step))
        elif step is not None:
            ops.append(tf.assign_add(step, 1))
        updates = section.get_collection(tf.GraphKeys.UPDATE_OPS)
        if updates:
            ops.append(tf.group(*updates))
        if len(ops) == 2:
            ops = [tf.group(*ops)]
        section.set_training_op(ops[0] if ops else tf.no_op())


def _positions(section, pairs):
    """Where in `pairs` the variables of the section are."""
    own = {id(variable) for variable in section.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)}
    return [at for at, (_, variable) in enumerate(pairs) if id(variable) in own]


def _decorate(section, pairs, own, verbose, summaries, name):
    """Histograms of the section's gradients, and a print when the first of them is there."""
    own = [at for at in own if pairs[at][0] is not None]
    if summaries is not None:
        for at in own:
            gradient, variable = pairs[at]
            tf.summary.histogram(name.format(variable.name.replace(":", "_")), tf.convert_to_tensor(gradient),
                                 collections=summaries)
    if verbose and own:
        gradient, variable = pairs[own[0]]
        said = "Running backward pass on section {}".format(section.get_index())
        pairs[own[0]] = _printed(gradient, said), variable


def _printed(gradient, said):
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(tf.Print(gradient.values, [gradient.values], said), gradient.indices, gradient.dense_shape)
    return tf.Print(gradient, [gradient], said)
