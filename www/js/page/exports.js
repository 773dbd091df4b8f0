// Exports of the shown trace: saved as files, or handed over to Perfetto's page.

import {save} from './files/files.js';
import {NotHanded, PerfettoPage} from './perfetto-page.js';
import {reportTexts} from './environment/i18n.js';
import {analyzer} from './environment/parts.js';
import {isOn} from './timeline/notes.js';
import {viewToCarry} from './view-hash.js';

/** @typedef {import('../protocol/requests.js').ExportedGraphs} Graphs */

/** A part of the shown rank: its name for the file, its time in ns, and those of the tracks that are exported, else all of them. @typedef {{name: string, span: [number, number], tracks?: number[]}} ExportedPart */
/** Content of an exported trace: `summary`: only steps and aggregates; `all`: every rank, in one file; `ranks`: these, by their places; otherwise the whole shown rank, or this part or these graphs of it. @typedef {{summary?: boolean, all?: boolean, ranks?: number[], part?: ExportedPart, graphs?: Graphs}} PerfettoExport */

/** A name as a part of a file's name: systems take no slashes and colons there. @param {string} name */
const inFileName = (name) =>
  name
    .replace(/[^\p{L}\p{N}._#-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60) || 'part';

/** The most ranks that the name of an export has. */
const MOST_NAMED = 8;

/** Exports, each with its number. The page reports failures. */
export class Exports {
  #app;
  #last = 0;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /**
   * Saves a trace for Perfetto.
   * @param {PerfettoExport} [what]
   */
  async perfetto(what = {}) {
    try {
      const {blob, name} = await this.#perfetto(what);
      save(blob, name);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  /**
   * A trace for Perfetto, and its file name.
   * @param {PerfettoExport} what
   */
  async #perfetto({summary = false, all = false, ranks: chosen, part, graphs}) {
    const {state, client} = this.#app;
    const every = [...(state.summary?.ranks.keys() ?? [])];
    const ranks = all ? every : (chosen ?? [state.rank]);
    const ofRanks =
      chosen && chosen.length < every.length
        ? `.ranks-${chosen.length > MOST_NAMED ? `${chosen.length}-of-${every.length}` : chosen.map((place) => state.summary?.ranks[place].rank ?? place).join('-')}`
        : ranks.length > 1
          ? '.all-ranks'
          : '';
    const ofGraphs = graphs?.only.length ? `.graph-${graphs.only.join('-')}` : '';
    const {span, tracks, name: ofPart} = part ?? {};
    const name = `${this.#baseName}${ofPart === undefined ? '' : `.${inFileName(ofPart)}`}${ofGraphs}${ofRanks}.${summary ? 'summary' : 'perfetto'}.json.gz`;
    return {blob: await client.ask('export', {number: ++this.#last, name, ranks, summary, span, tracks, graphs}), name};
  }

  /** Gives one up. @param {number} number */
  cancel(number) {
    this.#app.client.tell({kind: 'cancelExport', number});
  }

  /**
   * Hands a trace to Perfetto's page, in a tab of its own; called right after a click, since browsers open none else.
   * @param {URL} address @param {boolean} summary only steps and aggregates @param {boolean} all every rank
   * @param {AbortSignal} signal @param {(state: 'exporting' | 'waiting' | 'slow') => void} tell
   * @returns {Promise<import('./perfetto-page.js').Failure | null>} the reason of a failure
   */
  async handToPerfetto(address, summary, all, signal, tell) {
    /** @type {PerfettoPage | undefined} */
    let page;
    try {
      page = new PerfettoPage(address);
      tell('exporting');
      const number = this.#last + 1;
      signal.addEventListener('abort', () => this.cancel(number));
      const {blob, name} = await this.#perfetto({summary, all});
      const buffer = await blob.arrayBuffer();
      signal.throwIfAborted();
      tell('waiting');
      await page.give({buffer, title: name, fileName: name}, signal, () => tell('slow'));
    } catch (error) {
      // There is nothing in it.
      page?.window.close();
      if (error instanceof NotHanded) return error.failure;
      if (!signal.aborted) this.#app.fail(error);
    }
    return null;
  }

  /** Saves the whole summary. */
  async json() {
    try {
      const bytes = await this.#app.client.ask('summaryJson', {});
      save(new Blob([bytes], {type: 'application/json'}), `${this.#baseName}.stepscope.json`);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  /** A report in one HTML file, and its summary as Markdown; nothing if it cannot be made. @param {boolean} carries whether the analyzer and the traces are in it */
  async htmlReport(carries) {
    try {
      const notes = await this.#app.notesToHandOn();
      return await this.#app.client.ask('htmlReport', {
        scripts: carries ? await analyzer() : null,
        view: viewToCarry({...this.#app.state, notes}),
        notes: JSON.stringify(await Promise.all(notes.map((note) => this.#placed(note)))),
        texts: await reportTexts(),
      });
    } catch (error) {
      this.#app.fail(error);
      return undefined;
    }
  }

  /** A note as a report lists it: with its event's time, if that is in memory and has the note's name; a range is called by its time. @param {import('./timeline/notes.js').Note} note */
  async #placed({rank, event, name, text}) {
    const {held} = this.#app.state;
    const found = event !== undefined && held.includes(rank) ? await this.#app.client.ask('report', {rank, topic: 'event', request: {event}}) : null;
    return {rank, name, text, ...(found && isOn({name}, found.name) && {start_ns: found.start_ns, end_ns: found.start_ns + found.length_ns})};
  }

  /** @param {Blob} report */
  saveReport(report) {
    save(report, `${this.#baseName}.html`);
  }

  /** Saves a table. @param {string} table @param {string[][]} rows @param {boolean} [isOfStep] whether it is of the chosen step, if there is one */
  csv(table, rows, isOfStep = false) {
    const {summary, rank, step} = this.#app.state;
    const name = isOfStep && step !== null ? `.${inFileName(`step-${summary?.ranks[rank].steps[step].name}`)}` : '';
    save(new Blob([this.#app.wasm.csv(rows)], {type: 'text/csv'}), `${this.#baseName}${name}.${table}.csv`);
  }

  /** Saves text. @param {string} text @param {string} what the kind of content, for the file name */
  text(text, what) {
    save(new Blob([text], {type: 'text/plain'}), `${this.#baseName}.${what}.txt`);
  }

  /** The shown file's name without the endings of its format. */
  get #baseName() {
    const {summary, rank} = this.#app.state;
    const name = summary?.ranks[rank]?.input ?? 'trace';
    return name
      .replace(/\.gz$/, '')
      .replace(/\.json$/, '')
      .replace(/\.pt\.trace$/, '');
  }
}
