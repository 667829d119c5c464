// Making and finding elements. Text enters the page as text alone: names of ops are data.

export const find = (id) => document.getElementById(id);

// `props`: `text`, `key` (by which `refill` knows it again), on<event> with a function, properties, attributes.
// What is undefined, null or false is left out, of the children too.
export function make(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'text') node.textContent = value;
    else if (name === 'key') node.dataset.key = value;
    else if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter(Boolean));
  return node;
}

// Whether `value` is another than the last time that `owner` was asked about it by this name.
export const isNews = (owner, name, value) => owner[name] !== (owner[name] = JSON.stringify(value));

export const button = (text, onclick, props = {}) => make('button', {text, onclick, ...props});
export const closer = (onclick) => button('✕', onclick, {'aria-label': 'Close', className: 'quiet'});
export const alert = (text) => make('p', {className: 'error', role: 'alert', text});
export const line = (text, className) => make('p', {text, className});
export const folded = (title, open, ...nodes) => make('details', {open}, make('summary', {text: title, key: title}), ...nodes);
export const pairs = (rows) => make('dl', {}, ...rows.flatMap(([key, text]) => [make('dt', {text: key}), make('dd', {text})]));
export const choices = (list) => list.map(([value, text]) => make('option', {value, text: text || value}));

// Fills `root` anew, but lets the keyboard stay where it was.
export function refill(root, ...children) {
  const key = root.contains(document.activeElement) && document.activeElement.dataset.key;
  const top = root.scrollTop;
  root.replaceChildren(...children.filter(Boolean));
  root.scrollTop = top;
  if (key) root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({preventScroll: true});
}

export const setText = (node, text) => void (node.textContent === text || (node.textContent = text));

// sessionStorage may be forbidden, as in a frame of another site; then things are forgotten with the page.
export const kept = {
  get(name) { try { return JSON.parse(sessionStorage.getItem(`tideline.${name}`)); } catch { return null; } },
  set(name, value) { try { sessionStorage.setItem(`tideline.${name}`, JSON.stringify(value)); } catch { /* as above */ } },
};
