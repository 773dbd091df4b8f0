// The tables of memory: by operator, what was live at the peak, the largest blocks, tensors.

import {t} from '../../environment/i18n.js';
import {between, eventLink, jumpButton} from '../parts/jump.js';
import {DescribedTable} from '../table/described/described.js';

/** @typedef {import('../../../../types/reports.js').MemoryReport} MemoryReport */
/** @typedef {import('../../../../types/reports.js').MemoryPlacesBlocksLargestRow} Block */
/** @typedef {[name: string, table: DescribedTable, rows: readonly object[]]} NamedTable */

/** The tables, made once and filled with what is chosen. @param {import('../../app.js').App} app */
export function memoryTables(app) {
  /** @param {string} id @param {string} name @param {(row: any) => (Node | null)[]} [links] */
  const table = (id, name, links) =>
    new DescribedTable(app, `memory.${id}`, {name: `memory-${name}`, label: t(`memory.table.${name}`), empty: () => t('table.empty'), links});
  /** A link to the time in which a block is there. @param {Pick<Block, 'allocated_ns' | 'released_ns'>} block */
  const lifetime = ({allocated_ns: from, released_ns: to}) => jumpButton(app, between(from, to), t('jump.lifetime'), t('jump.lifetime'));
  /** A link to the event around an allocation or a release. @param {Block['allocated_by']} [event] */
  const named = (event) => (typeof event?.slice === 'number' ? eventLink(app, {slice: event.slice, name: event.name ?? ''}) : null);
  const operators = table('places[].operators', 'operators');
  const live = table('places[].live_at_peak.operators', 'live');
  const blocks = table('places[].blocks.largest', 'blocks', (row) => [lifetime(row), named(row.allocated_by), named(row.released_by)]);
  const recordedBlocks = table('recorded_blocks', 'blocks', (row) => [lifetime(row)]);
  const recordedOperators = table('recorded_operators', 'recorded');
  const tensors = table('planned[].tensors', 'tensors');
  return {
    tensors,
    /** @param {MemoryReport['places'][number]} place @returns {NamedTable[]} */
    ofPlace({operators: by, live_at_peak: {operators: known, from_before: before, unexplained_bytes: rest}, blocks: {largest}}) {
      const others = [
        ...(before.bytes ? [{name: t('memory.before'), ...before}] : []),
        ...(rest ? [{name: t('memory.unexplained'), blocks: null, bytes: rest}] : []),
      ];
      return [
        ['operators', operators, by],
        ['live', live, [...known, ...others]],
        ['blocks', blocks, largest],
      ];
    },
    /** @param {MemoryReport} report @returns {NamedTable[]} */
    ofRecorded({recorded_operators: by = [], recorded_blocks: all = []}) {
      return all.length
        ? [
            ['recorded', recordedOperators, by],
            ['blocks', recordedBlocks, all],
          ]
        : [];
    },
  };
}
