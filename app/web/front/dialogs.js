// What opens in front of the page: commands and search, keys, messages, writing, opening.
import {alert, button, choices, closer, find, line, make, pairs, setText} from './dom.js';
import {lessonList} from './lesson.js';
import {hashOf} from './links.js';

const kMostHits = 60;
const kPageKeys = [['W S, ↑ ↓, wheel', 'zoom (Shift: faster, Alt: rows)'], ['A D, ← →, drag', 'move along the axis'], ['Shift+drag, Ctrl+drag', 'measure levels or time, limit tables to levels'],
    ['Home', 'show all'], ['F', 'fit the selection'], [', .', 'previous, next swap'], ['B, 1 to 9', 'keep a bookmark, go to one'], ['P', 'play the step, pause'], ['M', 'move a scope aside, and back'], ['Enter', 'on a chart: its table'],
    ['Alt+↑ ↓, Page ↑ ↓', 'zoom, scroll rows'], ['Alt+← →', 'selection back, forward'],
    ['/', 'search for ops'], ['Ctrl+Shift+P', 'any command'], ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'], ['Ctrl+O, Ctrl+S', 'open, write'], ['Ctrl+Enter', 'Show me, in a lesson'],
    ['Ctrl+B, Ctrl+J, Ctrl+I', 'left side, memory, right side'], ['Escape', 'close, leave the player, or clear the selection']];

export function openDialog(title, ...nodes) {
  const dialog = find('dialog');
  const cross = closer(close);
  dialog.replaceChildren(make('div', {className: 'row'}, make('h2', {text: title, id: 'dialog-title'}), cross), ...nodes);
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector('input, select, textarea') ?? cross).focus();
}

export const closeDialog = () => find('dialog').close();
const close = closeDialog;
const wordsOf = (line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]);

// Lower is better; -1: does not fit. Letters of `wanted` in their order are enough.
function rank(text, wanted) {
  const at = text.toLowerCase().indexOf(wanted);
  if (at >= 0) return at === 0 ? 0 : 1;
  let i = 0;
  for (const letter of text.toLowerCase()) i += letter === wanted[i] ? 1 : 0;
  return i === wanted.length ? 2 : -1;
}

// Commands, then ops; a line that begins with the name of an action runs it with its arguments.
export function openPalette(app, onlyOps = false) {
  let hits = [], chosen = 0, round = 0;
  const {actions} = app.about, list = make('ul', {id: 'hits', role: 'listbox', 'aria-label': 'Hits'}), note = make('p', {className: 'dim', role: 'status'});
  const run = (hit) => {
    if (!hit) return;
    if (hit.needs) return void (field.value = `${hit.words[0]} `);
    close();
    app.act(hit.words);
  };
  const mark = () => {
    [...list.children].forEach((node, i) => node.setAttribute('aria-selected', i === chosen));
    if (hits.length) field.setAttribute('aria-activedescendant', `hit-${chosen}`);
    list.children[chosen]?.scrollIntoView({block: 'nearest'});
  };
  const commandsFor = (text) => {
    const {disabled = [], titles = {}} = app.session?.state?.actions ?? {}, words = wordsOf(text), wanted = text.toLowerCase();
    const fit = actions.filter(({id}) => !disabled.includes(id)).map((action) => {
      const title = titles[action.id] ?? action.title;
      return {rank: rank(`${title} ${action.id}`, wanted), text: title, more: action.keys || action.id, title: action.help, words: action.id.split(' '), needs: action.needs_arguments};
    }).filter((hit) => hit.rank >= 0).sort((a, b) => a.rank - b.rank);
    return words.length > 1 && actions.some((action) => action.id === words[0]) ? [{text: `Run ${text}`, more: '', words}, ...fit] : fit;
  };
  const update = async () => {
    const text = field.value.trim(), mine = ++round, commands = onlyOps ? [] : commandsFor(text);
    const answer = text && app.graph ? await app.session.get('rows', {table: 'search', first: 0, count: kMostHits, filter: text}) : null;
    if (mine !== round) return;
    hits = [...commands, ...(answer?.rows ?? []).map((row) => ({text: row.op, more: `${row.type}, level ${row.level}`, words: ['select.op', row.op]}))].slice(0, kMostHits);
    chosen = 0;
    setText(note, answer?.problem ? answer.problem : answer ? `${answer.total} ops fit` : onlyOps ? '' : `${commands.length} commands`);
    list.replaceChildren(...hits.map((hit, i) => make('li', {role: 'option', id: `hit-${i}`, title: hit.title, onclick: () => run(hit)},
        make('span', {text: hit.text}), make('span', {className: 'dim', text: hit.more}))));
    mark();
  };
  const press = (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key] ?? 0;
    if (!step && event.key !== 'Enter') return;
    event.preventDefault();
    if (!step) return run(hits[chosen]);
    chosen = (chosen + step + hits.length) % Math.max(1, hits.length);
    mark();
  };
  const field = make('input', {role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'hits', spellcheck: false, autocomplete: 'off',
      'aria-label': onlyOps ? 'Search for ops' : 'Command or op', placeholder: onlyOps ? 'part of a name, /regex/, op:TYPE, scope:PATH, attr:KEY, level:A..B, line:FILE:NUMBER, bytes>SIZE' : '', oninput: update, onkeydown: press});
  openDialog(onlyOps ? 'Search' : 'Search or command', field, note, list);
  update();
}

