// One session of the program: its newest state, and what is asked of it, in order.
// One `act` is under way at a time. What comes up meanwhile waits; of wishes with the same key (the positions of a
// slider that is dragged) only the newest goes out. The view (ranges, filters, what is open) is changed here at once
// and travels with the next act; the answer's view then counts, except for what has changed since.
import {kept} from './dom.js';
import {Refusal} from './server.js';

const kWaitMs = 2000, kPollMs = 1000;

// A view with changes of it, which of a log or a checkpoint may name only some members.
const joined = (view, change) => ({...view, ...change, ...Object.fromEntries(['log', 'checkpoint'].filter((kind) => change[kind]).map((kind) => [kind, {...view[kind], ...change[kind]}]))});

// `wish`: source, a traced step or none, actions to be done once the graph is open; none while a lesson is played. Resolves to an id.
export const opened = (server, {source: {path, run, tag, function: body, upload, lesson, document: kind}, trace, resume}) =>
  server.ask(server.urls.open, 'POST', {source: upload ? {upload, run, tag, function: body, document: kind} : lesson ? {lesson} : {path, run, tag, function: body, document: kind}, trace, resume}).then(({id}) => id);

export class Session {
  // hooks: state(state), pictures() -> requests, show(pictures, requests), error(text, code), lost(refusal), again()
  constructor(server, id, {source, trace, resume}, hooks) {
    Object.assign(this, {server, id, source, trace, resume, hooks, state: null, view: {}, changed: {}, waiting: []});
    this.epoch = 0;  // counts states; pictures of an older one are out of date
  }

  route(rest, query) { return this.server.route(`sessions/${this.id}/${rest}`, query); }

  // A session that gave way is opened again.
  async ask(path, query, ...how) {
    const {id} = this, send = () => this.server.ask(this.route(path, query), ...how);
    return send().catch(async (error) => {
      if (error.code !== 'no_session' || this.isClosed || !this.resume) throw error;
      if (id === this.id) await this.reopen().catch(() => { throw error; });
      return send();
    });
  }

  // With the same wish and view, once.
  reopen() {
    return this.reopening ??= opened(this.server, this).then(async (id) => {
      await this.server.ask(this.server.route(`sessions/${id}/act`), 'POST', {view: this.view, wait_ms: kWaitMs});
      this.id = id;
      if (this.state) this.state.revision = 0;
      this.hooks.again();
    }).finally(() => this.reopening = null);
  }

  leave() { this.server.ask(this.route('leave'), 'POST', {}, true).catch(() => {}); }

  look(change) { for (const view of [this.view, this.changed]) Object.assign(view, change); }

  // Does `words`, an action with its arguments, or only sends the view. Resolves to the state, or to null where it
  // could not be done; the hooks have said why by then.
  act(words, {key = '', end = false} = {}) {
    return new Promise((resolve) => {
      const entry = {words, key, end, resolve: [resolve]}, last = this.waiting.at(-1);
      if (key && last?.key === key && !last.end) {
        entry.resolve.push(...last.resolve);
        entry.words ??= last.words;
        this.waiting.pop();
      }
      this.waiting.push(entry);
      this.pump();
    });
  }

  async pump() {
    if (this.isActing || this.isClosed || this.waiting.length === 0) return;
    this.isActing = true;
    const stop = this.waiting.findIndex((entry) => entry.end);
    const batch = this.waiting.splice(0, stop < 0 ? this.waiting.length : stop + 1);
    const sent = this.changed, pictures = this.hooks.pictures();
    this.changed = {};
    let state = null;
    try {
      state = await this.ask('act', {}, 'POST', {
        view: sent, do: batch.map((entry) => entry.words).filter(Boolean), wait_ms: kWaitMs, pictures,
        gesture_end: batch.at(-1).end || !batch.some((entry) => entry.key)});
      this.take(state);
      if (!this.isClosed) this.hooks.show(state.pictures ?? [], pictures);
    } catch (error) {
      if (error.state) this.take(error.state);
      else this.changed = joined(sent, this.changed);
      this.fail(error);
    }
    this.isActing = false;
    for (const entry of batch) entry.resolve.forEach((resolve) => resolve(state));
    this.pump();
  }

  // Not behind an act that waits for what is to be stopped.
  cancel() {
    this.server.ask(this.route('act'), 'POST', {do: [['job.cancel']]}).then((state) => this.take(state), (error) => this.fail(error));
  }

  take(state) {
    if (this.isClosed || (this.state && state.revision < this.state.revision)) return;
    this.state = state;
    this.view = joined(state.view, this.changed);
    ++this.epoch;
    const {id, source, trace} = this, resume = this.resume = state.graph || state.document ? state.resume : this.resume;
    kept.set('session', {id, source, trace, resume});
    this.hooks.state(state);
    if (state.busy) this.poll();
  }

  async poll() {
    if (this.isPolling) return;
    this.isPolling = true;
    while (this.state.busy && !this.isClosed) {
      const state = await this.get('state', {since: this.state.revision, wait: kPollMs}, this.server);
      if (!state) break;
      this.take(state);
    }
    this.isPolling = false;
  }

  fail(error) {
    if (this.isClosed) return;
    if (!(error instanceof Refusal)) reportError(error);  // of the page itself
    if (error.status === 0 || error.code === 'no_session') this.hooks.lost(error);
    else this.hooks.error(error.message, error.code);
  }

  // An answer, or null as of `act`. With `server` nothing is opened again.
  async get(path, query, server) {
    try {
      return await (server ? server.ask(this.route(path, query)) : this.ask(path, query));
    } catch (error) {
      this.fail(error);
      return null;
    }
  }
}
