# %% [markdown]
# # Exercise 2: fit into 60 %
#
# A step that is too large for a device can let tensors wait on the host while nobody reads them. Here you make a step fit into 60 % of what
# it needs: first by hand, then by a search; and then you edit a live graph, which trains with the same numbers as before.
#
# Fill each gap, which is `...`, and run the cell below it. Solutions: [2_fit_into_60_percent_solution.ipynb](2_fit_into_60_percent_solution.ipynb).

# %%
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)
import tideline
import checks

run = checks.step  # run() simulates the step; run(swapout_threshold=30, swapin_ahead=1, swapin_groupby=0) the step with swaps
before = run()
before

# %% [markdown]
# ## The budget
#
# How many MiB are 60 % of the peak?

# %% gap
budget_mib = ...  # your answer

# %% solution
budget_mib = 0.6 * before.device_mib.max()

# %%
checks.budget(budget_mib, before)

# %% [markdown]
# ## By hand
#
# Three numbers decide. `threshold`: a tensor leaves if a reader is more than so many levels away. `ahead`: it comes back so many levels before
# that reader. `groupby`: readers that are at most so many levels apart share one copy back. This is what some thresholds do:

# %%
for threshold in (60, 40, 30, 20):
    tried = run(swapout_threshold=threshold, swapin_ahead=1, swapin_groupby=0)
    print("threshold {}: {:.0f} MiB, {} swaps, {:.0f} ms".format(
        threshold, tried.device_mib.max(), len(tried.summary["swaps"]), tried.summary["time"]["step_ns"] / 1e6))

# %% [markdown]
# Find three numbers with which the step fits into the budget.

# %% gap
threshold = ...  # your answer
ahead = ...  # your answer
groupby = ...  # your answer

# %% solution
threshold = 10
ahead = 1
groupby = 5

# %%
checks.by_hand((threshold, ahead, groupby), run, budget_mib)

# %% [markdown]
# ## By a search
#
# The program finds numbers itself if it is told how much memory the device has, and of those that fit it takes the fastest. Simulate the
# step with the budget as the memory of the device.

# %% gap
found = ...  # your answer: run(...)

# %% solution
found = run(device_memory="{:.0f}MiB".format(budget_mib))

# %%
checks.searched(found, budget_mib)

# %% [markdown]
# ## In a live graph
#
# Up to here everything was simulated. Now edit a graph of TensorFlow with your three numbers.

# %%
from tideline.lms import LMS

def chain():
    graph = tf.Graph()
    with graph.as_default():
        tf.train.import_meta_graph(checks.CHAIN)
    return graph

plain, graph = chain(), chain()

# %% gap
added = ...  # your answer: edit `graph`

# %% solution
added = LMS(swapout_threshold=threshold, swapin_ahead=ahead, swapin_groupby=groupby).run(graph)

# %%
checks.edited(graph, budget_mib)

# %% [markdown]
# The picture of the edited graph shows the swaps: the lane on top has each tensor from its copy out to its copy back.

# %%
tideline.view(graph, batch_size=4096, device_profile="v100", size="1000x750", theme="light")

# %% [markdown]
# And it trains as before, to the same bits:

# %%
import numpy

random = numpy.random.RandomState(1)
examples = random.uniform(-1, 1, [16, 2048]).astype("float32")
weights = [random.uniform(-0.05, 0.05, [2048, 2048]).astype("float32") for _ in range(8)]

def losses(graph):
    with tf.Session(graph=graph, config=tf.ConfigProto(allow_soft_placement=True)) as session, graph.as_default():
        for variable, value in zip(tf.global_variables(), weights):
            variable.load(value, session)
        return [session.run(["loss:0", "train"], {"x:0": examples})[0] for _ in range(3)]

print("the losses are the same:", losses(plain) == losses(graph))
