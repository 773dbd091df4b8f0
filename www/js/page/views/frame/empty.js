// Before anything is opened.

import {fill, h} from '../../dom.js';
import {openedDemo} from '../../files/files.js';
import {t} from '../../environment/i18n.js';
import {DEMO, DEMO_JOB} from '../../environment/parts.js';
import {environment, focused} from '../../environment/environment.js';

/** @param {HTMLElement} element @param {import('../../app.js').App} app */
export function renderEmpty(element, app) {
  fill(
    element,
    h(
      'section',
      {class: 'empty'},
      h('h1', {}, t('empty.title')),
      h('p', {class: 'lead'}, t('empty.lead')),
      h(
        'div',
        {class: 'drop-zone', 'data-test': 'drop-zone'},
        h('p', {class: 'drop-title'}, t('empty.drop')),
        h('p', {class: 'hint'}, t('empty.formats')),
        h(
          'div',
          {class: 'actions'},
          h('button', {class: 'button primary', onclick: () => app.openChosen(), 'data-test': 'choose'}, t('empty.choose')),
          h('button', {class: 'button', onclick: () => app.openChosen(true), 'data-test': 'choose-folder'}, t('empty.folder')),
        ),
      ),
      DEMO &&
        h(
          'div',
          {class: 'actions demos'},
          h('button', {class: 'button', onclick: () => app.openFrom(() => openedDemo('demo')), 'data-test': 'demo'}, t('empty.demo')),
          DEMO_JOB && h('button', {class: 'button', onclick: () => app.openFrom(() => openedDemo('demo-job')), 'data-test': 'demo-job'}, t('empty.demo_job')),
          h('span', {class: 'hint'}, t('empty.demos')),
        ),
      h('p', {class: 'hint'}, t('empty.private')),
      environment().keepsNotAll() && h('p', {class: 'hint'}, t('header.full.why')),
      h(
        'div',
        {class: 'hows'},
        EXAMPLES.map(([name, text]) => h('details', {class: 'how', name: 'how'}, h('summary', {}, t('empty.how', {name})), h('pre', {}, h('code', {}, text)))),
      ),
    ),
  );
  renderOffers(element, app);
}

/** Renders the traces that can be reopened. All else stays in place: a button that is replaced while it is pressed gets no click. @param {HTMLElement} element @param {import('../../app.js').App} app */
export function renderOffers(element, app) {
  for (const name of ['last', 'recent']) element.querySelector(`[data-test="${name}"]`)?.remove();
  const [last, recent] = [lastOpened(app), recentlyOpened(app)];
  if (last) element.querySelector('.lead')?.after(last);
  if (recent) [...element.querySelectorAll('.drop-zone, .demos')].at(-1)?.after(recent);
}

/** The last trace of this tab, and the way to reopen it. @param {import('../../app.js').App} app */
function lastOpened({state: {last}, wasm}) {
  if (!last) return null;
  const {open, choose, forget} = last;
  const hint = !choose ? 'last.hint.demo' : open ? 'last.hint' : 'last.hint.choose';
  return h(
    'section',
    {class: 'last', 'aria-labelledby': 'last-title', 'data-test': 'last'},
    h('h2', {id: 'last-title'}, t('last.title')),
    h('p', {}, h('strong', {}, recentName(last, wasm)), ` · ${sizeOf(last, wasm)}`),
    h(
      'div',
      {class: 'actions'},
      open && h('button', {class: 'button primary', type: 'button', onclick: open, 'data-test': 'last-open'}, t('last.open')),
      choose && h('button', {class: open ? 'button' : 'button primary', type: 'button', onclick: choose, 'data-test': 'last-choose'}, t('last.choose')),
      h('button', {class: 'button', type: 'button', onclick: () => forgets(forget, 'last', 0), 'data-test': 'last-forget'}, t('last.forget')),
    ),
    unforgotten(),
    h('p', {class: 'hint'}, t(hint)),
  );
}

