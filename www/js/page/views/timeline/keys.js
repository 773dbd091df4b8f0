// The timeline's keys.

/**
 * @typedef {object} KeyActions
 * @property {(factor: number) => void} zoom
 * @property {(share: number) => void} shift
 * @property {() => void} fit
 * @property {() => void} mark
 * @property {() => void} measure
 * @property {() => void} keep
 * @property {(direction: 'before' | 'after' | 'out' | 'in') => boolean} neighbour whether there was anything to go from
 * @property {(back: boolean) => void} follow along an arrow
 * @property {() => boolean} clear
 */

/** Per second that a key is held: how much nearer or further, by how much of the window. */
const ZOOM = 3.2;
const SHIFT = 1.1;

/** A single stroke moves as if the key were held for so many seconds. */
const STROKE = 0.09;

/** @type {Record<string, 'before' | 'after' | 'out' | 'in'>} */
const NEIGHBOURS = {ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'out', ArrowDown: 'in'};

/** Follows keys: those that move do so as long as they are held. */
export class Keys {
  /** @type {Set<string>} */
  #held = new Set();
  #last = 0;

  /** @param {KeyActions} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  down(event) {
    const key = event.key.toLowerCase();
    if (key.length === 1 && 'wasd'.includes(key)) {
      if (event.repeat) return true;
      const first = !this.#held.size;
      this.#held.add(key);
      this.#move(STROKE);
      if (first) this.#run();
      return true;
    }
    const direction = NEIGHBOURS[event.key];
    if (direction) return this.actions.neighbour(direction);
    if (key === 'f') this.actions.fit();
    else if (key === 'm') this.actions.mark();
    else if (key === 'x') this.actions.measure();
    else if (key === 'k') this.actions.keep();
    else if (key === '[' || key === ']') this.actions.follow(key === '[');
    else if (event.key === 'Escape') return this.actions.clear();
    else return false;
    return true;
  }

  #run() {
    this.#last = performance.now();
    // Only as long as a key is held, so that the window keeps no reference to a hidden view.
    const listening = new AbortController();
    addEventListener('keyup', (event) => this.#held.delete(event.key.toLowerCase()), {signal: listening.signal});
    addEventListener('blur', () => this.#held.clear(), {signal: listening.signal});
    const step = (/** @type {number} */ now) => {
      if (!this.#held.size) {
        listening.abort();
        return;
      }
      this.#move(Math.min(0.1, Math.max(0, now - this.#last) / 1000));
      this.#last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** @param {number} seconds */
  #move(seconds) {
    const held = (/** @type {string} */ key) => Number(this.#held.has(key));
    const nearer = held('w') - held('s');
    const right = held('d') - held('a');
    if (nearer) this.actions.zoom(Math.exp(-nearer * ZOOM * seconds));
    if (right) this.actions.shift(right * SHIFT * seconds);
  }
}
