"""Section-wise training, as partialflow does it: a network is built in sections, and a step becomes a cycle of runs, of
which each keeps the activations of one section.

    manager = GraphSectionManager()
    with manager.new_section():
        hidden = ...
    with manager.new_section():
        loss = ...
    manager.add_training_ops(tf.compat.v1.train.AdamOptimizer(0.001), loss)
    manager.prepare_training()
    value = manager.run_full_cycle(session, fetches=loss, basic_feed={x: ...})

Where the original computes other numbers than plain training does, or fails, this computes what plain training computes:
with Adam, with sections without variables, with queues, and with placeholders that are used anywhere.
GraphSectionManager(compat=True) feeds and keeps exactly what the original does, its errors included.
"""
from .manager import GraphSectionManager
from .sections import GraphSection
