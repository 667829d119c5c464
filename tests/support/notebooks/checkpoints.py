# %% [markdown]
# # Checkpoints through a backend
#
# LeNet-5 of [lenet5_checkpoint.py](lenet5_checkpoint.py) is trained for an epoch and saved without a copy, by the backend `file`, which writes
# checkpoints of TensorFlow's own format. Needs the ops of the package, which are built where TensorFlow 2.15 is.

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import json
import subprocess
import tempfile
import tensorflow as tf
from lenet5_checkpoint import lenet5, pictures
from tideline.tmci import checkpoint

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
tf.keras.utils.set_random_seed(1)
model = lenet5()
images, labels = pictures(640, seed=1)

# %% [markdown]
# The callback saves after each epoch; what is loaded replaces all variables, those of the optimizer too, or none.

# %%
config = json.dumps({"path": "lenet5-{step}", "keep_last": 2})
saving = checkpoint.CheckpointCallback("file", config, frequency={"epoch": 1})
model.fit(images, labels, batch_size=64, epochs=1, verbose=0, callbacks=[saving])
before = model.evaluate(images, labels, verbose=0)[0]
for variable in model.variables:
    variable.assign(tf.zeros_like(variable))
report = checkpoint.load_weights(model, "file", config)
after = model.evaluate(images, labels, verbose=0)[0]
print(len(report.restored), "tensors; the loss is as before:", before == after)

# %% [markdown]
# ## What was saved
#
# TensorFlow reads it, and so does `tideline checkpoint`; the app shows the same as a tree, with a histogram of each tensor.

# %%
latest = tf.train.latest_checkpoint(".")
os.path.basename(latest), len(tf.train.list_variables(latest))

# %%
program = os.environ.get("TIDELINE", "tideline")
print(subprocess.run([program, "checkpoint", "ls", os.path.basename(latest)], capture_output=True, text=True).stdout)

# %%
print(subprocess.run([program, "checkpoint", "verify", os.path.basename(latest)], capture_output=True, text=True).stdout)
