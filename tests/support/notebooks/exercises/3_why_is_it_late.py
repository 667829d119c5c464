# %% [markdown]
# # Exercise 3: why is it late?
#
# A tensor that waits on the host has to be back before it is read. If its copy begins too late, the reader waits; if it begins too early, the
# tensor takes the memory that was to be saved. Here you find both ends.
#
# Fill each gap, which is `...`, and run the cell below it. Solutions: [3_why_is_it_late_solution.ipynb](3_why_is_it_late_solution.ipynb).

# %%
import functools
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tideline
import checks

# Tensors leave for readers more than 20 levels away; each reader has a copy back of its own.
run = functools.partial(checks.step, swapout_threshold=20, swapin_groupby=0)
step = run(swapin_ahead=1)
checks.picture(swapout_threshold=20, swapin_groupby=0, swapin_ahead=1)

# %% [markdown]
# The chain of eight layers on a V100, with copies that begin one level before their readers. Red in the lane on top is what readers wait for.
# How long that is says `step.summary["time"]`:

# %%
time = step.summary["time"]
print("without swaps {:.1f} ms, with them {:.1f} ms".format(time["before_ns"] / 1e6, time["step_ns"] / 1e6))
print(", ".join(name for name in time if name.endswith("_ns") or name == "late_swap_ins"))

# %% [markdown]
# ## How many are late?

# %% gap
late = ...  # your answer

# %% solution
late = len(time["late_swap_ins"])

# %%
checks.late(late, step)

# %% [markdown]
# ## How long does a copy take?
#
# Each copy back is of one tensor of 32 MiB. How many milliseconds does one take?

# %% gap
copy_ms = ...  # your answer

# %% solution
copy_ms = time["to_device_ns"] / step.summary["swap_ins"] / 1e6

# %%
checks.copy_time(copy_ms, step)

# %% [markdown]
# ## Why is it late?
#
# A copy costs no time while ops run beside it. How many milliseconds of all copies back do?

# %% gap
hidden_ms = ...  # your answer

# %% solution
hidden_ms = (time["to_device_ns"] - time["added_ns"]) / 1e6

# %%
checks.hidden(hidden_ms, step)

# %% [markdown]
# So that is why: in the one level before a reader hardly anything runs that a copy could hide behind.
#
# ## In time
#
# With how many levels ahead is no copy late? Find the least number.

# %% gap
ahead = ...  # your answer

# %% solution
ahead = 1
while run(swapin_ahead=ahead).summary["time"]["late_swap_ins"]:
    ahead += 1

# %%
checks.ahead(ahead, run)

# %% [markdown]
# Nothing in the lane is red any more.
#
# ## Too early
#
# With 12 levels none is late either. How many MiB more does the step need then than with yours?

# %% gap
cost_mib = ...  # your answer

# %% solution
cost_mib = run(swapin_ahead=12).device_mib.max() - run(swapin_ahead=ahead).device_mib.max()

# %%
checks.too_early(cost_mib, ahead, run)
