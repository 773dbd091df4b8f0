// Where notes are on the timeline: the flags on its axis.

import {t} from '../../environment/i18n.js';
import {flagsAt} from '../../timeline/notes.js';

/** @typedef {import('../../timeline/notes.js').Flag} Flag */
/** @typedef {import('../../timeline/notes.js').Note} Note */

/** Number of notes in a tooltip. */
const LISTED = 4;

/** Flags of the notes of those ranks whose traces are in memory. */
export class NoteFlags {
  /** @type {Flag[]} */
  flags = [];
  /** The inputs of the flags. @type {unknown[]} */
  #of = [];
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app @param {() => void} changed called when the flags change */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
  }

  /** Finds where notes are, unless nothing changed. @param {import('../../../protocol/timeline.js').TimelineReport} report */
  async take({version, shifts_ns: shifts}) {
    const {notes, held} = this.app.state;
    const of = [notes, held, version];
    if (of.every((one, index) => one === this.#of[index])) return;
    this.#of = of;
    const asked = ++this.#asked;
    const found = await Promise.all(notes.filter(({rank}) => held.includes(rank)).map((note) => this.#flag(note, shifts[note.rank] ?? 0)));
    if (asked !== this.#asked) return;
    this.flags = found.flatMap((flag) => flag ?? []);
    this.changed();
  }

  /** @param {Note} note @param {number} shift where its rank's time zero lies @returns {Promise<Flag | null>} */
  async #flag(note, shift) {
    const {rank, event, span} = note;
    if (span) return {start: span[0] + shift, end: span[1] + shift, note};
    const found = await this.app.timeline({call: 'place', rank, event: event ?? 0});
    return found ? {start: found.start, end: found.end, note} : null;
  }

  /** The flag at a place of the axis, if there is one. @param {number} x @param {(time: number) => number} placeOf @returns {Flag | undefined} */
  at(x, placeOf) {
    return flagsAt(this.flags, x, placeOf)[0];
  }

  /** Text lines of the flags at a place; null without flags. @param {number} x @param {(time: number) => number} placeOf @returns {string[] | null} */
  linesAt(x, placeOf) {
    const found = flagsAt(this.flags, x, placeOf);
    if (!found.length) return null;
    const [{note}] = found;
    if (found.length === 1) return [note.text || note.name, note.text && note.name].filter(Boolean);
    const lines = found.slice(0, LISTED).map(({note: {name, text}}) => (text ? `${text} · ${name}` : name));
    if (found.length > LISTED) lines.push(t('event.more', {count: found.length - LISTED}));
    return lines;
  }
}

/** Shows the subject of a note on the timeline. @param {import('../../app.js').App} app @param {Note} note */
export function goToNote(app, {rank, event, span}) {
  app.jump(event === undefined ? {span: span ?? [0, 0]} : {event}, rank);
}
