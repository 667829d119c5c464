// The page: what belongs together. `start` opens it; app/web/README.md says how.
import {Chart} from './chart.js';
import {Controls, showResult} from './controls.js';
import {fillSources, openDialog, openKeys, openLessons, openMessages, openPalette, openSources, openWrite} from './dialogs.js';
import {isOpen, showDocument} from './documents.js';
import {button, choices, closer, find, folded, isNews, kept, line, make, pairs, refill, setText} from './dom.js';
import {showFit} from './fit.js';
import {listenToKeys} from './keys.js';
import {lessonList, showLesson} from './lesson.js';
import {askTabs, hashOf, shareToken, takeToken, wishOf} from './links.js';
import {Tables, showInspector} from './panels.js';
import {Server} from './server.js';
import {Session, opened} from './session.js';
import {openFunction, showCrumbs} from './within.js';

const kSettledMs = 700;  // then a result is said
const kLevelsPerS = 4;   // of the step player
const kNarrowRem = 64;   // below it parts stand below each other
const kShown = ['candidates', 'control-edges', 'original'];
const kPopups = {keys: openKeys, about: openKeys, palette: openPalette, search: (app) => openPalette(app, true), messages: openMessages,
    write: openWrite, tutorial: openLessons, open: openSources, 'open-log': openSources, 'open-trace': openSources};
const page = document.documentElement;

const closeBanner = () => find('banner').hidden = true;
function banner(text, ...nodes) {
  refill(find('banner'), make('span', {text}), ...nodes);
  find('banner').hidden = false;
}

