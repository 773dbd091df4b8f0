// The dialog for opening the trace in Perfetto: the handed-over data, the target page, and a note that they leave this tab.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment, openDialog} from '../../environment/environment.js';
import {Choice} from '../parts/choice.js';

/** Perfetto's own page. */
const PUBLIC = 'https://ui.perfetto.dev/';

/** The kinds of data to hand over, as in the menu of exports: `summary`: only steps and sums; `all`: of all ranks. @type {[key: string, summary: boolean, all: boolean][]} */
const KINDS = [
  ['export.perfetto', false, false],
  ['export.summary', true, false],
  ['export.perfetto.all', false, true],
  ['export.summary.all', true, true],
];

/** The address of a page, if it is one. @param {string} text */
function addressOf(text) {
  try {
    const address = new URL(text);
    return /^https?:$/.test(address.protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the dialog. @param {import('../../app.js').App} app */
export function showOpenPerfetto(app) {
  openDialog(() => dialogOf(app));
}

/** @param {import('../../app.js').App} app */
function dialogOf(app) {
  const several = (app.state.summary?.ranks.length ?? 0) > 1;
  const what = new Choice(t('perfetto.what'), 'perfetto-what', () => {});
  what.offer(KINDS.filter(([, , all]) => several || !all).map(([key]) => [key, t(key)]));
  const field = h('input', {
    type: 'url',
    value: environment().remembered('perfetto') ?? PUBLIC,
    spellcheck: 'false',
    required: true,
    'data-test': 'perfetto-address',
  });
  const status = h('p', {role: 'status', 'data-test': 'perfetto-status'});
  const open = h('button', {class: 'button primary', autofocus: true, 'data-test': 'perfetto-open'}, t('perfetto.open'));
  const cancelled = new AbortController();
  const tell = (/** @type {string} */ key) => fill(status, t(key));

  const hand = async () => {
    const address = addressOf(field.value);
    if (!address) {
      tell('perfetto.address.wrong');
      field.focus();
      return;
    }
    environment().remember('perfetto', address.href);
    const [, summary, all] = KINDS.find(([key]) => key === what.value) ?? KINDS[0];
    open.disabled = true;
    const failure = await app.exports.handToPerfetto(address, summary, all, cancelled.signal, (state) => tell(`perfetto.${state}`));
    open.disabled = false;
    if (failure) tell(`perfetto.${failure}`);
    else dialog.close();
  };

  const form = h(
    'form',
    {
      class: 'perfetto-form',
      novalidate: true,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        hand();
      },
    },
    what.element,
    h('label', {}, h('span', {}, t('perfetto.address')), ' ', field),
    status,
    h(
      'div',
      {class: 'buttons'},
      open,
      ' ',
      h('button', {class: 'button', type: 'button', 'data-test': 'perfetto-cancel', onclick: () => dialog.close()}, t('cancel')),
    ),
  );
  const dialog = h(
    'dialog',
    {class: 'dialog', 'aria-labelledby': 'perfetto-title', 'data-test': 'perfetto'},
    h('h2', {id: 'perfetto-title'}, t('perfetto.title')),
    h('p', {}, t('perfetto.notice')),
    form,
  );
  dialog.addEventListener('close', () => cancelled.abort());
  return dialog;
}