/** The traces that were opened on this device, except for the last one of this tab. @param {import('../../app.js').App} app */
function recentlyOpened({state: {recent, last}, wasm}) {
  const shown = recent.filter(({names, bytes}) => !(last?.open && last.bytes === bytes && last.names.join('\n') === names.join('\n')));
  if (!shown.length) return null;
  const when = new Intl.DateTimeFormat(environment().holder.lang || 'en', {dateStyle: 'medium', timeStyle: 'short'});
  const item = (/** @type {import('../../state.js').Recent} */ one, /** @type {number} */ place) =>
    h(
      'li',
      {},
      h('button', {class: 'link', type: 'button', 'data-test': 'recent-open', onclick: one.open}, recentName(one, wasm)),
      h('span', {class: 'hint'}, ` ${sizeOf(one, wasm)} · ${when.format(one.at)}`),
      h(
        'button',
        {
          class: 'button quiet',
          type: 'button',
          'aria-label': t('recent.forget', {name: recentName(one, wasm)}),
          'data-test': 'recent-forget',
          onclick: () => forgets(one.forget, 'recent', place),
        },
        '✕',
      ),
    );
  return h(
    'section',
    {class: 'recent', 'aria-labelledby': 'recent-title', 'data-test': 'recent'},
    h('h2', {id: 'recent-title'}, t('recent.title')),
    h('ul', {}, shown.map(item)),
    unforgotten(),
    h('p', {class: 'hint'}, t('last.hint')),
  );
}

/** The alert that something could not be forgotten. */
const unforgotten = () => h('p', {class: 'failed', role: 'alert', hidden: true, 'data-test': 'unforgotten'});

/**
 * Forgets something, and shows an alert on failure. The focus moves to the element in place of the removed button.
 * @param {() => Promise<boolean>} forget @param {'last' | 'recent'} part in which it is offered @param {number} place in the list
 */
async function forgets(forget, part, place) {
  const {root} = environment();
  const isGone = await forget();
  // Only now: where a part of it could be forgotten, the offers were drawn anew.
  const status = /** @type {HTMLElement | null} */ (root.querySelector(`[data-test="${part}"] [data-test="unforgotten"]`));
  if (status) {
    status.hidden = isGone;
    fill(status, isGone ? '' : t('last.forget.failed'));
  }
  const now = focused();
  // The person is elsewhere by now.
  if (!isGone || (now && now.localName !== 'body' && now.isConnected)) return;
  const left = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('[data-test="recent-forget"]')]);
  const next = left[Math.min(place, left.length - 1)] ?? root.querySelector('[data-test="choose"]');
  /** @type {HTMLElement | null} */ (next)?.focus();
}

/** Display name of the opened files. @param {{names: string[]}} one @param {Pick<import('../../../protocol/wasm.js').Wasm, 'count'>} wasm */
export function recentName({names}, {count}) {
  return names.length > 1 ? t('last.more', {name: names[0], count: count(names.length - 1)}) : names[0];
}

/** @param {{files: number, bytes: number}} one @param {Pick<import('../../../protocol/wasm.js').Wasm, 'bytes'>} wasm */
function sizeOf({files, bytes}, {bytes: text}) {
  return files > 1 ? t('last.files', {files, bytes: text(bytes)}) : text(bytes);
}

/** Example code that records a trace, by framework. @type {[string, string][]} */
const EXAMPLES = [
  [
    'PyTorch',
    `from torch.profiler import profile, schedule, tensorboard_trace_handler

with profile(schedule=schedule(wait=1, warmup=1, active=5),
             on_trace_ready=tensorboard_trace_handler("traces")) as profiler:
    for batch in loader:
        train_step(batch)
        profiler.step()`,
  ],
  [
    'PaddlePaddle',
    `from paddle.profiler import Profiler, export_chrome_tracing

with Profiler(scheduler=(2, 7), on_trace_ready=export_chrome_tracing("traces")) as profiler:
    for batch in loader:
        train_step(batch)
        profiler.step()`,
  ],
  [
    'MindSpore',
    `import mindspore
from mindspore.profiler import ProfilerActivity, tensorboard_trace_handler

with mindspore.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.NPU],
                                on_trace_ready=tensorboard_trace_handler("traces")) as profiler:
    for batch in loader:
        train_step(batch)
        profiler.step()`,
  ],
  [
    'JAX',
    `import jax

with jax.profiler.trace("traces"):
    for batch in loader:
        train_step(batch)
    # traces/plugins/profile/…/*.trace.json.gz`,
  ],
  [
    'Nsight Systems',
    `nsys profile --trace=cuda,nvtx,osrt --output=traces/run python train.py
nsys export --type=sqlite traces/run.nsys-rep`,
  ],
];
