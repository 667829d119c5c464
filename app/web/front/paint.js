// Paints a picture of the program (`tideline.picture/1`) on a canvas, also when the range has moved since it was made:
// x' = a x + b for what lies inside the clips of the chart and for ticks. Text keeps its size.

const kEm = 2048 / 2384;  // of the height of a line of DejaVu Sans
const kAscender = 1901 / 2384;
const kFamily = '"Tideline Sans", "DejaVu Sans", Verdana, sans-serif';
const kDashes = [[], [5, 4], [1.5, 3]];
const kStripePx = 6;

const stripes = new Map();  // by colour

function hatching(context, color) {
  if (stripes.has(color)) return stripes.get(color);
  const tile = Object.assign(document.createElement('canvas'), {width: kStripePx, height: kStripePx}), brush = tile.getContext('2d');
  brush.fillStyle = color;
  brush.fillRect(0, 0, 1, kStripePx);
  const pattern = context.createPattern(tile, 'repeat');
  pattern.setTransform(new DOMMatrix().rotate(45));
  stripes.set(color, pattern);
  return pattern;
}

class Painter {
  constructor(context, picture, {a, b}) {
    Object.assign(this, {context, picture, a, b, depth: 0});
    this.forget();
    this.move(false);
  }

  // Styles are set only when they change: setting takes most of the time.
  forget() { this.fillWith = this.strokeWith = this.font = this.dash = null; }

  move(isInside) { [this.sx, this.ox] = isInside ? [this.a, this.b] : [1, 0]; }
  x(value) { return this.sx * value + this.ox; }

  fill(color) {
    if (this.fillWith !== color) this.context.fillStyle = this.picture.colors[this.fillWith = color];
  }

  stroke(color, width, dash = 0) {
    if (this.strokeWith !== color) this.context.strokeStyle = this.picture.colors[this.strokeWith = color];
    this.context.lineWidth = width;
    if (this.dash !== dash) this.context.setLineDash(kDashes[this.dash = dash] ?? []);
  }

  path(item, begin) {
    this.context.beginPath();
    for (let i = begin; i + 1 < item.length; i += 2) this.context.lineTo(this.x(item[i]), item[i + 1]);
  }

  rectangle([kind, color, x0, y0, x1, y1, ...more]) {
    const {context} = this, x = this.x(x0), width = this.x(x1) - x, height = y1 - y0;
    if (!(width >= 0 && height >= 0)) return;
    if (kind === 0) this.fill(color);
    else if (kind === 1) this.stroke(color, more[0], more[2]);
    else context.fillStyle = hatching(context, this.picture.colors[color]);
    if (kind === 2) this.fillWith = null;
    if (kind === 2 || !more[0]) return void context.fillRect(x, y0, width, height);
    context.beginPath();
    context.roundRect(x, y0, width, height, more[kind] || 0);
    if (kind === 1) context.stroke();
    else context.fill();
  }

  text([, color, x, y, size, align, index, width]) {
    const {context} = this, font = `${size * kEm}px ${kFamily}`, text = this.picture.texts[index];
    if (this.font !== font) context.font = this.font = font;
    context.textAlign = ['left', 'center', 'right'][align];
    this.fill(color);
    const isTick = this.depth < 2 && /^[\d.e+]+( [mu]?s)?$/.test(text);
    context.fillText(text, isTick ? this.a * x + this.b : this.x(x), y + size * kAscender, width > 0 ? width + 1 : undefined);
  }

  item(item) {
    const {context} = this, [kind, color] = item;
    if (kind < 3) this.rectangle(item);
    else if (kind === 3) {
      this.stroke(color, item[6], item[7]);
      this.move(this.depth > 1 || item[2] === item[4]);  // ticks lie outside of the clips
      this.path(item.slice(0, 6), 2);
      context.stroke();
      this.move(this.depth > 1);
    } else if (kind === 4 || kind === 5 || kind === 7) {
      if (kind === 4) this.stroke(color, item[2]);
      else this.fill(color);
      this.path(kind === 5 ? [...item.slice(3), item.at(-2), item[2], item[3], item[2]] : item, kind === 5 ? 0 : kind === 4 ? 3 : 2);
      if (kind === 4) context.stroke();
      else context.fill();
    } else if (kind === 6) {
      this.stroke(color, item[2]);
      context.beginPath();
      context.moveTo(this.x(item[3]), item[4]);
      context.bezierCurveTo(this.x(item[5]), item[6], this.x(item[7]), item[8], this.x(item[9]), item[10]);
      context.stroke();
    } else if (kind === 8) this.text(item);
    else if (kind === 9) {
      context.save();
      context.beginPath();
      context.rect(item[2], item[3], item[4] - item[2], item[5] - item[3]);  // clips stay
      context.clip();
      this.move(++this.depth > 1);
    } else if (kind === 10 && this.depth > 0) {
      context.restore();
      this.forget();
      this.move(--this.depth > 1);
    }
  }
}

export function paint(canvas, picture, width, height, moved) {
  const scale = devicePixelRatio, across = Math.round(width * scale), down = Math.round(height * scale);
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, {width: across, height: down});
  const context = canvas.getContext('2d');
  context.reset();
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const painter = new Painter(context, picture, moved);
  for (const item of picture.list) painter.item(item);
}
