// The visible range of an axis, {first, span}, as render/model/axis_range.h has it, so that the moving picture and the
// program agree. `span` 0: all of the axis.

const kLeastSpan = 4;
const between = (value, least, most) => Math.min(Math.max(value, least), most);

export const whole = (range, count) => range.span > 0 ? range : {first: 0, span: Math.max(1, count)};

export function clamped({first, span}, count) {
  if (!(span > 0) || span >= count || !Number.isFinite(first)) return {first: 0, span: 0};
  const wide = Math.max(span, Math.min(kLeastSpan, count));
  return {first: between(first, 0, count - wide), span: wide};
}

// Zooms in for a factor above 1; position `at` keeps its place.
export function zoomed(range, count, factor, at) {
  const {first, span} = whole(range, count);
  const next = between(span / factor, Math.min(kLeastSpan, count), count);
  return clamped({first: at - (at - first) * (next / span), span: next}, count);
}

export const panned = (range, count, positions) =>
  range.span > 0 ? clamped({first: range.first + positions, span: range.span}, count) : {first: 0, span: 0};
