// Files may be dropped anywhere on the page, or on the element.

import {environment} from '../environment/environment.js';
import {filesOf} from './files.js';

/** @param {import('../app.js').App} app */
export function acceptDrops(app) {
  const {keys: whole, body} = environment();
  const on = (/** @type {string} */ type, /** @type {(event: DragEvent) => void} */ act) => whole.addEventListener(type, /** @type {any} */ (act));
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (/** @type {boolean} */ dropping) => body.classList.toggle('dropping', dropping);
  for (const over of ['dragenter', 'dragover']) {
    on(over, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(true);
    });
  }
  // Out of it, not only from one element in it to the next.
  on('dragleave', (event) => (event.relatedTarget instanceof Node && body.contains(event.relatedTarget)) || mark(false));
  on('drop', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    mark(false);
    const transfer = event.dataTransfer;
    app.openDropped(() => filesOf(transfer));
  });
}
