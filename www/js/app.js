// What the person can do, and which view shows what.

import {Failure} from './failure.js';
import {chooseFiles, save} from './files.js';
import {loadLanguage, remember, t} from './i18n.js';
import {EMPTY} from './state.js';
import {applyTheme, chooseTheme} from './theme.js';
import {firstTab, showInHash, viewOfHash} from './view-hash.js';
import {renderEmpty} from './views/empty.js';
import {renderHeader} from './views/header.js';
import {showHelp} from './views/help.js';
import {renderLoading} from './views/loading.js';
import {renderProblems} from './views/problems.js';
import {Results} from './views/results.js';
import {fill, h} from './dom.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./protocol.js').Ask} Ask */
/** @typedef {import('./protocol.js').Dropped} Dropped */
/** @typedef {import('./protocol.js').Opened} Opened */
/** @typedef {import('./protocol.js').Problem} Problem */
/** @typedef {import('./protocol.js').Topics} Topics */
/** @typedef {import('./protocol.js').Wasm} Wasm */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Store} Store */

/** @param {unknown} error @returns {Problem} */
function problemOf(error) {
  if (error instanceof Failure) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return {code: 'io', file: '', position: null, message, tried: [], expected: ''};
}

/** The whole page. */
export class App {
  #header = h('header', {class: 'header'});
  #problems = h('div', {class: 'problems', role: 'alert'});
  #main = h('main', {class: 'main', id: 'main', tabindex: '-1'});
  #skip = h('a', {class: 'skip', href: '#main'});
  #veil = h('p', {});
  /** @type {Results | undefined} */
  #results;
  /** Counts requests for a selection: only the last one's answer is shown. */
  #asked = 0;
  /** Counts loads likewise. */
  #opened = 0;
  /** What was shown before the load that goes on. @type {State | undefined} */
  #before;
  /** Whether the address says which view of the next trace is wanted: later it only follows. */
  #linked = true;

