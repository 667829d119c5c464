"""Eleven models as people train them, for Keras 2 and 3: batch norm, a deep residual network, recurrent layers, attention with mixed precision,
transposed convolutions, two optimizers, sparse gradients, control flow, steps and gradients of one's own.

`MODELS[name]()` is a fresh Model: compiled, with equal values each time, and its data."""
import numpy as np
import tensorflow as tf

keras = tf.keras
layers = keras.layers
IS_KERAS3 = keras.__version__.startswith("3") if hasattr(keras, "__version__") else not hasattr(keras, "__internal__")
_BATCHES = 5


class Model:
    """A compiled model of Keras with arrays for five batches."""

    def __init__(self, model, batch, x, y=None):
        self.model, self.batch, self.x, self.y = model, batch, x, y

    def fit(self):
        return self.model.fit(self.x, self.y, batch_size=self.batch, shuffle=False, verbose=0).history


def _policy(name):
    (keras.config.set_dtype_policy if IS_KERAS3 else keras.mixed_precision.set_global_policy)(name)


def _reals(*shape, seed=0):
    return np.random.RandomState(seed).rand(*shape).astype("f")


def _classes(count, *shape, seed=1):
    return np.random.RandomState(seed).randint(0, count, shape).astype("i4")


def _logits():
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def _compiled(model, optimizer, loss, **options):
    model.compile(optimizer, loss, jit_compile=False, **options)
    return model


def cnn():
    model = keras.Sequential([keras.Input((20, 20, 3)), layers.Conv2D(16, 3, activation="relu"), layers.BatchNormalization(),
                              layers.Conv2D(16, 3, activation="relu"), layers.BatchNormalization(), layers.MaxPool2D(),
                              layers.Dropout(0.3), layers.Flatten(), layers.Dense(10)])
    return Model(_compiled(model, keras.optimizers.Adam(1e-3), _logits(), metrics=["accuracy"]), 16, _reals(80, 20, 20, 3), _classes(10, 80))


def resnet50():
    model = keras.applications.ResNet50(weights=None, input_shape=(64, 64, 3), classes=10)
    _compiled(model, keras.optimizers.SGD(1e-2, momentum=0.9), "sparse_categorical_crossentropy", metrics=["accuracy"])
    return Model(model, 4, _reals(20, 64, 64, 3), _classes(10, 20))


def lstm():
    model = keras.Sequential([keras.Input((12,), dtype="int32"), layers.Embedding(50, 16), layers.LSTM(24, return_sequences=True),
                              layers.LSTM(16), layers.Dense(5)])
    return Model(_compiled(model, keras.optimizers.RMSprop(1e-3), _logits()), 8, _classes(50, 40, 12), _classes(5, 40))


def gru():
    model = keras.Sequential([keras.Input((12, 8)), layers.Bidirectional(layers.GRU(16, return_sequences=True)), layers.GRU(12),
                              layers.Dense(1)])
    return Model(_compiled(model, keras.optimizers.Adam(1e-3, clipnorm=1.0), "mse", metrics=["mae"]), 8, _reals(40, 12, 8), _reals(40, 1))


def transformer():
    _policy("mixed_float16")
    try:
        given = keras.Input((16,), dtype="int32")
        x = layers.Embedding(64, 32)(given)
        for _ in range(2):
            x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 8, dropout=0.1)(x, x))
            x = layers.LayerNormalization()(x + layers.Dense(32)(layers.Dense(64, activation="gelu")(x)))
        model = keras.Model(given, layers.Dense(64, dtype="float32")(x))
        _compiled(model, keras.optimizers.Adam(1e-3), _logits(), metrics=["accuracy"])
    finally:
        _policy("float32")
    return Model(model, 8, _classes(64, 40, 16), _classes(64, 40, 16, seed=2))


def autoencoder():
    def half(kind, channels, activation="relu"):
        return kind(channels, 3, strides=2, padding="same", activation=activation)

    model = keras.Sequential([keras.Input((24, 24, 1)), half(layers.Conv2D, 8), half(layers.Conv2D, 16), half(layers.Conv2DTranspose, 8),
                              half(layers.Conv2DTranspose, 1, "sigmoid")])
    x = _reals(40, 24, 24, 1)
    return Model(_compiled(model, keras.optimizers.Adagrad(1e-2), "binary_crossentropy"), 8, x, x)


