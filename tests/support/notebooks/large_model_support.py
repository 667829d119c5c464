# %% [markdown]
# # Large model support in a notebook
#
# A network for MNIST is built, looked at, edited such that tensors wait on the host while they are idle, and trained. The graph is that of
# [lms_session.py](lms_session.py).

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()  # eager code has no graph that could be edited
tf.logging.set_verbosity(tf.logging.ERROR)
import tideline
from digits import digits
from lms_session import build

tf.set_random_seed(1)
images, labels, keep, loss, step, accuracy = build()

# %% [markdown]
# ## Where the memory goes
#
# Levels from left to right, memory over the step below them. The batch is 100 pictures.

# %%
tideline.view(batch_size=100, size="1000x700", theme="light")

# %%
before = tideline.simulate(batch_size=100)
print("{:.2f} MiB on the device at the peak, while {} runs".format(before.device_mib.max(), before.summary["peak_op"]))

# %% [markdown]
# ## The edit
#
# Tensors go to the host when a consumer is more than 50 levels away. The lines are those of the original library.

# %%
from tideline.lms import LMS

lms = LMS(swapout_threshold=50, swapin_ahead=3, swapin_groupby=2)
lms.excl_output_by_scopes = {"loss", "accuracy", "dropout"}
tf.logging.set_verbosity(tf.logging.INFO)
added = lms.run()
tf.logging.set_verbosity(tf.logging.ERROR)
sorted(op.name for op in added)

# %% [markdown]
# The picture of the edited graph has the swaps: the lane on top shows each tensor from its copy out to its copy back.

# %%
tideline.view(batch_size=100, size="1000x700", theme="light")

# %% [markdown]
# ## A step in numbers
#
# The timeline as NumPy arrays: what is in use on the device and on the host while each op runs.

# %%
after = tideline.simulate(batch_size=100)
peak = after.device_mib.argmax()
print("before {:.2f} MiB, after {:.2f} MiB on the device at most".format(before.device_mib.max(), after.device_mib.max()))
print("the peak is at {}, in level {}, with {:.2f} MiB on the host".format(after.op[peak], after.level[peak], after.host_mib[peak]))
after

# %% [markdown]
# ## Training

# %%
x, y = digits(1000)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(10):
        batch = slice(i * 100, (i + 1) * 100)
        value, _ = session.run([loss, step], {images: x[batch], labels: y[batch], keep: 0.5})
print("the loss is a number:", value > 0)

# %% [markdown]
# `tideline.open()` shows the graph in the app, where thresholds and scopes can be moved.
