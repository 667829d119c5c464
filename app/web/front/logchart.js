// One chart of a log: the program's picture, and the mouse on it. It moves nothing itself: another part of the axis is asked for.
import {button, make} from './dom.js';
import {paint} from './paint.js';

const kLeastDragPx = 5, kZoomAStep = 1.25, kHitPauseMs = 30, kStill = {a: 1, b: 0};

export class LogChart {
  // page: a LogPage; kind: the section; row: of the table log-charts.
  constructor(page, kind, row, key) {
    Object.assign(this, {page, kind, row, key, isSeen: false});
    this.canvas = make('canvas', {'aria-hidden': 'true'});
    this.marks = make('canvas', {'aria-hidden': 'true'});
    [this.band, this.tip] = ['band', 'tip'].map((className) => make('div', {className, hidden: true}));
    const name = [row.run_name, row.name].filter(Boolean).join(' ');
    this.root = make('figure', {className: 'logchart', 'data-tag': row.tag, 'aria-label': name}, this.canvas, this.marks, this.band, this.tip);
    this.root.setAttribute('role', 'group');
    if (kind === 'scalars') this.root.append(button('⤢', () => this.enlarge(), {className: 'quiet', 'aria-label': `Enlarge ${name}`, title: 'Enlarge, or show all charts again', key: `enlarge ${row.tag}`}));
    this.listen();
  }

  get size() { return {w: this.root.clientWidth, h: this.root.clientHeight}; }
  request() {
    const {tag, run} = this.row;
    return {view: 'log', chart: this.kind, tag, run, ...this.size, font: this.page.app.fontPx};
  }

  see(isSeen) {
    this.isSeen = isSeen;
    this.refresh();
  }

  // Asks for the picture unless it is there; one request at a time.
  async refresh() {
    const {w, h} = this.size;
    if (!this.isSeen || w < 40 || h < 40 || this.isAsking || !this.root.isConnected) return;
    const request = this.request(), wanted = JSON.stringify([request, this.page.lookKey]);
    if (wanted === this.shownKey) return;
    this.isAsking = true;
    const picture = await this.page.get('picture', request);
    this.isAsking = false;
    this.shownKey = wanted;
    if (picture) {
      this.picture = picture;
      this.hideHit();
      paint(this.canvas, picture, w, h, kStill);
      this.root.dataset.shown = picture.revision;
    }
    this.refresh();
  }

  number(px) {
    const [first, last, isLog] = this.picture.x, [x0, , x1] = this.picture.plot, share = (px - x0) / (x1 - x0);
    return isLog ? first * (last / first) ** share : first + (last - first) * share;
  }
  zoomTo(from, to) {
    const visible = [this.number(from), this.number(to)];
    if (visible.every(Number.isFinite) && visible[0] < visible[1]) this.page.lookAt({visible});
  }
  enlarge() {
    const isOne = this.page.view.enlarged === this.row.tag;
    return this.page.app.act(isOne ? ['log.enlarge'] : ['log.enlarge', this.row.tag]);
  }

  inside({clientX, clientY}) {
    const {left, top} = this.root.getBoundingClientRect();
    return {x: clientX - left, y: clientY - top};
  }

  listen() {
    const on = (name, run, options) => this.root.addEventListener(name, (event) => this.picture && event.target.tagName !== 'BUTTON' && run(event), options);
    const mayZoom = this.kind !== 'histograms';
    on('pointermove', (event) => this.move(event));
    on('pointerleave', () => {
      this.mouse = null;
      this.hideHit();
    });
    if (this.kind === 'scalars') {
      on('contextmenu', (event) => {
        event.preventDefault();
        this.enlarge();
      });
    }
    if (!mayZoom) return;
    on('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.root.setPointerCapture(event.pointerId);
      this.from = this.inside(event).x;
    });
    on('pointerup', (event) => {
      const {from} = this, to = this.inside(event).x;
      this.from = null;
      this.band.hidden = true;
      if (from !== null && from !== undefined && Math.abs(to - from) >= kLeastDragPx) this.zoomTo(...this.clamped(from, to));
    });
    on('pointercancel', () => {
      this.from = null;
      this.band.hidden = true;
    });
    on('dblclick', () => this.page.lookAt({visible: null}));
    on('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const {x} = this.inside(event), [x0, , x1] = this.picture.plot, by = kZoomAStep ** Math.sign(event.deltaY);
      this.zoomTo(x - (x - x0) * by, x + (x1 - x) * by);
    }, {passive: false});
  }

  clamped(a, b) {
    const [x0, , x1] = this.picture.plot;
    return [a, b].map((px) => Math.min(Math.max(px, x0), x1)).sort((one, other) => one - other);
  }

  move(event) {
    this.mouse = this.inside(event);
    if (this.from === null || this.from === undefined) return void this.askHit();
    const [left, right] = this.clamped(this.from, this.mouse.x), [, y0, , y1] = this.picture.plot;
    this.hideHit();
    Object.assign(this.band.style, {left: `${left}px`, width: `${right - left}px`, top: `${y0}px`, height: `${y1 - y0}px`});
    this.band.hidden = right - left < kLeastDragPx;
  }

  // What is under the mouse; one question at a time.
  async askHit() {
    if (this.isHitting || !this.mouse) return;
    this.isHitting = true;
    const at = this.mouse;
    const hit = await this.page.get('hit', {...this.request(), x: Math.round(at.x), y: Math.round(at.y)});
    await new Promise((resolve) => setTimeout(resolve, kHitPauseMs));
    this.isHitting = false;
    if (!this.mouse || !this.root.isConnected) return;
    if (this.mouse !== at) this.askHit();
    if (hit) this.showHit(hit, at);
  }

  showHit({lines, colors, marks}, at) {
    const {w, h} = this.size;
    paint(this.marks, marks, w, h, kStill);
    this.marks.hidden = this.tip.hidden = lines.length === 0;
    this.tip.replaceChildren(...lines.map((text, i) => {
      const node = make('div', {text});
      if (colors[i]) node.style.color = colors[i];
      return node;
    }));
    const {offsetWidth, offsetHeight} = this.tip;
    Object.assign(this.tip.style, {left: `${Math.max(2, at.x + 16 + offsetWidth > w ? at.x - offsetWidth - 12 : at.x + 16)}px`,
        top: `${at.y + 16 + offsetHeight > h ? Math.max(2, at.y - offsetHeight - 8) : at.y + 16}px`});
  }

  hideHit() { this.tip.hidden = this.marks.hidden = true; }
}
