# %% [markdown]
# # Does it fit, and if not, what then
#
# A residual network of Keras, and a device that is too small for it. Nothing is trained for the answers, and no GPU is needed: a step is traced,
# and simulated. The same cells run with Keras 2 and Keras 3.

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy
import tensorflow as tf
import tideline

def network():
    inputs = x = keras.Input([64, 64, 3])
    for number, filters in enumerate([32, 64, 128]):
        x = keras.layers.Conv2D(filters, 3, padding="same", name=f"widen{number}")(x)
        y = keras.layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"first{number}")(x)
        y = keras.layers.Conv2D(filters, 3, padding="same", name=f"second{number}")(y)
        x = keras.layers.MaxPooling2D(name=f"pool{number}")(keras.layers.ReLU(name=f"relu{number}")(keras.layers.Add(name=f"add{number}")([x, y])))
    x = keras.layers.GlobalAveragePooling2D(name="average")(x)
    return keras.Model(inputs, keras.layers.Dense(10, activation="softmax", name="scores")(x))

model = network()
model.compile("adam", "sparse_categorical_crossentropy")

# %% [markdown]
# ## Which batch fits
#
# The answer is a card in a notebook, and numbers for programs.

# %%
fit = tideline.fit(model, batch_size=512, device="1GiB")
fit

# %%
print(fit)
print("this batch does not fit:", not fit.fits)
largest = tideline.fit(model, batch_size=fit.largest_batch, device="1GiB")
more = tideline.fit(model, batch_size=fit.largest_batch + 1, device="1GiB")
print("the largest batch fits, and one example more does not:", largest.fits and not more.fits)

# %% [markdown]
# ## What makes it fit
#
# The best first. Commands read a file, which `fit.write("graph.meta")` makes.

# %%
for way in fit.ways:
    print("fits" if way["fits"] else "----", way["title"], "|", way["cost"])
print("some way fits:", any(way["fits"] for way in fit.ways))

# %% [markdown]
# ## In a test
#
# `assert_fits` fails with the numbers, so that a change which makes the network too large is seen before a machine is rented.

# %%
tideline.assert_fits(model, batch_size=32, device="1GiB")
try:
    tideline.assert_fits(model, batch_size=4096, device="16GiB")
except AssertionError as problem:
    print("a batch of 4096 is refused:", "does not fit" in str(problem))

# %% [markdown]
# ## At the crash
#
# Around training, `explain_oom` adds to an error of memory what is alive at the peak, the largest batch, and a way to fit. Here a callback
# raises such an error as a GPU would.

# %%
class Full(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor with shape[512,32,64,64]")

x, y = numpy.zeros([512, 64, 64, 3], "float32"), numpy.zeros([512], "int32")
try:
    with tideline.explain_oom(device="1GiB"):
        model.fit(x, y, batch_size=512, verbose=0, callbacks=[Full()])
except tf.errors.ResourceExhaustedError as problem:
    said = str(problem)
    print(said)
print("it is explained:", "The largest batch that fits is" in said)
