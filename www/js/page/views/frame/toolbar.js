// The toolbar of a trace: the shown rank and step, the ways to everything else, and the exports.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {isQuiet, showFiles} from '../files/files.js';
import {allStepsText, stepFlag} from '../parts/all-steps.js';
import {Choice} from '../parts/choice.js';
import {jumpButton} from '../parts/jump.js';
import {rankName, rankTitle} from '../parts/rank-name.js';
import {showPalette} from '../palette/palette.js';
import {ExportsGoing} from '../share/exports-going.js';
import {exportsMenu} from '../share/exports-menu.js';
import {DEFINITIONS} from './definition.js';

/** @typedef {import('../../state.js').State} State */

/** The controls of a trace in the header. They stay the same elements, so that they keep the focus. */
export class Toolbar {
  #file = h('h1', {class: 'file-name', 'data-test': 'file'});
  #rank;
  #step;
  #runs = h('button', {class: 'button quiet', type: 'button', hidden: true, 'data-test': 'runs-back', onclick: () => this.app.openRuns()});
  #jump = h('span', {});
  #rereading = h('span', {class: 'hint', role: 'status', 'data-test': 'rereading'});
  #exporting;
  #definition;
  #files;
  #exports;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#rank = new Choice(t('toolbar.rank'), 'rank', (value) => app.choose({rank: Number(value), step: null, selection: null}));
    this.#step = new Choice(t('toolbar.step'), 'step', (value) => app.choose({step: value === '' ? null : Number(value)}));
    this.#definition = new Choice(t('definition.choose'), 'definition', (name) => app.define(name));
    this.#definition.offer(DEFINITIONS.map((name) => [name, t(`definition.${name}`)]));
    this.#exporting = new ExportsGoing(app);
    this.#files = h('button', {class: 'button', title: t('files.why'), 'aria-haspopup': 'dialog', 'data-test': 'files', onclick: () => showFiles(app)});
    this.#exports = exportsMenu(app);
    this.element = h(
      'div',
      {class: 'toolbar'},
      this.#runs,
      this.#file,
      this.#rank.element,
      this.#step.element,
      this.#jump,
      this.#rereading,
      h('span', {class: 'space'}),
      this.#exporting.element,
      paletteButton(app),
      this.#files,
      this.#exports.element,
    );
  }

  /** The choice of a definition beside ours: rarely used, so that it stands elsewhere. */
  get definition() {
    return this.#definition.element;
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const {summary, rank, step} = now;
    if (!summary) return;
    this.#tellRereading(now);
    this.#exporting.show(now.exporting);
    const shown = summary.ranks[rank];
    if (!before || summary !== before.summary || rank !== before.rank) {
      const several = summary.ranks.length > 1;
      this.#runs.hidden = !now.runs;
      const count = now.runs?.count ?? null;
      fill(this.#runs, count === null ? t('runs.back.all') : t('runs.back', {count: this.app.wasm.count(count)}));
      // The list of ranks names the files; a page still wants its heading.
      this.#file.classList.toggle('only-read-out', several);
      this.#rank.element.hidden = !several;
      this.#step.element.hidden = shown.steps.length === 0;
      this.#definition.element.hidden = shown.only_tables ?? false;
      this.#definition.value = shown.definition;
      if (now.files) fill(this.#files, filesLabel(now.files, this.app.wasm.count));
      this.#file.title = shown.input;
      fill(this.#file, shown.input);
      this.#rank.offer(summary.ranks.map((one, index) => [String(index), rankName(one)]));
      this.#step.offer([
        ['', allStepsText(shown)],
        ...shown.steps.flatMap((one, index) =>
          one.covered ? [/** @type {[string, string]} */ ([String(index), t('step', {name: one.name}) + stepFlag(one)])] : [],
        ),
      ]);
    }
    this.#rank.value = String(rank);
    this.#step.value = step === null ? '' : String(step);
    const chosen = step === null ? undefined : shown.steps[step];
    // The way back from the timeline leads to it: it stays the same element.
    this.#jump.hidden = now.tab === 'timeline';
    if (!before || step !== before.step || rank !== before.rank || summary !== before.summary) {
      this.#exports.show();
      fill(this.#jump, chosen && jumpButton(this.app, {span: [chosen.start_ns, chosen.end_ns]}, t('step', {name: chosen.name})));
    }
  }

  /** A trace that was dropped is read again. @param {State} state */
  #tellRereading({summary, reread}) {
    const rank = reread && summary?.ranks[reread.rank];
    fill(this.#rereading, rank && t('ranks.rereading', {rank: rankTitle(rank), share: this.app.wasm.percent(reread.share)}));
  }
}

/** Label with the number of files that are read, and of those that are not. @param {import('../../../protocol/requests.js').Grouping} files @param {(value: number) => string} count */
function filesLabel({sources, ranks}, count) {
  const read = ranks.reduce((sum, rank) => sum + rank.sources.length, 0);
  const left = sources.filter((source) => !isQuiet(source)).length - read;
  return left ? t('files.some', {read: count(read), left: count(left)}) : t('files.all', {read: count(read)});
}

/** Shows how anything is found. @param {import('../../app.js').App} app */
function paletteButton(app) {
  const key = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K';
  const attributes = {
    class: 'button',
    'aria-haspopup': 'dialog',
    'aria-keyshortcuts': 'Control+K Meta+K',
    'data-test': 'palette',
    onclick: () => showPalette(app),
  };
  return h('button', attributes, t('palette.open'), h('kbd', {'aria-hidden': 'true'}, key));
}
