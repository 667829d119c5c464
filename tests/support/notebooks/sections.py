# %% [markdown]
# # A residual network in sections
#
# The network of [sections_resnet.py](sections_resnet.py) is built in four sections, and trained in runs that keep the activations of one section
# at a time: as with partialflow, whose names these are.

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
tf.logging.set_verbosity(tf.logging.ERROR)
tf.disable_v2_behavior()
import tideline
import tideline.compat
from digits import digits
from partialflow import GraphSectionManager
from sections_resnet import build

tf.set_random_seed(1)
manager = GraphSectionManager()
images, labels, loss, accuracy = build(manager)
manager.add_training_ops(tf.train.AdamOptimizer(0.001), loss)
manager.prepare_training()

# %% [markdown]
# ## What each run needs
#
# By the model of the app: the whole step in one run, and the run of each section.

# %%
def peak(op):
    return tideline.simulate(fetch=op.name, batch_size=32).device_mib.max()

lines = ["whole step: {:.2f} MiB".format(peak(manager.train_op))]
for section in manager.get_sections():
    lines.append("section {}: {:.2f} MiB, fed {} tensors".format(section.get_index(), peak(section.get_training_op()),
                                                               len(section.get_tensors_to_feed())))
print("\n".join(lines))

# %% [markdown]
# ## Training

# %%
x, y = digits(10 * 32)
losses = []
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(10):
        batch = slice(i * 32, (i + 1) * 32)
        losses.append(manager.run_full_cycle(session, loss, {images: x[batch], labels: y[batch]}))
print(len(losses), "cycles; the loss falls:", losses[-1] < losses[0])

# %% [markdown]
# ## What was done
#
# The memory of the run that trains section 1: what is fed, and what the run makes of it. `tideline.open()` shows the whole graph in the app.

# %%
run = manager.get_sections()[1].get_training_op()
tideline.view(view="memory", fetch=run.name, batch_size=32, size="1000x420", theme="light")
