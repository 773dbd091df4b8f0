// `<stepscope-view src=… tab=… theme=… lang=…>`: the analyzer in any page, as one module.

import {mount} from './mount.js';

/** @typedef {import('../js/protocol.js').Dropped} Dropped */
/** @typedef {File | Blob | ArrayBuffer | ArrayBufferView | URL | string | {path: string, bytes: Blob | ArrayBuffer | ArrayBufferView}} Openable bytes, files, or the address of one */

/** The last part of a path. @param {string} path */
const nameOf = (path) => path.split('/').filter(Boolean).pop() ?? 'trace';

/** @param {URL} url @returns {Promise<Dropped>} */
async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return named(nameOf(decodeURIComponent(url.pathname)), await answer.blob());
}

/** @param {string} path @param {any} bytes @returns {Dropped} */
function named(path, bytes) {
  return {path, file: new File([bytes], nameOf(path))};
}

/** @param {Openable} what @returns {Promise<Dropped> | Dropped} */
function droppedOf(what) {
  if (what instanceof File) return {path: what.webkitRelativePath || what.name, file: what};
  if (what instanceof URL || typeof what === 'string') return fetched(new URL(what, document.baseURI));
  if (what instanceof Blob || what instanceof ArrayBuffer || ArrayBuffer.isView(what)) return named('trace', what);
  return named(what.path, what.bytes);
}

export class StepscopeView extends HTMLElement {
  static observedAttributes = ['src', 'tab', 'theme', 'lang'];

  /** @type {import('./instance.js').Instance | undefined} */
  #instance;
  /** Whether it has left the page for good is known after the task that took it out. */
  #leaving = false;

  connectedCallback() {
    this.#leaving = false;
    if (this.#instance) return;
    const tab = this.getAttribute('tab');
    this.#instance = mount(this, {
      view: tab === null ? '' : String(new URLSearchParams({tab})),
      theme: this.getAttribute('theme'),
      language: this.getAttribute('lang') ?? (document.documentElement.lang || null),
      loaded: (summary) => this.#tell('loaded', {ranks: summary.ranks.length, inputs: summary.inputs}),
      selected: (selected) => this.#tell('selected', selected),
      failed: (problem) => this.#tell('error', problem),
    });
    const src = this.getAttribute('src');
    if (src) this.open(src).catch(() => {});
  }

  disconnectedCallback() {
    this.#leaving = true;
    setTimeout(() => {
      if (!this.#leaving) return;
      this.#instance?.close();
      this.#instance = undefined;
    });
  }

  /** @param {string} name @param {string | null} before @param {string | null} now */
  attributeChangedCallback(name, before, now) {
    if (!this.#instance || now === before) return;
    if (name === 'src' && now) this.open(now).catch(() => {});
    else if (name === 'tab') this.#instance.show(now);
    else if (name === 'theme') this.#instance.theme(now);
    else if (name === 'lang') this.#instance.language(now);
  }

  /**
   * Opens a trace, or several files that make one or many ranks. What cannot be fetched or read is told by an `error` event and on the element.
   * @param {Openable | Openable[]} what
   */
  async open(what) {
    if (!this.#instance) throw new Error('the element is in no document');
    await this.#instance.open(async () => Promise.all([what].flat().map(droppedOf)));
  }

  /** The whole summary of what is open, as `stepscope summary --json` prints it. @returns {Promise<object>} */
  async summary() {
    if (!this.#instance) throw new Error('the element is in no document');
    return this.#instance.summary();
  }

  /** @param {'loaded' | 'selected' | 'error'} type @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }
}

if (!customElements.get('stepscope-view')) customElements.define('stepscope-view', StepscopeView);
