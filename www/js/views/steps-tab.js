// The steps as a table: roles and phases of each.

import {fill, h} from '../dom.js';
import {t} from '../i18n.js';
import {DataTable} from './data-table.js';
import {stepsAs, stepsNote} from './definition.js';
import {flag} from './toolbar.js';

/** @typedef {import('../protocol.js').Step} Step */
/** @typedef {import('../state.js').State} State */

/** @type {import('../protocol.js').RoleName[]} */
const ROLES = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'];
/** @type {import('../protocol.js').PhaseName[]} */
const PHASES = ['dataloader', 'forward', 'backward', 'optimizer', 'other'];

/** The tab of steps. */
export class StepsTab {
  note = h('p', {class: 'hint', hidden: true, 'data-test': 'steps-definition'});

  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration, count} = app.wasm;
    /** @type {(key: string, title: string, why: string, value: (row: Step) => number) => import('./data-table.js').Column<Step>} */
    const column = (key, title, why, value) => ({key, title, why, text: (row) => duration(value(row)), value});
    /** @type {DataTable<Step>} */
    this.table = new DataTable(app, {
      name: 'steps',
      label: t('tab.steps'),
      columns: [
        {key: 'name', title: t('column.step'), text: (row) => row.name + flag(row), value: (row) => row.name, order: (row) => row.start_ns, left: true, width: 8, weight: 2},
        column('length_ns', t('column.length'), t('column.length.why'), (row) => row.length_ns),
        ...ROLES.map((role) => column(`${role}_ns`, t(`role.${role}`), t(`role.${role}.why`), (row) => row.roles[`${role}_ns`])),
      ],
      sort: {key: 'name', down: false},
      empty: () => t('table.empty'),
      searched: (row) => row.name,
      detail: (row) => [
        [t('column.step'), row.name + flag(row)],
        [t('column.length'), duration(row.length_ns)],
        [t('column.host'), duration(row.host_length_ns)],
        [t('column.activities'), count(row.activities)],
        ...PHASES.map((phase) => {
          const {host_ns: host, device_ns: device} = row.phases[phase];
          return /** @type {[string, string]} */ ([t(`phase.${phase}`), t('detail.phase', {host: duration(host), device: duration(device)})]);
        }),
      ],
    });
    this.element = h('div', {class: 'steps-tab'}, h('p', {class: 'hint'}, t('steps.why')), this.note, this.table.element);
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    if (!before || now.summary !== before.summary || now.rank !== before.rank) {
      const rank = now.summary?.ranks[now.rank];
      this.table.show(rank ? stepsAs(rank) : []);
      const note = rank ? stepsNote(rank) : '';
      fill(this.note, note);
      this.note.hidden = !note;
    }
  }

  search() {
    this.table.search();
  }
}
