// From the job's ranks to those that are open.

import {comparedRanks} from '../../state.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */

/** The place of a rank of the job among those that are open. @param {import('../../app.js').App} app @param {JobRank[]} rows all of the job @param {JobRank} row @returns {number | undefined} */
export function indexIn({state: {summary}}, rows, row) {
  return summary ? comparedRanks(summary)[rows.indexOf(row)] : undefined;
}

/** Shows the differences between two open ranks. @param {import('../../app.js').App} app @param {number} rank the one that is shown @param {number} other the one that it is compared with */
export function compareRanks(app, rank, other) {
  return app.choose({rank, step: null, selection: null, baseline: {aside: false, rank: other}, tab: 'compare'});
}
