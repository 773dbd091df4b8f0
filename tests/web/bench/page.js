// The measured functions, in the page: each takes the input's file and returns milliseconds.

import {Client} from '/page/js/page/client.js';

/** The most text that V8 can hold as a string, with room to spare. */
const LONGEST_TEXT = 256 << 20;

const CHUNK = 8 << 20;

function file() {
  return /** @type {HTMLInputElement} */ (document.getElementById('file')).files[0];
}

/** @type {Client | undefined} */
let ready;

/** Workers and their wasm are up before a user drops a file: their start is not measured. */
async function warm() {
  ready = new Client();
  await new Promise((resolve) => setTimeout(resolve, 2000));
}

/** From the Blob to all reports of the overview, in fresh workers. */
async function ours() {
  if (!ready) await warm();
  const client = ready;
  ready = undefined;
  const stages = {reading: 0, analyzing: 0};
  client.onProgress = ({stage}) => (stages[stage] = performance.now());
  const start = performance.now();
  const {summary, times, wasmBytes} = await client.ask('open', {files: [{path: file().name, file: file()}]});
  const opened = performance.now();
  await client.ask('report', {rank: 0, topic: 'selection', request: {step: null, grouping: 'name', merge: false}});
  const end = performance.now();
  const slices = summary.inputs[0].slices;
  client.close();
  return {
    ms: end - start,
    reading: stages.analyzing - start,
    ...times,
    // The rest: writing and parsing the summary's text, and sending it to the page.
    sending: opened - stages.analyzing - times.finishing - times.analyzing,
    selection: end - opened,
    bytes: summary.inputs[0].text_bytes,
    slices,
    wasmBytes,
  };
}

/**
 * The file's bytes, or as much of its beginning as V8 can parse, closed to be a whole trace.
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function textInMemory() {
  const whole = file();
  const bytes = new Uint8Array(await whole.slice(0, LONGEST_TEXT).arrayBuffer());
  if (whole.size <= LONGEST_TEXT) return bytes;
  // The last event may be cut: end the list after the previous one.
  const tail = new TextDecoder('latin1').decode(bytes.subarray(bytes.length - (1 << 16)));
  const end = bytes.length - (1 << 16) + Math.max(tail.lastIndexOf('},\n'), tail.lastIndexOf('}, {')) + 1;
  bytes.set([0x5d, 0x7d], end);
  return bytes.subarray(0, end + 2);
}

/** TextDecoder and JSON.parse: `ms` with the bytes in memory already, `fromBlob` with reading them. */
async function jsonParse() {
  const before = performance.now();
  const bytes = await textInMemory();
  const start = performance.now();
  const events = JSON.parse(new TextDecoder().decode(bytes)).traceEvents.length;
  const end = performance.now();
  return {ms: end - start, fromBlob: end - before, bytes: bytes.length, events};
}

/** The browser's own inflater, its output thrown away. */
async function inflate() {
  const start = performance.now();
  const reader = file().stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  let bytes = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    bytes += value.length;
  }
  return {ms: performance.now() - start, bytes};
}

/** Reading the Blob, its bytes thrown away. */
async function read() {
  const worker = new Worker('read.js');
  const ms = await new Promise((resolve, reject) => {
    worker.onmessage = ({data}) => resolve(data);
    worker.onerror = ({message}) => reject(new Error(message));
    worker.postMessage(file());
  });
  worker.terminate();
  return {ms, bytes: file().size};
}

/** TextDecoder and JSON.parse of the whole file, from the Blob: errors pass through. */
async function jsonParseAll() {
  const start = performance.now();
  const bytes = new Uint8Array(await file().arrayBuffer());
  const events = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes)).traceEvents.length;
  return {ms: performance.now() - start, bytes: bytes.length, events};
}

/** Perfetto's own engine in a worker: from the first byte handed over, from memory, to the end of the import. */
async function perfetto() {
  const bytes = await textInMemory();
  return perfettoOf(bytes.length, async (at, end) => bytes.subarray(at, end));
}

/** The same of the whole file, read piece by piece. @param {string} [engine] */
async function perfettoAll(engine) {
  const whole = file();
  return perfettoOf(whole.size, async (at, end) => new Uint8Array(await whole.slice(at, end).arrayBuffer()), engine);
}

/** The same in a memory of 32 bits. */
const perfettoAll32 = () => perfettoAll('perfetto32.js');

/** @param {number} size @param {(at: number, end: number) => Promise<Uint8Array>} piece @param {string} [engine] */
async function perfettoOf(size, piece, engine = '/perfetto/engine_bundle.js') {
  const worker = new Worker(engine);
  const {port1, port2} = new MessageChannel();
  worker.postMessage(port1, [port1]);
  const varint = (value) => {
    const out = [];
    for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
    return [...out, value];
  };
  let sequence = 0;
  let answered;
  let died;
  port2.onmessage = () => answered?.();
  worker.onerror = (event) => died?.(new Error(event.message));
  const answer = () =>
    new Promise((resolve, reject) => {
      answered = resolve;
      died = reject;
    });
  // A message is {1: sequence, 2: method, 101: bytes} inside field 1; bytes are too many to spread.
  const send = (method, bytes) => {
    const head = [0x08, ...varint(sequence++), 0x10, method];
    const inner = bytes ? [...varint((101 << 3) | 2), ...varint(bytes.length)] : [];
    const length = head.length + inner.length + (bytes?.length ?? 0);
    const prefix = [0x0a, ...varint(length), ...head, ...inner];
    const message = new Uint8Array(prefix.length + (bytes?.length ?? 0));
    message.set(prefix);
    if (bytes) message.set(bytes, prefix.length);
    port2.postMessage(message, [message.buffer]);
    return answer();
  };
  await send(11);
  const start = performance.now();
  for (let at = 0; at < size; at += CHUNK) await send(1, await piece(at, Math.min(at + CHUNK, size)));
  await send(2);
  const ms = performance.now() - start;
  worker.terminate();
  return {ms, bytes: size};
}

window.bench = {warm, ours, jsonParse, jsonParseAll, inflate, read, perfetto, perfettoAll, perfettoAll32};
