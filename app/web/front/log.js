// A log: its runs and how they are looked at on the left, the charts or cards of one section in the centre.
import {Cards, showCards} from './cards.js';
import {button, choices, folded, isNews, line, make, refill, setText} from './dom.js';
import {LogChart} from './logchart.js';
import {Table} from './table.js';

const kMostCharts = 500, kFollowMs = 3000, kLookMs = 500;
const kTitles = {scalars: 'Scalars', histograms: 'Histograms', distributions: 'Distributions', images: 'Images', text: 'Text', hparams: 'Hyperparameters', graphs: 'Graphs'};
const kDrawn = ['scalars', 'histograms', 'distributions'];

export class LogPage {
  constructor(root, app) {
    Object.assign(this, {root, app, charts: [], section: make('div', {id: 'log-charts', tabIndex: 0, role: 'group', 'aria-label': 'Charts'})});
    this.source = make('div');
    this.cards = new Cards(this);
    this.sections = make('div', {className: 'row', id: 'log-sections'});
    this.seen = new IntersectionObserver((entries) => entries.forEach(({target, isIntersecting}) => this.charts.find((chart) => chart.root === target)?.see(isIntersecting)), {rootMargin: '200px'});
    root.replaceChildren(
      make('aside', {'aria-label': 'Log'}, make('section', {}, make('h2', {text: 'Log'}), this.source), this.look(), this.tags(), this.runs()),
      make('main', {}, this.sections, this.section));
    this.sizes = new ResizeObserver(() => this.refresh());
    this.sizes.observe(this.section);
    this.follow();
  }

  get view() { return {...this.state.view.log, ...this.app.session.view.log}; }

  // Changes what no action changes.
  lookAt(change) {
    const {session} = this.app;
    session.view.log = {...this.view, ...change};
    session.changed.log = {...session.changed.log, ...change};
    return this.app.act();
  }

  // Of answers that no longer matter nobody is told.
  get(path, query) { return this.app.session.ask(path, query).catch(() => null); }

  tick(title, name, help) {
    const box = this[name] = make('input', {type: 'checkbox', id: `log-${name}`, onchange: () => this.lookAt({[name]: box.checked})});
    return make('label', {title: help}, box, make('span', {text: ` ${title}`}));
  }

  look() {
    const smooth = (more) => this.app.act(['log.smoothing', this.smoothing.value], {key: 'smoothing', ...more});
    this.smoothing = make('input', {type: 'range', id: 'log-smoothing', min: 0, max: 0.999, step: 0.001, oninput: () => smooth(), onchange: () => smooth({end: true})});
    this.smoothed = make('output', {className: 'number'});
    this.axis = make('select', {id: 'log-axis', onchange: () => this.app.act(['log.axis', this.axis.value])}, ...choices([['step'], ['relative', 'relative time'], ['wall', 'wall time']]));
    this.whole = button('Whole axis', () => this.lookAt({visible: null}), {title: 'Drag over a chart to zoom in, Ctrl+wheel zooms at the mouse; a double click shows the whole axis again; a right click enlarges the chart'});
    this.newest = button('Newest steps', () => {
      this.filled = null;
      return this.app.act(['log.step']);
    });
    const of = (sections, ...nodes) => make('div', {className: 'row', 'data-sections': sections}, ...nodes);
    return this.looks = make('section', {}, make('h2', {text: 'Look'}),
      of('scalars', make('label', {htmlFor: 'log-smoothing', text: 'smoothing'}), this.smoothing, this.smoothed),
      of('scalars distributions', make('label', {text: 'axis '}, this.axis), this.whole),
      of('scalars distributions', this.tick('log y', 'log_y'), this.tick('log x', 'log_x')),
      of('scalars', this.tick('no outliers', 'no_outliers', 'The chart shows where nine tenths of the values are, and says how many are not')),
      of('histograms', this.tick('one behind the other', 'offset')),
      of('scalars histograms distributions', this.tick('full width', 'full_width')), of('images text', this.newest));
  }

  filter(what) {
    const field = this[`${what}Filter`] = make('input', {id: `log-${what}-filter`, 'aria-label': `Filter ${what}`, placeholder: 'filter (words or a pattern)', spellcheck: false,
      oninput: () => this.app.act(['log.filter', what, ...(field.value ? [field.value] : [])], {key: `filter ${what}`})});
    this[`${what}Error`] = make('p', {className: 'error'});
    return [field, this[`${what}Error`]];
  }