class Gan(keras.Model):
    def __init__(self):
        super().__init__()
        self.maker = keras.Sequential([keras.Input((8,)), layers.Dense(32, activation="relu"), layers.Dense(16)])
        self.judge = keras.Sequential([keras.Input((16,)), layers.Dense(32, activation="relu"), layers.Dense(32, activation="relu"),
                                       layers.Dense(1)])
        self.other_optimizer = keras.optimizers.Adam(2e-3, beta_1=0.5)
        self.entropy = keras.losses.BinaryCrossentropy(from_logits=True)

    def call(self, noise):
        return self.judge(self.maker(noise))

    def train_step(self, data):
        real = data[0] if isinstance(data, (tuple, list)) else data
        noise = tf.random.stateless_normal([tf.shape(real)[0], 8], [1, 2])
        with tf.GradientTape() as tape:
            false, true = self.judge(self.maker(noise)), self.judge(real)
            judged = self.entropy(tf.ones_like(true), true) + self.entropy(tf.zeros_like(false), false)
        weights = self.judge.trainable_variables
        self.other_optimizer.apply_gradients(zip(tape.gradient(judged, weights), weights))
        with tf.GradientTape() as tape:
            false = self(noise)
            made = self.entropy(tf.ones_like(false), false)
        weights = self.maker.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(made, weights), weights))
        return {"made": made, "judged": judged}


def gan():
    model = Gan()
    model(np.zeros((1, 8), "f"))
    model.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
    return Model(model, 16, _reals(80, 16))


def embedding():
    model = keras.Sequential([keras.Input((6,), dtype="int32"), layers.Embedding(1000, 32), layers.Flatten(),
                              layers.Dense(64, activation="relu"), layers.Dense(2)])
    return Model(_compiled(model, keras.optimizers.Adam(1e-2), _logits()), 16, _classes(1000, 80, 6), _classes(2, 80))


class _Flow(layers.Layer):
    """A conditional, and a loop whose gradient is a loop."""

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], shape[-1]), initializer="orthogonal", name="kernel")

    def call(self, x):
        kernel = tf.convert_to_tensor(self.kernel)
        x = tf.cond(tf.reduce_mean(x) > 0.45, lambda: tf.nn.relu(tf.matmul(x, kernel)), lambda: tf.tanh(x) * 2.0)
        return tf.while_loop(lambda i, _: i < 6, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, kernel))), [tf.constant(0), x])[1]


def control_flow():
    model = keras.Sequential([keras.Input((16,)), layers.Dense(32, activation="relu"), _Flow(), layers.Dense(1)])
    return Model(_compiled(model, keras.optimizers.SGD(1e-2), "mse"), 8, _reals(40, 16), _reals(40, 1))


class OwnStep(keras.Model):
    def train_step(self, data):
        x, y = data
        weights = self.trainable_variables
        with tf.GradientTape() as tape:
            decay = tf.add_n([tf.nn.l2_loss(tf.convert_to_tensor(weight)) for weight in weights])
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2) + 1e-3 * decay
        gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, weights), 1.0)
        self.optimizer.apply_gradients(zip(gradients, weights))
        return {"loss": loss, "norm": norm}


def own_step():
    given = keras.Input((10,))
    x = layers.BatchNormalization()(layers.Dense(32, activation="relu")(given))
    model = OwnStep(given, layers.Dense(1)(layers.Dense(32, activation="swish")(x)))
    model.compile(keras.optimizers.AdamW(1e-3), jit_compile=False)
    return Model(model, 8, _reals(40, 10), _reals(40, 1))


@tf.custom_gradient
def _clipped(x):
    return tf.math.softplus(x), lambda above: tf.clip_by_value(above, -0.01, 0.01) * tf.sigmoid(x)


class _Apply(layers.Layer):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def call(self, x):
        return self.function(x)


def own_gradient():
    given = keras.Input((10,))
    x = layers.Dense(32)(_Apply(_clipped)(layers.Dense(32)(given)))
    x = _Apply(lambda t: tf.recompute_grad(lambda u: tf.tanh(u) * u)(t))(x)
    return Model(_compiled(keras.Model(given, layers.Dense(1)(x)), keras.optimizers.SGD(1e-2), "mse"), 8, _reals(40, 10), _reals(40, 1))


def _fresh(build):
    def made():
        keras.backend.clear_session()
        keras.utils.set_random_seed(7)
        return build()
    return made


MODELS = {build.__name__: _fresh(build) for build in (
    cnn, resnet50, lstm, gru, transformer, autoencoder, gan, embedding, control_flow, own_step, own_gradient)}
