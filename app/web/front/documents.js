// Which document fills the page: a log or a checkpoint, each with a view of its own; graphs have the rest of the page.
import {CheckpointPage} from './checkpoint.js';
import {find} from './dom.js';
import {LogPage} from './log.js';

const kPages = {log: LogPage, checkpoint: CheckpointPage};

// Whether there is something to see.
export const isOpen = (state) => Boolean(state?.graph || state?.log || state?.checkpoint);

export function showDocument(app, state) {
  const kind = state.log ? 'log' : state.checkpoint ? 'checkpoint' : '', root = find('document');
  find('app').classList.toggle('is-document', kind !== '');
  root.hidden = !kind;
  if (app.page?.kind !== kind || app.page.session !== app.session) {
    app.page?.end();
    app.page = kind ? Object.assign(new kPages[kind](root, app), {kind, session: app.session}) : null;
    if (!kind) root.replaceChildren();
  }
  app.page?.show(state);
}
