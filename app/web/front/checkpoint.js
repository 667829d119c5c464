// A checkpoint: what it is on the left, its tensors or how another one differs in the centre, the selected tensor on the right.
import {closeDialog, openDialog} from './dialogs.js';
import {alert, button, isNews, line, make, pairs, refill, setText} from './dom.js';
import {Table} from './table.js';

const kMostDepth = 12;

export class CheckpointPage {
  constructor(root, app) {
    Object.assign(this, {root, app, isCompared: false});
    [this.source, this.check, this.compared, this.tensor] = ['source', 'check', 'compared', 'tensor'].map((name) => make('div', {id: `checkpoint-${name}`}));
    this.tabs = ['Tensors', 'Comparison'].map((title, i) => button(title, () => this.choose(i === 1), {id: `checkpoint-tab-${title.toLowerCase()}`}));
    this.verify = button('Verify', () => app.act(['checkpoint.verify']), {title: 'Whether every byte is what was written'});
    this.parts = [this.tensors(), this.differences()];
    root.replaceChildren(
      make('aside', {'aria-label': 'Checkpoint'}, make('section', {}, make('h2', {text: 'Checkpoint'}), this.source),
        make('section', {}, make('h2', {text: 'Checksums'}), this.verify, this.check),
        make('section', {}, make('h2', {text: 'Comparison'}), button('Compare with…', () => this.openOthers()), this.compared)),
      make('main', {}, make('div', {className: 'row'}, ...this.tabs), ...this.parts),
      make('aside', {'aria-label': 'Selected tensor'}, make('section', {}, make('h2', {text: 'Tensor'}), this.tensor)));
  }

  end() { /* nothing goes on */ }

  select(name) { return this.app.act(['checkpoint.select', name]); }

  // Names are a tree while they are sorted by name, else a list.
  name(row) {
    const closed = this.app.session.view.checkpoint?.closed ?? [];
    const fold = () => this.app.look({checkpoint: {closed: row.open ? [...closed, row.node] : closed.filter((node) => node !== row.node)}}).then(() => this.table.refresh());
    const arrow = row.has_parts ? button(row.open ? '▼' : '▶', fold, {'aria-expanded': String(row.open), 'aria-label': `Parts of ${row.label}`, key: `open ${row.node}`}) : make('span');
    arrow.classList.add('fold');
    arrow.style.marginLeft = `${Math.min(row.depth, kMostDepth) * 0.8}rem`;
    const label = row.label || '(no name)', title = `${row.tensor ?? row.label}\n${row.tensors > 1 ? `${row.tensors} tensors, ` : ''}${row.size}`;
    return make('span', {className: 'scope', title}, arrow, row.tensor === null ? make('span', {text: label, className: 'dim'}) : make('button', {className: 'link', key: `tensor ${row.tensor}`, onclick: () => this.select(row.tensor)}, make('bdi', {text: label})));
  }

  tensors() {
    const root = make('div', {className: 'table', id: 'checkpoint-tensors'}), problem = make('p', {className: 'error'});
    const column = (title, sort, key, help, className) => ({title, sort, help, className, cell: (row) => row.tensor === null && key !== 'size' ? '' : row[key]});
    this.table = new Table(root, {name: 'Tensors', sort: 'name', mark: (row) => row.tensor !== null && row.tensor === this.state?.checkpoint.selected,
      told: (answer) => setText(problem, answer.problem ?? ''), emptyText: 'There is no tensor in this checkpoint.',
      ask: (query) => this.app.session?.get('rows', {table: 'tensors', ...query}),
      columns: [{title: 'name', sort: 'name', className: 'name', help: 'Names of tensors, by their parts; sorted otherwise they are a list', cell: (row) => this.name(row)},
        column('type', 'type', 'type', 'The type of an element'), column('shape', 'shape', 'shape', 'The size of each dimension'),
        {...column('size', 'bytes', 'size', 'Bytes in the files', 'number'), descends: true}, column('crc32c', 'checksum', 'checksum', 'The checksum that the checkpoint has of the tensor', 'number wide')]});
    const field = make('input', {id: 'checkpoint-filter', 'aria-label': 'Filter tensors', placeholder: 'filter (words or a pattern)', spellcheck: false, oninput: () => {
      this.table.filter = field.value;
      this.table.refresh(true);
    }});
    return make('div', {id: 'part-tensors'}, field, problem, root);
  }

  differences() {
    const root = make('div', {className: 'table', id: 'checkpoint-differences'});
    this.others = new Table(root, {name: 'Differences', sort: '', mark: (row) => row.tensor === this.state?.checkpoint.selected, told: () => {}, emptyText: 'Nothing differs.',
      ask: ({first, count}) => this.app.session?.get('rows', {table: 'differences', first, count}),
      columns: [{title: 'tensor', cell: (row) => button(row.name, () => this.select(row.tensor), {className: 'link', key: `differs ${row.tensor}`})},
        {title: 'what differs', className: 'wraps', cell: (row) => row.what}]});
    return make('div', {id: 'part-differences', hidden: true}, root);
  }

