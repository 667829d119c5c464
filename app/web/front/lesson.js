// A lesson: a bar above the parts of the page, and an outline around what its step is about. The program plays and checks it.
import {button, find, isNews, line, make, refill} from './dom.js';

const kHintAfterMs = 20000;
// Where the page has what the window calls so: widgets, then panels.
const kWidgets = {'menu/File': 'write', 'menu/Edit': 'undo', 'scopes/Clear': 'clear-scopes', 'scopes/headings/swap': 'table-scopes'};
const kPanels = {levels: 'levels', memory: 'memory', timeline: 'other', fit: 'fit', policy: 'policy-part', scopes: 'scopes-part', result: 'result-part',
    'result line': 'result-part', swaps: 'tables', inspector: 'inspector-part', menu: 'top'};
let turn, typed, timer, spot = null;

export const lessonList = (app) => make('ol', {className: 'lessons'}, ...app.about.lessons.map(({word, title, shows}) =>
  make('li', {}, button(title, () => app.open({lesson: word}), {className: 'link'}), line(shows, 'dim'))));

function placeOf(label) {
  const panel = label.slice(0, label.indexOf('/')), name = label.slice(panel.length + 1);
  const control = panel === 'policy' && [...find('controls').querySelectorAll('label, button')].find((node) => node.textContent === name);
  return control ? control.closest('.control') : find(kWidgets[label] ?? kPanels[panel]);
}

// Outlines it, and brings it into sight when a step begins.
function light(place, isNew) {
  if (spot !== place) spot?.classList.remove('spot');
  spot = place;
  if (!place) return;
  place.classList.add('spot');
  if (!isNew) return;
  const fold = place.closest('details'), isNarrow = document.documentElement.classList.contains('narrow');
  if (fold) fold.open = true;
  document.documentElement.style.scrollPadding = `${find('lesson').offsetHeight + 8}px 0 0`;
  place.scrollIntoView({block: isNarrow ? 'start' : 'nearest'});
}

function questionOf(app, {question, guess, answer}) {
  if (!question) return [];
  const asked = line(question, 'asked');
  if (guess || answer) {
    return [asked, make('div', {className: 'row'}, guess ? line(`Your guess: ${guess}`) : null,
      answer ? line(`It is: ${answer}`, 'good') : line('What it is shows when the step is done.', 'dim'))];
  }
  const send = (event) => {
    event.preventDefault();
    if (typed.trim()) app.act(['lesson.guess', typed.trim()]);
  };
  return [asked, make('form', {className: 'row', onsubmit: send},
    make('input', {'aria-label': 'Your guess', key: 'guess', value: typed, spellcheck: false, oninput: (event) => typed = event.target.value}), button('Guess', () => {}, {key: 'send'}))];
}

const stateOf = ({busy, elsewhere, problem, done, has_checks: hasChecks}) =>
  busy ? line('…', 'dim') : elsewhere ? line('The graph of the lesson is closed. Reset step opens it again.', 'warning')
    : problem ? line(problem, 'warning') : done && hasChecks ? line('Done.', 'good') : null;

export function showLesson(app, {lesson: card}) {
  const root = find('lesson');
  if (!card && !root.hidden) app.say('The lesson is over; its graph stays open.');
  root.hidden = !card;
  if (!card) return light(null);
  const isNew = turn !== card.turn;
  if (isNew) {
    [turn, typed] = [card.turn, ''];
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = app.session?.state?.lesson;
      if (now?.turn === turn && now.has_hint && now.has_checks && !now.hint && !now.done) app.act(['lesson.hint']);
    }, kHintAfterMs);
  }
  const {title, caption, step, steps, hint} = card;
  if (isNews(app, 'lessonText', [card.turn, title, caption])) {
    refill(find('lesson-text'), make('div', {className: 'row'}, make('h2', {text: `${card.lesson}: ${title}`}), line(`step ${step} of ${steps}`, 'dim'),
        button('End', () => app.act(['lesson.end']), {title: 'Leave the lesson; its graph stays open', key: 'end'})), line(caption));
  }
  const place = placeOf(card.spotlight);
  if (isNews(app, 'lessonRest', [card, !place])) {
    const does = (text, action, more) => button(text, () => app.act([`lesson.${action}`]), {key: action, ...more});
    refill(find('lesson-rest'), ...questionOf(app, card), hint ? line(`Hint: ${hint}`, 'warning') : null,
      place || !card.spotlight ? null : line(`The page has no "${card.spotlight}", which this step points at in the window.`, 'warning'),
      make('div', {className: 'row'}, does('Back', 'back', {disabled: step === 1}), does('Reset step', 'reset', {title: 'Begin this step again, as it began'}),
        does('Hint', 'hint', {disabled: !card.has_hint || !!hint}), does('Show me', 'show', {disabled: !card.can_show, title: 'Do what this step asks for (Ctrl+Enter)'}),
        does(step === steps ? 'Finish' : 'Next', 'next', {className: card.done && !card.busy ? 'main' : ''}), stateOf(card)));
  }
  light(place, isNew);
}
