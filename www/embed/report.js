// The scripts of a report that carries the analyzer: a button opens the trace that is in the page, too.

import '../js/page/environment/lockdown.js';
import {mount} from './mount.js';

/** The bytes of a text in Base64. @param {string} text */
function bytesOf(text) {
  const trimmed = text.trim();
  const quick = /** @type {{fromBase64?: (text: string) => Uint8Array<ArrayBuffer>}} */ (/** @type {unknown} */ (Uint8Array));
  return quick.fromBase64?.(trimmed) ?? Uint8Array.from(atob(trimmed), (character) => character.charCodeAt(0));
}

/** The files that the report carries, each in one piece or several. @returns {Promise<import('../js/protocol/requests.js').Dropped[]>} */
async function carried() {
  // By number: two may have the same name.
  /** @type {Map<string, {path: string, packed: boolean, pieces: Uint8Array<ArrayBuffer>[]}>} */
  const files = new Map();
  for (const element of document.querySelectorAll('script[data-stepscope-path]')) {
    const {stepscopeFile: number = '', stepscopePath: path = '', stepscopePacked: packed} = /** @type {HTMLElement} */ (element).dataset;
    const file = files.get(number) ?? {path, packed: packed === 'gzip', pieces: []};
    file.pieces.push(bytesOf(element.textContent ?? ''));
    files.set(number, file);
  }
  const unpacked = async (/** @type {Blob} */ blob) => new Response(blob.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
  return Promise.all(
    [...files.values()].map(async ({path, packed, pieces}) => {
      const blob = new Blob(pieces);
      return {path, file: new File([packed ? await unpacked(blob) : blob], path.split('/').pop() ?? path)};
    }),
  );
}

/** The scripts, for a report on the trace that is open in this one. */
const analyzer = async () => `${document.getElementById('stepscope-analyzer')?.outerHTML ?? ''}\n`;

function start() {
  const place = document.getElementById('stepscope-explore');
  if (!place) return;
  const open = document.createElement('button');
  open.type = 'button';
  open.textContent = place.dataset.open ?? '';
  open.dataset.test = 'explore';
  place.append(open);
  /** @type {HTMLElement | undefined} */
  let host;
  const back = document.createElement('button');
  back.type = 'button';
  back.textContent = place.dataset.back ?? '';
  back.className = 'stepscope-back';
  back.dataset.test = 'back';
  const show = (/** @type {boolean} */ analyzing) => {
    document.body.classList.toggle('analyzing', analyzing);
    (analyzing ? back : open).focus();
  };
  open.addEventListener('click', () => {
    if (!host) {
      host = document.createElement('div');
      host.className = 'stepscope-analyzer';
      document.body.append(back, host);
      const {view = '', changes = '[]'} = document.getElementById('stepscope-shown')?.dataset ?? {};
      const instance = mount(
        host,
        {view: decodeURIComponent(view), theme: null, language: document.documentElement.lang, loaded: () => {}, selected: () => {}, failed: () => {}},
        analyzer,
      );
      instance.open(carried, JSON.parse(decodeURIComponent(changes)));
    }
    show(true);
  });
  back.addEventListener('click', () => show(false));
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