  choose(isCompared) {
    this.isCompared = isCompared;
    this.parts.forEach((part, i) => part.hidden = (i === 1) !== isCompared);
    this.tabs.forEach((tab, i) => tab.setAttribute('aria-pressed', String((i === 1) === isCompared)));
    (isCompared ? this.others : this.table).refresh(true);
  }

  show(state) {
    const isFirst = !this.state, {checkpoint, busy} = state;
    this.state = state;
    const {path, format, tensors, size, files, file_count: count, check, comparison, selected, facts} = checkpoint;
    if (isNews(this, 'sourceShown', path)) refill(this.source, line(path), line(`${format}, ${tensors} tensors, ${size}`, 'dim'), ...files.map((name) => line(name, 'dim')), count > files.length && line(`and ${count - files.length} files more`, 'dim'));
    this.verify.disabled = busy;
    if (isNews(this, 'checkShown', check)) {
      refill(this.check, ...(check ? [line(check.summary, check.whole ? 'good' : 'error'), ...check.damages.map((text) => line(text, 'error')),
        check.damage_count > check.damages.length && line(`and ${check.damage_count - check.damages.length} more`, 'error')] : [line('Not verified.', 'dim')]));
    }
    if (isNews(this, 'comparisonShown', comparison)) {
      refill(this.compared, ...(comparison ? [line(comparison.path, 'dim'), line(`${comparison.equal} tensors are equal, ${comparison.different} differ`, comparison.different ? '' : 'good')] :
        [line('Another checkpoint, of any format, is compared tensor by tensor.', 'dim')]));
      if (!isFirst && comparison) this.choose(true);
    }
    this.tabs[1].disabled = !comparison;
    if (isNews(this, 'tensorShown', [selected, facts])) this.showTensor(selected, facts);
    if (isFirst) this.choose(false);
    else (this.isCompared ? this.others : this.table).refresh();
  }

  showTensor(name, facts) {
    if (!name) return refill(this.tensor, line('Click a tensor to see its numbers and how they are distributed.', 'dim'));
    refill(this.tensor, make('h3', {text: name}), ...(facts ? [pairs(facts.rows), facts.problem && line(facts.problem, 'error'), ...this.histogram(facts)] : [line('Reading its values…', 'dim')]));
  }

  // Both over one axis; of the other one the outlines. A bin that has anything is seen, however small its share is.
  histogram({histogram, other_histogram: others, least, most, other}) {
    const count = Math.max(histogram.length, others.length), highest = Math.max(1, ...histogram, ...others);
    if (count === 0) return [];
    const bar = (counts, i, className) => {
      if (!counts[i]) return null;
      const node = make('div', {className});
      node.style.height = `max(2px, ${counts[i] / highest * 100}%)`;
      return node;
    };
    const bins = Array.from({length: count}, (_, i) => make('div', {className: 'bin',
      title: `bin ${i + 1} of ${count}: ${histogram[i] ?? 0} elements${others.length ? `, ${others[i] ?? 0} in the other checkpoint` : ''}`}, bar(histogram, i, 'bar'), bar(others, i, 'other')));
    const picture = make('div', {className: 'bins', 'aria-label': `Histogram from ${least} to ${most}`}, ...bins);
    picture.setAttribute('role', 'img');
    return [picture, make('div', {className: 'row ends'}, make('span', {text: least}), make('span', {text: most})), others.length ? line(`outlines: ${other}`, 'warning') : null];
  }

  // Of the folders that the program may read.
  openOthers() {
    const root = make('div');
    const list = async (folder) => {
      const {app} = this, found = await app.server.ask(app.server.route(app.server.urls.sources, {folder})).catch((error) => root.replaceChildren(alert(error.message)));
      if (!found) return;
      const entry = (text, run) => make('li', {}, button(text, run, {className: 'link'}));
      const compare = (path) => () => {
        closeDialog();
        app.act(['checkpoint.compare', path]);
      };
      const part = (title, rows) => rows.length ? [make('h3', {text: title}), make('ul', {}, ...rows)] : [];
      root.replaceChildren(...part('Checkpoints', (found.checkpoints ?? []).map(({path}) => entry(path, compare(path)))), ...part('Folders', found.folders.map((path) => entry(path, () => list(path)))),
        found.checkpoints?.length ? '' : line('There is no checkpoint here.', 'dim'));
    };
    openDialog('Compare with', root);
    return list('');
  }
}
