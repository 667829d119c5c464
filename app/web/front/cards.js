// The sections of a log that are no charts: images and texts with their steps, and the table of hyperparameters.
import {line, make, refill} from './dom.js';

const none = (section) => line(`No tag of ${section} matches the filters and the chosen runs.`, 'dim');
const table = (name, head, rows) => make('table', {'aria-label': name}, head && make('thead', {}, make('tr', {}, ...head.map((text) => make('th', {text, scope: 'col'})))),
  make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map((text) => make('td', {text}))))));

function imagesOf({images, total, problem}) {
  if (problem) return [line(problem, 'error')];
  const nodes = images.map(({type, data}, i) => type ? make('img', {src: `data:image/${type};base64,${data}`, alt: `image ${i + 1}`}) : line('This image is in a form that is not shown.', 'warning'));
  return [...nodes, images.length < total && line(`and ${total - images.length} more images in this step`, 'dim')];
}

// Text as it is: nothing is made of marks in it.
function textOf({lines, cells, left_out: more, problem}) {
  return [problem && line(problem, 'error'), cells.length ? table('Text', null, cells) : make('pre', {text: lines.join('\n')}), more > 0 && line(`and ${more} more bytes, which tideline log text prints`, 'dim')];
}

// A slider over the steps chooses another row of the one series.
async function fillCard(page, node, series) {
  const card = await page.get('rows', {table: 'log-row', series});
  if (!card || !node.isConnected) return;
  const slider = make('input', {type: 'range', min: 0, max: card.row_count - 1, value: card.row, key: `step ${series}`, 'aria-label': 'Step', 'aria-valuetext': `step ${card.step}`, onchange: () => {
    const rows = page.view.rows.filter(([other]) => other !== series);
    page.lookAt({rows: [...rows, [series, Number(slider.value)]]}).then(() => fillCard(page, node, series));
  }});
  refill(node, slider, line(`step ${card.step}  (${card.row + 1} of ${card.row_count}), ${card.wall}`, 'dim'), ...(card.images ? imagesOf(card) : textOf(card)));
}

export function showCards(page, answer, section) {
  const {rows, total} = answer;
  if (section === 'hparams') {
    const {columns, left_out: more} = answer;
    return refill(page.section, total ? line(`${total} runs with hyperparameters; metrics are the last values`, 'dim') : none('hyperparameters'), more > 0 && line(`and ${more} more columns, which tideline log hparams prints`, 'dim'),
      total && table('Hyperparameters', ['run', 'status', ...columns], rows.map(({run, status, cells}) => [run, status, ...cells])));
  }
  const cards = rows.map((row) => {
    const name = make('p', {text: row.run_name}), body = make('div');
    name.style.color = row.color;
    return {row, body, root: make('article', {'data-tag': row.tag, 'aria-label': `${row.run_name} ${row.name}`}, make('h3', {text: row.name}), name, body)};
  });
  refill(page.section, total ? null : none(section), ...cards.map(({root}) => root));
  for (const {row, body} of cards) fillCard(page, body, row.series);
}
