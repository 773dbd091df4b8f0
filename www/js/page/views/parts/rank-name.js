// The name of a rank.

import {t} from '../../environment/i18n.js';

/** @typedef {Pick<import('../../../../types/reports.js').RankReport, 'rank' | 'input'>} Named */

/** A rank's number, else its file: without a number, it is not "rank 0". @param {Named} rank */
export const rankTitle = ({rank, input}) => (rank === null ? input : t('rank', {rank}));

/** A rank's number, where it has one, and its file. @param {Named} rank */
export const rankName = (rank) => (rank.rank === null ? rank.input : `${rankTitle(rank)} · ${rank.input}`);
