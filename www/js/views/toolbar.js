// What is shown: which rank, which step, whose definition; and the exports.

import {fill, h} from '../dom.js';
import {t} from '../i18n.js';

const DEFINITIONS = ['stepscope', 'hta', 'tracelens', 'tensorboard', 'paddle', 'mindspore'];

/** @param {HTMLElement} element @param {import('../app.js').App} app */
export function renderToolbar(element, app) {
  const {summary, rank, step, definition} = app.state;
  if (!summary) return;
  const shown = summary.ranks[rank];
  const ranks = choice(
    t('toolbar.rank'),
    'rank',
    summary.ranks.map((one, index) => [String(index), one.rank === null ? one.input : `${t('rank', {rank: one.rank})} · ${one.input}`]),
    String(rank),
    (value) => app.choose({rank: Number(value), step: null, selection: null}),
  );
  const flag = (/** @type {import('../protocol.js').Step} */ one) => (one.partial ? ` (${t('step.partial')})` : one.warmup ? ` (${t('step.warmup')})` : '');
  const steps = choice(
    t('toolbar.step'),
    'step',
    [['', t('toolbar.average', {steps: shown.average.steps})], ...shown.steps.map((one, index) => /** @type {[string, string]} */ ([String(index), t('step', {name: one.name}) + flag(one)]))],
    step === null ? '' : String(step),
    (value) => app.choose({step: value === '' ? null : Number(value)}),
  );
  const definitions = choice(
    t('toolbar.definition'),
    'definition',
    DEFINITIONS.map((name) => [name, t(`definition.${name}`)]),
    definition,
    (value) => app.choose({definition: value}),
  );
  fill(
    element,
    summary.ranks.length > 1 ? ranks : h('span', {class: 'file-name', title: shown.input}, shown.input),
    steps,
    definitions,
    h('span', {class: 'space'}),
    exports(app),
  );
}

/**
 * @param {string} label @param {string} name @param {[string, string][]} options
 * @param {string} value @param {(value: string) => void} onChange
 */
function choice(label, name, options, value, onChange) {
  const select = h(
    'select',
    {onchange: (/** @type {any} */ event) => onChange(event.target.value), 'data-test': name},
    ...options.map(([key, text]) => h('option', {value: key}, text)),
  );
  select.value = value;
  return h('label', {class: 'choice'}, h('span', {}, label), select);
}

/** @param {import('../app.js').App} app */
function exports(app) {
  const item = (/** @type {string} */ key, /** @type {() => unknown} */ act) =>
    h(
      'button',
      {
        class: 'menu-item',
        title: t(`${key}.why`),
        'data-test': key,
        onclick: (/** @type {any} */ event) => {
          event.target.closest('details').open = false;
          act();
        },
      },
      t(key),
    );
  const menu = h(
    'details',
    {class: 'menu'},
    h('summary', {class: 'button', 'data-test': 'export'}, t('export')),
    h(
      'div',
      {class: 'menu-items'},
      item('export.perfetto', () => app.exportPerfetto(false)),
      item('export.summary', () => app.exportPerfetto(true)),
      item('export.json', () => app.exportJson()),
    ),
  );
  menu.addEventListener('focusout', (event) => {
    if (!menu.contains(/** @type {Node | null} */ (event.relatedTarget))) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') menu.open = false;
  });
  return menu;
}
