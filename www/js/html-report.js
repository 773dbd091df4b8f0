// A report in one HTML file, put together in the session's worker.

/** @typedef {import('./protocol.js').Dropped} Dropped */

// Of workers alone, which the page's types do not know.
const FileReaderSync = /** @type {any} */ (self).FileReaderSync;

/** Bytes of a file in one element: browsers hold no text of more than half a GB. Whole triples, so that nothing pads. */
const PIECE = 24 << 20;

/** What packed files begin with: gzip, zstd, zip, bzip2, xz. */
const PACKED = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x50, 0x4b, 0x03, 0x04],
  [0x42, 0x5a, 0x68],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
];

/** @param {Blob} file */
async function isPacked(file) {
  const head = new Uint8Array(await file.slice(0, 5).arrayBuffer());
  return PACKED.some((start) => start.every((byte, index) => head[index] === byte));
}

/** @type {Record<string, string>} */
const ENTITIES = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};

/** Text as it may stand in HTML, also between quotation marks. @param {string} text */
function escaped(text) {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ').replace(/[&<>"]/g, (character) => ENTITIES[character]);
}

/** A file as text in the page, compressed. @param {Dropped} dropped @param {number} number @returns {Promise<Blob>} */
async function carried({path, file}, number) {
  const packed = await isPacked(file);
  const content = packed ? file : await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  const reader = new FileReaderSync();
  /** @type {BlobPart[]} */
  const parts = [];
  for (let from = 0; from < content.size; from += PIECE) {
    /** @type {string} */
    const address = reader.readAsDataURL(content.slice(from, from + PIECE));
    const text = address.slice(address.indexOf(',') + 1);
    // A blob each: the browser keeps it wherever there is room.
    parts.push(new Blob([`<script type="text/plain" data-stepscope-file="${number}" data-stepscope-path="${escaped(path)}"${packed ? '' : ' data-stepscope-packed="gzip"'}>`, text, '</script>\n']));
  }
  return new Blob(parts);
}

/**
 * @param {import('./protocol-wasm.js').Wasm} wasm @param {Uint8Array} summary the whole summary's text
 * @param {{scripts: string, view: string, files: Dropped[]} | null} carries the analyzer's scripts, what is shown first, as an address says it, and the files
 */
export async function htmlReport(wasm, summary, carries) {
  const {scripts = ''} = carries ?? {};
  const [before, after] = wasm.html_report(summary, scripts.slice(0, scripts.indexOf('>') + 1));
  /** @type {BlobPart[]} */
  const parts = [before];
  if (carries) {
    for (const [number, file] of carries.files.entries()) parts.push(await carried(file, number));
    if (carries.view) parts.push(`<script type="text/plain" id="stepscope-shown" data-view="${escaped(carries.view)}"></script>\n`);
    parts.push(scripts);
  }
  return new Blob([...parts, after], {type: 'text/html'});
}
