// A table whose rows are asked for as they come into sight: the program may have half a million.
import {make, refill, setText} from './dom.js';

const kBeyond = 15;  // rows asked for above and below what is seen
const kMostRows = 200, kUsualRowPx = 24;

export class Table {
  // columns: {title, help, className, sort, descends, cell(row) -> text or node}; `ask(query)` gives {total, rows} or null;
  // `mark(row)`: whether it is the selected one; `told(answer)`: what came. `sort`: a column's, '-' in front: descending.
  constructor(root, {name, columns, ask, sort, mark, told, emptyText}) {
    Object.assign(this, {root, columns, ask, sort, mark, told, emptyText, filter: '', rows: [], total: 0, first: 0, rowPx: kUsualRowPx});
    this.heads = columns.map((column) => this.heading(column));
    [this.above, this.body, this.below] = [make('tbody', {'aria-hidden': 'true'}), make('tbody'), make('tbody', {'aria-hidden': 'true'})];
    this.table = make('table', {'aria-label': name}, make('thead', {}, make('tr', {}, ...this.heads)), this.above, this.body, this.below);
    this.empty = make('p', {className: 'dim', hidden: true});
    root.append(this.table, this.empty);
    root.addEventListener('scroll', () => this.scrolled());
    root.addEventListener('keydown', (event) => this.step(event));
    new ResizeObserver(() => this.scrolled()).observe(root);
  }

  heading({title, help, className, sort, descends}) {
    const turn = () => {
      const isSame = this.sort.replace('-', '') === sort;
      this.sort = ((isSame ? this.sort[0] === '-' : !descends) ? '' : '-') + sort;
      this.refresh(true);
    };
    return make('th', {scope: 'col', title: help, className, text: sort ? undefined : title},
        sort ? make('button', {text: title, onclick: turn}) : null);
  }

  // Asks anew for the rows in sight; `fromTop` for another order or filter.
  refresh(fromTop = false) {
    this.heads.forEach((head, i) => {
      const isIt = this.columns[i].sort && this.sort.replace('-', '') === this.columns[i].sort;
      if (isIt) head.setAttribute('aria-sort', this.sort[0] === '-' ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    if (fromTop) this.root.scrollTop = 0;
    this.isOld = true;
    return this.pull();
  }

  wanted() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / this.rowPx) - kBeyond);
    return {first, count: Math.min(kMostRows, Math.ceil(this.root.clientHeight / this.rowPx) + 2 * kBeyond)};
  }

  scrolled() {
    const {first, count} = this.wanted(), has = this.first + this.rows.length;
    const isThere = (this.first === 0 || first >= this.first - kBeyond / 2) && (has === this.total || first + count <= has + kBeyond / 2);
    if (isThere) return;
    this.isOld = true;
    this.pull();
  }

  async pull() {
    if (this.isAsking || !this.isOld || !this.root.offsetParent) return;
    this.isAsking = true;
    this.isOld = false;
    const {first, count} = this.wanted();
    const answer = await this.ask({first, count, sort: this.sort, filter: this.filter});
    this.isAsking = false;
    if (answer) this.fill(first, answer);
    if (this.isOld) await this.pull();
  }

  fill(first, answer) {
    Object.assign(this, {first, rows: answer.rows, total: answer.total});
    refill(this.body, ...this.rows.map((row, i) => this.line(row, first + i)));
    this.table.setAttribute('aria-rowcount', this.total + 1);
    this.rowPx = this.body.firstElementChild?.getBoundingClientRect().height || this.rowPx;
    this.space(this.above, first);
    this.space(this.below, this.total - first - this.rows.length);
    this.table.hidden = this.total === 0;
    this.empty.hidden = this.total > 0 && !answer.error;
    setText(this.empty, answer.error ?? (this.filter ? 'No row fits the filter.' : this.emptyText));
    this.told(answer);
  }

  // Up and down: the same column of the row beside.
  step(event) {
    const cell = event.target.closest('td'), line = cell?.parentElement;
    const beside = {ArrowUp: line?.previousElementSibling, ArrowDown: line?.nextElementSibling}[event.key];
    if (!beside || event.altKey) return;
    event.preventDefault();
    beside.children[cell.cellIndex].querySelector('button, input')?.focus();
  }

  space(part, rows) {
    const cell = make('td', {colSpan: this.columns.length, className: 'space'});
    cell.style.height = `${rows * this.rowPx}px`;
    part.replaceChildren(...(rows > 0 ? [make('tr', {}, cell)] : []));
  }

  line(row, index) {
    const isIt = this.mark(row);
    return make('tr', {'aria-rowindex': index + 2, className: isIt && 'selected', 'aria-current': isIt && 'true'}, ...this.columns.map(({cell, className}) => {
      const content = cell(row), isNode = content instanceof Node;
      return make('td', {className, text: isNode ? undefined : String(content ?? '')}, isNode ? content : null);
    }));
  }
}
