// Short names of values that are too long, or too private, for an address.

/** A short name of a value: equal values have the same one. @param {unknown} value */
export function hashed(value) {
  let hash = 0;
  for (const character of JSON.stringify(value)) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0).toString(36);
}
