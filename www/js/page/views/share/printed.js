// Tables of the shown rank as another tool prints them, as text.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {openDialog} from '../../environment/environment.js';
import {Choice} from '../parts/choice.js';

/** @typedef {import('../../../protocol/requests.js').PrintTool} PrintTool */
/** @typedef {import('../../../protocol/requests.js').PrintRequest} PrintRequest */

/** The tools, by the names that the traces which they wrote have. @type {Record<PrintTool, string>} */
const TOOLS = {paddle: 'PaddlePaddle', mindspore: 'MindSpore', nvprof: 'nvprof', tensorboard: 'PyTorch'};

/** Paddle's tables by name. */
const VIEWS = ['device', 'overview', 'model', 'distributed', 'operator', 'kernel', 'memory_manipulation', 'udf', 'memory', 'benchmark'];

const SORTS = ['cpu_total', 'cpu_avg', 'cpu_max', 'cpu_min', 'gpu_total', 'gpu_avg', 'gpu_max', 'gpu_min'];

const UNITS = ['s', 'ms', 'us', 'ns'];

/** The tool of a trace's framework, except for PyTorch's, whose overview is known from elsewhere. @param {string} framework @returns {PrintTool | undefined} */
export function ownTool(framework) {
  return /** @type {PrintTool[]} */ (Object.keys(TOOLS)).find((tool) => tool !== 'tensorboard' && TOOLS[tool] === framework);
}

/** Shows the tables of a tool, that of the trace unless it is of none of these. @param {import('../../app.js').App} app */
export function showPrinted(app) {
  openDialog(() => dialogOf(app));
}

/** @param {import('../../app.js').App} app */
function dialogOf(app) {
  const {rank, summary} = app.state;
  const framework = summary?.inputs[rank]?.framework ?? '';
  /** The printed text, and its tool. */
  let shown = {tool: '', text: ''};
  /** Counts requests: only the last one's answer is shown. */
  let asked = 0;
  const status = h('p', {role: 'status', 'data-test': 'printed-status'});
  const printed = h('pre', {class: 'printed', tabindex: '0', role: 'region', 'aria-label': t('printed.title'), 'data-test': 'printed-text'});
  const copy = h('button', {class: 'button', type: 'button', 'data-test': 'printed-copy', onclick: () => copyText()}, t('table.copy'));
  const copyText = async () => {
    let done = t('table.copied');
    try {
      await navigator.clipboard.writeText(shown.text);
    } catch {
      done = t('table.copy.failed');
    }
    fill(status, done);
  };
  const save = h(
    'button',
    {class: 'button', type: 'button', 'data-test': 'printed-save', onclick: () => app.exports.text(shown.text, shown.tool)},
    t('printed.save'),
  );
  const print = async () => {
    const number = ++asked;
    const of = /** @type {PrintTool} */ (tool.value);
    for (const [element, tools] of own) element.hidden = !tools.includes(of);
    printed.setAttribute('aria-busy', 'true');
    // The text is still that of the tool before.
    copy.disabled = save.disabled = true;
    const request = {
      tool: of,
      unit: unit.value || undefined,
      sort: sort.value,
      view: view.value || undefined,
      no_detail: !detail.box.checked,
      thread_sep: threads.box.checked,
      before_9: layout.value === '8',
    };
    let none = of === 'mindspore' ? 'printed.none.mindspore' : 'printed.none';
    const found = await app.client.ask('printed', {rank, request}).catch((error) => {
      none = 'printed.failed';
      app.fail(error);
      return undefined;
    });
    if (number !== asked) return;
    printed.removeAttribute('aria-busy');
    shown = {tool: of, text: found ?? ''};
    copy.disabled = save.disabled = !shown.text;
    fill(printed, shown.text || t(none));
    printed.scrollTo(0, 0);
    fill(status);
  };
  const tool = new Choice(t('printed.tool'), 'printed-tool', print);
  tool.offer(Object.keys(TOOLS).map((name) => [name, t(`printed.tool.${name}`)]));
  tool.value = ownTool(framework) ?? (framework === TOOLS.tensorboard ? 'tensorboard' : 'paddle');
  const view = new Choice(t('printed.view'), 'printed-view', print);
  view.offer([['', t('printed.view.all')], ...VIEWS.map((name) => /** @type {[string, string]} */ ([name, t(`printed.view.${name}`)]))]);
  const sort = new Choice(t('printed.sort'), 'printed-sort', print);
  sort.offer(SORTS.map((name) => [name, t(`printed.sort.${name}`)]));
  const unit = new Choice(t('printed.unit'), 'printed-unit', print);
  unit.offer([['', t('printed.unit.own')], ...UNITS.map((name) => /** @type {[string, string]} */ ([name, name]))]);
  const layout = new Choice(t('printed.layout'), 'printed-layout', print);
  layout.offer(['9', '8'].map((version) => [version, t(`printed.layout.${version}`)]));
  const detail = checkbox('detail', true, print);
  const threads = checkbox('threads', false, print);
  /** Choices that only some tools have. @type {[HTMLElement, PrintTool[]][]} */
  const own = [
    [view.element, ['paddle']],
    [sort.element, ['paddle']],
    [detail.element, ['paddle']],
    [threads.element, ['paddle']],
    [layout.element, ['nvprof']],
  ];
  const close = h('button', {class: 'button', type: 'button', 'data-test': 'printed-close', onclick: () => dialog.close()}, t('close'));
  const dialog = h(
    'dialog',
    {class: 'dialog printed-dialog', 'aria-labelledby': 'printed-title', 'data-test': 'printed'},
    h('h2', {id: 'printed-title'}, t('printed.title')),
    h('p', {class: 'hint'}, t('printed.why')),
    h('div', {class: 'printed-choices'}, tool.element, view.element, sort.element, layout.element, unit.element, detail.element, threads.element),
    printed,
    h('div', {class: 'actions'}, copy, save, close, status),
  );
  print();
  return dialog;
}

/** @param {string} name @param {boolean} checked @param {() => void} onchange */
function checkbox(name, checked, onchange) {
  const box = h('input', {type: 'checkbox', 'data-test': `printed-${name}`, onchange});
  box.checked = checked;
  return {box, element: h('label', {class: 'choice'}, box, h('span', {}, t(`printed.${name}`)))};
}
