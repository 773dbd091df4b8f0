// The dialog for an export of chosen ranks: which, and how much of them.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {openDialog} from '../../environment/environment.js';
import {runsOf} from '../table/described/described-columns.js';
import {GraphChoice, levelChoice} from './graph-choice.js';
import {numbersIn} from './numbers-in.js';

/** Opens the dialog. @param {import('../../app.js').App} app */
export function showExportRanks(app) {
  openDialog(() => dialogOf(app));
}

/** @param {import('../../app.js').App} app */
function dialogOf(app) {
  // A rank without a number has that of its place.
  const known = (app.state.summary?.ranks ?? []).map(({rank}, place) => rank ?? place);
  const open = new Set(known);
  const status = h('p', {role: 'status', id: 'export-ranks-status', 'data-test': 'export-ranks-status'});
  const field = h('input', {
    type: 'text',
    class: 'search',
    value: runsOf([...new Set(known)].sort((a, b) => a - b).join(',')),
    autocomplete: 'off',
    'aria-describedby': 'export-ranks-status',
    spellcheck: false,
    'data-test': 'export-ranks-which',
    oninput: () => look(),
  });
  const level = levelChoice('export-ranks-level');
  /** The graphs of each rank. */
  const numbers = (app.state.summary?.ranks ?? []).map(({graphs: of}) => (of ?? []).map(({graph}) => Number(graph)));
  const graphs = new GraphChoice(
    [...new Set(numbers.flat())].sort((a, b) => a - b),
    'export-ranks-graphs',
    () => look(),
  );
  const save = h('button', {class: 'button primary', type: 'submit', 'data-test': 'export-ranks-save'}, t('export.ranks.save'));
  /** The chosen ranks by their places; empty where the text has a fault, which is said. */
  const look = () => {
    const wanted = numbersIn(field.value);
    const chosen = new Set(wanted);
    const unknown = wanted?.filter((number) => !open.has(number)) ?? [];
    const places = unknown.length === 0 ? known.flatMap((number, place) => (chosen.has(number) ? [place] : [])) : [];
    // While the list has a fault, the graphs stay as they are.
    if (places.length) graphs.offer(new Set(places.flatMap((place) => numbers[place])));
    save.disabled = places.length === 0 || graphs.isEmpty;
    field.setAttribute('aria-invalid', String(places.length === 0));
    const said = !wanted
      ? t('export.ranks.fault')
      : unknown.length
        ? t('export.ranks.unknown', {rank: unknown[0]})
        : t('export.ranks.count', {count: places.length});
    fill(status, said);
    return places;
  };
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    const ranks = look();
    if (!ranks.length || graphs.isEmpty) return;
    dialog.close();
    app.exports.perfetto({summary: level.value === 'summary', ranks, graphs: graphs.value});
  };
  const dialog = h(
    'dialog',
    {class: 'dialog', 'aria-labelledby': 'export-ranks-title', 'data-test': 'export-ranks'},
    h(
      'form',
      {onsubmit: start},
      h('h2', {id: 'export-ranks-title'}, t('export.ranks.title')),
      h('label', {class: 'choice'}, h('span', {}, t('export.ranks.which')), field),
      ...graphs.boxes,
      graphs.apart,
      level.element,
      status,
      h(
        'div',
        {class: 'buttons'},
        save,
        ' ',
        h('button', {class: 'button', type: 'button', 'data-test': 'export-ranks-cancel', onclick: () => dialog.close()}, t('cancel')),
      ),
    ),
  );
  look();
  return dialog;
}
