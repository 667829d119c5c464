// The tab Fit above its curve: whether a step fits the device, what is at its peak, and the ways to make it fit.
import {button, isNews, line, make, refill} from './dom.js';

function table(name, heads, rows) {
  const cell = (content) => content instanceof Node ? content : make('td', {text: content});
  return rows.length > 0 && make('table', {'aria-label': name}, make('thead', {}, make('tr', {}, ...heads.map((text) => make('th', {text, scope: 'col'})))),
    make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map(cell)))));
}

function wayOf(app, way, i) {
  const copy = way.command && button('Copy command', () => app.act(['graph.copy-way', String(i + 1)]), {title: way.command, key: `way ${i}`});
  return [make('td', {text: way.title, title: way.notes}), way.batch, make('td', {text: way.peak, className: way.fits ? 'good' : 'error'}), way.example,
          make('td', {text: way.cost, className: 'wraps'}), make('td', {}, copy)];
}

function stateOf(app, {card, running, stale, problem}) {
  if (running) return [line(card ? 'An answer to the current graph, batch size and device is being found.' : 'Finding what fits: batch sizes and ways are simulated.', 'dim')];
  return [stale && line('This is of an earlier graph, batch size, budget or device.', 'warning'), problem && line(problem, 'warning'),
          (stale || problem) && button('Find out', () => app.act(['graph.fit']), {key: 'find'})];
}

export function showFit(root, {fit}, app) {
  root.hidden = !fit;
  if (!fit || !isNews(app, 'fitShown', fit)) return;
  const {card} = fit, sized = ({name, size, detail}) => [name, size, make('td', {text: detail, className: 'dim wraps'})];
  refill(root, ...stateOf(app, fit), ...(card ? [
    line(card.verdict, `headline ${card.fits ? 'good' : card.any_fits ? 'warning' : 'error'}`), line(card.largest), card.range && line(card.range, 'dim'),
    ...card.warnings.map((text) => line(text, 'warning')),
    table('Peak by kind', ['kind', 'peak', ''], card.kinds.map(sized)), table('Peak by layer', ['layer', 'peak', 'of these'], card.layers.map(sized)),
    table('Ways', ['way', 'batch size', 'device peak', 'an example', 'cost', ''], card.ways.map((way, i) => wayOf(app, way, i))),
    ...card.missing.map(([title, reason]) => line(`${title}: ${reason}`, 'dim'))] : []));
}
