"""Keras's session of a graph that was edited.

A session that has run ops goes on with them as they were, and TensorFlow only warns. Keras makes a session as soon as
anything is asked of a model (weights, a prediction); that session is replaced by one that knows the edited graph, and the
variables keep their values. Random ops begin anew, which is the one difference to a program that was not edited.
"""
from .._tensorflow import tf

_keras = tf.keras.backend


def has_run(model):
    """Whether a session of Keras has run the graph of the model: it then has marked the variables that it initialised."""
    return any(getattr(variable, "_keras_initialized", False) for variable in model.weights)


def renew(model):
    if tf.get_default_session() is not None:
        tf.logging.warn("[LMS] The default session has run the graph before it was edited, and goes on with the graph as it was: "
                        "edit it before the first run.")
        return
    session = _keras.get_session()
    with session.graph.as_default():
        variables = _unique(tf.global_variables() + list(model.weights))
        known = [v for v, there in zip(variables, session.run([tf.is_variable_initialized(v) for v in variables])) if there]
        values = session.run(known)
        # A config that the program chose is kept in no public place.
        new = tf.Session(graph=session.graph, target=session.sess_str, config=getattr(session, "_config", None))
        _keras.set_session(new)
        for variable, value in zip(known, values):
            variable.load(value, new)


def _unique(variables):
    found = []
    for variable in variables:
        if not any(variable is other for other in found):
            found.append(variable)
    return found
