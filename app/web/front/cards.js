// The sections of a log that are no charts: images and texts with their steps, and the table of hyperparameters.
import {button, line, make, refill} from './dom.js';

const none = (section) => line(`No tag of ${section} matches the filters and the chosen runs.`, 'dim');
const table = (name, head, rows) => make('table', {'aria-label': name}, head && make('thead', {}, make('tr', {}, ...head.map((text) => make('th', {text, scope: 'col'})))),
  make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map((text) => make('td', {text}))))));

function imagesOf({images, total, problem}) {
  if (problem) return [line(problem, 'error')];
  const nodes = images.map(({type, data}, i) => type ? make('img', {src: `data:image/${type};base64,${data}`, alt: `image ${i + 1}`}) : line('This image is in a form that is not shown.', 'warning'));
  return [...nodes, images.length < total && line(`and ${total - images.length} more images in this step`, 'dim')];
}

// Elements that the program's reader of Markdown asks for: text alone is in them, and an address is said, not opened.
const kLooks = {b: 'strong', i: 'em', s: 's', c: 'code'};
const pieces = (runs) => runs.map(({text, look = '', address}) => {
  const node = make('span', {text, title: address, className: address && 'address'});
  return [...look].reduce((inner, letter) => make(kLooks[letter], {}, inner), node);
});

function blockOf({kind, level, lists = 0, quotes = 0, marker, lines, rows}) {
  const broken = () => lines.flatMap((runs, i) => [i > 0 && make('br'), ...pieces(runs)]);
  const row = (name) => (cells) => make('tr', {}, ...cells.map((runs) => make(name, {scope: name === 'th' && 'col'}, ...pieces(runs))));
  const node = kind === 'rule' ? make('hr') : kind === 'code' ? make('pre', {text: lines.map((runs) => runs.map(({text}) => text).join('')).join('\n'), tabIndex: 0, className: 'code'}) :
    kind === 'table' ? make('table', {}, make('thead', {}, ...rows.slice(0, 1).map(row('th'))), make('tbody', {}, ...rows.slice(1).map(row('td')))) :
    make(kind === 'heading' ? `h${Math.min(6, level + 3)}` : 'p', {className: kind === 'heading' && `size-${level}`}, marker && make('span', {text: marker, className: 'marker'}), ...broken());
  node.style.marginLeft = `${lists * 1.4}rem`;
  if (!quotes) return node;
  const quote = make('blockquote', {}, node);
  quote.style.marginLeft = `${(quotes - 1) * 0.8}rem`;
  return quote;
}

function textOf(page, {blocks, lines, cells, left_out: more, problem}) {
  const other = button(blocks ? 'as written' : 'rendered', () => page.app.act(['log.text', blocks ? 'raw' : 'rendered']), {className: 'link', key: 'text'});
  return [other, problem && line(problem, 'error'), blocks ? make('div', {className: 'markdown'}, ...blocks.map(blockOf)) : cells.length ? table('Text', null, cells) : make('pre', {text: lines.join('\n')}),
    more > 0 && line(`and ${more} more bytes, which tideline log text prints`, 'dim')];
}

// The cards of a section. What is in one is asked for when it comes into sight, and again when there is news of it.
export class Cards {
  constructor(page) {
    this.page = page;
    this.cards = new Map();
    this.seen = new IntersectionObserver((entries) => entries.forEach(({target, isIntersecting}) => {
      const card = [...this.cards.values()].find(({root}) => root === target);
      if (!card) return;
      card.isSeen = isIntersecting;
      this.fill(card);
    }), {rootMargin: '200px'});
  }

  end() { this.seen.disconnect(); }

  // Those of before stay as they are, with their places.
  show(rows, section) {
    const key = ({tag, run, series}) => JSON.stringify([section, tag, run, series]), before = this.cards;
    this.cards = new Map(rows.map((row) => [key(row), Object.assign(before.get(key(row)) ?? this.made(row), {row})]));
    for (const [name, {root}] of before) if (!this.cards.has(name)) this.seen.unobserve(root);
    for (const [name, card] of this.cards) before.has(name) ? this.fill(card) : this.seen.observe(card.root);
    return [...this.cards.values()].map(({root}) => root);
  }

  made(row) {
    const name = make('p', {className: 'run', text: row.run_name}), body = make('div', {className: 'card'});
    name.style.borderColor = row.color;
    return {body, isSeen: false, shown: '', root: make('article', {'data-tag': row.tag, 'aria-label': `${row.run_name} ${row.name}`}, make('h3', {text: row.name}), name, body)};
  }

  // What a card is to show.
  wanted({row: {series, size}}) {
    const {view, app} = this.page;
    return JSON.stringify([app.session.id, series, size, view.step, view.raw_text, view.rows.find(([other]) => other === series)]);
  }

  async fill(card) {
    const {page} = this, wanted = this.wanted(card), {series} = card.row;
    if (!card.isSeen || card.isAsking || card.shown === wanted) return;
    card.isAsking = true;
    let problem;
    const answer = await page.app.session.ask('rows', {table: 'log-row', series}).catch((error) => void (problem = error.message));
    card.isAsking = false;
    if (!card.body.isConnected) return;
    card.shown = wanted;
    if (!answer) {
      const again = () => { card.shown = ''; return this.fill(card); };
      refill(card.body, line(problem, 'error'), button('Try again', again, {key: `again ${series}`}));
      return void this.fill(card);
    }
    // A slider over the steps chooses another row of the one series.
    const slider = make('input', {type: 'range', min: 0, max: answer.row_count - 1, value: answer.row, key: `step ${series}`, 'aria-label': 'Step', 'aria-valuetext': `step ${answer.step}`, onchange: () => {
      const rows = page.view.rows.filter(([other]) => other !== series);
      page.lookAt({rows: [...rows, [series, Number(slider.value)]]}).then(() => this.fill(card));
    }});
    refill(card.body, slider, line(`step ${answer.step}  (${answer.row + 1} of ${answer.row_count}), ${answer.wall}`, 'dim'), ...(answer.images ? imagesOf(answer) : textOf(page, answer)));
    this.fill(card);  // something may have changed meanwhile
  }
}

export function showCards(page, answer, section) {
  const {rows, total} = answer;
  if (section === 'hparams') {
    const {columns, left_out: more} = answer;
    return refill(page.section, total ? line(`${total} runs with hyperparameters; metrics are the last values`, 'dim') : none('hyperparameters'), more > 0 && line(`and ${more} more columns, which tideline log hparams prints`, 'dim'),
      total && table('Hyperparameters', ['run', 'status', ...columns], rows.map(({run, status, cells}) => [run, status, ...cells])));
  }
  refill(page.section, total ? null : none(section), ...page.cards.show(rows, section));
}
