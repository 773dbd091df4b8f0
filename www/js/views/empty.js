// Before anything is opened.

import {demoFile} from '../files.js';
import {fill, h} from '../dom.js';
import {t} from '../i18n.js';

/** @param {HTMLElement} element @param {import('../app.js').App} app */
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
          h('button', {class: 'button', onclick: () => app.openFrom(demoFile), 'data-test': 'demo'}, t('empty.demo')),
        ),
      ),
      h('p', {class: 'hint'}, t('empty.private')),
      h('details', {class: 'how'}, h('summary', {}, t('empty.how')), h('pre', {}, h('code', {}, EXAMPLE))),
    ),
  );
}

/** How a trace is made with PyTorch. */
const EXAMPLE = `from torch.profiler import profile, schedule, tensorboard_trace_handler

with profile(schedule=schedule(wait=1, warmup=1, active=5),
             on_trace_ready=tensorboard_trace_handler("traces")) as profiler:
    for batch in loader:
        train_step(batch)
        profiler.step()`;
