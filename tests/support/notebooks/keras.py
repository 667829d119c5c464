# %% [markdown]
# # Large model support with Keras
#
# In graph mode LMS is a callback, which edits the graph when training begins. The model is that of [lms_keras.py](lms_keras.py).

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()  # eager code has no graph that could be edited
tf.logging.set_verbosity(tf.logging.ERROR)
import tideline
from digits import digits
from lms_keras import model
from tideline.lms import LMS

tf.set_random_seed(1)
x, y = digits(1000)
trained = model()
trained.compile("adam", "sparse_categorical_crossentropy")

# %%
history = trained.fit(x, y, batch_size=50, epochs=2, shuffle=False, verbose=0,
                      callbacks=[LMS(swapout_threshold=8, swapin_ahead=2, swapin_groupby=2)])
losses = history.history["loss"]
print("the loss falls:", losses[1] < losses[0])

# %% [markdown]
# ## What was done
#
# The copies, and the graph as it was trained: levels, and the memory of a step.

# %%
[op.name for op in tf.get_default_graph().get_operations() if op.name.startswith("lms/")]

# %%
tideline.view(batch_size=50, size="1000x700", theme="light")
