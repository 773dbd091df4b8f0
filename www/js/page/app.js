// The app: the person's actions, and the assignment of views.

import {Comparing} from './comparing.js';
import {fill, h} from './dom.js';
import {Exports} from './exports.js';
import {shownProblem as problemOf} from './failure.js';
import {numberingOf} from './files/adding.js';
import {chooseFiles, together} from './files/files.js';
import {onlyRanks} from './files/run-changes.js';
import {EMPTY, tabsOf} from './state.js';
import {loadLanguage, shownLanguage, t} from './environment/i18n.js';
import {environment, focused} from './environment/environment.js';
import {applyTheme, chooseTheme} from './environment/theme.js';
import {afterChoice, isTextField, usesKey} from './environment/typing.js';
import {merged} from './timeline/notes.js';
import {
  definitionOf,
  definitionOfHash,
  firstTab,
  isOfOther,
  keepNotes,
  keptNotes,
  linkTo,
  linkWithNotes,
  notesOfHash,
  numberSaid,
  parallelOfHash,
  replacedOf,
  tabOfHash,
  traceOf,
  viewOfHash,
} from './view-hash.js';
import {Undos, undoKey} from './undos.js';
import {ViewHistory} from './view-history.js';
import {renderProblems} from './views/files/problems.js';
import {askToReplace} from './views/files/replace-dialog.js';
import {renderReplaced} from './views/files/replaced.js';
import {renderEmpty, renderOffers} from './views/frame/empty.js';
import {renderHeader} from './views/frame/header.js';
import {showHelp} from './views/frame/help.js';
import {Loading} from './views/frame/loading.js';
import {Message} from './views/frame/message.js';
import {Results} from './views/frame/results.js';
import {rankName} from './views/parts/rank-name.js';
import {isPaletteKey, showPalette} from './views/palette/palette.js';
import {allStepsText} from './views/parts/all-steps.js';
import {chooseAgain} from './views/parts/units.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('../protocol/answers.js').ReportRequest} ReportRequest */
/** @typedef {import('../protocol/requests.js').Changes} Changes */
/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../protocol/requests.js').Opened} Opened */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../protocol/answers.js').Topics} Topics */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Store} Store */
/** @typedef {{summary?: import('../../types/reports.js').Summary, problems: Problem[]}} Outcome the summary of the read files, or the reasons why none was read */
/** @typedef {import('./state.js').Shown} Shown */

/** The part of the state that does not depend on the shown trace. @param {State} state */
const othersOf = ({others, othersProgress, baseline, last, recent}) => ({others, othersProgress, baseline, last, recent});

/** The shown state from the result of a load. @param {Opened} opened @returns {Partial<State>} */
const shownOf = ({summary, grouping, held, wasmBytes}) => ({
  phase: 'ready',
  progress: null,
  summary,
  files: grouping,
  held,
  wasmBytes,
  selection: null,
  notes: keptNotes(grouping) ?? [],
});

/** The whole page. */
export class App {
  #header = h('header', {class: 'header'});
  #problems = h('div', {class: 'problems', role: 'alert'});
  #replaced = h('div', {role: 'status'});
  #main = h('main', {class: 'main', id: 'main', tabindex: '-1'});
  #skip = h('a', {class: 'skip', href: '#main'});
  #veil = h('p', {});
  /** Changes elsewhere than at the focus, for screen readers. */
  #said = h('p', {class: 'only-read-out', role: 'status', 'data-test': 'said'});
  /** @type {Results | undefined} */
  #results;
  /** The view of the current load, or of the last one. @type {Loading | undefined} */
  #loading;
  /** Counts requests for a selection: only the last one's answer is shown. */
  #asked = 0;
  /** Counts loads likewise. */
  #opened = 0;
  /** The last load that grouped the shown files anew. */
  #regroups = 0;
  /** The state before the current load. @type {State | undefined} */
  #before;
  /** The shown files, or those from before that load. @type {Shown | undefined} */
  #shown;
  /** Whether it was opened again after a crash: that is done once per opening by a person. */
  #again = false;
  /** Memory limit of traces in MB, where the address has one. */
  #memory = numberSaid('memory');
  /** Number of workers that read ranks, where the address has one. */
  #workers = numberSaid('workers');
  #history;
  /** The groupings of the shown files so far, by their names in the browser's history. @type {Map<string, {changes: Changes, runs: State['runs']}>} */
  #groupings = new Map();
  /** The runs of each summary. @type {WeakMap<import('../../types/reports.js').Summary, Promise<import('../../types/reports.js').RunReport[]>>} */
  #runs = new WeakMap();
  /** Called with the files that a person opened. @type {(files: Dropped[]) => void} */
  onOpened = () => {};
  /** Whether the address says which view of the next trace is wanted: later it only follows. */
  #linked = true;

