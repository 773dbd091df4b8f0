// The numbers as another tool defines them, in the places where the page shows ours.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../../types/reports.js').StepReport} Step */

/** All definitions, ours first. */
export const DEFINITIONS = ['stepscope', 'hta', 'tracelens', 'tensorboard', 'paddle', 'mindspore'];

/** A number of the overview by the chosen definition; null if it does not define it. @param {App} app @param {Rank} rank @param {string} name */
export function theirTile(app, rank, name) {
  const tile = rank.definition_values?.tiles?.find((one) => one.name === name);
  if (!tile) return null;
  const value = tile.share === null ? app.wasm.duration(tile.time_ns) : app.wasm.percent(tile.share);
  const why = t(rank.definition === 'tensorboard' ? 'tile.theirs.steps' : 'tile.theirs.trace');
  return h(
    'span',
    {class: 'tile-theirs', title: why, 'data-test': `theirs-${name}`},
    t('tile.theirs', {name: t(`definition.${rank.definition}.short`), value}),
  );
}

/** Roles without the host's own while a device's state is unknown: of a step or a range. @param {Pick<Step, 'categories' | 'categories_before_first_activity'>} of @returns {Step['categories']} */
export function knownCategories({categories, categories_before_first_activity: early}) {
  if (!early) return categories;
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(categories).map(([category, time]) => [category, time - (early?.[/** @type {'cpu_ns'} */ (category)] ?? 0)]))
  );
}

/** The steps that the timeline shows, with the categories that the chosen definition gives them; ours if it knows no steps. @param {Rank} rank @returns {Step[]} */
export function stepsAs({steps: all, definition_values: found}) {
  const steps = all.filter((step) => step.covered);
  if (!found?.steps?.length) return steps.map((step) => ({...step, categories: knownCategories(step)}));
  const theirs = new Map(found.steps.map((step) => [step.name, step.values]));
  return steps.flatMap((step) => {
    const categories = theirs.get(step.name);
    return categories
      ? [{...step, categories: {...step.categories, .../** @type {any} */ (categories)}, categories_before_first_activity: undefined, device_busy_share: null}]
      : [];
  });
}

/** Note on the definition of the categories in the table of steps; empty without another definition. @param {Rank} rank */
export function stepsNote({definition, definition_values: found}) {
  if (!found) return '';
  return t(found.steps?.length ? 'steps.theirs' : 'steps.ours', {name: t(`definition.${definition}`)});
}

/** Shows the types of kernels that the chosen definition distinguishes. @param {App} app @param {HTMLElement} element @param {import('../../state.js').State} state */
export function kernelTypes(app, element, {summary, rank}) {
  const shown = summary?.ranks[rank];
  const types = shown?.definition_values?.kernel_types ?? [];
  element.hidden = types.length === 0;
  if (!shown || element.hidden) return;
  const why = t('column.type_ns.why');
  const facts = types.map((type) => h('div', {title: why}, h('dt', {}, type.kernel_type), h('dd', {}, app.wasm.duration(type.sum_ns))));
  fill(
    element,
    h('h3', {title: t(`definition.${shown.definition}.why`)}, t('kernel.types', {name: t(`definition.${shown.definition}`)})),
    h('dl', {class: 'side-by-side'}, facts),
  );
}
