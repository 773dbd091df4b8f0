// Edges around the spans in a line of pixels, for people who ask for more contrast. It needs no browser.

/** Red, green and blue of `#rrggbb`. @param {string} color */
const partsOf = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** From how many pixels on a span has room for both of its ends. */
const LEAST = 4;

/**
 * Draws the ends of spans in lines of pixels, and gives the lines as shadows in the color of the edges: they are drawn below the spans,
 * which are a little less high.
 * @param {Uint8ClampedArray} pixels lines of RGBA, changed here @param {number} width of a line @param {string} color `#rrggbb`
 * @param {(line: number) => boolean} areSpans whether a line shows spans: others stay as they are @returns {Uint8ClampedArray<ArrayBuffer>}
 */
export function drawEdges(pixels, width, color, areSpans) {
  const [red, green, blue] = partsOf(color);
  const shadows = new Uint8ClampedArray(pixels.length);
  const put = (/** @type {Uint8ClampedArray} */ into, /** @type {number} */ at) => {
    into[4 * at] = red;
    into[4 * at + 1] = green;
    into[4 * at + 2] = blue;
    into[4 * at + 3] = 255;
  };
  const count = pixels.length / 4;
  for (let from = 0; from < count; from++) {
    const end = from - (from % width) + width;
    if (from % width === 0 && !areSpans(from / width)) {
      from = end - 1;
      continue;
    }
    if (!pixels[4 * from + 3]) continue;
    let to = from;
    while (to < end && pixels[4 * to + 3]) put(shadows, to++);
    if (to - from >= LEAST) {
      put(pixels, from);
      put(pixels, to - 1);
    }
    from = to - 1;
  }
  return shadows;
}
