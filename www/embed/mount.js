// Puts analyzers into shadow roots; they share the compiled wasm, and nothing else.

import {css, messages, reportMessages, scripts, wasm, workers} from 'stepscope-built';
import {trusting} from './trusting.js';

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

async function compile() {
  const packed = Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0));
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
  return WebAssembly.compile(await bytes.arrayBuffer());
}

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** @type {((blob: string) => string) | undefined} */
let address;

/**
 * Puts an analyzer into an element.
 * @param {HTMLElement} host which has no shadow root, or one of an analyzer that was there
 * @param {Omit<import('./instance.js').Options, 'root' | 'body'>} options @param {() => Promise<string>} [analyzer] returns the scripts for a report
 */
export function mount(host, options, analyzer) {
  const root = host.shadowRoot ?? host.attachShadow({mode: 'open'});
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  // Set from a script: no policy of the page around forbids it.
  root.adoptedStyleSheets = [sheet];
  const body = document.createElement('div');
  body.className = 'stage';
  // A click in it gives it the keys.
  body.tabIndex = -1;
  root.replaceChildren(body);
  compiled ??= compile();
  address ??= trusting();
  return scripts({workers, messages, reportMessages, compiled, analyzer, address}).instance({...options, root, body});
}
