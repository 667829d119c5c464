"""Tideline as a tab of TensorBoard: the page of `tideline serve`, on the runs that TensorBoard shows."""
