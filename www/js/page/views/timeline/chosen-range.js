// The range of time that is chosen on the timeline, and the rows that its report covers.

import {t} from '../../environment/i18n.js';
import {rowsAmong, tracksOf} from '../../timeline/among.js';

/** @typedef {import('../../../protocol/timeline.js').TimelineReport} TimelineReport */
/** @typedef {import('../../timeline/view.js').Among} Among */

/** A range, or none. */
export class ChosenRange {
  /** In ns of the timeline. @type {[number, number] | null} */
  span = null;
  /** The rows that its report covers. @type {Among | null} */
  among = null;
  /** Whether it is that of a computed slice: it goes with it. */
  isComputed = false;
  /** The range that a link led to, until the row of its cause is shown. @type {[number, number] | null} */
  #led = null;

  /**
   * @param {import('../../app.js').App} app @param {import('./rows.js').Rows} rows @param {import('../range/range-pane.js').RangePane} pane
   * @param {() => TimelineReport | undefined} report
   */
  constructor(app, rows, pane, report) {
    this.app = app;
    this.pane = pane;
    this.report = report;
    this.shown = rows;
  }

  /** Chooses another range. @param {[number, number]} span */
  set(span) {
    this.span = span;
    this.isComputed = false;
    this.pane.note('');
  }

  forget() {
    this.span = null;
    this.isComputed = false;
    this.pane.note('');
    this.forgetRows();
    this.tell();
  }

  /** A link led to the range: the row of its cause is to be shown. @param {string} why what it is shown for */
  lead(why) {
    this.pane.note(why && t('range.for', {what: why}));
    this.#led = this.span;
  }

  /** Scrolls to the row of the slice that causes the range, if a link led to that. @param {number} event */
  async revealCause(event) {
    const {span} = this;
    if (!span || span !== this.#led) return;
    this.#led = null;
    const {rank} = this.app.state;
    const found = await this.app.timeline({call: 'place', rank, event});
    if (found && span === this.span) this.shown.reveal(found, rank, true);
  }

  /** The rows that its report covers; null: all. */
  get rows() {
    return rowsAmong(this.among, this.shown);
  }

  /** Whether its report covers all these rows as chosen ones; null without a range. @param {number[]} rows */
  covers(rows) {
    const among = this.rows;
    return this.span && (among ? rows.length > 0 && rows.every((row) => among.includes(row)) : false);
  }

  /** Returns a function on whether the report covers a row; it returns null without a range or a choice of rows. @returns {(row: number) => boolean | null} */
  isAmong() {
    const rows = this.span && this.rows && new Set(this.rows);
    return (row) => rows && rows.has(row);
  }

  /** Rows that were chosen for another range, or of other traces, are not meant. */
  forgetRows() {
    if (typeof this.among === 'object') this.among = null;
  }

  /** Chooses rows; where only rows of another rank are meant, that one's numbers are shown. @param {Among | null} among @param {boolean} [done] */
  choose(among, done = true) {
    this.among = among;
    if (!done || typeof among !== 'object' || !among) return;
    const ranks = among.flatMap((row) => this.report()?.rows[row]?.rank ?? []);
    if (ranks.length && !ranks.includes(this.app.state.rank)) this.app.choose({rank: ranks[0], step: null, selection: null});
  }

  /** Shows the report on the range for the shown rank. */
  tell() {
    const {rank} = this.app.state;
    const report = this.report();
    const rows = report?.rows ?? [];
    const among = this.span && this.rows;
    const titles = (among ?? []).flatMap((row) => (rows[row]?.rank === rank ? this.shown.titleOf(row) : []));
    this.pane.show(this.span, report?.shifts_ns[rank] ?? 0, {among: this.among, tracks: tracksOf(rows, among, rank), titles});
  }
}
