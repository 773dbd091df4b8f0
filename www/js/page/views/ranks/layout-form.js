// The form of the parallel layout, where a person knows it better than the traces: as `--parallel` takes it.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {ranksNamed} from './metrics.js';

/** @typedef {import('../../../../types/reports.js').JobReport} Job */
/** @typedef {import('../../../../types/reports.js').LayoutFault} LayoutFault */

/** The short names of the parallel axes, from the outermost to the innermost, as launchers place ranks by default. */
const SHORT = [
  ['pipeline', 'pp'],
  ['data', 'dp'],
  ['expert', 'ep'],
  ['sequence', 'cp'],
  ['tensor', 'tp'],
];

/** The most ways to cut that are named. */
const CUTS = 3;

/** The form. Its field stays the same element, so that it keeps the focus. */
export class LayoutForm {
  #field = h('input', {
    type: 'text',
    size: '22',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    'aria-describedby': 'layout-fault layout-hint',
    'data-test': 'layout',
  });
  #undo = h('button', {type: 'button', class: 'button', 'data-test': 'layout-undo', onclick: () => this.#choose('')}, t('ranks.given.undo'));
  #fault = h('p', {class: 'layout-fault', id: 'layout-fault', role: 'alert', 'data-test': 'layout-fault'});
  #told = h('p', {class: 'hint', 'data-test': 'layout-told'});
  /** The value that the field was last set to: later input stays. @type {string | undefined} */
  #set;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#choose(this.#field.value);
    };
    const form = h(
      'form',
      {class: 'layout-form', onsubmit: submit},
      h('label', {class: 'choice', title: t('ranks.given.why')}, h('span', {}, t('ranks.given')), this.#field),
      h('button', {type: 'submit', class: 'button', 'data-test': 'layout-use'}, t('ranks.given.use')),
      this.#undo,
    );
    const hint = h('p', {class: 'hint', id: 'layout-hint'}, t('ranks.given.hint'));
    this.element = h(
      'details',
      {class: 'layout-box', 'data-test': 'layout-box'},
      h('summary', {}, t('ranks.given.title')),
      hint,
      form,
      this.#fault,
      this.#told,
    );
  }

  /** @param {import('../../state.js').State} state @param {Job} job */
  show({parallel, layoutFault}, job) {
    this.#field.placeholder = exampleOf(job);
    const said = layoutFault?.text ?? parallel;
    if (said !== this.#set) {
      this.#set = this.#field.value = said;
      if (said) this.element.open = true;
    }
    this.#field.setAttribute('aria-invalid', String(layoutFault !== null));
    this.#undo.hidden = !parallel && !layoutFault;
    fill(this.#fault, layoutFault && faultText(layoutFault));
    const found = (job.parallel_told ?? job.parallel).map(layoutText).join(' · ');
    fill(this.#told, found && t('ranks.given.told', {found}));
  }

  /** @param {string} text */
  #choose(text) {
    this.app.setLayout(text.trim());
    this.#field.focus();
  }
}

/** A kind with its size and how that is known. @param {import('../../../../types/reports.js').JobParallelReport} of */
export function layoutText({kind, size, source}) {
  const known = t(`drill_down.source.${source}`);
  return [t(`ranks.parallel.${kind}`, {size}), `(${known})`].join(' ');
}

/** Example of an input. @param {Job} job */
function exampleOf({parallel, world_size: world}) {
  const known = SHORT.flatMap(([kind, short]) => parallel.flatMap((one) => (one.kind === kind ? `${short}=${one.size}` : [])));
  return known.join(',') || `dp=${world}`;
}

/** The layout according to MindSpore's own file or the name of a table. @param {Job['strategy']} strategy */
export function strategyText(strategy) {
  if (!strategy) return '';
  const stages = strategy.stages.map((ranks, stage) => `${t('ranks.place.stage', {stage})}: ${ranksNamed(ranks)}`);
  const cuts = strategy.cuts.slice(0, CUTS).map(({parts, operators}) => t('ranks.strategy.cut', {parts, count: operators}));
  return [t('ranks.strategy', {mode: strategy.mode}), ...stages, ...cuts].join(' · ');
}

/** @param {LayoutFault} fault */
function faultText({code, part, told = 0, ranks = 0}) {
  if (code === 'other_ranks') return t('ranks.given.other_ranks', {told, ranks});
  const fault = t(`ranks.given.${code}`);
  return `${part}: ${fault}`;
}
