// Sources as links: the fragment of the address names what is open, never the token. A new tab that has no token asks the
// tabs of the same origin for it: they send it to whatever answers there with every request of theirs anyway.
import {kept} from './dom.js';

const kAskedMs = 400;  // then no tab has it
const kParts = ['path', 'run', 'tag', 'function', 'lesson', 'document'];

// '' for what has no address, as an upload.
export function hashOf({source, trace}) {
  if (!source || source.upload || !(source.path || source.lesson)) return '';
  const words = new URLSearchParams();
  for (const [from, prefix] of [[source, ''], [trace ?? {}, 'trace-']]) {
    for (const name of kParts) if (from[name]) words.set(prefix + name, from[name]);
  }
  return `#${words}`;
}

// {source, trace}, or null where the fragment names nothing.
export function wishOf(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const part = (prefix) => Object.fromEntries(kParts.filter((name) => words.get(prefix + name)).map((name) => [name, words.get(prefix + name)]));
  const source = part(''), trace = part('trace-');
  return source.path || source.lesson ? {source, trace: trace.path ? {path: trace.path, run: trace.run ?? '', tag: trace.tag ?? ''} : undefined} : null;
}

// Takes the token out of the address; what is to be opened stays in it.
export function takeToken() {
  const words = new URLSearchParams(location.hash.slice(1)), token = words.get('token');
  if (!token) return kept.get('token');
  kept.set('token', token);
  words.delete('token');
  history.replaceState(null, '', location.pathname + location.search + (`${words}` && `#${words}`));
  return token;
}

const channel = () => new BroadcastChannel('tideline.token');

export function shareToken(token) {
  const tabs = channel();
  tabs.onmessage = ({data}) => data === 'wanted' && tabs.postMessage({token});
}

// Resolves to the token of another tab, or to null.
export function askTabs() {
  const tabs = channel();
  return new Promise((resolve) => {
    setTimeout(resolve, kAskedMs, null);
    tabs.onmessage = ({data}) => data.token && resolve(data.token);
    tabs.postMessage('wanted');
  }).finally(() => tabs.close());
}
