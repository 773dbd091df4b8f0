// The columns of a table, as the analyzer describes them: headings, cells, names, details, CSV. Nothing here touches the page.

import {has, t} from '../../../environment/i18n.js';
import {KernelNames} from '../../parts/kernel-names.js';
import {known, knownValue, unitNames} from '../../parts/units.js';

/** @typedef {import('../../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../../../types/reports.js').TableColumnReport} DescribedColumn */
/** @typedef {import('../../../../../types/reports.js').TableReport} TableDescription */
/** @typedef {import('../../../../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('../columns/column.js').Column<number>} Column */
/** @typedef {import('./table-rows.js').TableRows} TableRows */
/** @typedef {(row: any) => {texts?: Record<string, string>, more?: [string, string][]}} Facts of a row as JSON has it: texts of its details in place of columns' values, and further lines */

/** Text of a cell without a value. */
const UNKNOWN = '–';

/**
 * The message of a column, by the most specific key that has one; a column that is data alone has no heading by the last part of its key.
 * @param {string} table @param {DescribedColumn} column @param {'' | '.why' | '.none' | '.without'} suffix @returns {string | undefined} its key
 */
function messageOf(table, {key, show}, suffix) {
  const last = key.slice(key.lastIndexOf('.') + 1);
  return [`${table}.${key}`, `${table.split(/[.[]/)[0]}.${key}`, key, ...(show === 'data' ? [] : [last])].map((one) => `column.${one}${suffix}`).find(has);
}

/** A time from the trace's start. @param {Pick<Wasm, 'number_text'>} wasm @param {number} at in ns */
export function momentText({number_text}, at) {
  return at < 0 ? t('moment.earlier', {time: number_text('duration', -at)}) : number_text('duration', at);
}

/** Numbers by which things are called, runs of them by their ends: `0–3, 8`. @param {string} value with a comma between two */
export function runsOf(value) {
  /** @type {number[][]} */
  const runs = [];
  for (const id of value ? value.split(',').map(Number) : []) {
    const last = runs.at(-1);
    if (last?.at(-1) === id - 1) last.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(', '))).join(', ');
}

/** The texts of the rows of a table. A row is given by its index. */
export class DescribedColumns {
  /** @type {TableRows | undefined} */
  #rows;
  #kernels;
  #description;
  #wasm;
  #units;
  /** @type {DescribedColumn[]} */
  #shown;

  /** @param {TableDescription} description @param {Pick<Wasm, 'is_enough' | 'kernel_names' | 'number_text' | 'percent'>} wasm @param {Rank['vendor'] | undefined} vendor of the rank's devices @param {string[]} [without] the keys of columns that are not shown */
  constructor(description, wasm, vendor, without = []) {
    this.#description = description;
    this.#wasm = wasm;
    this.#kernels = new KernelNames(wasm);
    this.#units = unitNames(vendor);
    const by = new Map(description.columns.map((column) => [column.key, column]));
    this.#shown = description.shown.filter((key) => !without.includes(key)).flatMap((key) => by.get(key) ?? []);
  }

  /** The column by which rows are grouped: the heads of groups have its values. */
  groupedBy = () => '';

  /** The rows that are shown. */
  get rows() {
    return this.#rows;
  }

  set rows(rows) {
    this.#rows = rows;
    const columns = this.#description.columns.filter(({unit}) => unit === 'kernel_name');
    this.#kernels.set(columns.flatMap(({key}) => rows?.texts(key) ?? []));
  }

  /** Those that are shown. */
  get shown() {
    return this.#shown.map((column) => this.#column(column));
  }

  /** Whether any row has a value, or one other than zero. @param {string} key @param {boolean} [isSeldom] */
  hasAny(key, isSeldom = false) {
    const isShown = (/** @type {import('./table-rows.js').Value | undefined} */ value) => value !== null && !(isSeldom && Number(value) === 0);
    return Array.from({length: this.rows?.length ?? 0}).some((_, row) => isShown(this.rows?.value(key, row)));
  }

