// The page: starts the worker and wires views, state and requests together.

import {App} from './app.js';
import {Client} from './client.js';
import {filesOf, linkedFiles} from './files.js';
import {loadLanguage, preferredLanguage, t} from './i18n.js';
import {Store} from './state.js';
import {applyTheme, onSystemTheme} from './theme.js';
import {renderFatal} from './views/fatal.js';
import {loadWasm} from './wasm.js';

/** What the page cannot do without; a message's key for what is missing. */
function missing() {
  if (typeof WebAssembly !== 'object') return 'fatal.wasm';
  // The smallest module that uses a SIMD instruction.
  const simd = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
  if (!WebAssembly.validate(simd)) return 'fatal.simd';
  if (typeof CompressionStream !== 'function') return 'fatal.streams';
  return undefined;
}

async function start() {
  applyTheme();
  await loadLanguage(preferredLanguage());
  document.title = 'Stepscope';
  const lack = missing();
  if (lack) {
    renderFatal(document.body, t(lack));
    return;
  }
  const wasm = await loadWasm();
  const app = new App(document.body, new Store(), new Client(), wasm);
  onSystemTheme(() => app.redrawTheme());
  app.redraw();
  acceptDrops(app);
  const linked = new URLSearchParams(location.search).getAll('trace').filter((link) => link !== '');
  if (linked.length) await app.openFrom(() => linkedFiles(linked));
}

/** Files may be dropped anywhere. @param {App} app */
function acceptDrops(app) {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (/** @type {boolean} */ dropping) => document.body.classList.toggle('dropping', dropping);
  for (const over of /** @type {const} */ (['dragenter', 'dragover'])) {
    addEventListener(over, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(true);
    });
  }
  // Out of the window, not only from one element to the next.
  addEventListener('dragleave', (event) => event.relatedTarget ?? mark(false));
  addEventListener('drop', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    mark(false);
    const transfer = event.dataTransfer;
    app.openDropped(() => filesOf(transfer));
  });
}

start().catch((error) => renderFatal(document.body, `${t('fatal.start')} ${error?.message ?? error}`));
