// The controls of the policy and the card of the result, made from what the state says of them.
import {button, choices, find, folded, isNews, make, refill, setText} from './dom.js';

const kSteps = 1000;  // of a slider over a logarithmic range
const kBend = 16;     // how much finer it is at its low end

// Position of the slider <-> number.
function scaleOf({least, most, logarithmic}) {
  if (!logarithmic) return {min: least, max: most, to: (number) => number, from: Number};
  const bend = most - least > 1000 ? 1 : kBend, all = Math.log1p((most - least) * bend);
  return {min: 0, max: kSteps, to: (number) => Math.round(kSteps * Math.log1p((number - least) * bend) / all),
          from: (place) => Math.round(least + Math.expm1(place / kSteps * all) / bend)};
}

const filled = (words, value) => words.map((word) => word === '$' ? value : word);
const grouped = (list, of) => list.reduce((map, item) => map.set(of(item), [...map.get(of(item)) ?? [], item]), new Map());

export class Controls {
  constructor(root, app) { Object.assign(this, {root, app, made: new Map()}); }

  show({controls = [], tuned, policy_error}) {
    if (isNews(this, 'shape', controls.map(({section, name, kind, choices, title}) => [section, name, kind, choices, title]))) this.build(controls);
    for (const control of controls) this.made.get(control.name)(control);
    setText(find('tuned'), tuned ?? '');
    setText(find('policy-error'), policy_error ?? '');
  }

  // What few change is folded away, by sections.
  build(controls) {
    const isOpen = this.root.querySelector('details')?.open, parts = grouped(controls, (control) => control.section);
    const nodes = [...parts].map(([section, list]) => [section ? make('h3', {text: section}) : null, ...list.map((control) => this.make(control))]);
    const more = nodes.slice(1).flat();
    refill(this.root, ...nodes[0] ?? [], more.length ? folded('More parameters', isOpen, ...more) : null);
  }

  // An element, and in `made` what brings it up to date.
  make(control) {
    const {name, title, help, kind} = control, id = `control-${name}`, common = {id, title: help, key: name};
    let now = control, node, picks, set = () => {};
    const send = (value) => this.app.act(filled(now.do, value));
    if (kind === 'slider') return this.slider(control, common);
    if (kind === 'button') {
      node = button(title, () => this.app.act(now.do), common);
    } else if (kind === 'switch') {
      node = make('input', {...common, type: 'checkbox', onchange: () => send(node.checked ? 'on' : 'off')});
      set = () => node.checked = now.value === 'on';
    } else if (kind === 'choice') {
      node = make('select', {...common, onchange: () => send(node.value)}, ...choices(control.choices));
      set = () => node.value = now.value;
    } else {
      node = make('input', {...common, placeholder: 'none', spellcheck: false, onchange: () => send(node.value.trim() || now.none || '')});
      set = () => document.activeElement === node || (node.value = now.value);
      if (now.choices?.length) {  // names of the file
        picks = make('datalist', {id: `${id}-picks`}, ...choices(now.choices));
        node.setAttribute('list', picks.id);
      }
    }
    this.made.set(name, (next) => {
      now = next;
      node.disabled = !now.enabled;
      set();
    });
    const label = kind === 'button' ? null : make('label', {htmlFor: id, text: title, title: help});
    return make('div', {className: `control ${kind}`}, ...(kind === 'switch' ? [node, label] : [label, node, picks]));
  }

  // While it is dragged the newest value is always on its way; its release ends the step of undo.
  slider(control, common) {
    const {name, title} = control;
    let now = control, scale, isHeld = false;
    const drag = () => {
      isHeld = true;
      const number = scale.from(bar.value);
      field.value = number <= now.least && now.none ? now.none : `${number}${now.unit ?? ''}`;
      this.app.act(filled(now.do, field.value), {key: name});
    };
    const release = () => {
      isHeld = false;
      this.app.act(null, {key: name, end: true});
    };
    const bar = make('input', {...common, type: 'range', oninput: drag, onchange: release});
    const field = make('input', {className: 'shown', spellcheck: false, 'aria-label': `${title}, value`, key: `${name} value`,
        onchange: () => this.app.act(filled(now.do, field.value.trim()))});
    this.made.set(name, (next) => {
      now = next;
      scale = scaleOf(now);
      Object.assign(bar, {min: scale.min, max: scale.max});
      bar.disabled = field.disabled = !now.enabled;
      field.classList.toggle('warning', now.assumed);
      if (isHeld) return;
      bar.value = scale.to(now.number);
      bar.setAttribute('aria-valuetext', now.shown);
      if (document.activeElement !== field) field.value = now.shown;
    });
    return make('div', {className: 'control'}, make('label', {htmlFor: common.id, text: title, title: common.title}), bar, field);
  }
}

export function showResult(root, {result, stale}, app) {
  const lineOf = ({tone, small, hint, text, label, do: words}) =>
    make('p', {className: `${tone} ${small ? 'small' : ''}`, title: hint}, make('span', {text}),
         words ? button(label || text, () => app.act(words), {key: words.join(' ')}) : null);
  const lines = result?.lines ?? [], details = lines.filter(({detail}) => detail).map(lineOf), isOpen = root.querySelector('details')?.open;
  refill(root, make('p', {className: 'headline', title: result?.hint, text: (result?.title ?? '') + (stale ? ' …' : '')}),
         ...lines.filter(({detail}) => !detail).map(lineOf),
         details.length ? folded('Details', isOpen, ...details) : null);
}
