# %% [markdown]
# # Towers on two devices
#
# A model function that knows nothing of devices gets a tower on each. Here both devices are CPUs; with GPUs only their names differ. The model
# function is that of [towers.py](towers.py).

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tempfile
import tensorflow.compat.v1 as tf
tf.logging.set_verbosity(tf.logging.ERROR)
tf.disable_v2_behavior()
import tideline
from digits import digits
from tideline.replicate import replicate_model_fn
from towers import model_fn

x, y = digits(20 * 64)

def batches():
    return tf.data.Dataset.from_tensor_slices(({"images": x}, y)).batch(64)

# %%
class Look(tf.train.SessionRunHook):
    def begin(self):
        self.picture = tideline.view(view="levels", batch_size=64, size="1200x600", theme="light")
        self.loss = tf.get_default_graph().get_tensor_by_name("loss:0")
        self.losses = []

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        self.losses.append(float(run_values.results))

# %%
devices = ["/device:CPU:0", "/device:CPU:1"]
towers = replicate_model_fn(model_fn, lambda: tf.train.AdamOptimizer(0.001), devices,
                            loss_reduction=tf.losses.Reduction.MEAN)
config = tf.ConfigProto(allow_soft_placement=True, device_count={"CPU": len(devices)})
look = Look()
with tempfile.TemporaryDirectory() as folder:
    estimator = tf.estimator.Estimator(towers, folder, tf.estimator.RunConfig(session_config=config, tf_random_seed=1))
    estimator.train(batches, hooks=[look], steps=20)
    accuracy = estimator.evaluate(batches)["accuracy"]
print("the loss falls:", look.losses[-1] < look.losses[0])
print("more than half are right:", accuracy > 0.5)

# %% [markdown]
# ## What was done
#
# The levels of the graph with both towers; the gradients meet before the optimizer.

# %%
look.picture
