// A chart: the program's picture on a canvas, moved at once while the exact one is on its way, and the mouse on it.
import {make, setText} from './dom.js';
import {paint} from './paint.js';
import {panned, whole, zoomed} from './range.js';

const kZoomAStep = 1.25, kFastZoomAStep = 2, kMostRowZoom = 64;
const kWheelStepPx = 100, kLinePx = 33, kClickPx = 4, kHitPauseMs = 30;

export class Chart {
  // app: session, graph, fontPx, moved(), pointed(chart, position), activate(chart), choose(hit), fit()
  constructor(root, view, app) {
    Object.assign(this, {root, view, app, at: null});
    this.canvas = make('canvas', {'aria-hidden': 'true'});
    [this.outline, this.cursor, this.band, this.tip] = ['outline', 'cursor', 'band', 'tip'].map((className) => make('div', {className, hidden: true}));
    root.append(this.canvas, this.outline, this.cursor, this.band, this.tip);
    this.listen();
    new ResizeObserver(() => this.refresh()).observe(root);
  }

  get isVisible() { return this.root.clientWidth > 20 && this.root.clientHeight > 20; }
  // Where the axis begins; what is beside it stays as wide.
  get margin() { return this.picture?.axis[0] ?? this.app.fontPx * 0.5; }
  get inner() { return Math.max(1, this.root.clientWidth - this.margin - (this.picture ? this.shownWidth - this.picture.axis[1] : this.margin)); }
  get hasRows() { return this.view === 'levels' || this.view === 'timeline'; }
  get count() { return this.picture?.count || 1; }
  get now() { return this.app.session.view; }
  get isWhole() { return this.picture?.count === 0; }  // a view of which nothing can be moved
  get range() { return this.isWhole ? {first: 0, span: 1} : whole(this.now, this.count); }

  // What the picture has to be made for.
  request() {
    const {first, span, row_zoom, scroll} = this.now, {clientWidth: w, clientHeight: h} = this.root;
    return {view: this.view, w, h, font: this.app.fontPx, first, span, row_zoom, scroll};
  }

  key(request) { return JSON.stringify([request, this.app.session.epoch]); }

  show(picture, request) {
    if (!picture || (this.picture && picture.revision < this.picture.revision)) return;
    const {session} = this.app;  // rows end
    if (picture.scroll < session.view.scroll && this.key(request) === this.key(this.request())) session.look({scroll: request.scroll = picture.scroll});
    this.picture = picture;
    this.shownKey = this.key(request);
    this.shownWidth = request.w;
    this.root.dataset.shown = `${picture.revision} ${picture.first} ${picture.span}`;
    this.repaint();
  }

  clear() {
    Object.assign(this, {picture: null, shownKey: ''});
    this.hideHit();
    this.canvas.width = 0;
  }

