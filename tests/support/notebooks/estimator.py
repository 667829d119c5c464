# %% [markdown]
# # Large model support with an Estimator
#
# LMS is a hook: it edits the graph that the Estimator builds, before its session is made. The model function is that of
# [lms_estimator.py](lms_estimator.py).

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tempfile
import tensorflow.compat.v1 as tf
tf.logging.set_verbosity(tf.logging.ERROR)
import tideline
from digits import digits
from lms_estimator import model_fn
from tideline.lms import LMS

x, y = digits(1000)

def batches():
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(50)

# %% [markdown]
# A second hook looks at the graph, once before the edit and once after it: hooks come in their order.

# %%
class Look(tf.train.SessionRunHook):
    def begin(self):
        self.step = tideline.simulate(batch_size=50)
        self.picture = tideline.view(view="memory", batch_size=50, size="900x420", theme="light")
        self.loss = tf.get_collection(tf.GraphKeys.LOSSES)[0]
        self.losses = []

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        self.losses.append(float(run_values.results))

# %%
before, after = Look(), Look()
lms = LMS(swapout_threshold=5, swapin_ahead=2, swapin_groupby=2)
with tempfile.TemporaryDirectory() as folder:
    estimator = tf.estimator.Estimator(model_fn, folder, tf.estimator.RunConfig(tf_random_seed=1))
    estimator.train(batches, hooks=[before, lms, after], steps=20)
print("the loss falls:", after.losses[-1] < after.losses[0])

# %% [markdown]
# ## What was done

# %%
for name, look in (("before", before), ("after", after)):
    print("{}: {:.2f} MiB on the device at most, {:.2f} MiB on the host".format(
        name, look.step.device_mib.max(), look.step.host_mib.max()))

# %%
before.picture

# %%
after.picture
