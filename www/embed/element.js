// `<stepscope-view src=… tab=… theme=… lang=…>`: the analyzer in any page, as one module.

import {withoutUser} from '../js/page/files/links.js';
import {mount} from './mount.js';

/** @typedef {import('../js/protocol/requests.js').Dropped} Dropped */
/** @typedef {File | Blob | ArrayBuffer | ArrayBufferView | URL | string | {path: string, bytes: Blob | ArrayBuffer | ArrayBufferView}} Openable bytes, files, or the address of one */

/** The last part of a path. @param {string} path */
const nameOf = (path) => path.split('/').filter(Boolean).pop() ?? 'trace';

/** @param {URL} url @param {AbortSignal} signal @returns {Promise<Dropped>} */
async function fetched(url, signal) {
  // No browser fetches an address with a password in it, and its message would show it.
  if (url.username || url.password) throw new Error(`${withoutUser(String(url))}: addresses with a user or password in them are not fetched`);
  const answer = await fetch(url, {signal});
  if (!answer.ok) throw new Error(`${url.origin}${url.pathname}: ${answer.status} ${answer.statusText}`);
  return named(nameOf(decodeURIComponent(url.pathname)), await answer.blob());
}

/** @param {string} path @param {any} bytes @returns {Dropped} */
function named(path, bytes) {
  return {path, file: new File([bytes], nameOf(path))};
}

/** @param {any} what */
const isOpenable = (what) => typeof what === 'string' || what instanceof URL || isBytes(what) || (typeof what?.path === 'string' && isBytes(what.bytes));

/** @param {any} what */
const isBytes = (what) => what instanceof Blob || what instanceof ArrayBuffer || ArrayBuffer.isView(what);

/** @param {Openable | Openable[]} what @returns {Openable[]} */
function listOf(what) {
  const list = [what].flat();
  if (!list.length) throw new TypeError('there is nothing to open: the list is empty');
  for (const one of list)
    if (!isOpenable(one))
      throw new TypeError(`a File, Blob, ArrayBuffer, address or {path, bytes}, or a list of these, can be opened, not ${one === null ? null : typeof one}`);
  return list;
}

/** Details of the event on a loaded trace. @param {import('../types/reports.js').Summary} summary */
const loadedOf = (summary) => ({ranks: summary.ranks.length, inputs: summary.inputs});

/** @param {Openable} what @param {AbortSignal} signal @returns {Promise<Dropped> | Dropped} */
function droppedOf(what, signal) {
  if (what instanceof File) return {path: what.webkitRelativePath || what.name, file: what};
  if (what instanceof URL || typeof what === 'string') return fetched(new URL(what, document.baseURI), signal);
  if (what instanceof Blob || what instanceof ArrayBuffer || ArrayBuffer.isView(what)) return named('trace', what);
  return named(what.path, what.bytes);
}

/** Where there are no elements, as on a server, importing this does nothing. @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

export class StepscopeView extends Base {
  static observedAttributes = ['src', 'tab', 'theme', 'lang'];

  /** @type {import('./instance.js').Instance | undefined} */
  #instance;
  /** Whether it has left the page for good is known after the task that took it out. */
  #leaving = false;

  connectedCallback() {
    for (const name of /** @type {const} */ (['src', 'tab', 'theme'])) {
      // Set before there was this class: it would hide the class's own.
      if (!Object.hasOwn(this, name)) continue;
      const set = this[name];
      delete (/** @type {any} */ (this)[name]);
      this[name] = set;
    }
    this.#leaving = false;
    if (this.#instance) return;
    const tab = this.getAttribute('tab');
    this.#instance = mount(this, {
      view: tab === null ? '' : String(new URLSearchParams({tab})),
      theme: this.getAttribute('theme'),
      language: this.getAttribute('lang') ?? (document.documentElement.lang || null),
      loaded: (summary) => this.#tell('loaded', loadedOf(summary)),
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

  get src() {
    return this.getAttribute('src') ?? '';
  }
  set src(address) {
    this.#attribute('src', address);
  }

  get tab() {
    return this.getAttribute('tab') ?? '';
  }
  set tab(tab) {
    this.#attribute('tab', tab);
  }

  get theme() {
    return this.getAttribute('theme') ?? '';
  }
  set theme(theme) {
    this.#attribute('theme', theme);
  }

  /** @param {string} name @param {string | null | undefined} value none takes it away */
  #attribute(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /**
   * Opens a trace, or several files that make one or many ranks, and returns what was read. An `error` event and the element also
   * report failures. Throws an `AbortError` if another load takes its place, or the element is removed.
   * @param {Openable | Openable[]} what
   */
  async open(what) {
    if (!this.#instance) throw new Error('the element is in no document');
    const list = listOf(what);
    const outcome = await this.#instance.open((signal) => Promise.all(list.map((one) => droppedOf(one, signal))));
    if (outcome?.summary) return loadedOf(outcome.summary);
    const problem = outcome?.problems[0];
    if (!outcome || problem?.code === 'cancelled') throw new DOMException('the load was cancelled, or another one took its place', 'AbortError');
    throw Object.assign(new Error([problem?.file, problem?.message || problem?.code || 'there is nothing in it'].filter(Boolean).join(': ')), {problem});
  }

  /** The whole summary of the open trace, as `stepscope summary --json` prints it; waits for the current load. @returns {Promise<object>} */
  async summary() {
    if (!this.#instance) throw new Error('the element is in no document');
    return this.#instance.summary();
  }

  /** @param {'loaded' | 'selected' | 'error'} type @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }
}

if (globalThis.customElements && !customElements.get('stepscope-view')) customElements.define('stepscope-view', StepscopeView);