  repaint() {
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      if (!this.picture || !this.app.session) return;
      const from = whole(this.picture, this.count), to = this.range;
      const [x0, x1] = this.picture.axis;
      const a = from.span / to.span * this.inner / (x1 - x0);
      const b = this.margin - a * x0 + (from.first - to.first) / to.span * this.inner;
      paint(this.canvas, this.picture, this.root.clientWidth, this.root.clientHeight, {a, b});
      this.place();
    });
  }

  // Asks for the exact picture unless it is there; one request at a time.
  async refresh() {
    const {session} = this.app;
    if (!this.app.graph || !this.isVisible) return;
    this.repaint();
    const request = this.request(), key = this.key(request);
    if (this.isAsking || key === this.shownKey) return;
    this.isAsking = true;
    const picture = await session.get('picture', request);
    this.isAsking = false;
    if (session !== this.app.session) return;
    this.shownKey = key;
    if (picture) this.show(picture, request);
    this.refresh();
  }

  position(x) { return this.range.first + (x - this.margin) / this.inner * this.range.span; }

  look(change) {
    if (!this.picture?.count) return;
    this.app.session.look(change);
    this.hideHit();
    this.app.moved();
  }

  zoom(factor, at = this.position(this.mouse?.x ?? this.root.clientWidth / 2)) {
    this.look(zoomed(this.now, this.count, factor, at));
  }

  pan(share) { this.look(panned(this.now, this.count, this.range.span * share)); }
  showAll() { this.look({first: 0, span: 0, row_zoom: 1, scroll: 0}); }

  // The row under the mouse stays there.
  zoomRows(factor, y = this.root.clientHeight / 2) {
    if (this.view !== 'levels') return this.zoom(factor);
    const {row_zoom: before, scroll} = this.now;
    const row_zoom = Math.min(Math.max(before * factor, 1), kMostRowZoom);
    const above = y - this.root.clientHeight * 0.4;
    this.look({row_zoom, scroll: Math.max(0, (scroll + above) * (row_zoom / before) - above)});
  }

  scrollRows(px) { this.look({scroll: Math.max(0, this.now.scroll + px)}); }

  listen() {
    const on = (name, run, options) => this.root.addEventListener(name, (event) => this.picture && run.call(this, event), options);
    on('wheel', this.wheel, {passive: false});
    on('pointerdown', this.press);
    on('pointermove', this.move);
    on('pointerup', this.release);
    on('pointercancel', () => {
      this.drag = null;
      this.band.hidden = true;
    });
    on('pointerleave', () => {
      this.mouse = null;
      this.hideHit();
      this.app.pointed(this, null);
    });
    on('dblclick', this.fit);
    on('contextmenu', (event) => event.preventDefault());
    on('keydown', (event) => event.key === 'Enter' && !event.ctrlKey && this.app.activate(this));
  }

  async wheel(event) {
    event.preventDefault();
    const {list} = this.view === 'diff' && await this.hitAt(this.inside(event)) || {};
    if (list) return void this.app.act(['diff.scroll', list, String(Math.sign(event.deltaY) * 3)]);
    const unit = [1, kLinePx, this.root.clientHeight][event.deltaMode] / kWheelStepPx;
    const isTurned = event.shiftKey && event.deltaY === 0;  // with Shift some systems turn the wheel sideways
    const down = (isTurned ? event.deltaX : event.deltaY) * unit, across = isTurned ? 0 : event.deltaX * unit;
    const {x, y} = this.inside(event), factor = (event.shiftKey ? kFastZoomAStep : kZoomAStep) ** -down;
    if (Math.abs(across) > Math.abs(down)) this.pan(across * 0.1);
    else if (event.altKey) this.zoomRows(factor, y);
    else this.zoom(factor, this.position(x));
  }

  inside(event) {
    const {left, top} = this.root.getBoundingClientRect();
    return {x: event.clientX - left, y: event.clientY - top};
  }

  press(event) {
    if (event.button === 1) event.preventDefault();  // no scrolling of the browser's
    this.root.setPointerCapture(event.pointerId);
    const isHeld = event.button === 0 && (event.shiftKey || event.ctrlKey), isStretch = isHeld && this.picture.count > 0, at = this.inside(event);
    this.drag = {x: event.clientX, y: event.clientY, moved: 0, button: event.button, from: isStretch ? this.position(at.x) : null, corner: isHeld && this.view === 'scopes' && at, limit: event.ctrlKey};
    this.hideHit();
  }

  move(event) {
    const {drag, now} = this;
    this.mouse = this.inside(event);
    this.app.pointed(this, this.position(this.mouse.x));
    if (!drag) return void this.askHit();
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (drag.moved + Math.hypot(dx, dy) < kClickPx) return;
    Object.assign(drag, {x: event.clientX, y: event.clientY, moved: kClickPx});
    if (drag.corner) return this.showBand(drag.corner, this.mouse);
    if (drag.from !== null) return void this.app.look(this.stretch(drag.from, this.position(this.mouse.x), drag.limit));
    this.root.classList.add('dragged');
    const scroll = this.hasRows ? Math.max(0, now.scroll - dy) : now.scroll;
    this.look({...panned(now, this.count, -dx * this.range.span / this.inner), scroll});
  }

  // A rectangle over boxes; what it touches says which levels are meant.
  showBand(a, b) {
    this.band.hidden = false;
    for (const [name, value] of [['left', Math.min(a.x, b.x)], ['top', Math.min(a.y, b.y)], ['width', Math.abs(a.x - b.x)], ['height', Math.abs(a.y - b.y)]]) this.band.style[name] = `${value}px`;
  }

  async takeBand({corner: {x, y}, limit}, to) {
    const found = await this.app.session.get('hit', {...this.request(), x, y, x2: to.x, y2: to.y});
    if (found?.levels) this.app.act(['levels.select', ...found.levels.map(String), ...(limit ? ['limit'] : [])]);
  }

  // What a drag with Shift or Ctrl chooses: of the traced step, or levels.
  stretch(a, b, limit) {
    const [first, last] = [Math.min(a, b), Math.max(a, b)];
    return this.view === 'timeline' ? {stretch: {from_us: first, to_us: last}}
        : {levels: this.view === 'levels' ? {from: Math.floor(first), to: Math.floor(last), limit} : {first, last, limit}};
  }

  async release(event) {
    const {drag} = this;
    this.drag = null;
    this.root.classList.remove('dragged');
    this.band.hidden = true;
    if (drag?.corner && drag.moved > 0) return this.takeBand(drag, this.inside(event));
    if (!drag || drag.moved > 0 || drag.button !== 0) return;
    const hit = await this.hitAt(this.inside(event));
    if (hit?.act) this.app.act(hit.act);
    else if (hit && this.view !== 'timeline') this.app.choose(hit);
  }

  async fit(event) {
    const at = this.inside(event), hit = await this.hitAt(at);
    if (hit?.range) return this.look(hit.range);
    if (hit?.act) return;  // each click has done it
    if (hit?.functions) return this.app.enter(hit.functions);
    if (hit?.loop) return this.app.act(['scope.loop', hit.loop]);
    if (hit?.scope) this.app.act(['scope.toggle', hit.scope]);
    else if (hit?.tensor) this.app.fit();
    else this.zoom(4, this.position(at.x));
  }

  hitAt({x, y}) { return this.app.session.get('hit', {...this.request(), x: Math.round(x), y: Math.round(y)}); }

  // What is under the mouse; one question at a time.
  async askHit() {
    if (this.isHitting || !this.mouse) return;
    this.isHitting = true;
    const at = this.mouse, {session} = this.app, range = JSON.stringify(this.range);
    const hit = await this.hitAt(at);
    await new Promise((resolve) => setTimeout(resolve, kHitPauseMs));
    this.isHitting = false;
    if (!this.mouse || this.drag || session !== this.app.session || JSON.stringify(this.range) !== range) return;
    if (this.mouse !== at) this.askHit();
    this.hideHit();
    this.showHit(hit, at);
  }

  showHit(hit, at) {
    const {clientWidth, clientHeight} = this.root, px = (number) => `${number}px`;
    if (hit?.rect) {
      const [x0, y0, x1, y1] = hit.rect, left = Math.max(0, x0), right = Math.min(x1, clientWidth);
      Object.assign(this.outline.style, {left: px(left), top: px(y0), width: px(Math.max(3, right - left)), height: px(Math.max(3, y1 - y0))});
      this.outline.hidden = false;
    }
    if (!hit?.lines?.length) return;
    setText(this.tip, hit.lines.join('\n'));
    this.tip.hidden = false;
    const {offsetWidth, offsetHeight} = this.tip;
    Object.assign(this.tip.style, {left: px(Math.max(2, at.x + 16 + offsetWidth > clientWidth ? at.x - offsetWidth - 12 : at.x + 16)),
        top: px(at.y + 16 + offsetHeight > clientHeight ? at.y - offsetHeight - 8 : at.y + 16)});
  }

  hideHit() { this.tip.hidden = this.outline.hidden = true; }

  // The line under the mouse, in every chart of the same axis; null: none.
  pointAt(position) {
    this.at = position;
    this.place();
  }

  place() {
    const {first, span} = this.range, isIn = this.at !== null && this.at >= first && this.at <= first + span;
    this.cursor.hidden = !isIn || this.view === 'diff';  // which has lists, too
    if (isIn) this.cursor.style.transform = `translateX(${this.margin + (this.at - first) / span * this.inner}px)`;
  }
}
