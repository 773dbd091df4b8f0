// The headings of a table: they sort, are moved and widened by pointer and keys, and have the columns' filters below them.

import {fill, h} from '../../../dom.js';
import {has, t} from '../../../environment/i18n.js';
import {filterOf, quantity} from './filter.js';

/** @template Row @typedef {import('./column.js').Column<Row>} Column */
/** @typedef {import('./filter.js').Filter} Filter */
/** @typedef {{key: string, down: boolean}} Sort */

/** Drag distance before a heading moves, and the step of a key that widens a column, in pixels. */
const DRAG = 6;
const BY_KEY = 16;

/** Whether a value of a column has a dimension, so that a comparison can fit it. @template Row @param {string} kind @param {Row[]} rows @param {(row: Row) => string} text */
const hasKind = (kind, rows, text) => rows.some((row) => quantity(text(row))?.kind === kind);

/** The headings. @template Row */
export class Heads {
  element = h('div', {class: 'row head', role: 'row'});
  /** The filter inputs, by the column's key. @type {Map<string, HTMLInputElement>} */
  #inputs = new Map();
  #filtering = false;
  #isFiltered = false;
  /** Whether the last press was a drag: its click sorts nothing. */
  #dragged = false;
  /** @type {Column<Row>[]} */
  #columns = [];
  /** Shows the filters, or none. */
  toggle = h(
    'button',
    {class: 'button', type: 'button', 'aria-pressed': 'false', title: t('table.filter.why'), 'data-test': 'filters', onclick: () => this.#toggleFilters()},
    t('table.filter'),
  );

  /** @param {{sort: (column: Column<Row>) => void, filter: () => void, layout: () => void, resize: (key: string, width: number) => void, chosen: import('./chosen-columns.js').ChosenColumns}} how */
  constructor(how) {
    this.how = how;
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Whether the filters are shown. */
  get filtering() {
    return this.#filtering;
  }

  /** @param {Column<Row>[]} columns @param {Sort} sort */
  draw(columns, sort) {
    this.#columns = columns;
    const focus = /** @type {Element | null} */ (/** @type {any} */ (this.element.getRootNode()).activeElement ?? null);
    const had = this.element.contains(focus) ? focus?.getAttribute('data-test') : null;
    fill(
      this.element,
      columns.map((column, index) => this.#head(column, index, sort)),
    );
    if (had) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-test="${CSS.escape(had)}"]`))?.focus();
  }

  /** @param {Column<Row>} column @param {number} index @param {Sort} sort */
  #head(column, index, {key, down}) {
    const button = h(
      'button',
      {
        class: 'sort',
        type: 'button',
        title: [column.why ?? formula(column.key), t('table.head.why')].filter(Boolean).join('\n'),
        // A click that ends a drag sorts nothing; keys always do.
        onclick: (/** @type {MouseEvent} */ event) => (event.detail > 0 && this.#dragged) || this.how.sort(column),
        'data-test': `sort-${column.key}`,
      },
      column.title,
    );
    button.addEventListener('pointerdown', (event) => this.#press(event, column, index));
    const edge = h('span', {class: 'column-edge', 'aria-hidden': 'true', title: t('table.column.widen'), 'data-test': `edge-${column.key}`});
    edge.addEventListener('pointerdown', (event) => this.#widen(event, column));
    edge.addEventListener('dblclick', () => this.how.chosen.widen(column.key, undefined));
    return h(
      'div',
      {
        role: 'columnheader',
        class: column.left ? 'cell left' : 'cell',
        'data-key': column.key,
        'aria-sort': column.key !== key ? 'none' : down ? 'descending' : 'ascending',
      },
      button,
      this.#filtering && this.#input(column),
      edge,
    );
  }

  /** The filter input of a column: the same element as before, with its text. @param {Column<Row>} column */
  #input({key, title}) {
    let input = this.#inputs.get(key);
    if (!input) {
      input = h('input', {
        type: 'text',
        class: 'search column-filter',
        spellcheck: 'false',
        autocomplete: 'off',
        'aria-label': t('table.filter.of', {title}),
        title: t('table.filter.why'),
        'data-test': `filter-${key}`,
        oninput: () => this.how.filter(),
      });
      this.#inputs.set(key, input);
    }
    return input;
  }

  #toggleFilters() {
    this.#filtering = !this.#filtering;
    this.toggle.setAttribute('aria-pressed', String(this.#filtering));
    if (!this.#filtering) this.#inputs.clear();
    this.how.layout();
    if (this.#filtering) this.#inputs.get(this.#columns[0]?.key)?.focus();
  }

  /** Filters nothing any more. */
  clear() {
    for (const input of this.#inputs.values()) input.value = '';
  }

  /** The filters' texts, by the columns' keys; nothing while they are hidden. @returns {[string, string][] | null} */
  get typed() {
    return this.#filtering ? [...this.#inputs].flatMap(([key, {value}]) => (value ? [/** @type {[string, string]} */ ([key, value])] : [])) : null;
  }

  /** Restores the filters. @param {[string, string][] | null} typed */
  restore(typed) {
    this.#filtering = typed !== null;
    this.toggle.setAttribute('aria-pressed', String(this.#filtering));
    if (!this.#filtering) this.#inputs.clear();
    this.clear();
    for (const [key, text] of typed ?? []) {
      const column = this.#columns.find((one) => one.key === key);
      const input = this.#inputs.get(key) ?? (column && this.#input(column));
      if (input) input.value = text;
    }
  }

  /** The rows that all filters let through; marks those filters that can mean nothing. @param {Row[]} rows @param {Column<Row>[]} columns @returns {Row[]} */
  filtered(rows, columns) {
    this.#isFiltered = false;
    if (!this.#filtering) return rows;
    /** @type {{text: (row: Row) => string, filter: Filter}[]} */
    const filters = [];
    for (const {key, text} of columns) {
      const input = this.#inputs.get(key);
      const filter = filterOf(input?.value ?? '');
      const isWrong = filter === 'wrong' || (filter?.kind !== undefined && !hasKind(filter.kind, rows, text));
      if (isWrong) input?.setAttribute('aria-invalid', 'true');
      else input?.removeAttribute('aria-invalid');
      if (input) input.title = t(isWrong ? 'table.filter.wrong' : 'table.filter.why');
      // All rows stay until it can be applied: `> 1` on the way to `> 1 ms`.
      if (filter && filter !== 'wrong' && !isWrong) filters.push({text, filter});
    }
    this.#isFiltered = filters.length > 0;
    return filters.length ? rows.filter((row) => filters.every(({text, filter}) => filter.test(text(row)))) : rows;
  }

  /** Whether a filter of a shown column was applied. */
  get isFiltered() {
    return this.#isFiltered;
  }

  /** Moves a heading that is dragged to another one's place. @param {PointerEvent} event @param {Column<Row>} column @param {number} index */
  #press(event, column, index) {
    this.#dragged = false;
    if (index === 0 || event.button !== 0 || event.pointerType === 'touch') return;
    const from = event.clientX;
    /** @type {Element | undefined} */
    let over;
    const ending = new AbortController();
    const mark = (/** @type {Element | undefined} */ head) => {
      over?.classList.remove('drop-here');
      over = head;
      over?.classList.add('drop-here');
    };
    const move = (/** @type {PointerEvent} */ {clientX: x}) => {
      if (Math.abs(x - from) < DRAG && !this.#dragged) return;
      this.#dragged = true;
      mark([...this.element.children].slice(1).find((head) => x >= head.getBoundingClientRect().left && x < head.getBoundingClientRect().right));
    };
    const end = () => {
      ending.abort();
      const to = /** @type {HTMLElement | undefined} */ (over)?.dataset.key;
      mark(undefined);
      if (this.#dragged && to !== undefined) this.how.chosen.move(column.key, to);
    };
    const {signal} = ending;
    // Wherever the pointer is let go.
    addEventListener('pointermove', move, {signal});
    addEventListener('pointerup', end, {signal});
    addEventListener('pointercancel', () => (mark(undefined), ending.abort()), {signal});
  }

  /** @param {PointerEvent} event @param {Column<Row>} column */
  #widen(event, {key}) {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = /** @type {HTMLElement} */ (event.currentTarget);
    const head = /** @type {HTMLElement} */ (edge.parentElement);
    const [from, before] = [event.clientX, head.getBoundingClientRect().width];
    /** @type {number | undefined} */
    let width;
    const ending = new AbortController();
    const {signal} = ending;
    const move = (/** @type {PointerEvent} */ {clientX: x}) => {
      width = this.how.chosen.within(before + x - from);
      this.how.resize(key, width);
    };
    const end = () => {
      ending.abort();
      if (width !== undefined) this.how.chosen.widen(key, width);
    };
    addEventListener('pointermove', move, {signal});
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, {signal});
  }

  /** Widens and moves the column whose heading has the focus. @param {KeyboardEvent} event */
  #key(event) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const target = /** @type {HTMLElement} */ (event.target);
    if (!by || !event.shiftKey || event.altKey || event.metaKey || !target.matches('.sort')) return;
    const head = /** @type {HTMLElement} */ (target.closest('[data-key]'));
    const key = head.dataset.key ?? '';
    event.preventDefault();
    event.stopPropagation();
    if (event.ctrlKey) this.how.chosen.move(key, /** @type {-1 | 1} */ (by));
    else this.how.chosen.widen(key, head.getBoundingClientRect().width + by * BY_KEY);
  }
}

/** Meaning of the heading with a key; empty where it has none. @param {string} key */
function formula(key) {
  return has(`column.${key}.why`) ? t(`column.${key}.why`) : '';
}
