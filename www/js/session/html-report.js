// A report in one HTML file, put together in the session's worker.

import {TextReader} from '../loaders/text-reader.js';

/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {{blob: Blob, layers: string}} Text a file's text as it is packed: of an archive there are several */

/** Reads files for reports. Made when it is needed: it starts a worker. @type {TextReader | undefined} */
let reader;

// Available in workers alone, so that the page's types do not have it.
const FileReaderSync = /** @type {any} */ (self).FileReaderSync;

/** Bytes that identify the compression of a file: as many as any magic number has. */
const HEAD = 16;

/**
 * A compressed copy of a file without its secrets; nothing if it has none.
 * @param {import('../protocol/wasm.js').Wasm} wasm @param {string} path @param {Text[]} texts @returns {Promise<Blob | undefined>}
 */
async function withoutSecrets(wasm, path, texts) {
  const signal = new AbortController().signal;
  for (const {blob, layers} of texts) {
    const read = (/** @type {(bytes: Uint8Array) => void} */ push) => {
      const archive = /\bcut:/.test(layers) ? `report/${path}` : undefined;
      reader ??= new TextReader();
      return reader.read(blob, layers, archive, {push, damaged: () => {}}, signal, () => {});
    };
    const mask = new wasm.SecretMask();
    await read((bytes) => mask.look(bytes));
    mask.finish();
    const names = mask.names();
    if (!names) {
      mask.free();
      continue;
    }
    if (texts.length > 1 || !['', 'gzip', 'zstd'].includes(layers) || !mask.is_clean()) {
      mask.free();
      throw {code: 'secrets', file: path, position: null, message: names, tried: [], expected: ''};
    }
    const copying = mask.again();
    // A blob each: the browser keeps it wherever there is room.
    /** @type {Blob[]} */
    const parts = [];
    await read((bytes) => parts.push(new Blob([copying.push(bytes)])));
    parts.push(new Blob([copying.finish()]));
    copying.free();
    return new Response(new Blob(parts).stream().pipeThrough(new CompressionStream('gzip'))).blob();
  }
  reader?.rest();
  return undefined;
}

/**
 * A file as text in the page, compressed, without its secrets.
 * @param {import('../protocol/wasm.js').Wasm} wasm @param {Dropped} dropped @param {Text[]} texts its content @param {number} number
 * @returns {Promise<Blob>}
 */
async function carried(wasm, {path, file}, texts, number) {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const {before, after, compress, piece} = wasm.carried_file(number, path, head);
  const masked = await withoutSecrets(wasm, path, texts);
  const content = masked ?? (compress ? await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob() : file);
  const reader = new FileReaderSync();
  /** @type {BlobPart[]} */
  const parts = [];
  for (let from = 0; from < content.size; from += piece) {
    /** @type {string} */
    const address = reader.readAsDataURL(content.slice(from, from + piece));
    const text = address.slice(address.indexOf(',') + 1);
    // A blob each: the browser keeps it wherever there is room.
    parts.push(new Blob([before, text, after]));
  }
  return new Blob(parts);
}

/**
 * @param {import('../protocol/wasm.js').Wasm} wasm @param {Uint8Array} summary the whole summary's text
 * @param {import('../protocol/requests.js').ReportTexts} texts @param {string} notes as JSON
 * @param {{scripts: string, view: string, files: Dropped[], texts: Text[][], changes: import('../protocol/requests.js').Changes} | null} carries the analyzer's
 * scripts, the first view as in an address, the files and their texts, and a person's changes to their grouping
 */
export async function htmlReport(wasm, summary, {language, messages}, notes, carries) {
  const {scripts = ''} = carries ?? {};
  const [before, after] = wasm.html_report(summary, scripts.slice(0, scripts.indexOf('>') + 1), notes, language, messages);
  /** @type {BlobPart[]} */
  const parts = [before];
  if (carries) {
    for (const [number, file] of carries.files.entries()) parts.push(await carried(wasm, file, carries.texts[number], number));
    const changes = carries.changes.length ? ` data-changes="${encodeURIComponent(JSON.stringify(carries.changes))}"` : '';
    if (carries.view || changes)
      parts.push(`<script type="text/plain" id="stepscope-shown" data-view="${encodeURIComponent(carries.view)}"${changes}></script>\n`);
    parts.push(scripts);
  }
  return new Blob([...parts, after], {type: 'text/html'});
}