  tags() { return make('section', {}, make('h2', {text: 'Tags'}), ...this.filter('tags')); }

  runs() {
    const root = make('div', {className: 'table', id: 'log-runs'}), choose = (...words) => this.app.act(['log.runs', ...words]);
    const tick = ({run, name, shown}) => make('input', {type: 'checkbox', checked: shown, key: `run ${run}`, 'aria-label': `Show ${name}`, onchange: (event) => choose(event.target.checked ? 'show' : 'hide', run)});
    const number = ({number, color}) => {
      const node = make('span', {text: number});
      node.style.color = color;
      return node;
    };
    this.table = new Table(root, {name: 'Runs', sort: '', mark: () => false, told: () => {}, emptyText: 'There is no run.', columns: [
      {title: '', cell: tick}, {title: '#', help: 'The number at the end of its curves', className: 'number', cell: number},
      {title: 'run', className: 'name', cell: ({run, name}) => make('button', {className: 'link', key: `only ${run}`, title: `${name}\nShow no other run`, onclick: () => choose('only', run)}, make('bdi', {text: name}))}],
    ask: ({first, count}) => this.get('rows', {table: 'log-runs', first, count})});
    return make('section', {id: 'part-log-runs'}, make('div', {className: 'row'}, make('h2', {text: 'Runs'}), button('All', () => choose('show')), button('None', () => choose('hide'))), ...this.filter('runs'), root);
  }

  show(state) {
    this.state = state;
    const {view} = this, {log} = state;
    this.showSource(log);
    this.showSections(log, view);
    const set = (node, value) => document.activeElement === node && node.type !== 'checkbox' || (node.value = value);
    for (const name of ['log_y', 'log_x', 'no_outliers', 'offset', 'full_width']) this[name].checked = view[name];
    set(this.smoothing, view.smoothing);
    setText(this.smoothed, view.smoothing.toFixed(3));
    this.axis.value = view.axis;
    this.whole.disabled = !view.visible;
    this.newest.disabled = view.step === null && !view.rows.length;
    set(this.tagsFilter, view.tag_filter);
    set(this.runsFilter, view.run_filter);
    setText(this.tagsError, log.tag_error);
    setText(this.runsError, log.run_error);
    for (const node of this.looks.querySelectorAll('[data-sections]')) node.hidden = !node.dataset.sections.split(' ').includes(view.page);
    this.looks.hidden = view.page === 'hparams' || view.page === 'graphs';
    if (isNews(this, 'runsShown', [log.version, this.app.session.id, state.view.theme])) this.table.refresh();
    this.fill(log, view);
    this.refresh();
  }

  showSource(log) {
    const {path, records, values, runs, diagnostics} = log;
    if (!isNews(this, 'sourceShown', [path, records, values, runs, diagnostics])) return;
    refill(this.source, line(path, 'dim'), line(`${records} events, ${values} values, ${runs} runs`, 'dim'),
      diagnostics.length ? folded(`Notes of the reader (${diagnostics.length})`, true, make('ul', {}, ...diagnostics.map((text) => make('li', {text, className: 'warning'})))) : null);
  }

  showSections({pages}, {page}) {
    if (!isNews(this, 'sectionsShown', [pages, page])) return;
    refill(this.sections, ...pages.map(({page: word, count}) => button(count ? `${kTitles[word]} (${count})` : kTitles[word], () => this.app.act(['log.page', word]),
      {id: `section-${word}`, key: word, disabled: !count && word !== page, 'aria-pressed': String(word === page)})));
  }

  // The cards of the section, anew when others are to be shown.
  async fill(log, view) {
    const {page} = view, session = this.app.session.id;
    this.section.classList.toggle('is-wide', view.full_width);
    if (page === 'graphs') return this.showGraphs(log);
    if (!isNews(this, 'filled', [log.version, page, view.enlarged, session, kDrawn.includes(page) ? 0 : [view.step, view.raw_text]])) return;
    const wanted = this.filled;
    const table = page === 'hparams' ? 'hparams' : 'log-charts';
    const answer = await this.get('rows', {table, first: 0, count: kMostCharts});
    if (wanted !== this.filled || session !== this.app.session?.id) return;  // others are wanted by now
    if (!answer) return void (this.filled = null);
    this.filledVersion = log.version;
    if (kDrawn.includes(page)) this.showCharts(answer, page, this.view);
    else {
      this.drop();
      showCards(this, answer, page);
    }
  }