export const openLessons = (app) => openDialog('Tutorial', lessonList(app));
export const openKeys = (app) => openDialog('Keys', pairs(kPageKeys), line(`Tideline ${app.about.tideline}`, 'dim'));

export function openMessages(app) {
  const list = [...(app.session?.state?.messages ?? [])].reverse().map(({kind, text}) => make('li', {className: kind, text: `${kind}: ${text}`}));
  openDialog('Messages', list.length ? make('ul', {}, ...list) : line('None so far.'));
}

// Through a ticket: a link cannot carry the token.
async function download(app, note, kind, format) {
  const {view, root} = app.chart;
  try {
    const {file, name} = await app.session.ask('files', {}, 'POST', {kind, format, view, w: root.clientWidth, h: root.clientHeight});
    make('a', {href: app.server.route(`files/${file}`).href, download: name}).click();
    app.say(`${name} is downloaded.`);
    close();
  } catch (error) {
    setText(note, error.message);
  }
}

export function openWrite(app) {
  const kinds = [...[...(/meta/i.test(app.graph.format) ? ['.meta'] : []), ...app.about.graph_files.filter((it) => it !== '.meta')].map((it) => [`graph ${it.slice(1)}`, `Graph (${it})`]),
      ['log', 'Log for TensorBoard'], ['csv', 'Tables of swaps and memory (.csv)'], ['plan', 'Plan (.json)'], ['svg', 'Picture of the chart (.svg)']];
  const what = make('select', {id: 'write-what'}, ...choices(kinds)), note = alert();
  const parts = [make('label', {htmlFor: 'write-what', text: 'What '}), what, button('Download', () => download(app, note, ...what.value.split(' ')), {className: 'main'})];
  if (app.about.may_write) {
    const name = make('input', {'aria-label': 'Name on the server', spellcheck: false, placeholder: 'a file name'});
    const write = async (...force) => {
      const kind = what.value.split(' ')[0], action = {graph: '', svg: '-picture'}[kind] ?? `-${kind}`;
      if (await app.act([`file.write${action}`, name.value.trim(), ...force])) return close();
      note.replaceChildren(make('span', {text: app.lastError.text}), app.lastError.code === 'exists' ? button('Replace', () => write('force')) : '');
    };
    parts.push(name, button('Write on the server', () => write()));
  }
  const copies = [['Copy command line', 'command-line'], ['Copy Python call', 'python']].map(([text, what]) => button(text, () => app.act([`edit.copy-${what}`])));
  openDialog('Write and download', ...[parts.slice(0, 3), parts.slice(3), copies].map((row) => make('div', {className: 'row'}, ...row)), note);
}

// A link, so that it can be opened in another tab, kept and copied; a click opens it here.
const opens = (text, run, wish) => make('a', {text, className: 'link', href: hashOf(wish), onclick: (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  run();
}});

