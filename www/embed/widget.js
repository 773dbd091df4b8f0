// The analyzer as a notebook's widget (anywidget): the traces come as bytes, from the kernel. It is asked for them by a message, since the widget's
// state may be saved in the notebook.

import {mount} from './mount.js';

/**
 * @typedef {object} Model anywidget's side of the traits
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(event: string, listener: (...given: any[]) => void) => void} on
 * @property {(event: string, listener: (...given: any[]) => void) => void} off
 */

/** @param {{model: Model, el: HTMLElement}} given @returns {() => void} its destructor */
function render({model, el}) {
  const host = document.createElement('div');
  const size = () => (host.style.height = `${model.get('height') || 640}px`);
  size();
  // The notebook's own keys would insert and delete cells.
  host.dataset.lmSuppressShortcuts = 'true';
  host.addEventListener('keydown', (event) => event.stopPropagation());
  el.append(host);
  const tell = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    model.set(name, value);
    model.save_changes();
  };
  const tab = model.get('tab');
  const instance = mount(host, {
    view: tab ? String(new URLSearchParams({tab})) : '',
    theme: model.get('theme') || themeAround(),
    language: model.get('lang') || null,
    loaded: () => tell('error', ''),
    selected: (selected) => tell('selected', selected),
    failed: ({code, message, file}) => tell('error', [file, message || code].filter(Boolean).join(': ')),
  });
  // Each view has the messages of all.
  const own = crypto.getRandomValues(new Uint32Array(2)).join('-');
  let asked = 0;
  const ask = () => model.send({files_for: `${own}/${++asked}`});
  const answer = (/** @type {{files_for?: string, paths?: string[]}} */ content, /** @type {DataView[]} */ buffers) => {
    const {files_for: number, paths = []} = content ?? {};
    if (number !== `${own}/${asked}` || !paths.length) return;
    instance.open(async () => paths.map((path, index) => ({path, file: new File([/** @type {any} */ (buffers[index])], path.split('/').pop() || 'trace')})));
  };
  /** @type {[string, (...given: any[]) => void][]} */
  const listeners = [
    ['change:version', ask],
    ['msg:custom', answer],
    ['change:tab', () => instance.show(model.get('tab') || null)],
    ['change:theme', () => instance.theme(model.get('theme') || themeAround())],
    ['change:lang', () => instance.language(model.get('lang') || null)],
    ['change:height', size],
  ];
  for (const [event, listener] of listeners) model.on(event, listener);
  ask();
  return () => {
    for (const [event, listener] of listeners) model.off(event, listener);
    instance.close();
  };
}

/** JupyterLab and Notebook say on the body whether they are light. */
function themeAround() {
  const {jpThemeLight} = document.body.dataset;
  return jpThemeLight === undefined ? null : jpThemeLight === 'true' ? 'light' : 'dark';
}

export default {render};