  /** @param {HTMLElement} body @param {Store} store @param {Client} client @param {Wasm} wasm */
  constructor(body, store, client, wasm) {
    this.store = store;
    this.client = client;
    this.wasm = wasm;
    body.replaceChildren(
      this.#skip,
      this.#header,
      this.#problems,
      this.#main,
      h('div', {class: 'drop-veil', 'aria-hidden': 'true'}, this.#veil),
    );
    client.onProgress = (progress) => {
      // What a cancelled load still says is old news.
      if (this.state.phase === 'loading') store.set({progress});
      else if (this.state.othersProgress) store.set({othersProgress: progress});
    };
    store.listen((now, before) => this.#show(now, before));
    addEventListener('keydown', (event) => this.#key(event));
    addEventListener('hashchange', () => this.#followHash());
  }

  get state() {
    return this.store.state;
  }

  /** Draws everything anew, in the chosen language. */
  redraw() {
    fill(this.#skip, t('skip'));
    fill(this.#veil, t('drop.release'));
    this.#results = undefined;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.test;
    this.#show(this.state, undefined);
    if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-test="${focused}"]`))?.focus();
  }

  /** Takes on the chosen theme, or the system's. */
  redrawTheme() {
    applyTheme();
    this.#results?.redraw();
  }

  /** @param {State} now @param {State | undefined} before */
  #show(now, before) {
    if (!before || now.phase !== before.phase) renderHeader(this.#header, this);
    this.#title(now);
    if (!before || now.problems !== before.problems) renderProblems(this.#problems, this);
    if (now.phase === 'ready') {
      if (!this.#results || !before || before.phase !== 'ready') {
        this.#results = new Results(this);
        this.#main.replaceChildren(this.#results.element);
      }
      this.#results.show(now, before);
      showInHash(now);
    } else {
      this.#results = undefined;
      if (now.phase === 'loading') renderLoading(this.#main, now, this, before?.phase === 'loading');
      else if (!before || before.phase !== 'empty') renderEmpty(this.#main, this);
    }
  }

  /** The window is named by the file. @param {State} state */
  #title({phase, progress, summary, rank}) {
    const file = phase === 'loading' ? progress?.file : summary?.ranks[rank]?.input;
    document.title = file ? `${file} – Stepscope` : 'Stepscope';
  }

  /** Lets the person choose files, or a folder, and opens them. @param {boolean} [folder] */
  async openChosen(folder = false) {
    try {
      const files = await chooseFiles(folder);
      if (files.length) await this.openFrom(async () => files);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens the files that `find` gives: it may have to fetch them, or to walk through folders. @param {() => Promise<Dropped[]>} find */
  openFrom(find) {
    return this.#load(find, (files) => this.client.ask('open', {files}));
  }

  /**
   * Opens what the shown rank is compared with, beside what is opened.
   * @param {() => Promise<Dropped[]>} find
   */
  async openOther(find) {
    const opened = ++this.#opened;
    const {others, baseline} = this.state;
    this.store.set({othersProgress: 'begun'});
    try {
      const files = await find();
      if (opened !== this.#opened) return;
      if (!files.length) {
        this.store.set({othersProgress: null});
        return;
      }
      const {summary, read, failures} = await this.client.ask('openOther', {files});
      if (opened !== this.#opened) return;
      const found = read ? {others: summary.ranks.map(({input, rank}) => ({input, rank})), baseline: {aside: true, rank: this.#like(summary)}} : {others, baseline};
      this.store.set({...found, othersProgress: null, problems: [...this.state.problems, ...failures]});
    } catch (error) {
      if (opened !== this.#opened) return;
      this.store.set({othersProgress: null});
      this.fail(error);
    }
  }

  /** The rank that has the number of the one that is shown, else the first. @param {import('./protocol.js').Summary} summary */
  #like(summary) {
    const shown = this.state.summary?.ranks[this.state.rank].rank ?? null;
    return Math.max(0, summary.ranks.findIndex(({rank}) => rank !== null && rank === shown));
  }

  /** Compares with nothing that was opened for that, also while it is being read. */
  async forgetOther() {
    this.#opened++;
    this.store.set({others: [], othersProgress: null, baseline: null});
    try {
      await this.client.ask('forgetOther', {});
    } catch (error) {
      this.fail(error);
    }
  }

  /** What is different in the shown rank from what it is compared with. @param {boolean} shapes whether these are told apart */
  async compare(shapes) {
    const {rank, baseline: other} = this.state;
    try {
      return other ? await this.client.ask('compare', {rank, other, shapes}) : undefined;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Opens what was dropped: where ranks are compared, to compare with it. @param {() => Promise<Dropped[]>} find */
  openDropped(find) {
    const {phase, tab} = this.state;
    return phase === 'ready' && tab === 'compare' ? this.openOther(find) : this.openFrom(find);
  }

  /** Reads the files anew, grouped as the person wants them. @param {import('./protocol.js').Changes} changes */
  regroup(changes) {
    return this.#load(async () => changes, (changes) => this.client.ask('regroup', {changes}));
  }

  /**
   * Shows what a load gives; what was shown before comes back if that is nothing.
   * @template What @param {() => Promise<What>} find @param {(what: What) => Promise<Opened>} ask
   */
  async #load(find, ask) {
    const opened = ++this.#opened;
    const {phase} = this.state;
    if (phase === 'ready') this.#before = this.state;
    const before = this.#before;
    this.store.set({...EMPTY, phase: 'loading', tab: this.state.tab});
    this.#main.focus({preventScroll: true});
    let asked = false;
    try {
      const what = await find();
      if (opened !== this.#opened) return;
      asked = true;
      const {summary, read, grouping, failures, wasmBytes} = await ask(what);
      if (opened !== this.#opened) return;
      if (read) {
        this.#before = undefined;
        this.store.set({phase: 'ready', progress: null, summary, files: grouping, problems: failures, wasmBytes, selection: null, ...this.#firstView(summary)});
        await this.#select();
      } else {
        // The session still holds what was there, unless a load in between had begun to replace it.
        this.store.set({...(before && summary.ranks.length ? before : EMPTY), problems: failures});
      }
    } catch (error) {
      if (opened !== this.#opened) return;
      const untouched = !asked && phase === 'ready';
      if (!asked && !untouched) this.client.cancel();
      this.store.set({...(untouched && before ? before : EMPTY), problems: [problemOf(error)]});
    }
  }

  /** @param {import('./protocol.js').Summary} summary */
  #firstView(summary) {
    const {tab} = this.state;
    const view = this.#linked ? viewOfHash(summary, tab) : {tab: firstTab(summary, 0, tab), rank: 0, step: null};
    this.#linked = false;
    return view;
  }

  /** The person changed the address. */
  #followHash() {
    const {phase, summary, tab} = this.state;
    // `#main` is the link that skips to the content.
    if (phase !== 'ready' || !summary || location.hash === '#main') return;
    this.choose({selection: null, ...viewOfHash(summary, tab)});
  }

  /** Stops the load that goes on. Its files may be in the midst of an analysis: the page does not wait for that. */
  cancel() {
    this.#opened++;
    this.#before = undefined;
    this.client.cancel();
    this.store.set({...EMPTY});
    this.#main.focus();
  }

  /** Asks for what is shown of the chosen step. */
  async #select() {
    const {rank, step, grouping, merge} = this.state;
    const asked = ++this.#asked;
    const selection = await this.client.ask('report', {rank, topic: 'selection', ask: {step, grouping, merge}});
    if (asked === this.#asked) this.store.set({selection});
  }

  /** Changes what is shown, and asks for it. @param {Partial<State>} change */
  async choose(change) {
    this.store.set(change);
    try {
      await this.#select();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * A report on the rank that is shown; nothing if it has nothing for that.
   * @template {keyof Topics} Topic @param {Topic} topic @param {Ask} [ask] @returns {Promise<Topics[Topic] | undefined>}
   */
  async report(topic, ask = {}) {
    try {
      return await this.client.ask('report', {rank: this.state.rank, topic, ask});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Opens a tab's table at what has that in its name. @param {import('./state.js').Tab} tab @param {string} text */
  find(tab, text) {
    this.#results?.find(tab, text);
  }

  /** The rows of a recorded table of the rank that is shown. @param {number} table @returns {Promise<import('./protocol.js').RecordedRows | undefined>} */
  async recorded(table) {
    try {
      return await this.client.ask('recorded', {rank: this.state.rank, table});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Chooses whose definition of device time is shown beside ours. @param {string} name */
  async define(name) {
    try {
      this.store.set({summary: await this.client.ask('define', {name})});
    } catch (error) {
      this.fail(error);
    }
  }

  /** The person has read them. @param {...Problem} read */
  dismiss(...read) {
    this.store.set({problems: this.state.problems.filter((one) => !read.includes(one))});
    this.#main.focus();
  }

  /** @param {unknown} error */
  fail(error) {
    const problem = problemOf(error);
    if (problem.code === 'crashed') this.store.set({...EMPTY, problems: [problem]});
    else this.store.set({problems: [...this.state.problems, problem]});
  }

  /** @param {boolean} summary only steps and aggregates @param {boolean} all every rank, in one file */
  async exportPerfetto(summary, all) {
    const {rank} = this.state;
    const ranks = all ? [...(this.state.summary?.ranks.keys() ?? [])] : [rank];
    try {
      const blob = await this.client.ask('export', {ranks, summary});
      save(blob, `${this.#baseName()}${all ? '.all-ranks' : ''}.${summary ? 'summary' : 'perfetto'}.json.gz`);
    } catch (error) {
      this.fail(error);
    }
  }

  async exportJson() {
    try {
      const bytes = await this.client.ask('summaryJson', {});
      save(new Blob([bytes], {type: 'application/json'}), `${this.#baseName()}.stepscope.json`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {string} table @param {string[][]} rows */
  exportCsv(table, rows) {
    save(new Blob([this.wasm.csv(rows)], {type: 'text/csv'}), `${this.#baseName()}.${table}.csv`);
  }

  /** The shown file's name without what its format adds. */
  #baseName() {
    const name = this.state.summary?.ranks[this.state.rank]?.input ?? 'trace';
    return name.replace(/\.gz$/, '').replace(/\.json$/, '').replace(/\.pt\.trace$/, '');
  }

  /** @param {import('./i18n.js').Language} language */
  async chooseLanguage(language) {
    remember('language', language);
    await loadLanguage(language);
    this.redraw();
  }

  /** @param {import('./theme.js').Theme} theme */
  chooseTheme(theme) {
    chooseTheme(theme);
    this.redrawTheme();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.matches?.('input, select, textarea') ?? false;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && typing) {
      target.blur();
      return;
    }
    if (typing) return;
    if (event.key === '?') {
      event.preventDefault();
      showHelp();
    } else if (this.state.phase === 'ready' && this.#results?.key(event)) {
      event.preventDefault();
    }
  }
}
