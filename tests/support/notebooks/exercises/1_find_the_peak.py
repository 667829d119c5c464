# %% [markdown]
# # Exercise 1: find the peak
#
# The peak of a training step decides whether it fits a device. Here you find it, see what lies in memory then, and foretell another one.
#
# Fill each gap, which is `...`, and run the cell below it: it says that you are right, or gives a hint. Needs TensorFlow and the package
# `tideline`, no GPU: the step is simulated. Solutions: [1_find_the_peak_solution.ipynb](1_find_the_peak_solution.ipynb).

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tideline
import checks

step = checks.step()
step

# %% [markdown]
# This is the memory of one step of a chain of eight dense layers, with 4096 examples on a V100: it climbs while the layers go forward, and
# falls while training goes back through them. `step.op`, `step.device_mib` and `step.host_mib` are NumPy arrays with an entry for each
# op, in the order in which they run; what else is known is in `step.summary`.

# %%
for op, mib in zip(step.op, step.device_mib):
    if op.startswith("layer") and op.endswith("/MatMul"):
        print("{:3.0f} MiB while {} runs".format(mib, op))

# %% [markdown]
# ## How much, and when
#
# How many MiB are in use at the peak, and while which op runs?

# %% gap
peak_mib = ...  # your answer
peak_op = ...  # your answer

# %% solution
peak_mib = step.device_mib.max()
peak_op = step.op[step.device_mib.argmax()]

# %%
checks.peak(peak_mib, peak_op, step)

# %% [markdown]
# ## Who is there
#
# Of how many of the eight layers is the value in memory at the peak? A value has 32 MiB. Guess first, then count.

# %%
for entry in step.summary["alive_at_peak"][:4]:
    print("{:3.0f} MiB  {:12} {}".format(entry["bytes"] / 2**20, entry["kind"], entry["tensor"]))

# %% gap
layers_alive = ...  # your answer

# %% solution
layers_alive = sum(entry["tensor"].startswith("layer") and entry["tensor"].endswith("/MatMul:0")
                   for entry in step.summary["alive_at_peak"])

# %%
checks.layers_alive(layers_alive, step)

# %% [markdown]
# ## What always stays
#
# The weights are needed again by the next step, so they never leave the device. How many MiB are they?

# %% gap
stays_mib = ...  # your answer

# %% solution
stays_mib = step.summary["memory_by_kind"]["variables"] / 2**20

# %%
checks.stays(stays_mib, step)

# %% [markdown]
# ## Foretell a peak
#
# What is the peak with 2048 examples, half of these? Work it out from the numbers above, without a simulation; the cell below makes one.

# %% gap
half_mib = ...  # your answer

# %% solution
half_mib = stays_mib + (peak_mib - stays_mib) / 2

# %%
checks.half_batch(half_mib, checks.step)