// Lists the functions of a graph below it, each to be opened.
function functionsOf(app, {path, upload, run, tag}) {
  const node = button('list functions', async () => {
    const {functions, total} = await app.server.ask(app.server.route('functions', {...(upload ? {upload} : {path}), run, tag})).catch((error) => ({functions: null, total: error.message}));
    if (!functions) return node.replaceWith(alert(total));
    const source = (name) => ({path, upload, run, tag, function: name, document: upload && 'graph'});
    const rows = functions.map(({name, detail}) => make('li', {}, opens(name, () => app.open(source(name)), {source: source(name)}), make('span', {className: 'dim', text: `  ${detail}`})));
    node.replaceWith(rows.length ? make('ul', {className: 'functions', tabIndex: -1}, ...rows, total > rows.length && line(`and ${total - rows.length} more`, 'dim')) : make('span', {className: 'dim', text: 'no functions'}));
  }, {className: 'link dim', 'aria-label': `List the functions of ${path}`});
  return node;
}

// The graphs and traced steps that the program may read, and files of the browser's machine.
export async function fillSources(root, app, folder = '') {
  const found = await app.server.ask(app.server.route(app.server.urls.sources, {folder})).catch((error) => root.replaceChildren(alert(error.message)));
  if (!found) return null;
  const entry = (text, note, onclick, wish, ...more) => make('li', {}, wish && !app.options.plugin ? opens(text, onclick, wish) : button(text, onclick, {className: 'link'}), make('span', {className: 'dim', text: `  ${note}  `}), ...more);
  const title = ({path, run, tag, function: body}) => [run || path, tag, body].filter(Boolean).join('  ·  ');
  const more = ({path, run, kind, bytes}) => [run && path, kind, bytes && `${(bytes / 2**20).toFixed(2)} MiB`].filter(Boolean).join(', ');
  const part = (heading, list) => list.length ? [make('h3', {text: heading}), make('ul', {}, ...list)] : [];
  // What is no file can only be opened beside the graph from the start.
  const measure = (trace) => {
    const {session} = app, {path, run, tag} = session.trace = trace;
    app.setAddress(session);
    return path.startsWith('tensorboard:') ? app.open(session.source, session.resume, trace) : app.act(['measure.open', path, ...(run ? [run, tag] : [])]);
  };
  const file = make('input', {type: 'file', onchange: () => app.upload(file.files[0])});
  const graph = (row) => entry(title(row), more(row), () => app.open(row), {source: row}, !app.options.plugin && functionsOf(app, row));
  // What was sent has no place among the others.
  const {source} = app.session ?? {}, sent = app.graph && source?.upload ? [graph({...source, function: undefined, kind: 'sent'})] : [];
  const graphs = [...sent, ...found.graphs.map(graph)];
  const opened = (source, note) => entry(source.path, note, () => app.open(source), {source});
  root.replaceChildren(...part('Graphs', graphs), ...(graphs.length ? [] : [line('There is no graph.', 'dim')]), ...(found.refused ?? []).map((text) => line(text, 'warning')),
    ...part('Logs', (found.logs ?? []).map(({path}) => opened({path, document: 'log'}, ''))),
    ...part('Checkpoints', (found.checkpoints ?? []).map(({path, bytes}) => opened({path, document: 'checkpoint'}, `${(bytes / 2**20).toFixed(2)} MiB`))),
    ...part('Traced steps, to be shown beside the graph', app.graph ? (found.traces ?? []).map((row) => entry(title(row), `step ${row.step}, ${row.path}`, () => measure(row).then(close), {source: app.session.source, trace: row})) : []),
    ...(app.options.plugin ? [] : [...part('Lessons', (found.lessons ?? []).map(({path}) => opened({path}, ''))), ...part('Folders', (found.folders ?? []).map((path) => entry(path, '', () => fillSources(root, app, path)))),
        make('label', {}, line('A file of this computer (or drop it on the page):'), file)]));
  return found;
}

export function openSources(app) {
  const root = make('div');
  openDialog('Open', root);
  return fillSources(root, app);
}
