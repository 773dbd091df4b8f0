// Read speed of files, and the remaining time at that pace. Nothing here touches the page.

/** The time over which the pace is averaged, and the least time for a meaningful pace, in ms. */
const WINDOW = 5000;
const LEAST = 1000;

/** The pace of a load, from its progress reports. */
export class Pace {
  /** @type {{at: number, file: string, read: number, share: number}[]} */
  #samples = [];

  /** @param {number} at a time in ms @param {string} file @param {number} read number of its bytes that are read @param {number} share of the whole load */
  add(at, file, read, share) {
    // Another load began.
    if (share < (this.#samples.at(-1)?.share ?? 0)) this.#samples = [];
    this.#samples.push({at, file, read, share});
    const from = this.#samples.findLastIndex((sample) => at - sample.at >= WINDOW);
    if (from > 0) this.#samples.splice(0, from);
  }

  /** Bytes a second of the file that is read; null before that is known. */
  get rate() {
    const last = this.#samples.at(-1);
    const first = this.#samples.find(({file}) => file === last?.file);
    if (!last || !first || last.at - first.at < LEAST || last.read <= first.read) return null;
    return ((last.read - first.read) * 1000) / (last.at - first.at);
  }

  /** Milliseconds that the rest takes; null before that is known. */
  get left() {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!last || last.at - first.at < LEAST || last.share <= first.share) return null;
    return ((1 - last.share) * (last.at - first.at)) / (last.share - first.share);
  }
}
