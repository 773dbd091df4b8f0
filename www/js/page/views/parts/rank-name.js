// The name of a rank.

import {t} from '../../environment/i18n.js';
import {comparedRanks} from '../../state.js';

/** @typedef {Pick<import('../../../../types/reports.js').RankReport, 'rank' | 'input'>} Named */

/** A rank's number, else its file: without a number, it is not "rank 0". @param {Named} rank */
export const rankTitle = ({rank, input}) => (rank === null ? input : t('rank', {rank}));

/** A rank's number, where it has one, and its file. @param {Named} rank */
export const rankName = (rank) => (rank.rank === null ? rank.input : `${rankTitle(rank)} · ${rank.input}`);

/** The title of a rank by its number in the job: the place among the compared ranks, where it has none of its own. @param {import('../../state.js').State['summary']} summary @param {number} rank */
export function titleInJob(summary, rank) {
  const ranks = summary?.ranks ?? [];
  const numbered = ranks.find((one) => one.rank === rank);
  if (numbered || !summary) return rankTitle(numbered ?? {rank, input: ''});
  const unnumbered = ranks[comparedRanks(summary)[rank]];
  return rankTitle(unnumbered?.rank === null ? unnumbered : {rank, input: ''});
}
