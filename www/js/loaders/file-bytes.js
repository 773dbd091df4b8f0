// Synchronous reads of a file's bytes, in workers only: random access cannot wait.

/** Only workers have it, and the types here are a page's. @type {new () => {readAsArrayBuffer: (blob: Blob) => ArrayBuffer}} */
const FileReaderSync = /** @type {any} */ (globalThis).FileReaderSync;

/** Reads a file's bytes. */
export class FileBytes {
  #reader = new FileReaderSync();
  #file;
  #told;
  /** Why it could not be read. @type {unknown} */
  failure;

  /** @param {File} file @param {(offset: number) => void} [told] called with the offset of each read */
  constructor(file, told = () => {}) {
    this.#file = file;
    this.#told = told;
  }

  /** @param {number} offset @param {number} length */
  read = (offset, length) => {
    this.#told(offset);
    try {
      return new Uint8Array(this.#reader.readAsArrayBuffer(this.#file.slice(offset, offset + length)));
    } catch (error) {
      this.failure = error;
      throw error;
    }
  };
}