class App {
  constructor(options, about) {
    Object.assign(this, {options, about, selected: new Set()});
    this.server = new Server(options);
    find('theme').append(...choices(about.themes.map((name) => [name])));
    for (const id of ['color', 'box-color']) find(id).append(...choices(about.colors.map((word) => [word])));
    // Levels and memory are there together; any other view is in the place of both.
    this.charts = [this.levels, this.memory, this.other] = ['levels', 'memory', 'other'].map((name) => new Chart(find(name), name, this));
    find('views').append(...about.views.map(({word, title}) => button(title, () => this.act(['view.tab', word]), {id: `view-${word}`})));
    this.chart = this.levels;  // that keys move
    this.tables = new Tables(this);
    this.controls = new Controls(find('controls'), this);
    this.listen();
    const hasLessons = !options.plugin && about.lessons?.length;
    find('tutorial').hidden = !hasLessons;
    if (hasLessons) find('start-lessons').append(make('h2', {text: 'Tutorial'}), lessonList(this));
    this.setTheme(kept.get('theme') ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'));
  }

  get graph() { return this.session?.state?.graph; }

  listen() {
    const on = (id, run, event = 'click') => find(id).addEventListener(event, run);
    for (const name of ['open', 'tutorial', 'palette', 'keys', 'write', 'messages']) on(name, () => this.popup(name));
    for (const name of ['undo', 'redo']) on(name, () => this.act([`edit.${name}`]));
    for (const name of kShown) on(`show-${name}`, () => this.act(['view.toggle', name]), 'change');
    on('color', (event) => this.act(['view.color', event.target.value]), 'change');
    on('box-color', (event) => this.act(['scope.color', event.target.value]), 'change');
    on('traced', (event) => this.measure(this.graph.traced.steps[event.target.value]), 'change');
    for (const name of ['axis', 'device']) on(name, (event) => this.act([`view.${name}`, event.target.value]), 'change');
    on('detail', (event) => this.act(['view.detail', String(event.target.value / 100)], {key: 'detail'}), 'input');
    on('whole-step', () => this.act(['timeline.clear']));
    for (const id of ['limit', 'limit-scopes']) on(id, () => this.act(['levels.clear']));
    on('clear-scopes', () => this.act(['scope.clear']));
    on('all', () => this.chart.showAll());
    on('cancel', () => this.session?.cancel());
    on('theme', (event) => this.setTheme(event.target.value), 'change');
    this.charts.forEach((chart) => chart.root.addEventListener('focus', () => this.chart = chart));
    const sizes = new ResizeObserver(() => this.resize());
    for (const node of [document.body, find('top')]) sizes.observe(node);
    this.resize();
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      if (!this.options.plugin) this.upload(event.dataTransfer.files[0]);
    });
    if (!this.options.plugin) addEventListener('hashchange', () => this.readAddress());
    addEventListener('pagehide', () => this.session?.leave());
    listenToKeys(this);
    document.fonts.load('15px "Tideline Sans"').then(() => this.charts.forEach((chart) => chart.repaint()), () => {});
  }

  resize() {
    this.fontPx = parseFloat(getComputedStyle(page).fontSize);
    page.classList.toggle('narrow', innerWidth / this.fontPx < kNarrowRem);
    this.moved();
  }

  setTheme(theme) {
    page.dataset.theme = find('theme').value = theme;
    kept.set('theme', theme);
    if (this.session?.state && this.session.view.theme !== theme) this.look({theme});
  }

  toggle(part) {
    find('app').classList.toggle(`no-${part}`);
    this.moved();
    this.tables.refresh();
  }

  open(source, resume, trace) {
    find('dialog').close();
    const wish = {source, resume, trace};
    return opened(this.server, wish).then((id) => {
      this.before = isOpen(this.session?.state) && this.session;
      return this.attach(id, wish);
    }, (error) => this.error(error.message));
  }

  enter(names) {
    openFunction(this, names);
  }

  // The session before ends once there is another graph; where none comes, it stays.
  settle(state) {
    const {before} = this, {messages} = state, graph = isOpen(state);
    this.before = null;
    this.server.ask(this.server.route(`sessions/${(graph ? before : this.session).id}`), 'DELETE').catch(() => {});
    if (!graph) this.attach(before.id, before).then(() => this.error(messages.at(-1)?.text ?? 'There is no graph.'));
  }

  attach(id, wish) {
    if (this.session) this.session.isClosed = true;
    this.setAddress(wish);
    closeBanner();
    this.clear();
    this.session = new Session(this.server, id, wish, {
      state: (state) => this.show(state), error: (text, code) => this.error(text, code), lost: (error) => this.lost(error),
      again: () => { this.clear(), this.say(this.session.resume ? 'Opened again with the same policy.' : 'The lesson begins again.'); },
      pictures: () => this.graph ? this.charts.filter((chart) => chart.isVisible).map((chart) => chart.request()) : [],
      show: (pictures, requests) => pictures.forEach((picture, i) => this.charts.find((chart) => chart.view === requests[i].view)?.show(picture, requests[i])),
    });
    return this.look({theme: page.dataset.theme, font: this.fontPx, popup: 'none'});
  }

  // Of what is open, to be bookmarked and copied.
  setAddress(wish) {
    const hash = hashOf(wish);
    if (!this.options.plugin && hash !== location.hash) history[location.hash ? 'pushState' : 'replaceState'](null, '', location.pathname + location.search + hash);
  }

  // Somebody has changed the fragment, or gone back.
  readAddress() {
    if (new URLSearchParams(location.hash.slice(1)).has('token')) return location.reload();
    const wish = wishOf(location.hash);
    if (wish && hashOf(this.session ?? {}) !== location.hash) this.open(wish.source, undefined, wish.trace);
  }

  upload(file) {
    if (!file) return;
    if (file.name.endsWith('.lesson')) return this.error('A lesson is opened together with its graph, from a folder that tideline serve was given.');
    this.say(`${file.name} is sent.`);
    this.server.ask(this.server.route('uploads', {kind: 'graph', name: file.name}), 'POST', file)
      .then(({upload}) => this.open({upload, path: file.name}), (error) => this.error(error.message));
  }

  // No answer, or no session, and none instead.
  lost({status, message}) {
    const retry = () => {
      closeBanner();
      return status ? this.session.reopen().then(() => this.act(), (error) => this.error(error.message)) : this.look({});
    };
    banner(status ? 'The session is gone: it gave way, or the program was restarted.' : message,
           button(status ? this.session.resume ? 'Open it again with the same policy' : 'Begin the lesson again' : 'Try again', retry), button('Open another', () => this.popup('open')));
  }

  act(words, more) {
    if (words) closeBanner();
    if (words?.[0] === 'view.toggle' && !kShown.includes(words[1])) return this.toggle(words[1]);
    return this.session?.act(words, more) ?? Promise.resolve(null);
  }
  look(change) {
    this.session?.look(change);
    return this.act();
  }
  select(name) { return this.act(['select.op', name]); }
  choose(hit) {
    if (hit.kind === 'share') return this.tables.sortByLateness();
    return this.act(hit.tensor ? ['select.op', hit.tensor] : hit.scope ? ['scope.pick', hit.scope] : ['select.clear']);
  }
  fit() { return this.act(['view.fit-selection']); }

  // The cursor of the step player walks the levels, a picture an answer, until it is stopped or at their end.
  async play() {
    if (this.isPlaying) return this.isPlaying = false;
    this.isPlaying = true;
    let level = this.played ?? 0, last = performance.now();
    const isThere = () => this.isPlaying && this.graph && level < this.graph.levels;
    while (isThere() && await this.act(['player.at', level.toFixed(3)], {key: 'player'})) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      level += (now - last) / 1000 * kLevelsPerS;
      last = now;
    }
    this.played = level < (this.graph?.levels ?? 0) ? level : 0;
    this.isPlaying = false;
  }
  stop() {
    this.isPlaying = false;
    return this.act(['select.clear']);
  }

  clear() { this.charts.forEach((chart) => chart.clear()); }
  moved() { this.charts.forEach((chart) => chart.refresh()); }

  pointed(chart, position) {
    const isShared = this.session?.view.tab !== 'memory';
    for (const other of this.charts) if (other === chart || isShared) other.pointAt(position);
    this.pointedLevel = position === null || chart === this.other ? null : Math.floor(position);
  }

  // Enter on a chart leads to its table: of the level under the mouse, else of the selected op or the peak.
  activate(chart) {
    const isLevels = chart === this.levels, level = this.session.state.selected?.level ?? Math.floor(chart.range.first);
    this.tableLevel = this.pointedLevel ?? (isLevels ? level : null);
    this.tables.choose(isLevels ? 'level' : 'live', true);
  }

  popup(name) {
    if (this.graph || (name !== 'write' && name !== 'search')) kPopups[name]?.(this);
  }

  say(text) { setText(find('status'), text); }
  error(text, code) {
    this.lastError = {text, code};
    banner(text, closer(closeBanner));
  }

  show(state) {
    if (this.before && (isOpen(state) || !state.busy)) this.settle(state);
    if (state !== this.session.state) return;
    const {graph, job, view} = state, {source} = this.session, disabled = new Set(state.actions?.disabled ?? []);
    find('app').classList.toggle('is-empty', !isOpen(state));
    showDocument(this, state);
    for (const {root} of [this.levels, this.memory, this.other]) root.dataset.outdated = state.outdated ?? '';
    find('start').hidden = job || isOpen(state) || (state.document && state.busy);
    if (!isOpen(state) && !job && !find('sources').firstChild) fillSources(find('sources'), this);
    setText(find('title'), graph ? [source?.run || graph.title, source?.tag].filter(Boolean).join(' · ') + (state.unwritten ? ' (not written)' : '') : state.document?.title ?? source?.path ?? '');
    document.title = graph || state.document ? `${(graph ?? state.document).title} - Tideline` : 'Tideline';
    for (const name of ['undo', 'redo']) Object.assign(find(name), {disabled: disabled.has(`edit.${name}`), title: state[name] || ''});
    find('write').disabled = !graph || disabled.has('file.write-dialog');
    this.selected = new Set(state.selected ? [state.selected.op, ...state.selected.outputs.map((output) => output.tensor)] : []);
    this.controls.show(state);
    showResult(find('result'), state, this);
    showInspector(find('inspector'), state, this);
    find('progress').hidden = find('cancel').hidden = !job;
    find('progress').value = Math.max(0, job?.done_0_1 ?? 0);
    setText(find('job'), job ? `${job.title}${job.stage ? `: ${job.stage}` : ''}` : '');
    const tab = this.about.views.find(({word}) => word === view.tab);
    const isOther = tab.word !== 'levels' && tab.word !== 'memory' && (graph?.measured || !tab.needs_trace);
    if (isOther && this.other.view !== view.tab) {
      this.other.clear();
      this.other.view = view.tab;
    }
    find('memory').hidden = !graph || isOther;
    find('levels').hidden = !graph || view.tab === 'memory' || isOther;
    find('other').hidden = !graph || !isOther;
    showFit(find('fit'), state, this);
    if (isOther) this.chart = this.other;
    else if (view.tab === 'memory') this.chart = this.memory;
    else if (document.activeElement !== this.memory.root) this.chart = this.levels;
    if (state.clipboard) this.copy(state.clipboard);
    if (view.popup && view.popup !== 'none' && !this.session.changed.popup) {
      this.session.look({popup: 'none'});
      this.popup(view.popup);
    }
    if (view.theme && !this.session.changed.theme) this.setTheme(view.theme);
    if (graph) {
      this.showSource(graph);
      this.showBar(state);
      this.tables.refresh();
    }
    showLesson(this, state);
    this.tell(state);
    this.moved();
  }

  showSource({path, format, summary, diagnostics}) {
    if (!isNews(this, 'source', [path, format, summary, diagnostics])) return;
    const notes = diagnostics.map((note) => make('li', {text: note}));
    refill(find('source'), line(path), line(format, 'dim'), pairs(summary),
           notes.length ? folded(`Notes of the reader (${notes.length})`, true, make('ul', {}, ...notes)) : null);
  }

  showBar({view, graph, actions}) {
    const checked = new Set(actions?.checked ?? []);
    for (const {word, needs_trace} of this.about.views) {
      find(`view-${word}`).setAttribute('aria-pressed', view.tab === word);
      find(`view-${word}`).disabled = needs_trace && !graph.measured;
    }
    for (const name of kShown) find(`show-${name}`).checked = checked.has(`view.toggle ${name}`);
    for (const node of find('bar').querySelectorAll('[data-tab]')) node.hidden = !node.dataset.tab.split(' ').includes(view.tab);
    find('measured').disabled = !graph.measured;
    find('time').disabled = !graph.timed;
    find('axis').value = view.memory_axis;
    this.showTraced(graph.traced);
    this.showLimits(view, graph);
    find('color').value = view.levels_color;
    find('box-color').value = view.scopes_color;
    showCrumbs(this, graph);
    if (document.activeElement !== find('detail')) find('detail').value = view.detail * 100;
    find('device').parentElement.hidden = graph.devices.length < 2;
    if (find('device').length !== graph.devices.length) find('device').replaceChildren(...choices(graph.devices.map((name, i) => [i, name])));
    find('device').value = view.device;
  }

  // What tables and statistics are limited to.
  showLimits({tab, levels, stretch}, {measured}) {
    const text = levels?.limit ? `Only ${levels.from === levels.to ? `level ${levels.from}` : `levels ${levels.from} to ${levels.to}`}: show all` : '';
    for (const id of ['limit', 'limit-scopes']) {
      setText(find(id), text);
      find(id).hidden = !text;
    }
    if (isNews(this, 'limitText', text) && text) this.tableLevel = null;
    find('whole-step').hidden = !stretch;
    find('tab-statistics').hidden = !measured;
    if (isNews(this, 'tab', tab) && tab === 'timeline' || this.tables.kind === 'statistics' && !measured) this.tables.choose(measured ? 'statistics' : 'swaps');
  }

  // Of the log that the traced step is from.
  showTraced(traced) {
    if (!traced) find('traced-part').hidden = true;
    else if (isNews(this, 'traced', traced)) {
      const named = traced.steps.map(({run, tag}, i) => [i, traced.steps.every((step) => step.run === run) ? tag : `${run}: ${tag}`]);
      find('traced').replaceChildren(...choices(named));
    }
    if (traced) find('traced').value = traced.shown;
  }

  measure({run, tag}) {
    const {path} = this.graph.traced;
    this.session.trace = {path, run, tag};
    this.setAddress(this.session);
    return this.act(['measure.open', path, run, tag]);
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.say('Copied.');
    } catch {
      openDialog('Copy', make('textarea', {value: text, 'aria-label': 'Text to copy', readOnly: true}));
    }
  }

  // Names of the charts at once; results for the live region when they stand still.
  tell({result, graph, messages = [], busy, job}) {
    const words = result ? [result.title, ...result.lines.slice(0, 4).map((line) => line.text)].join('; ').replaceAll('\n', ', ') : '';
    find('levels').setAttribute('aria-label', `Levels with ${graph?.swaps ?? 0} swaps. ${words}. Enter: ops of a level`);
    find('other').setAttribute('aria-label', `${this.about.views.find(({word}) => word === this.other.view)?.title ?? ''}. ${words}`);
    find('memory').setAttribute('aria-label', `Memory of the device before and after. ${words}. Enter: what is in memory`);
    clearTimeout(this.timer);
    const last = isNews(this, 'messages', messages) && messages.at(-1);
    if (last) this[last.kind === 'error' ? 'error' : 'say'](last.text);
    else if (!busy && !job && words !== this.words) {
      this.timer = setTimeout(() => this.say((this.words = words) && `Peak of device memory ${words}`), kSettledMs);
    }
  }
}

