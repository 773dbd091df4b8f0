// The rows of a table that a person picked. Nothing here touches the page.

/** Rows that were picked. @template Row */
export class Picked {
  /** @type {Set<Row>} */
  #rows = new Set();
  /** Where a span of rows begins, and where it ends now. @type {{from: Row, to: Row} | null} */
  #span = null;

  get count() {
    return this.#rows.size;
  }

  /** @param {Row} row */
  has(row) {
    return this.#rows.has(row);
  }

  /** Those of some rows, in their order. @param {Row[]} shown */
  among(shown) {
    return this.count ? shown.filter((row) => this.#rows.has(row)) : [];
  }

  clear() {
    this.#rows.clear();
    this.#span = null;
  }

  /** Picks a row, or no more. @param {Row} row */
  toggle(row) {
    if (!this.#rows.delete(row)) this.#rows.add(row);
    this.#span = {from: row, to: row};
  }

  /** Picks rows, too, or no more if they all were. @param {Row[]} rows */
  toggleAll(rows) {
    const all = rows.every((row) => this.#rows.has(row));
    for (const row of rows)
      if (all) this.#rows.delete(row);
      else this.#rows.add(row);
    this.#span = null;
  }

  /** @param {Row[]} rows */
  all(rows) {
    this.#rows = new Set(rows);
    this.#span = null;
  }

  /** Picks all rows from where the last span began; the last span itself is given up. @param {Row[]} shown @param {Row} to @param {Row | undefined} first where it begins if there was none */
  extend(shown, to, first = to) {
    for (const row of this.#between(shown)) this.#rows.delete(row);
    this.#span = {from: this.#span && shown.includes(this.#span.from) ? this.#span.from : first, to};
    for (const row of this.#between(shown)) this.#rows.add(row);
  }

  /** The row to which the last span goes. */
  get last() {
    return this.#span?.to;
  }

  /** @param {Row[]} shown */
  #between(shown) {
    if (!this.#span) return [];
    const [a, b] = [shown.indexOf(this.#span.from), shown.indexOf(this.#span.to)];
    return a < 0 || b < 0 ? [] : shown.slice(Math.min(a, b), Math.max(a, b) + 1);
  }
}
