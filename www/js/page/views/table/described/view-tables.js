// The tables that a tab shows below its own: those whose descriptions name it, without code of theirs.

import {fill, h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {DescribedTable} from './described.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {{described: DescribedTable, scope: HTMLElement, card: HTMLElement}} Card */

/** The part of the trace that numbers are of. @param {State} state */
function scopeOf({selection}) {
  if (selection?.step !== undefined) return t('step', {name: selection.step});
  const steps = selection?.averaged_steps;
  return steps === undefined ? t('idle.scope.whole') : t('idle.scope.average', {steps});
}

export class ViewTables {
  #app;
  /** By the tables' IDs, made when first shown. @type {Map<string, Card>} */
  #cards = new Map();
  element = h('div', {class: 'report view-tables', 'data-test': 'view-tables'});

  /** @param {import('../../../app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {State} now */
  show(now) {
    const {selection, tab} = now;
    const shown = this.#app.wasm.describe_tables().flatMap(({id, view}) => {
      const rows = view === tab ? selection?.tables[id] : undefined;
      return rows?.rows ? [{rows, ...this.#cardOf(id)}] : [];
    });
    fill(
      this.element,
      shown.map(({card}) => card),
    );
    this.element.hidden = shown.length === 0;
    for (const {rows, described, scope} of shown) {
      fill(scope, scopeOf(now));
      described.show(rows);
    }
  }

  redraw() {
    for (const {described} of this.#cards.values()) described.table.redraw();
  }

  /** @param {string} id @returns {Card} */
  #cardOf(id) {
    const known = this.#cards.get(id);
    if (known) return known;
    const label = t(`table.${id}`);
    const described = new DescribedTable(this.#app, id, {name: id, label, empty: () => ''});
    const scope = h('p', {class: 'hint'});
    const head = h('h2', {title: t(`table.${id}.why`)}, label);
    const made = {described, scope, card: h('section', {class: 'card wide', 'data-test': id}, head, scope, described.element)};
    this.#cards.set(id, made);
    return made;
  }
}
