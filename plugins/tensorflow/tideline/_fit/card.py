"""The card of a fit as SVG: verdict, the peak by kind beside the budget, the layers, the ways to make it fit.

It brings its own background, so that it can be read in light and in dark notebooks. It loads nothing.
"""
import re
from xml.sax.saxutils import escape

from . import text

_WIDTH, _LEFT, _LINE = 860, 20, 20
# The colours of the app's light theme.
_PANEL, _BORDER, _TEXT, _DIM, _BUDGET, _GOOD, _BAD = "#ffffff", "#c3c6cd", "#17181b", "#62656d", "#d02020", "#1b7f38", "#c42626"
_KINDS = {"variables": "#4a7cc4", "optimizer_slots": "#7e6ac8", "constants": "#9a9ca4", "activations": "#4fa86a",
          "gradients": "#9a52c4", "temporaries": "#b99a3c", "swapped": "#1fa89a", "scratch": "#62656d"}
_NOT_XML = re.compile("[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OTHER = "#c3c6cd"
_PARTS = (("variables", "variables"), ("slots", "optimizer_slots"), ("activations", "activations"), ("gradients", "gradients"))
_MOST_WAYS = 8


class _Card:
    """Collects lines from top to bottom."""

    def __init__(self):
        self.y, self._parts = 0, []

    def text(self, x, said, size=13, colour=_TEXT, anchor="start", weight="normal", width=None):
        """`width`: in pixels, what is longer is cut; the whole is shown where the mouse rests."""
        shown = said if width is None else _cut(said, int(width / (0.56 * size)))
        title = "<title>{}</title>".format(_safe(said)) if shown != said else ""
        look = 'font-size="{}" fill="{}" text-anchor="{}" font-weight="{}"'.format(size, colour, anchor, weight)
        self._parts.append('<text x="{:.0f}" y="{:.0f}" {}>{}{}</text>'.format(x, self.y, look, title, _safe(shown)))

    def box(self, x, y, width, height, colour, title):
        self._parts.append('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" fill="{}"><title>{}</title></rect>'.format(
            x, y, max(width, 0), height, colour, _safe(title)))

    def line(self, x, top, bottom, colour):
        self._parts.append('<line x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}" stroke="{3}" stroke-width="2" '
                           'stroke-dasharray="4 2"/>'.format(x, top, bottom, colour))

    def heading(self, columns):
        self.y += 30
        for x, said, anchor in columns:
            self.text(x, said, 12, _DIM, anchor, "bold")

    def svg(self):
        height = self.y + 18
        return ('<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" '
                'font-family="system-ui, sans-serif"><rect x="0.5" y="0.5" width="{2}" height="{3}" rx="8" fill="{4}" '
                'stroke="{5}"/>{6}</svg>').format(_WIDTH, height, _WIDTH - 1, height - 1, _PANEL, _BORDER, "".join(self._parts))


def drawn(summary):
    """The SVG of the JSON that `tideline fit` prints."""
    card = _Card()
    _draw_verdict(card, summary)
    _draw_peak(card, summary)
    _draw_layers(card, summary)
    _draw_ways(card, summary)
    return card.svg()


def _draw_verdict(card, summary):
    card.y = 34
    sign, colour = ("✓", _GOOD) if summary["fits"] else ("✗", _BAD)
    card.text(_LEFT, "{} A batch of {}{} {} {}".format(
        sign, summary["batch_size"], " (assumed)" if summary.get("batch_size_assumed") else "",
        "fits" if summary["fits"] else "does not fit", text.device(summary)), 19, colour, weight="bold", width=_WIDTH - 40)
    card.y += 24
    said = text.largest(summary)
    card.text(_LEFT, "{} of {} at '{}'; {}".format(text.size(summary["device_peak_bytes"]), text.size(summary["budget_bytes"]),
                                                  summary["peak_op"], said), width=_WIDTH - 40)
    card.y += _LINE
    card.text(_LEFT, "{} for a step (between {} and {}) by the profile {}; simulated, nothing was run".format(
        text.time(summary["step_ns"]), text.time(summary["step_least_ns"]), text.time(summary["step_most_ns"]),
        summary["profile"]), 12, _DIM, width=_WIDTH - 40)


def _draw_peak(card, summary):
    """One bar of all kinds, and the budget as a line; both on one scale."""
    width, height, top = _WIDTH - 2 * _LEFT, 22, card.y + 22
    scale = width / (1.05 * max(summary["device_peak_bytes"], summary["budget_bytes"], 1))
    x = _LEFT
    for kind in summary["kinds"]:
        card.box(x, top, kind["bytes"] * scale, height, _colour(kind["kind"]),
                 "{}: {}".format(_plain(kind["kind"]), text.size(kind["bytes"])))
        x += kind["bytes"] * scale
    budget = _LEFT + summary["budget_bytes"] * scale
    card.line(budget, top - 5, top + height + 5, _BUDGET)
    card.y = top - 8
    card.text(budget, "budget {}".format(text.size(summary["budget_bytes"])), 11, _BUDGET, "end")
    card.y, x = top + height + 22, _LEFT
    for kind in summary["kinds"]:
        said = "{} {}".format(_plain(kind["kind"]), text.size(kind["bytes"]))
        needed = 30 + 6.4 * len(said)
        if x + needed > _WIDTH - _LEFT and x > _LEFT:
            x, card.y = _LEFT, card.y + 18
        card.box(x, card.y - 10, 11, 11, _colour(kind["kind"]), said)
        card.text(x + 16, said, 12)
        x += needed


def _draw_layers(card, summary):
    if not summary["layers"]:
        return
    card.heading([(_LEFT, "At the peak, by layer", "start"), (420, "bytes", "end")])
    largest = max([layer["bytes"] for layer in summary["layers"]] + [1])
    for layer in summary["layers"]:
        card.y += _LINE
        card.text(_LEFT, _layer(layer), width=300)
        card.text(420, text.size(layer["bytes"]), anchor="end")
        scale, x = (_WIDTH - _LEFT - 440) / largest, 440
        for part, kind in _PARTS:
            card.box(x, card.y - 11, layer.get(part, 0) * scale, 12, _colour(kind), "{} {}".format(
                _plain(kind), text.size(layer.get(part, 0))))
            x += layer.get(part, 0) * scale
        rest = layer["bytes"] - sum(layer.get(part, 0) for part, _ in _PARTS)
        if rest > 0:
            card.box(x, card.y - 11, rest * scale, 12, _OTHER, "other {}".format(text.size(rest)))


def _draw_ways(card, summary):
    if summary["ways"]:
        card.heading([(_LEFT, "Ways to fit", "start"), (300, "batch", "end"), (400, "device", "end"), (490, "host", "end"),
                      (510, "costs", "start")])
    for way in summary["ways"][:_MOST_WAYS]:
        card.y += _LINE
        colour = _TEXT if way["fits"] else _DIM
        card.text(_LEFT, "{} {}".format("✓" if way["fits"] else "✗", way["title"]), colour=colour, width=210)
        for x, said in ((300, str(way["batch_size"])), (400, text.size(way["device_peak_bytes"])),
                        (490, text.size(way["host_peak_bytes"]) if way["host_peak_bytes"] else "–")):
            card.text(x, said, colour=colour, anchor="end")
        card.text(510, way["cost"], colour=colour, width=_WIDTH - _LEFT - 510)
    left = summary["ways"][_MOST_WAYS:]
    if left:
        card.y += _LINE
        card.text(_LEFT, "and {} more ways".format(len(left)), 12, _DIM)
    for way in summary["missing"]:
        card.y += _LINE
        card.text(_LEFT, "– {}: {}".format(way["title"], way["reason"]), 12, _DIM, width=_WIDTH - 40)


def _layer(layer):
    if layer["layer"] is not None:
        return layer["layer"]
    return "{} others".format(layer["others"]) if layer.get("others") else "no layer's"


def _colour(kind):
    return _KINDS.get(kind, _OTHER)


def _plain(kind):
    return kind.replace("_", " ")


def _cut(said, most):
    return said if len(said) <= most else said[:most - 1] + "…"


def _safe(said):
    """As text of XML, which does not allow all characters."""
    return escape(_NOT_XML.sub("?", said))
