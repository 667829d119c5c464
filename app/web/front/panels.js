// The tables beside the charts and the card of the selected op.
import {button, find, folded, isNews, line, make, pairs, refill, setText} from './dom.js';
import {Table} from './table.js';

const kBeside = ['swaps', 'live', 'level', 'statistics'];  // one of these is shown

function link(app, name, shown = name, line = '') {
  const node = button('', () => app.select(name), {className: 'link', title: line ? `${name}\nmade at ${line}` : name, key: name});
  node.append(make('bdi', {text: shown}));
  return node;
}

function columnsOf(app) {
  const names = (key, help, sort = '') => ({title: key, help, sort, className: 'name', cell: (row) => link(app, row[key], row.short, row.line)});
  const number = (title, key, help, more = '', sort = '') => ({title, help, sort, className: `number ${more}`, cell: (row) => row[key]});
  const sizes = (sort) => ({...number('size', 'size', 'Its bytes', '', sort), descends: true});
  const tick = (key, name, checked, on, indeterminate) => make('input', {type: 'checkbox', checked, indeterminate, key, 'aria-label': name,
    onchange: (event) => app.act(on(event.target.checked))});
  const slack = (row) => make('span', {className: row.late ? 'error' : 'dim', text: row.slack, title: `${row.why}; ${row.slack_levels} levels, ${row.link} of the link`});
  const rule = (wanted, words) => (row) => row.rule && tick(`${wanted} ${row.path}`, `${words} ${row.path}`, row.rule === wanted,
    (on) => ['scope.set', row.path, on ? wanted : 'auto'], row.rule === 'mixed');
  const decisions = {none: ['auto', 'tensor.auto'], keep: ['keep', 'tensor.keep'], swap: ['force', 'tensor.swap'], own: ['', '']};
  const ruleOf = (row) => {
    const isOwn = row.own_ahead > 0 && row.user === 'none', is = isOwn ? 'own' : row.user;
    return make('select', {key: `rule ${row.tensor}`, 'aria-label': `Rule of ${row.tensor}`, onchange: (event) => app.act([decisions[event.target.value][1], row.tensor])},
      ...Object.entries(decisions).filter(([value]) => isOwn || value !== 'own').map(([value, [text]]) =>
        make('option', {value, text: text || `${row.own_ahead} ahead`, selected: value === is})));
  };
  return {
    swaps: [names('tensor', 'The output of an op that waits on the host', 'tensor'), sizes('bytes'),
            number('out', 'out_level', 'From this level on the copy is on the host', 'swap-out', 'out'),
            number('in', 'in_level', 'From this level on it is on the device again', 'swap-in', 'in'),
            number('levels', 'slack_levels', 'Levels from there to its first reader', 'wide', 'slack_levels'),
            {title: 'slack', sort: 'slack', help: 'Time to spare when the copy back arrives, or how late', className: 'number', cell: slack},
            number('link', 'link', 'How long the link takes for one copy', 'wide', 'link'),
            {title: 'rule', sort: 'user', help: 'Leave it to the parameters, keep it, or swap it in any case', cell: (row) => row.in_file ? '' : ruleOf(row)}],
    live: [names('tensor', 'A buffer in device memory'), sizes(), number('from', 'from', 'The first level'), number('to', 'to', 'The last level')],
    level: [names('op', 'An op of this level'), {title: 'type', cell: (row) => row.type}, sizes()],
    statistics: [{title: 'lane or type', sort: 'name', help: 'A row of the timeline, or a type of op', cell: (row) => row.name},
                 ...[['total', 'The sum of the times'], ['count', 'Executions'], ['mean', 'The sum by the executions'], ['longest', 'The longest execution'],
                     ['busy', 'The time in which the lane has at least one']].map(([key, help]) => ({...number(key, key, help, '', key), descends: true})),
                 {title: 'longest op', className: 'name', help: 'The op of the longest execution', cell: (row) => row.known ? link(app, row.op) : row.op}],
    scopes: [{title: 'scope', help: 'A prefix of op names', className: 'name', cell: (row) => scopeCell(app, row)},
             {title: 'only', help: 'Only outputs of these scopes are swapped', cell: rule('only', 'Swap only')},
             {title: 'never', help: 'Outputs of these scopes are never swapped', cell: rule('never', 'Never swap')},
             {title: 'size', help: 'Outputs of its ops; the line is what is swapped', className: 'number', cell: bytesCell}],
  };
}

function scopeCell(app, row) {
  const fold = () => {
    const now = app.session.view.open_scopes ?? [];
    const open_scopes = row.open ? now.filter((scope) => scope !== row.scope) : [...now, row.scope].sort((a, b) => a - b);
    app.look({open_scopes});
  };
  const isFlat = find('filter-scopes').value, arrow = row.has_children && !isFlat ? button(row.open ? '▼' : '▶', fold, {'aria-expanded': String(row.open), 'aria-label': `Parts of ${row.path}`, key: `open ${row.path}`}) : make('span');
  arrow.classList.add('fold');
  arrow.style.marginLeft = `${Math.min(row.depth, 12) * 0.8}rem`;
  return make('span', {className: 'scope', title: `${row.path}\n${row.ops} ops`}, arrow, make('span', {text: (isFlat ? row.path : row.name) || '(no name)'}));
}

