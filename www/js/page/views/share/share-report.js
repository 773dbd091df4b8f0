// The dialog for a report to hand on: its content, its size, and saving it.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {openDialog} from '../../environment/environment.js';
import {Choice} from '../parts/choice.js';

/** Opens the dialog on the report's content, which shows the size before saving. @param {import('../../app.js').App} app */
export function showShareReport(app) {
  openDialog(() => dialogOf(app));
}

/** @param {import('../../app.js').App} app */
function dialogOf(app) {
  /** The report that is ready. @type {{report: Blob, markdown: string} | undefined} */
  let made;
  /** Counts requests: only the last one matters. */
  let asked = 0;
  const status = h('p', {role: 'status', 'data-test': 'report-status'});
  const save = h(
    'button',
    {class: 'button primary', disabled: true, 'data-test': 'report-save', onclick: () => made && saveAndClose(made.report)},
    t('report.save'),
  );
  const copy = h(
    'button',
    {class: 'button', disabled: true, title: t('report.copy.why'), 'data-test': 'report-copy', onclick: () => made && copyMarkdown(made.markdown)},
    t('report.copy'),
  );
  const copyMarkdown = async (/** @type {string} */ markdown) => {
    let done = t('table.copied');
    try {
      await navigator.clipboard.writeText(markdown);
    } catch {
      done = t('table.copy.failed');
    }
    fill(status, done);
  };
  const note = h('p', {class: 'hint'});
  const make = async () => {
    const number = ++asked;
    const carries = what.value === 'trace';
    fill(note, t(carries ? 'report.trace.note' : 'report.tables.note'));
    fill(status, t('report.making'));
    save.disabled = copy.disabled = true;
    const answer = await app.exports.htmlReport(carries);
    if (number !== asked) return;
    made = answer;
    fill(status, answer ? t('report.size', {size: app.wasm.bytes(answer.report.size)}) : t('report.failed'));
    save.disabled = copy.disabled = !answer;
  };
  const what = new Choice(t('report.what'), 'report-what', make);
  what.offer([
    ['tables', t('report.tables')],
    ['trace', t('report.trace')],
  ]);
  const saveAndClose = (/** @type {Blob} */ blob) => {
    app.exports.saveReport(blob);
    dialog.close();
  };
  const buttons = h(
    'div',
    {class: 'buttons'},
    save,
    ' ',
    copy,
    ' ',
    h('button', {class: 'button', 'data-test': 'report-cancel', onclick: () => dialog.close()}, t('cancel')),
  );
  const dialog = h(
    'dialog',
    {class: 'dialog', 'aria-labelledby': 'report-title', 'data-test': 'report'},
    h('h2', {id: 'report-title'}, t('report.title')),
    h('p', {}, t('report.what.is'), app.state.step !== null && ` ${t('report.all_steps')}`),
    what.element,
    note,
    status,
    buttons,
  );
  make();
  return dialog;
}
