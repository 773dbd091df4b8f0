// The grouping of a table's rows, and the open groups: chosen by a person, remembered by the table's name.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';
import {Choice} from '../parts/choice.js';
import {Folding} from './groups.js';

/** @template Row @typedef {import('./groups.js').Grouping<Row>} Grouping */

/** The choice. @template Row */
export class GroupChoice {
  #table;
  /** @type {Folding} */
  #folding;
  /** The open groups during a search: all with hits, except for those that the person folded then. @type {Folding | null} */
  #looking = null;
  /** @type {Grouping<Row>[]} */
  #offered = [];
  #choice;
  #all = h('button', {class: 'button', type: 'button', hidden: true, 'data-test': 'groups-all', onclick: () => this.#toggleAll()});
  /** Whether the button opens all groups, or folds them. */
  #opens = true;
  element = h('span', {class: 'group-choice', hidden: true});

  /** @param {string} table its name @param {{grouped: () => void, folded: () => void}} told `grouped`: called when the grouping changes, `folded`: called when other groups are open */
  constructor(table, told) {
    this.#table = table;
    this.told = told;
    this.#folding = new Folding(environment().remembered(`groups.${table}`));
    this.#choice = new Choice(t('table.group'), 'group-rows', (by) => {
      this.#folding.choose(by);
      this.#looking = null;
      this.#remember();
      told.grouped();
    });
    this.#choice.element.title = t('table.group.why');
    this.element.append(this.#choice.element, this.#all);
  }

  /** Offers groupings. @param {Grouping<Row>[]} groupings */
  offer(groupings) {
    this.#offered = groupings;
    this.element.hidden = groupings.length === 0;
    this.#choice.offer([['', t('table.group.none')], ...groupings.map(({key, title}) => /** @type {[string, string]} */ ([key, title]))]);
    this.#choice.value = this.chosen?.key ?? '';
  }

  /** The chosen grouping, if any. @returns {Grouping<Row> | undefined} */
  get chosen() {
    return this.#offered.find(({key}) => key === this.#folding.by);
  }

  /** The key of the chosen grouping; empty without one. */
  get by() {
    return this.#folding.by;
  }

  /** Groups rows by something else. @param {string} by */
  restore(by) {
    if (by === this.#folding.by) return;
    this.#folding.choose(by);
    this.#looking = null;
    this.#remember();
    this.#choice.value = this.chosen?.key ?? '';
  }

  /** Opens the groups with hits during a search. @param {boolean} looking */
  look(looking) {
    if (looking === (this.#looking !== null)) return;
    this.#looking = looking ? new Folding(null) : null;
    this.#looking?.all(true);
  }

  /** @param {{key: string}} group */
  isOpen({key}) {
    return (this.#looking ?? this.#folding).isOpen(key);
  }

  /** @param {{key: string}} group */
  toggle({key}) {
    (this.#looking ?? this.#folding).toggle(key);
    this.#remember();
  }

  /** Updates the text of the button that opens or folds the shown groups. @param {{key: string}[]} groups */
  show(groups) {
    this.#opens = !groups.some((group) => this.isOpen(group));
    this.#all.hidden = groups.length === 0;
    fill(this.#all, t(this.#opens ? 'table.group.open' : 'table.group.fold'));
  }

  #toggleAll() {
    (this.#looking ?? this.#folding).all(this.#opens);
    this.#remember();
    this.told.folded();
  }

  #remember() {
    environment().remember(`groups.${this.#table}`, this.#folding.text);
  }
}
