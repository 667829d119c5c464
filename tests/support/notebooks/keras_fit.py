# %% [markdown]
# # Keras's fit under a budget
#
# A model is compiled and fitted as always; between the two, one call gives its step a budget of device memory. What does not fit
# waits on the host and comes back in time, and the numbers stay the same to the last bit. The model is that of [lms_fit.py](lms_fit.py).
# The same cells run with Keras 2 (TensorFlow 2.15) and Keras 3; no GPU is needed.

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tideline.lms
from digits import digits
from lms_fit import BATCH, model, needed

x, y = digits(1000)
options = dict(batch_size=BATCH, epochs=2, shuffle=False, verbose=0)
plain = model().fit(x, y, **options).history["loss"]
print("the loss falls:", plain[1] < plain[0])

# %% [markdown]
# ## What a step needs
#
# A policy whose threshold no tensor reaches plans no swaps, but says what the step needs as it is.

# %%
peak = needed(model(), x, y)
print("{:.1f} MiB".format(peak / 2**20))

# %% [markdown]
# ## Nine tenths of it
#
# `device_memory` is the budget; parameters are looked for. `jit_compile=False` stands in the model's `compile`, because XLA removes
# copies to the host.

# %%
trained = model()
budget = int(0.9 * peak)
tideline.lms.apply(trained, device_memory=budget, batch_size=BATCH)
losses = trained.fit(x, y, **options).history["loss"]
print("the same losses, bit for bit:", losses == plain)

# %%
trace = tideline.lms.traces(trained)[-1]
print("swaps: {}, at most {:.1f} MiB".format(len(trace.plan["swaps"]), trace.predicted["device_peak_bytes"] / 2**20))
print("the step fits:", trace.predicted["device_peak_bytes"] <= budget)

# %%
for swap in trace.plan["swaps"]:
    print("{:6.1f} KiB  {}".format(swap["bytes"] / 2**10, swap["tensor"]))

# %% [markdown]
# ## Levels and memory of the step that trains

# %%
trace.view(size="1000x700", theme="light")

# %% [markdown]
# ## Back
#
# `undo` gives the model its own step again. Parameters of your own take the place of a search: a threshold in levels, how early a
# tensor comes back, and how many readers share a copy.

# %%
tideline.lms.undo(trained)
own = model()
tideline.lms.apply(own, swapout_threshold=10, swapin_ahead=2, swapin_groupby=2, batch_size=BATCH)
print("the same losses with a policy of one's own:", own.fit(x, y, **options).history["loss"] == plain)