function bytesCell(row) {
  const bar = make('span', {className: 'share'});
  bar.style.width = `${row.bytes > 0 ? Math.min(100, row.swapped / row.bytes * 100) : 0}%`;
  return make('span', {className: 'sized', title: `${row.size} of outputs, ${row.swapped_size} of these are swapped`}, make('span', {text: row.size}), bar);
}

export class Tables {
  constructor(app) {
    this.app = app;
    const titles = {swaps: 'Swaps', live: 'In device memory', level: 'Ops of a level', statistics: 'Statistics', scopes: 'Scopes'};
    this.all = Object.fromEntries(Object.entries(columnsOf(app)).map(([kind, columns]) => [kind, new Table(find(`table-${kind}`), {
      name: titles[kind], columns, sort: kind === 'swaps' ? '-bytes' : '', mark: (row) => app.selected.has(row.tensor ?? row.op),
      emptyText: kind === 'swaps' ? 'Nothing is swapped. Choose a mode on the left.' : 'There is nothing.',
      told: ({total, title}) => kind === 'swaps' ? setText(find('swap-count'), total ? `(${total})` : '') : title && setText(find('table-title'), title),
      ask: (query) => app.session?.get('rows', {table: kind, ...query, level: kind in {live: 1, level: 1} ? app.tableLevel : ''}),
    })]));
    for (const kind of ['swaps', 'scopes']) {
      const table = this.all[kind], field = make('input', {id: `filter-${kind}`, 'aria-label': `Filter ${kind}`, placeholder: 'filter (words or a pattern)', oninput: () => {
        table.filter = field.value;
        table.refresh(true);
      }});
      table.root.before(field);
    }
    for (const kind of kBeside) find(`tab-${kind}`).addEventListener('click', () => this.choose(kind));
    this.choose('swaps');
  }

  // The latest first, as a click on compute | waiting asks for.
  sortByLateness() {
    this.all.swaps.sort = 'slack';
    this.choose('swaps');
    return this.all.swaps.refresh(true);
  }

  async choose(kind, wantsKeyboard) {
    this.kind = kind;
    for (const other of kBeside) {
      find(`tab-${other}`).setAttribute('aria-pressed', other === kind);
      find(`part-${other}`).hidden = other !== kind;
    }
    setText(find('table-title'), '');
    await this.all[kind].refresh(true);
    if (wantsKeyboard) (this.all[kind].body.querySelector('button') ?? find(`tab-${kind}`)).focus();
  }

  refresh() { for (const table of Object.values(this.all)) table.refresh(); }
}

function outputCard(app, output) {
  const decide = (text, action, user) => button(text, () => app.act([action, output.tensor]), {key: `${action} ${output.tensor}`, 'aria-pressed': String(output.user === user && (user !== 'none' || !output.own_ahead))});
  return make('section', {},
    make('h4', {text: `${output.tensor}  ${output.shape}  ${output.type}  ${output.size}`}),
    output.unknown_size ? line('Its size is not known: give a batch size or a shape.', 'warning') : null,
    output.why ? line(`Why: ${output.why}`, 'why') : null, line(`Memory by level: ${output.memory}`),
    make('div', {className: 'row'}, decide('Keep on device', 'tensor.keep', 'keep'), decide('Swap', 'tensor.swap', 'swap'), decide('Automatic', 'tensor.auto', 'none'),
      output.swapped && make('label', {text: 'ahead '}, make('input', {type: 'number', min: 1, value: output.own_ahead || '', placeholder: 'auto', key: `ahead ${output.tensor}`,
        title: 'How many levels before its first reader it comes back', onchange: (event) => app.act(['tensor.ahead', output.tensor, event.target.value || 'auto'])}))));
}

// Of an op with a hundred thousand readers the state names only some.
const andMore = (some, count) => count > some.length ? line(`and ${count - some.length} more`, 'dim') : null;
const links = (app, title, names, count) => !count ? null :
  folded(`${title} (${count})`, count < 20, make('ul', {}, ...names.map((name) => make('li', {}, link(app, name)))), andMore(names, count));

export function showInspector(root, {selected: card, graph}, app) {
  if (!isNews(app, 'card', [card, !graph])) return;
  if (!card) return refill(root, line('Select an op, a bar or a swap to see why it is where it is.', 'dim'));
  const more = folded('attributes', false);
  more.addEventListener('toggle', async () => {
    const answer = more.childElementCount === 1 && await app.session.get('rows', {table: 'attributes', first: 0, count: 200});
    if (answer) more.append(pairs(answer.rows.map(({key, value}) => [key, value])));
  });
  refill(root, make('h3', {text: card.op}), line(`${card.type}  ${card.device || 'no device'}  ${card.phase}, level ${card.level}`, 'dim'),
         card.line ? make('p', {className: 'dim', text: `made at ${card.line.text}`, title: card.line.whole}) : null,
         card.scope ? button('Never swap its scope', () => app.act(['scope.set', card.scope, 'never']), {key: 'scope', title: card.scope}) : null,
         ...card.outputs.map((output) => outputCard(app, output)), andMore(card.outputs, card.output_count),
         links(app, 'inputs', card.inputs, card.input_count), links(app, 'waits for', card.controls, card.control_count),
         links(app, 'read by', card.consumers, card.consumer_count), more);
}