  /** @param {HTMLElement} body @param {Store} store @param {Client} client @param {Wasm} wasm */
  constructor(body, store, client, wasm) {
    this.store = store;
    this.client = client;
    this.wasm = wasm;
    this.comparing = new Comparing(this);
    this.exports = new Exports(this);
    this.undos = new Undos();
    this.message = new Message();
    this.#history = new ViewHistory(this);
    body.replaceChildren(
      this.#skip,
      this.#header,
      this.#problems,
      this.#replaced,
      this.#main,
      this.#said,
      this.message.element,
      h('div', {class: 'drop-veil', 'aria-hidden': 'true'}, this.#veil),
    );
    client.onProgress = (progress) => {
      // Late messages of a cancelled load are ignored.
      if (this.state.phase === 'loading') store.set({progress});
    };
    client.onHeld = (held, summary) => store.set({held, ...(summary && {summary})});
    client.onRereading = (reread) => store.set({reread});
    client.onExporting = (exporting) => store.set({exporting});
    client.onLost = (problem) => this.#lost(problem);
    store.listen((now, before) => this.#show(now, before));
    environment().keys.addEventListener('keydown', (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    afterChoice(body, (list) => {
      // In a menu or a dialog, the next choice may follow.
      if (!list.closest('details, dialog')) this.#main.focus({preventScroll: true});
    });
  }

  get state() {
    return this.store.state;
  }

  /** The address of the current view. */
  get link() {
    return linkTo(this.state);
  }

  /** Whether the shown files are being grouped anew. The browser's history may ask for another grouping before that ends. */
  get isRegrouping() {
    return this.state.phase === 'loading' && this.#regroups === this.#opened;
  }

  /** Draws everything anew, in the chosen language. */
  redraw() {
    fill(this.#skip, t('skip'));
    fill(this.#veil, t('drop.release'));
    this.#results = undefined;
    const had = focused()?.dataset.test;
    this.#show(this.state, undefined);
    if (!had) return;
    const again = /** @type {HTMLElement | null} */ (environment().root.querySelector(`[data-test="${had}"]`));
    // A choice of a menu closes none.
    for (const menu of this.#header.querySelectorAll('details')) menu.open = menu.contains(again) && !again?.matches('summary');
    again?.focus();
  }

  /** Takes on the chosen theme, or the system's. */
  redrawTheme() {
    applyTheme();
    this.#results?.redraw();
  }

  /** @param {State} now @param {State | undefined} before */
  #show(now, before) {
    const isNew = now.phase === 'ready' && (!this.#results || before?.phase !== 'ready');
    if (now.phase !== 'ready') this.#results = undefined;
    else if (isNew) this.#results = new Results(this);
    // Their views are shown no more.
    if (isNew) this.undos.clear();
    if (isNew || !before || now.phase !== before.phase) renderHeader(this.#header, this, this.#results);
    this.#title(now);
    this.message.follow(now, before);
    if (!before || now.problems !== before.problems) renderProblems(this.#problems, this);
    if (!before || now.replaced !== before.replaced) renderReplaced(this.#replaced, this);
    if (this.#results) {
      if (isNew) this.#main.replaceChildren(this.#results.element);
      this.#results.show(now, before);
      this.#history.show(before);
      this.#say(now, before);
    } else if (now.phase === 'loading') {
      if (before?.phase !== 'loading' || !this.#loading) this.#main.replaceChildren((this.#loading = new Loading(this)).element);
      this.#loading.show(now.progress, performance.now());
    } else if (!before || before.phase !== 'empty') renderEmpty(this.#main, this);
    else if (now.last !== before.last || now.recent !== before.recent) renderOffers(this.#main, this);
  }

  /** Announces the shown rank, step and definition when they change: their numbers stand all over the page. @param {State} now @param {State | undefined} before */
  #say(now, before) {
    const {summary, rank, step} = now;
    const shown = summary?.ranks[rank];
    if (before?.phase !== 'ready' || !shown) return;
    const definition = definitionOf(now);
    const said = [
      rank !== before.rank && rankName(shown),
      (rank !== before.rank || step !== before.step) &&
        shown.steps.length > 0 &&
        (step === null ? allStepsText(shown) : t('step', {name: shown.steps[step].name})),
      definition !== definitionOf(before) && t(`definition.${definition}`),
    ].filter((text) => typeof text === 'string');
    if (said.length) fill(this.#said, said.join(' · '));
  }

  /** The window is named by the file. @param {State} state */
  #title({phase, progress, summary, rank}) {
    const file = phase === 'loading' ? progress?.file : summary?.ranks[rank]?.input;
    environment().title(file ? `${file} – Stepscope` : 'Stepscope');
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

  /**
   * Opens the files that `find` gives: it may have to fetch them, or to walk through folders.
   * @param {() => Promise<Dropped[]>} find @param {Changes} [changes] to how they make ranks @param {boolean} [isScript] whether no person asks for it
   * @param {State['runs']} [runs] the list from which they are a run
   */
  openFrom(find, changes = [], isScript = false, runs = null) {
    return this.#load(
      async () => ({files: await find(), changes}),
      (what) => this.client.ask('open', {...what, memory: this.#memory, workers: this.#workers}),
      isScript,
      runs,
    );
  }

  /** Opens dropped files, adds them, or compares with them: over an open trace, as the person chooses. @param {() => Promise<Dropped[]>} find */
  async openDropped(find) {
    const {phase, tab} = this.state;
    if (phase !== 'ready') return void this.openFrom(find);
    if (tab === 'compare') return void this.comparing.open(find);
    // The browser empties the drop afterwards.
    const files = find();
    files.catch((error) => this.fail(error));
    const answer = await askToReplace(this, files);
    if (answer === 'open') await this.openFrom(() => files);
    if (answer === 'add') await this.#add(await files);
    if (answer !== 'compare' || this.state.phase !== 'ready') return;
    this.store.set({tab: 'compare'});
    await this.comparing.open(() => files);
  }

  /** Reads files beside those that are open, as further ranks. @param {Dropped[]} added */
  async #add(added) {
    const shown = this.#shown;
    if (!shown) return void (await this.openFrom(async () => added));
    const before = this.state.files?.sources.length ?? 0;
    const files = together(shown.files, added);
    // Files that are added to a run of a list join it as ranks. In the list they may be a run of their own.
    const runs = this.state.runs && {...this.state.runs, count: null};
    await this.openFrom(async () => files, shown.changes, false, runs);
    // A load that another one replaced shows other files.
    const isShown = () => this.state.phase === 'ready' && this.#shown?.files === files && this.state.files;
    const found = isShown();
    const changes = found ? numberingOf(found, before) : [];
    if (changes.length) await this.regroup(changes, runs);
    const {summary, rank} = this.state;
    if (isShown() && summary && tabsOf(summary, rank).includes('ranks')) this.go('ranks');
  }

  /** Reopens a trace that another one replaced, with its view. @param {import('./state.js').Replaced} replaced */
  reopen({shown, runs, view, trace}) {
    environment().address.show(view, trace, true);
    this.#linked = true;
    return this.openFrom(async () => shown.files, shown.changes, false, runs);
  }

  /** Reads the files anew, grouped as the person wants them. @param {Changes} changes @param {State['runs']} [runs] the list from which they are a run */
  regroup(changes, runs = null) {
    const files = this.#shown?.files ?? [];
    this.#regroups = this.#opened + 1;
    return this.#load(
      async () => ({files, changes}),
      () => this.client.ask('regroup', {changes}),
      false,
      runs,
    );
  }

  /** Opens one run of several, without the others: the way back leads to all. @param {import('../../types/reports.js').RunReport} run @param {number} count of runs in the list */
  openRun({ranks}, count) {
    const {files, runs} = this.state;
    if (!files) return undefined;
    environment().address.push();
    return this.regroup(onlyRanks(files, ranks), runs ?? {changes: files.changes, count});
  }

  /** Opens the list of runs again. */
  openRuns() {
    const {runs} = this.state;
    if (!runs) return undefined;
    environment().address.push();
    return this.regroup(runs.changes);
  }

  /** Opens the trace of an entry of the browser's history, if it is another grouping of the open files, with its view. @param {string | undefined} trace */
  openGrouping(trace) {
    const grouping = trace === undefined ? undefined : this.#groupings.get(trace);
    if (!grouping) return false;
    this.#linked = true;
    this.regroup(grouping.changes, grouping.runs);
    return true;
  }

  /**
   * Shows the result of a load; the previous trace comes back if there is none.
   * @param {() => Promise<Shown>} find @param {(what: Shown) => Promise<Opened>} ask @param {boolean} isScript @param {State['runs']} runs the list from which a run is opened
   * @returns {Promise<Outcome | undefined>} undefined if another load took its place
   */
  async #load(find, ask, isScript, runs) {
    const opened = ++this.#opened;
    const {phase} = this.state;
    // Running exports report their own progress.
    if (phase === 'ready') this.#before = {...this.state, exporting: []};
    const before = this.#before;
    const shown = this.#shown;
    this.store.set({...EMPTY, ...othersOf(this.state), phase: 'loading', tab: this.state.tab});
    this.#main.focus({preventScroll: true});
    let asked = false;
    try {
      const what = await find();
      if (opened !== this.#opened) return undefined;
      asked = true;
      const found = await ask(what);
      if (opened !== this.#opened) return undefined;
      const {summary, read, failures} = found;
      // Problems from the time of the load, of an export for example, were reported by others.
      const problems = [...this.state.problems, ...failures];
      if (read) {
        this.#before = undefined;
        this.#shown = what;
        this.#again = false;
        // A replaced trace is not compared with anything.
        this.comparing.forget();
        this.onOpened(what.files);
        const same = shown?.files === what.files;
        const replaced = isScript ? null : same ? (before?.replaced ?? null) : replacedOf(before, shown, what.files);
        this.#noteGrouping(found.grouping, runs, same);
        const isLinked = this.#linked && !isOfOther(found.grouping);
        if (isLinked) this.#takeNotes(found.grouping);
        const layout = isLinked ? await this.#layoutAs(parallelOfHash()) : {};
        const definition = definitionOfHash();
        const isDefined = !isLinked || definition === definitionOf({summary, rank: 0});
        const defined = isDefined ? summary : await this.client.ask('define', {name: definition});
        const first = await this.#firstView(summary, found.grouping);
        if (opened !== this.#opened) return undefined;
        await this.#present({
          ...shownOf({...found, summary: defined}),
          baseline: null,
          problems,
          replaced,
          runs,
          last: null,
          ...layout,
          ...first,
        });
        return {summary, problems: failures};
      } else if (before && summary.ranks.length) {
        this.store.set({...before, ...othersOf(this.state), problems});
      } else {
        // A load in between had begun to replace the previous trace.
        this.#empty(problems);
      }
      return {problems: failures};
    } catch (error) {
      const problems = [problemOf(error)];
      // Where the worker died, the previous trace may be loading again.
      if (opened !== this.#opened) return problems[0].code === 'crashed' ? {problems} : undefined;
      const all = [...this.state.problems, ...problems];
      if (!asked && phase === 'ready' && before) this.store.set({...before, ...othersOf(this.state), problems: all});
      else {
        if (!asked) this.client.cancel();
        this.#empty(all);
      }
      return {problems};
    }
  }

  /** Records a grouping of the open files: the browser's history may lead back to it. @param {import('../protocol/requests.js').Grouping} grouping @param {State['runs']} runs @param {boolean} same whether the files are those of before */
  #noteGrouping(grouping, runs, same) {
    if (!same) this.#groupings.clear();
    this.#groupings.set(traceOf(grouping), {changes: grouping.changes, runs});
  }

  /** Shows nothing, and keeps nothing. @param {Problem[]} problems */
  #empty(problems) {
    const replaced = replacedOf(this.#before, this.#shown);
    this.#before = this.#shown = undefined;
    this.comparing.forget();
    this.store.set({...EMPTY, last: this.state.last, recent: this.state.recent, replaced, problems});
  }

  /** The worker died with the traces. The shown trace is opened again, as it was, but only once: it may be what the worker died of. @param {Problem} problem */
  #lost(problem) {
    const {phase} = this.state;
    if (phase === 'empty') return;
    // Running loads will not finish any more.
    this.#opened++;
    const before = phase === 'ready' ? this.state : this.#before;
    if (this.#shown && before && !this.#again) this.#openAgain(this.#shown, before, problem);
    else this.#empty([problem]);
  }

  /** @param {Shown} shown @param {State} before @param {Problem} problem */
  async #openAgain(shown, before, problem) {
    const opened = ++this.#opened;
    this.#again = true;
    this.#before = undefined;
    const {tab, rank, step, callsRange, timeline, grouping, merge, runs, opened: rows} = before;
    this.store.set({...EMPTY, ...othersOf(this.state), phase: 'loading', tab, problems: [{...problem, code: 'opened_again'}]});
    this.#main.focus({preventScroll: true});
    try {
      await chooseAgain(this.client, before.summary?.ranks[rank]);
      // Otherwise this would end a newer load by the person.
      if (opened !== this.#opened) return;
      const found = await this.client.ask('open', {...shown, memory: this.#memory});
      if (opened !== this.#opened) return;
      const {summary, read, failures} = found;
      if (!read) {
        this.#empty([problem, ...failures]);
        return;
      }
      const same = summary.ranks.length === before.summary?.ranks.length && {rank, step, callsRange, opened: rows};
      const layout = await this.#layoutAs(before.parallel);
      if (opened !== this.#opened) return;
      await this.#present({...shownOf(found), problems: [...this.state.problems, ...failures], tab, timeline, grouping, merge, runs, ...layout, ...same});
    } catch (error) {
      if (opened === this.#opened) this.#empty([problem, problemOf(error)]);
    }
  }

  /**
   * The view that is shown first: as the address says it. A list of runs comes before the tables of the first one.
   * @param {import('../../types/reports.js').Summary} summary @param {import('../protocol/requests.js').Grouping} files
   */
  async #firstView(summary, files) {
    const {tab} = this.state;
    const said = this.#linked ? viewOfHash(summary, tab) : null;
    const isNamed = this.#linked && tabOfHash() !== undefined;
    this.#linked = false;
    const view = said && !isOfOther(files) ? said : {tab: firstTab(summary, 0, said?.tab ?? tab), rank: 0, step: null, callsRange: null, timeline: {}};
    const mayBeList = !isNamed && summary.ranks.length > 1 && view.tab === 'recorded';
    const isList = mayBeList && ((await this.runs(summary)) ?? []).length > 1;
    return isList ? {...view, tab: /** @type {const} */ ('overview')} : view;
  }

  /** Keeps the notes that came with a link or a report beside those that are there. @param {import('../protocol/requests.js').Grouping} files */
  #takeNotes(files) {
    const linked = notesOfHash(files);
    if (linked.length) keepNotes(files, merged(keptNotes(files) ?? [], linked));
  }

  /** The notes in the address are added to those that are shown. */
  takeNotes() {
    const {files} = this.state;
    if (!files || isOfOther(files)) return;
    this.#takeNotes(files);
    this.store.set({notes: keptNotes(files) ?? this.state.notes});
  }

  /** Changes the notes on the shown trace, as they are kept now: another tab may have changed them. @param {(notes: import('./timeline/notes.js').Note[]) => import('./timeline/notes.js').Note[]} change */
  changeNotes(change) {
    const {files, notes: shown} = this.state;
    if (!files) return;
    const notes = change(keptNotes(files) ?? shown);
    keepNotes(files, notes);
    // Long names are kept shorter: the shown notes must equal the kept ones, so that they can be removed.
    this.store.set({notes: keptNotes(files) ?? notes});
  }

  /** The notes as they are handed on: without secrets that a person wrote. @returns {Promise<import('./timeline/notes.js').Note[]>} */
  async notesToHandOn() {
    const {notes} = this.state;
    if (!notes.length) return notes;
    const texts = await this.client.ask('maskSecrets', {texts: notes.map(({text}) => text)});
    return notes.map((note, place) => ({...note, text: texts[place]}));
  }

  /** The address with the view and notes in it. @param {import('./timeline/notes.js').Note[]} notes */
  linkWithNotes(notes) {
    return linkWithNotes({...this.state, notes});
  }

  /** Shows a slice, or a span of time, on the timeline. @param {import('./state.js').Jump} target @param {number} [rank] the one that is shown if no other is named */
  jump(target, rank) {
    this.#history.jump(target, rank);
  }

  /**
   * Records that the person opened or closed a row or a node, for the browser's history.
   * @param {string} name of its table or graph @param {string | undefined} key undefined if none is open
   * @param {boolean} [isLed] whether it belongs to an existing entry of the history: another click led to it
   */
  opened(name, key, isLed = false) {
    this.#history.opened(name, key, isLed);
  }

  /** The row or node that is open in a table or graph of the shown tab. @param {string} name */
  openedIn(name) {
    const {opened, tab} = this.state;
    return opened[tab]?.[name];
  }

  /** Ends the workers, with all that they hold, and forgets the current load. Nothing can be opened afterwards. */
  close() {
    this.#opened++;
    this.client.close();
    this.comparing.close();
  }

  /** Stops the current load. Its files may be in the midst of an analysis: the page does not wait for that. */
  cancel() {
    this.#opened++;
    this.client.cancel();
    this.#empty([]);
    this.#main.focus();
  }

  /** Changes the shown view; the numbers of the chosen step are requested first. @param {Partial<State>} change */
  async #present(change) {
    const {rank, step, grouping, merge} = {...this.state, ...change};
    // Open rows and ranges belong to a rank. A step replaces a range, and a range a step.
    const opened = rank !== this.state.rank && {opened: {}};
    const range = (rank !== this.state.rank || step !== this.state.step) && {callsRange: null};
    const asked = ++this.#asked;
    const selected = this.client.ask('report', {rank, topic: 'selection', request: {step, average: step === null, grouping, merge}});
    this.store.set({...opened, ...range, ...change});
    const selection = await selected;
    if (asked === this.#asked) this.store.set({selection});
  }

  /** Changes the shown view, and requests its numbers. @param {Partial<State>} change */
  async choose(change) {
    try {
      await this.#present(change);
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * A report on a rank, if no other is named the one that is shown; nothing if it has nothing for that.
   * @template {keyof Topics} Topic @param {Topic} topic @param {ReportRequest} [request] @param {number} [rank] @returns {Promise<Topics[Topic] | undefined>}
   */
  async report(topic, request = {}, rank = this.state.rank) {
    try {
      return await this.client.ask('report', {rank, topic, request});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /**
   * Asks the timeline.
   * @template {import('../protocol/timeline.js').TimelineCall} Call @param {Call} call @returns {Promise<import('../protocol/timeline.js').TimelineAnswers[Call['call']] | undefined>}
   */
  async timeline(call) {
    try {
      return await this.client.ask('timeline', call);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /**
   * Searches events of the shown rank; undefined if another search replaces it.
   * @param {string} query @param {boolean} args whether the files' own text is looked through, too @param {number} end of the time that is shown, in ns
   */
  async look(query, args, end) {
    try {
      return await this.client.ask('find', {rank: this.state.rank, query, args, end});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** The hit before or after a place, by time. @param {import('../protocol/requests.js').FindFrom} from */
  async nextHit(from) {
    try {
      return await this.client.ask('nextHit', from);
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  /** Hits of the last search, in the order of time. @param {import('../protocol/requests.js').ListedHit | null} after the one before them; null: from the first one on @param {number} most */
  async hits(after, most) {
    try {
      return await this.client.ask('hits', {after, most});
    } catch (error) {
      this.fail(error);
      return [];
    }
  }

  /** Opens a tab. @param {import('./state.js').Tab} tab */
  go(tab) {
    this.#results?.go(tab);
  }

  /** Opens a tab's table at the rows that have a text in their names. @param {import('./state.js').Tab} tab @param {string} text */
  find(tab, text) {
    this.#results?.find(tab, text);
  }

  /** An event as it stands in its file; null stops the current read. @param {number} rank @param {number | null} event */
  async eventText(rank, event) {
    try {
      return await this.client.ask('args', {rank, event});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** The report on the job; undefined for fewer than two ranks. */
  async job() {
    try {
      return await this.client.ask('job', {language: shownLanguage()});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** The runs that are open: one unless several are open together. @param {import('../../types/reports.js').Summary | null} [summary] of the open trace */
  async runs(summary = this.state.summary) {
    if (!summary) return undefined;
    const asked = this.#runs.get(summary) ?? this.client.ask('runs', {});
    this.#runs.set(summary, asked);
    try {
      return await asked;
    } catch (error) {
      this.#runs.delete(summary);
      this.fail(error);
      return undefined;
    }
  }

  /** Sets the parallel layout by the person; an empty one means that of the traces. @param {string} parallel */
  async setLayout(parallel) {
    try {
      this.store.set(await this.#layoutAs(parallel));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The changed state: only the fault of the layout, if it has one. @param {string} parallel @returns {Promise<Partial<State>>} */
  async #layoutAs(parallel) {
    const fault = await this.client.ask('layout', {parallel});
    return fault ? {layoutFault: {...fault, text: parallel}} : {parallel, layoutFault: null};
  }

  /** The counterparts of a rank's collective on all ranks. @param {number} rank @param {number} event */
  async peers(rank, event) {
    try {
      return await this.client.ask('peers', {rank, event});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** The script of the tabs that few visits open. */
  seldomTabs() {
    return import('./views/seldom.js');
  }

  /** The script that draws a graph of operators, which few traces have. */
  strategyGraph() {
    return import('./views/strategy/strategy-graph.js');
  }

  /** The rows of a recorded table of a rank, if no other is named of the one that is shown. @param {number} table @param {number} [rank] @returns {Promise<import('../../types/reports.js').RecordedRowsReport | undefined>} */
  async recorded(table, rank = this.state.rank) {
    try {
      return await this.client.ask('recorded', {rank, table});
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Chooses the tool whose definition of device time is shown beside ours. @param {string} name */
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
    // A lost worker is reported elsewhere; an ended one was ended on purpose.
    if (problem.code === 'crashed' || problem.code === 'cancelled') return;
    // A problem is shown only once.
    if (this.state.problems.some(({code, file, message}) => code === problem.code && file === problem.file && message === problem.message)) return;
    this.store.set({problems: [...this.state.problems, problem]});
  }

  /** @param {import('./environment/i18n.js').Language} language */
  async chooseLanguage(language) {
    environment().remember('language', language);
    await loadLanguage(language);
    this.redraw();
  }

  /** @param {import('./environment/theme.js').Theme} theme */
  chooseTheme(theme) {
    chooseTheme(theme);
    this.redrawTheme();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isText = target.localName !== undefined && isTextField(target);
    // Keys that a dialog does not handle have no effect on the page below it, either.
    if (target.closest?.('dialog')) return;
    if (isPaletteKey(event) && !isText && this.state.phase === 'ready') {
      event.preventDefault();
      showPalette(this);
      return;
    }
    const way = undoKey(event);
    // A text field has its own undo.
    if (way && !isText && this.state.phase === 'ready') {
      event.preventDefault();
      const change = this.undos.go(way);
      fill(this.#said, change ? t(`undo.${way}`, {what: change.what}) : t('undo.nothing'));
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && (isText || target.localName === 'select')) {
      target.blur();
      return;
    }
    if (target.localName !== undefined && usesKey(target, event.key)) return;
    if (event.key === '?') {
      event.preventDefault();
      showHelp();
    } else if (this.state.phase === 'ready' && this.#results?.key(event)) {
      event.preventDefault();
    }
  }
}