// Into a document without one, as TensorBoard's.
async function adoptPage() {
  const text = await (await fetch(new URL('index.html', import.meta.url))).text();
  page.lang = 'en';
  document.head.append(make('link', {rel: 'stylesheet', href: new URL('style.css', import.meta.url).href}));
  document.body.replaceChildren(document.adoptNode(new DOMParser().parseFromString(text, 'text/html').getElementById('app')));
}

// Resolves to the App once the first answer is there, or to null.
export async function start(options = {}) {
  if (!find('app')) await adoptPage();
  const token = options.plugin ? undefined : takeToken() ?? await askTabs();
  const settings = {api: new URL('../api/v1/', import.meta.url), token, ...options};
  const server = new Server(settings), wish = options.plugin ? null : wishOf(location.hash);
  const about = await server.ask(server.urls.about).catch((error) => {
    const how = wish ? 'in this tab or another one, then this link' : 'with all of it';
    banner(error.status === 401 ? `The token is missing: open the address that the program printed, ${how}.` : error.message);
  });
  if (!about) return null;
  if (token) {
    kept.set('token', token);
    shareToken(token);
  }
  const app = new App(settings, about), last = kept.get('session');
  // A link is opened, but not again when the page is loaded again: then its session goes on.
  const isNew = wish && (performance.getEntriesByType('navigation')[0]?.type === 'navigate' || !last || hashOf(last) !== location.hash);
  if (settings.source) await app.open(settings.source);
  else if (isNew) await app.open(wish.source, undefined, wish.trace);
  else if (last) await app.attach(last.id, last);
  if (app.session?.state) return app;
  find('start').hidden = false;
  const found = await fillSources(find('sources'), app);
  const named = (list, kind) => (list ?? []).map(({path}) => ({path, document: kind}));
  const all = found?.graphs.length ? found.graphs : [...named(found?.logs, 'log'), ...named(found?.checkpoints, 'checkpoint')];
  if (!last && !wish && !settings.plugin && all.length === 1) await app.open(all[0]);
  return app;
}
