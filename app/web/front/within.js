// Within what in the graph the scopes view is, and the ways in and back.
import {button, find, isNews, make, refill} from './dom.js';
import {openDialog} from './dialogs.js';

// The body of a function is the graph of a session of its own.
export function openFunction(app, names) {
  const go = (name) => app.open({...app.session.source, function: name});
  names.length > 1 ? openDialog('Open a function', ...names.map((name) => button(name, () => go(name)))) : go(names[0]);
}

// "graph / function / loop": where one is, and the ways back.
export function showCrumbs(app, {function: body, loops}) {
  if (!isNews(app, 'crumbs', [body, loops])) return;
  const whole = () => app.act(['scope.loop']), names = [...(body ? [body] : []), ...loops];
  const crumb = (name, i) => i + 1 === names.length ? make('span', {text: name}) : button(name, () => body && i === 0 ? whole() : app.act(['scope.loop', name]));
  const graph = button('graph', () => body ? openFunction(app, ['']) : whole());
  refill(find('crumbs'), ...(names.length ? [graph] : []), ...names.flatMap((name, i) => [make('span', {text: '/'}), crumb(name, i)]));
}