  drop() {
    this.charts.forEach((chart) => this.seen.unobserve(chart.root));
    this.charts = [];
    this.section.classList.remove('is-single');
  }

  showCharts({rows, total}, page, {enlarged}) {
    const key = ({tag, run}) => JSON.stringify([page, tag, run]), known = new Map(this.charts.map((chart) => [chart.key, chart]));
    const single = page === 'scalars' && rows.find((row) => row.tag === enlarged);
    this.drop();
    this.charts = (single ? [single] : rows).map((row) => known.get(key(row)) ?? new LogChart(this, page, row, key(row)));
    this.section.classList.toggle('is-single', Boolean(single));
    const nodes = [];
    let group = '';
    for (const chart of this.charts) {
      if (chart.row.group !== group && !single) nodes.push(make('h3', {text: group = chart.row.group}));
      nodes.push(chart.root);
    }
    const files = single && make('div', {className: 'row'}, button('All charts', () => this.app.act(['log.enlarge']), {key: 'all'}), ...['svg', 'csv'].map((format) => button(`Download .${format}`, () => this.download(single.tag, format))));
    const none = !rows.length && line(`No tag of ${page} matches the filters and the chosen runs.`, 'dim');
    refill(this.section, files, none, ...nodes, total > rows.length && line(`and ${total - rows.length} more charts: the filter of tags shows them.`, 'dim'));
    this.charts.forEach((chart) => this.seen.observe(chart.root));
    this.refresh();
  }

  // Through a ticket: a link cannot carry the token.
  async download(tag, format) {
    const {app} = this, {clientWidth: w, clientHeight: h} = this.section;
    const wish = format === 'csv' ? {kind: 'chart-csv', tag} : {kind: 'svg', view: 'log', chart: 'scalars', tag, w, h, font: app.fontPx};
    const made = await app.session.ask('files', {}, 'POST', wish).catch((error) => app.error(error.message));
    if (!made) return;
    make('a', {href: app.server.route(`files/${made.file}`).href, download: made.name}).click();
    app.say(`${made.name} is downloaded.`);
  }

  // A graph is a session of its own; a traced step is shown beside the graph of its run, or of the only run with graphs.
  showGraphs({path, graphs: all, traces}) {
    if (!isNews(this, 'filled', ['graphs', path, all, traces])) return;
    this.drop();
    const {app} = this, {upload} = app.session.source, graphs = upload ? all.map((graph) => ({...graph, upload, document: 'graph'})) : all, isOne = new Set(graphs.map(({run}) => run)).size === 1;
    const item = (text, note, open) => make('li', {}, button(text, open, {className: 'link', disabled: !open}), make('span', {className: 'dim', text: `  ${note}`}));
    const measured = (trace) => {
      const graph = graphs.find(({run}) => run === trace.run) ?? (isOne && graphs[0]);
      return graph && (() => app.open(graph, undefined, {path: upload ? undefined : path, upload, run: trace.run, tag: trace.tag}));
    };
    const list = (title, rows) => rows.length ? [make('h3', {text: title}), make('ul', {}, ...rows)] : [];
    refill(this.section, ...list('Graphs by run and tag', graphs.map((graph) => item(`${graph.run}  ${graph.tag}`, graph.kind, () => app.open(graph)))),
      ...list('Traced steps, with the graph of their run', traces.map((trace) => item(`${trace.run}  ${trace.tag}`, `step ${trace.step}`, measured(trace)))));
  }

  refresh() {
    if (!this.state || this.filledVersion !== this.state.log.version) return;  // a chart may be gone
    this.lookKey = JSON.stringify([this.state.log.version, {...this.view, rows: 0, page: 0, enlarged: 0}, this.app.session.id, this.state.view.theme]);
    this.charts.forEach((chart) => chart.refresh());
  }

  // What training appends; nothing is asked while nobody sees the page.
  follow() {
    setTimeout(async () => {
      const {session} = this.app;
      if (!this.root.isConnected || this.isOver) return;
      if (document.visibilityState === 'visible' && session?.state?.log && !session.isActing) {
        const state = await this.get('state', {since: session.state.revision, wait: kLookMs});
        if (state && session === this.app.session && state.revision > session.state.revision) session.take(state);
      }
      this.follow();
    }, kFollowMs);
  }

  end() {
    this.isOver = true;
    this.seen.disconnect();
    this.cards.end();
    this.sizes.disconnect();
  }
}
