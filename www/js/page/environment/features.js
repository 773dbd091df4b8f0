// Feature check of the browser.

/** The key of the message on a missing feature; undefined if none is missing. */
export function lack() {
  if (typeof WebAssembly !== 'object') return 'fatal.wasm';
  // The smallest module that uses a SIMD instruction.
  const simd = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
  if (!WebAssembly.validate(simd)) return 'fatal.simd';
  if (typeof CompressionStream !== 'function') return 'fatal.streams';
  return undefined;
}