  /** Those of the CSV; that of steps only where rows are of one. */
  get saved() {
    const columns = this.#description.columns.filter(({unit, key}) => unit !== 'step' || this.hasAny(key));
    return columns.flatMap((column) => this.#saved(column));
  }

  /** @param {DescribedColumn} column @returns {Column} */
  #column(column) {
    const {key} = column;
    const isName = key === 'name';
    const isFirst = column === this.#shown[0];
    /** @type {Column} */
    const made = {
      key,
      title: this.#heading(column),
      why: this.#meaning(column),
      text: isName ? (row) => this.#name(row) : (row) => this.#text(column, row),
      value: (row) => this.#value(column, row),
      optional: !isName && !isFirst,
      ofDevice: column.is_of_device,
      seldom: column.show === 'seldom',
      left: !column.is_number,
    };
    if (column.unit === 'kernel_name') {
      const whole = (/** @type {number} */ row) => String(this.#value(column, row) ?? UNKNOWN);
      Object.assign(made, {whole, order: (/** @type {number} */ row) => this.#kernels.of(whole(row))});
    }
    if (column.unit === 'duration_change') {
      made.order = (row) => Math.abs(Number(this.rows?.value(key, row) ?? 0));
      made.tone = (row) => Number(this.rows?.value(key, row) ?? 0);
    }
    if (column.is_ranked) made.order = (row) => this.rows?.texts(key).indexOf(String(this.rows.value(key, row))) ?? 0;
    if (column.order) {
      const {order} = column;
      made.order = (row) => Number(this.rows?.value(order, row) ?? 0);
    }
    if (isName) Object.assign(made, {width: 22, weight: 6, whole: (/** @type {number} */ row) => this.#wholeName(row)});
    // An event's name.
    else if (key.endsWith('.name')) Object.assign(made, {width: 12, weight: isFirst ? 4 : 2});
    // A share of the whole, which is the bar of the part.
    if (column.unit === 'share' && this.#description.columns.some(({bar, is_part: part}) => part && bar === key)) made.part = 'share';
    if (column.is_part) made.part = column.unit === 'duration' ? 'time' : column.unit === 'bytes' ? 'bytes' : 'count';
    if (column.bar === '') made.share = (row) => Number(this.rows?.value(key, row) ?? 0) / (this.rows?.largest(key) ?? 1);
    else if (column.bar !== null) made.share = (row) => Number(this.rows?.value(/** @type {string} */ (column.bar), row) ?? 0);
    return made;
  }

  /** Possible groupings of the rows: by columns with texts that several of them have. @returns {import('../groups.js').Grouping<number>[]} */
  get groupings() {
    const {rows} = this;
    if (!rows) return [];
    return this.#description.columns.flatMap((column) => {
      const {key, is_number: isNumber, unit} = column;
      const count = rows.texts(key).length;
      const isPlain = !isNumber && unit !== 'lines' && unit !== 'extent';
      if (!isPlain || count < 2 || count >= rows.length || !messageOf(this.#description.id, column, '')) return [];
      return {
        key,
        title: this.#heading(column),
        // Steps may have one name.
        of: (/** @type {number} */ row) => String((unit === 'step' ? rows.place(key, row) : rows.value(key, row)) ?? this.#none(column, row)),
        text: (/** @type {number} */ row) => this.#text(column, row),
      };
    });
  }

  /** Columns of the CSV for a column: values as in JSON. @param {DescribedColumn} column @returns {Column[]} */
  #saved({key, is_covered: covered}) {
    const plain = (/** @type {import('./table-rows.js').Value | undefined} */ value) => (typeof value === 'boolean' ? String(value) : (value ?? null));
    const saved = (/** @type {string} */ name, /** @type {(row: number) => number | bigint | string | null} */ value) => ({
      key: name,
      title: name,
      text: (/** @type {number} */ row) => String(value(row) ?? ''),
      value,
    });
    return [
      saved(key, (row) => plain(this.rows?.value(key, row))),
      ...(covered ? [saved(`${key}_coverage`, (row) => this.rows?.coverage(key, row) ?? null)] : []),
    ];
  }

  /** @param {DescribedColumn} column */
  #heading(column) {
    const message = messageOf(this.#description.id, column, '');
    return message ? t(message, this.#units) : column.key;
  }

  /** @param {DescribedColumn} column */
  #meaning(column) {
    const message = messageOf(this.#description.id, column, '.why');
    return message ? t(message, this.#units) : '';
  }

  /** Text of a cell without a value: a table may have a message for that, and one where another value is missing, too. @param {DescribedColumn} column @param {number} row */
  #none(column, row) {
    const {with: other} = column;
    const isWithout = Boolean(other) && this.rows?.value(other ?? '', row) === null;
    const message = messageOf(this.#description.id, column, isWithout ? '.without' : '.none');
    return message ? t(message) : UNKNOWN;
  }

  /** A value to sort by: none where too little of it is known. @param {DescribedColumn} column @param {number} row @returns {number | bigint | string | null} */
  #value({key, is_covered: covered}, row) {
    const value = this.rows?.value(key, row) ?? null;
    if (typeof value === 'boolean') return String(value);
    return covered ? knownValue(this.#wasm, value, this.rows?.coverage(key, row) ?? null) : value;
  }

  /** @param {DescribedColumn} column @param {number} row */
  #text(column, row) {
    const {key, words, is_covered: covered} = column;
    // A row may name the unit itself.
    const unit = column.unit_key ? String(this.rows?.value(column.unit_key, row) ?? column.unit) : column.unit;
    const value = this.rows?.value(key, row) ?? null;
    if (value === null) return this.#none(column, row);
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'string') return words ? t(`${words}.${value}`, this.#units) : this.#plainText(unit, value);
    if (unit === 'moment') return momentText(this.#wasm, Number(value));
    const text = this.#wasm.number_text(unit, Number(value)) + this.#share(column, row);
    return covered ? known(this.#wasm, text, this.rows?.coverage(key, row)) : text;
  }

  /** The share of a value in its whole, after the value, where it is a part of one. @param {DescribedColumn} column @param {number} row */
  #share({key, part_of: whole}, row) {
    if (!whole) return '';
    const of = Number(this.rows?.value(whole, row) ?? 0);
    return ` · ${this.#wasm.percent(of ? Number(this.rows?.value(key, row)) / of : null)}`;
  }

  /** @param {string} unit @param {string} value */
  #plainText(unit, value) {
    if (unit === 'kernel_name') return this.#kernels.of(value);
    if (unit === 'step') return t('step', {name: value});
    return unit === 'extent' ? value.replace(/(,1)+$/, '') : unit === 'ids' ? runsOf(value) : value;
  }

  /** The heading of a column, and its meaning; the column may be hidden. @param {string} key */
  headingOf(key) {
    const column = this.#description.columns.find((column) => column.key === key);
    return {title: column ? this.#heading(column) : key, why: column ? this.#meaning(column) : ''};
  }

  /** A name in a column, short where it is a kernel's. @param {string} key @param {string} name */
  shortOf(key, name) {
    return this.#description.columns.some((column) => column.key === key && column.unit === 'kernel_name') ? this.#kernels.of(name) : name;
  }

  /** The meaning of a word, where a message has it. @param {string} key @param {number} row */
  meaningOf(key, row) {
    const words = this.#description.columns.find((column) => column.key === key)?.words;
    const message = words && `${words}.${this.rows?.value(key, row)}.why`;
    return message && has(message) ? t(message, this.#units) : null;
  }

  /** The columns that distinguish a row from others of its name, as far as it has values. @param {number} row */
  #parts(row) {
    return this.#description.columns.filter((column) => column.show === 'name' && this.rows?.value(column.key, row) !== null);
  }

  /** A row's name, with the values that distinguish it from others; a kernel's short name, or the whole. @param {number} row @param {boolean} [whole] */
  #name(row, whole = false) {
    const column = this.#description.columns.find(({key}) => key === 'name');
    const known = String(this.rows?.value('name', row) ?? (column ? this.#none(column, row) : UNKNOWN));
    let [name, before] = [whole ? known : this.#kernels.of(known), ''];
    for (const column of this.#parts(row)) {
      if (!whole && column.key === this.groupedBy()) continue;
      const text = this.#text(column, row);
      if (column.unit === 'lines') name += ` ${t('operator.at', {frame: text.slice(text.lastIndexOf('\n') + 1)})}`;
      else name += `${column.unit === 'extent' && before === 'extent' ? ' × ' : ' · '}${text}`;
      before = column.unit;
    }
    return name;
  }

  /** The same with all lines. @param {number} row */
  #wholeName(row) {
    const lines = this.#parts(row).filter((column) => column.unit === 'lines');
    return [this.#name(row, true), ...lines.map((column) => this.#text(column, row))].join('\n');
  }

  /** The shown columns of words: by them, and by its name, a row is found. */
  get #words() {
    return this.#shown.filter(({key, is_number: isNumber, unit}, at) => at === 0 || (key !== 'name' && !isNumber && unit !== 'flag'));
  }

  /** The text that a search looks at. @param {number} row */
  searched(row) {
    const named = this.#hasName ? [this.#name(row), this.#wholeName(row)] : [];
    const words = this.#words.flatMap((column) => {
      const text = column.key === 'name' ? '' : this.#text(column, row);
      const whole = column.unit === 'kernel_name' ? String(this.#value(column, row) ?? '') : text;
      return whole === text ? [text] : [text, whole];
    });
    return [...named, ...words].join(' ');
  }

  /** The identity of a row, also across steps: its name, else its words, numbers of things, and its begin. @param {number} row */
  identity(row) {
    const step = this.rows?.value('step', row) ?? null;
    if (this.#hasName) return [this.#wholeName(row), ...(step === null ? [] : [step])].join('\n');
    const {columns, span} = this.#description;
    const keys = columns
      .filter(({key, is_number: isNumber, unit, show}) => key === span?.[0] || (show !== 'data' && (!isNumber || unit === 'id')))
      .map(({key}) => key);
    return keys.map((key) => String(this.rows?.value(key, row) ?? '')).join(' ');
  }

  get #hasName() {
    return this.#description.columns.some(({key}) => key === 'name');
  }

  /** Details of a row: all known values that have a heading. @param {number} row @param {Facts} [facts] @returns {[string, string][]} */
  detail(row, facts) {
    const {texts = {}, more = []} = this.rows && facts ? facts(this.rows.object(row)) : {};
    const rest = this.#description.columns.filter((column) => !this.#shown.includes(column) && messageOf(this.#description.id, column, ''));
    const isKnown = (/** @type {DescribedColumn} */ {key}) => this.rows?.value(key, row) !== null;
    const whole = (/** @type {DescribedColumn} */ {key}) => String(this.rows?.value(key, row));
    const text = (/** @type {DescribedColumn} */ column) =>
      texts[column.key] ?? (!isKnown(column) ? '' : column.unit === 'kernel_name' ? whole(column) : this.#text(column, row));
    const all = [...this.#shown, ...rest].map((column) => /** @type {[string, string]} */ ([this.#heading(column), text(column)]));
    return [...all, ...more].filter(([, value]) => value !== '');
  }
}
