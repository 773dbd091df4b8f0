// The trace that ranks are compared with. It has a worker of its own, from its first use until it is forgotten:
// reading and analyzing it never keeps the shown trace waiting.

import {Client} from './client.js';
import {shownLanguage} from './environment/i18n.js';

/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../../types/reports.js').Summary} Summary */
/** @typedef {import('../protocol/answers.js').Topics} Topics */

/** Opens and compares a trace that is kept aside. */
export class Comparing {
  /** @type {Client | undefined} */
  #aside;
  /** The summary of the trace that is kept aside. @type {Summary | undefined} */
  #summary;
  /** Counts openings: only the last one's answer is taken. */
  #opened = 0;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  get #store() {
    return this.app.store;
  }

  /** Opens files to compare the shown rank with. @param {() => Promise<Dropped[]>} find */
  async open(find) {
    const opened = ++this.#opened;
    this.#store.set({othersProgress: 'begun'});
    try {
      const files = await find();
      if (opened !== this.#opened) return;
      if (!files.length) {
        this.#store.set({othersProgress: null});
        return;
      }
      this.#aside ??= this.#start();
      const {summary, read, failures} = await this.#aside.ask('open', {files, aside: true});
      if (opened !== this.#opened) return;
      if (read > 0) this.#summary = summary;
      const found = read > 0 && {
        others: summary.ranks.map(({input, rank}) => ({input, rank})),
        baseline: {aside: true, rank: this.#like(summary)},
      };
      this.#store.set({...found, othersProgress: null, problems: [...this.#store.state.problems, ...failures]});
    } catch (error) {
      if (opened !== this.#opened) return;
      this.#store.set({othersProgress: null});
      this.app.fail(error);
    }
  }

  /** The rank that has the number of the one that is shown, else the first. @param {Summary} summary */
  #like(summary) {
    const {summary: shown, rank: index} = this.#store.state;
    const number = shown?.ranks[index].rank ?? null;
    return Math.max(
      0,
      summary.ranks.findIndex(({rank}) => rank !== null && rank === number),
    );
  }

  /** Ends the worker of the trace that is kept aside, also while it is being read. */
  close() {
    this.#opened++;
    this.#aside?.close();
    this.#aside = undefined;
  }

  /** Compares with nothing that was opened for that. */
  forget() {
    this.close();
    const {baseline} = this.#store.state;
    this.#store.set({others: [], othersProgress: null, baseline: baseline?.aside ? null : baseline});
  }

  /** The rank that the shown one is compared with: its worker, its index there, and its report; null if there is none. */
  get other() {
    const {
      client,
      state: {baseline, summary},
    } = this.app;
    const [worker, of] = baseline?.aside ? [this.#aside, this.#summary] : [client, summary];
    const rank = baseline && of?.ranks[baseline.rank];
    return baseline && worker && rank ? {client: worker, index: baseline.rank, rank, isAside: baseline.aside} : null;
  }

  /** The differences of the shown rank from the one that it is compared with. @param {boolean} shapes whether shapes are distinguished @param {boolean} swapped whether the differences are those of the other one from the shown */
  async compare(shapes, swapped) {
    const {
      client,
      state: {rank, baseline},
    } = this.app;
    const other = baseline?.aside ? this.#aside : client;
    if (!baseline || !other) return undefined;
    try {
      const [from, to] = swapped ? [client, other] : [other, client];
      const [before, after] = swapped ? [rank, baseline.rank] : [baseline.rank, rank];
      // Ranks of one trace are of one job.
      const side = await from.ask('compareSide', {rank: before, shapes, job: baseline.aside});
      return side && (await to.ask('compare', {rank: after, side, shapes, language: shownLanguage()}));
    } catch (error) {
      this.app.fail(error);
      return undefined;
    }
  }

  /**
   * A topic's report on the shown rank and on the one that it is compared with.
   * @template {keyof Topics} Topic @param {Topic} topic @param {import('../protocol/answers.js').ReportRequest} request @returns {Promise<{shown: Topics[Topic] | undefined, other: Topics[Topic] | undefined}>}
   */
  async reports(topic, request) {
    const {
      client,
      state: {rank, baseline},
    } = this.app;
    const aside = baseline?.aside ? this.#aside : client;
    if (!baseline || !aside) return {shown: undefined, other: undefined};
    try {
      const [shown, other] = await Promise.all([client.ask('report', {rank, topic, request}), aside.ask('report', {rank: baseline.rank, topic, request})]);
      return {shown, other};
    } catch (error) {
      this.app.fail(error);
      return {shown: undefined, other: undefined};
    }
  }

  #start() {
    const client = new Client();
    client.onProgress = (progress) => {
      if (this.#store.state.othersProgress) this.#store.set({othersProgress: progress});
    };
    client.onLost = (problem) => this.#lost(problem);
    return client;
  }

  /** Its worker died with its trace; the shown trace is in another one. @param {Problem} problem */
  #lost(problem) {
    this.forget();
    this.#store.set({problems: [...this.#store.state.problems, {...problem, code: 'lost_aside'}]});
  }
}
