// One analyzer in an element of somebody else's page. Built so that each has scripts, and so a state, of its own.

import {App} from '../js/page/app.js';
import {Client} from '../js/page/client.js';
import {fill, h} from '../js/page/dom.js';
import {acceptDrops} from '../js/page/files/drops.js';
import {Store, tabsOf} from '../js/page/state.js';
import {loadLanguage, preferredLanguage, t} from '../js/page/environment/i18n.js';
import {lack} from '../js/page/environment/features.js';
import {setEnvironment} from '../js/page/environment/environment.js';
import {applyTheme, onSystemTheme} from '../js/page/environment/theme.js';
import {renderFatal} from '../js/page/views/frame/fatal.js';
import {loadWasm} from '../js/shared/wasm.js';
import {mayStart} from './spawn.js';

/** @typedef {import('../js/protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../types/reports.js').Summary} Summary */
/** @typedef {import('../js/page/state.js').State} State */
/** @typedef {{rank: number, step: number | null, tab: string, event: number | null}} Selected */

/**
 * @typedef {object} Options
 * @property {ShadowRoot} root
 * @property {HTMLElement} body in the root, holds all elements
 * @property {string} view the first view, as in the page's address: `tab=timeline&rank=1`
 * @property {string | null} theme `light`, `dark`, or the system's
 * @property {string | null} language `en`, `zh`, or the browser's
 * @property {(summary: Summary) => void} loaded
 * @property {(selected: Selected) => void} selected
 * @property {(problem: Problem) => void} failed
 */

/** An analyzer. @typedef {ReturnType<typeof instance>} Instance */

/** The language of a tag such as `zh-Hans`, if there is one. @param {string | null} tag */
const languageOf = (tag) => (tag === null || tag === '' ? null : /^zh\b/i.test(tag) ? 'zh' : 'en');

/** @param {Options} options */
export function instance(options) {
  const {root, body} = options;
  let view = options.view;
  const chosen = new Map(Object.entries({theme: options.theme ?? 'system', language: languageOf(options.language) ?? ''}));
  setEnvironment({
    root,
    holder: body,
    body,
    keys: body,
    alone: false,
    address: {
      asked: () => new URLSearchParams(),
      view: () => view,
      show: (other) => (view = other),
      push: () => {},
      mark: () => {},
      entry: () => ({}),
      follow: () => {},
    },
    title: () => {},
    remembered: (key) => chosen.get(key) ?? null,
    remember: (key, value) => chosen.set(key, value),
    forget: (key) => chosen.delete(key),
    keepsNotAll: () => false,
  });
  applyTheme();
  /** Ends all that would hold it. */
  const ended = new AbortController();
  const {signal} = ended;
  const ready = start(options, signal);
  ready.catch((error) => {
    if (signal.aborted) return;
    const message = String(error?.message ?? error);
    renderFatal(body, message);
    options.failed({code: 'start', file: '', position: null, message, tried: [], expected: ''});
  });
  /** Runs a function once the app is ready; a failed start is reported elsewhere. @param {(app: App) => unknown} act */
  const later = (act) =>
    void ready.then(
      (app) => !signal.aborted && act(app),
      () => {},
    );
  /** Called when the current load is done, or the instance ends. @type {Set<() => void>} */
  const waiting = new Set();
  const settle = () => {
    for (const go of waiting) go();
    waiting.clear();
  };
  signal.addEventListener('abort', settle);
  ready.then(
    (app) => app.store.listen(({phase}) => phase !== 'loading' && settle()),
    () => {},
  );
  return {
    /**
     * Opens files, once the app is ready, and returns the outcome; undefined if another load took its place.
     * @param {(signal: AbortSignal) => Promise<Dropped[]>} find stops when the signal aborts: the element was removed @param {import('../js/protocol/requests.js').Changes} [changes] to the grouping into ranks
     */
    async open(find, changes) {
      const app = await ready;
      const outcome = await app.openFrom(
        async () => {
          const files = await find(signal);
          // Nothing is begun for an element that was removed in between.
          signal.throwIfAborted();
          return files;
        },
        changes,
        true,
      );
      return signal.aborted ? undefined : outcome;
    },
    /** The whole summary, as `stepscope summary --json` prints it, after the current load. @returns {Promise<object>} */
    async summary() {
      const {client, store} = await ready;
      if (store.state.phase === 'loading') await new Promise((go) => waiting.add(() => go(undefined)));
      // A request would restart a worker that was ended.
      signal.throwIfAborted();
      return JSON.parse(new TextDecoder().decode(await client.ask('summaryJson', {})));
    },
    /** Shows another tab. @param {string | null} tab */
    show: (tab) =>
      later(({state: {phase, summary, rank}, store}) => {
        if (tab === null) return;
        const known = phase === 'ready' && summary ? tabsOf(summary, rank).find((one) => one === tab) : undefined;
        if (known) store.set({tab: known});
        else if (phase !== 'ready') view = String(new URLSearchParams({tab}));
      }),
    /** @param {string | null} theme */
    theme: (theme) => later((app) => app.chooseTheme(theme === 'light' || theme === 'dark' ? theme : 'system')),
    /** @param {string | null} tag */
    language: (tag) => later((app) => app.chooseLanguage(languageOf(tag) ?? preferredLanguage())),
    /** Ends its workers, with all their traces, and whatever is under way. */
    close() {
      void ready.then(
        (app) => app.close(),
        () => {},
      );
      ended.abort(new DOMException('the element was removed', 'AbortError'));
    },
  };
}

/** @param {Options} options @param {AbortSignal} signal removes the listeners that would hold it */
async function start({body, loaded, selected, failed}, signal) {
  await loadLanguage(preferredLanguage());
  const missing = lack();
  if (missing) throw new Error(t(missing));
  // The app's own element stands beside this placeholder.
  fill(body, h('main', {class: 'main'}, h('p', {class: 'hint'}, '…')));
  const store = new Store();
  /** @type {Summary | undefined} */
  let told;
  const [wasm, started] = await orAborted(Promise.all([loadWasm(), mayStart()]), signal);
  if (!started) throw new Error(t('fatal.workers'));
  const app = new App(body, store, new Client(), wasm);
  store.listen((now, before) => {
    if (signal.aborted) return;
    // After a failed load the previous trace is shown again.
    if (now.phase === 'ready' && now.summary && before.phase !== 'ready' && now.summary !== told) loaded((told = now.summary));
    for (const problem of now.problems) if (!before.problems.includes(problem)) failed(problem);
    if (now.phase !== 'ready') return;
    const [is, was] = [now, before].map(({rank, step, tab, timeline}) => ({rank, step, tab, event: timeline.event ?? null}));
    if (JSON.stringify(is) !== JSON.stringify(was)) selected(is);
  });
  onSystemTheme(() => app.redrawTheme(), signal);
  app.redraw();
  acceptDrops(app);
  return app;
}

/**
 * The value of a promise. Rejects once the signal aborts: what waits for the value is then kept no longer, however long the promise takes.
 * @template Value @param {Promise<Value>} promise @param {AbortSignal} signal @returns {Promise<Value>}
 */
function orAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), {once: true});
    promise.then(resolve, reject);
  });
}
