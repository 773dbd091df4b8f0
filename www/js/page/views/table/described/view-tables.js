// The tables that a tab shows below its own: those whose descriptions name it, without code of theirs.

import {fill, h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {scopeText} from '../../parts/all-steps.js';
import {DescribedTable} from './described.js';

/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('../../../state.js').State} State */
/** @typedef {{described: DescribedTable, scope: HTMLElement, card: HTMLElement}} Card */

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
    const {tab} = now;
    /** @type {Record<string, TableValues | undefined> | undefined} */
    const tables = now.selection?.tables;
    const shown = this.#app.wasm.describe_tables().flatMap(({id, view}) => {
      const rows = view === tab ? tables?.[id] : undefined;
      return rows?.rows ? [{rows, ...this.#cardOf(id)}] : [];
    });
    fill(
      this.element,
      shown.map(({card}) => card),
    );
    this.element.hidden = shown.length === 0;
    for (const {rows, described, scope} of shown) {
      fill(scope, scopeText(this.#app.wasm, now.selection?.step, now.selection?.averaged_steps));
      described.show(rows);
    }
  }

  /** Goes to the search of the first table. */
  search() {
    const [first] = this.element.children;
    for (const {card, described} of this.#cards.values()) if (card === first) described.table.search();
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
