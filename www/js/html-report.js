// A report in one HTML file, put together in the session's worker.

/** @typedef {import('./protocol.js').Dropped} Dropped */

// Of workers alone, which the page's types do not know.
const FileReaderSync = /** @type {any} */ (self).FileReaderSync;

/** Bytes by which it is known how a file is packed: as many as any magic number has. */
const HEAD = 16;

/**
 * A file as text in the page, compressed.
 * @param {import('./protocol-wasm.js').Wasm} wasm @param {Dropped} dropped @param {number} number @returns {Promise<Blob>}
 */
async function carried(wasm, {path, file}, number) {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const {before, after, compress, piece} = wasm.carried_file(number, path, head);
  const content = compress ? await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob() : file;
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
 * @param {import('./protocol-wasm.js').Wasm} wasm @param {Uint8Array} summary the whole summary's text
 * @param {{scripts: string, view: string, files: Dropped[], changes: import('./protocol.js').Changes} | null} carries the analyzer's
 * scripts, what is shown first, as an address says it, the files, and how a person changed their grouping
 */
export async function htmlReport(wasm, summary, carries) {
  const {scripts = ''} = carries ?? {};
  const [before, after] = wasm.html_report(summary, scripts.slice(0, scripts.indexOf('>') + 1));
  /** @type {BlobPart[]} */
  const parts = [before];
  if (carries) {
    for (const [number, file] of carries.files.entries()) parts.push(await carried(wasm, file, number));
    const changes = carries.changes.length ? ` data-changes="${encodeURIComponent(JSON.stringify(carries.changes))}"` : '';
    if (carries.view || changes) parts.push(`<script type="text/plain" id="stepscope-shown" data-view="${encodeURIComponent(carries.view)}"${changes}></script>\n`);
    parts.push(scripts);
  }
  return new Blob([...parts, after], {type: 'text/html'});
}
