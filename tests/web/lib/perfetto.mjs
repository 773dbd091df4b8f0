// Perfetto's own trace processor (wasm) under Node: loads a trace, answers SQL.
//
// The engine is a web worker that speaks length-prefixed protobuf messages over a MessagePort. Only
// the few fields that are needed here are encoded and decoded by hand.
// Definitions: protos/perfetto/trace_processor/trace_processor.proto in Perfetto's source.

import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const METHOD = {append: 1, finalize: 2, query: 3, reset: 11};
const CHUNK = 8 << 20;

/** @param {number | bigint} value */
function varint(value) {
  let rest = BigInt(value);
  const bytes = [];
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return Buffer.from(bytes);
}

/** @param {number} field @param {Uint8Array} bytes */
function bytesField(field, bytes) {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** @param {number} field @param {number} value */
function numberField(field, value) {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

/** Reads varints off a buffer. */
class Reader {
  /** @param {Buffer} buffer */
  constructor(buffer) {
    this.buffer = buffer;
    this.at = 0;
  }

  get done() {
    return this.at >= this.buffer.length;
  }

  varint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.buffer[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (!(byte & 128)) return value;
    }
  }

  /** The fields of a message, as [number, value]. */
  *fields() {
    while (!this.done) {
      const tag = Number(this.varint());
      const [field, wire] = [tag >> 3, tag & 7];
      if (wire === 0) {
        yield /** @type {[number, any]} */ ([field, this.varint()]);
      } else if (wire === 2) {
        const length = Number(this.varint());
        yield /** @type {[number, any]} */ ([field, this.buffer.subarray(this.at, (this.at += length))]);
      } else if (wire === 1 || wire === 5) {
        this.at += wire === 1 ? 8 : 4;
      } else {
        throw new Error(`wire type ${wire}`);
      }
    }
  }
}

/** Rows of a query's answer, cell by cell. */
class Rows {
  columns = /** @type {string[]} */ ([]);
  rows = /** @type {Record<string, any>[]} */ ([]);
  cells = /** @type {any[]} */ ([]);

  /** @param {Buffer} batch @returns {boolean} whether it was the last one */
  add(batch) {
    let types = /** @type {number[]} */ ([]);
    let numbers = /** @type {bigint[]} */ ([]);
    const doubles = /** @type {number[]} */ ([]);
    let strings = /** @type {string[]} */ ([]);
    let last = false;
    for (const [field, value] of new Reader(batch).fields()) {
      if (field === 1) types = packed(value).map(Number);
      if (field === 2) numbers = packed(value);
      if (field === 3) for (let at = 0; at < value.length; at += 8) doubles.push(value.readDoubleLE(at));
      if (field === 5) strings = value.toString().split('\0');
      if (field === 6) last = Boolean(value);
    }
    const next = {2: numbers.values(), 3: doubles.values(), 4: strings.values()};
    for (const type of types) {
      this.cells.push(type === 1 ? null : next[/** @type {2} */ (type)].next().value);
    }
    return last;
  }

  finish() {
    const width = this.columns.length;
    const rows = [];
    for (let at = 0; at < this.cells.length; at += width) {
      rows.push(Object.fromEntries(this.columns.map((column, index) => [column, this.cells[at + index]])));
    }
    return rows;
  }
}

/** @param {Buffer} bytes */
function packed(bytes) {
  const reader = new Reader(bytes);
  const values = [];
  while (!reader.done) values.push(BigInt.asIntN(64, reader.varint()));
  return values;
}

/** The engine; one trace at a time. */
export class Perfetto {
  #port;
  #received = /** @type {Buffer} */ (Buffer.alloc(0));
  #messages = /** @type {[number, any][][]} */ ([]);
  #waiting = /** @type {(() => void)[]} */ ([]);
  #sequence = 0;

  /** @param {MessagePort} port */
  constructor(port) {
    this.#port = port;
    port.onmessage = (event) => this.#take(Buffer.from(event.data));
  }

  /**
   * Starts the engine in this process. It expects a worker's globals, which are made here.
   * @param {string} folder with `engine_bundle.js` and `trace_processor.wasm`
   */
  static async start(folder) {
    const global = /** @type {any} */ (globalThis);
    const {port1, port2} = new MessageChannel();
    global.self = globalThis;
    global.location = {href: 'http://localhost/'};
    global.WorkerGlobalScope = function () {};
    global.importScripts = () => {};
    const file = (/** @type {any} */ url) => fs.readFileSync(path.join(folder, path.basename(String(url))));
    global.fetch = async (/** @type {any} */ url) => new Response(file(url), {headers: {'content-type': 'application/wasm'}});
    global.XMLHttpRequest = class {
      open(/** @type {string} */ _method, /** @type {string} */ url) {
        this.url = url;
      }
      send() {
        const data = file(this.url);
        this.response = data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
        this.status = 200;
        this.onload?.();
      }
      url = '';
      status = 0;
      response = /** @type {any} */ (undefined);
      onload = /** @type {(() => void) | undefined} */ (undefined);
    };
    // Emscripten takes a global `process` for a sign of Node, and then loads files on its own.
    const {process} = global;
    delete global.process;
    vm.runInThisContext(file('engine_bundle.js').toString(), {filename: 'engine_bundle.js'});
    global.self.onmessage({data: port1});
    await new Promise((resolve) => setTimeout(resolve, 1500));
    global.process = process;
    return new Perfetto(port2);
  }

  /** Ends the engine: its port would keep the process alive. */
  close() {
    this.#port.close();
  }

  /** @param {Buffer} data */
  #take(data) {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const frame = this.#frame();
      if (!frame) return;
      this.#messages.push([...new Reader(frame).fields()]);
      this.#waiting.shift()?.();
    }
  }

  /** The next whole message: field 1 of a stream, so a tag, a length, and its bytes. */
  #frame() {
    let length = 0;
    let at = 1;
    for (let scale = 1; ; scale *= 128) {
      if (at >= this.#received.length) return undefined;
      const byte = this.#received[at++];
      length += (byte & 127) * scale;
      if (!(byte & 128)) break;
    }
    if (this.#received.length < at + length) return undefined;
    const frame = this.#received.subarray(at, at + length);
    this.#received = this.#received.subarray(at + length);
    return frame;
  }

  /** @param {number} method @param {Buffer} [argument] */
  #send(method, argument) {
    /** @type {Buffer[]} */
    const parts = [numberField(1, this.#sequence++), numberField(2, method)];
    if (argument) parts.push(argument);
    this.#port.postMessage(new Uint8Array(bytesField(1, Buffer.concat(parts))));
  }

  async #next() {
    while (!this.#messages.length) await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    return /** @type {[number, any][]} */ (this.#messages.shift());
  }

  /** @param {Buffer} bytes of a trace; throws if it does not load */
  async load(bytes) {
    this.#send(METHOD.reset);
    await this.#next();
    const errors = [];
    for (let at = 0; at < bytes.length; at += CHUNK) {
      this.#send(METHOD.append, bytesField(101, bytes.subarray(at, at + CHUNK)));
      for (const [field, value] of await this.#next()) {
        if (field === 201) for (const [inner, text] of new Reader(value).fields()) if (inner === 2) errors.push(text.toString());
      }
    }
    this.#send(METHOD.finalize);
    for (const [field, value] of await this.#next()) {
      if (field === 212) for (const [inner, text] of new Reader(value).fields()) if (inner === 1) errors.push(text.toString());
    }
    if (errors.length) throw new Error(errors.join('; '));
  }

  /** @param {string} sql @returns {Promise<Record<string, any>[]>} integers as BigInt */
  async query(sql) {
    this.#send(METHOD.query, bytesField(103, bytesField(1, Buffer.from(sql))));
    const rows = new Rows();
    for (let last = false; !last;) {
      for (const [field, value] of await this.#next()) {
        if (field !== 203) continue;
        for (const [inner, part] of new Reader(value).fields()) {
          if (inner === 1) rows.columns.push(part.toString());
          if (inner === 2) throw new Error(part.toString());
          if (inner === 3) last = rows.add(part);
        }
      }
    }
    return rows.finish();
  }
}
