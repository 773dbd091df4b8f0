// Texts on slices: measured once, cut to their room, never over one another.

/** @typedef {import('../page/timeline/scene.js').Scene} Scene */

/** Texts remembered at most, before all are forgotten. */
const MOST = 200_000;

/** Values per label, as wasm gives them. */
const VALUES = 6;

/** CSS pixels left free at each end of a slice. */
const PAD = 4;

const SIZE = 11;

/** CSS pixels that the shortest length of time takes, about. */
const LEAST = 24;

/** CSS pixels between a text and how long its slice takes. */
const GAP = 10;

/** Letters of a text that are written at most. */
const LONGEST = 160;

/** Writes labels on slices. */
export class Texts {
  #textOf;
  #lengthOf;
  /** By row and number, each with its width; `length`: text of its slice's length, once there was room for that. @type {Map<number, {text: string, width: number, length?: {text: string, width: number}}>} */
  #known = new Map();
  #font = '';

  /** @param {(row: number, number: number) => string} textOf @param {(row: number, number: number) => string} lengthOf the text of a slice's length; empty where it is not known */
  constructor(textOf, lengthOf) {
    this.#textOf = textOf;
    this.#lengthOf = lengthOf;
  }

  forget() {
    this.#known.clear();
  }

  /**
   * Writes labels; gives how many. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene
   * @param {Float64Array} labels as wasm gives them @param {[top: number, height: number][]} places of lines
   */
  draw(context, scene, labels, places) {
    if (scene.texts === false) return 0;
    const font = `${SIZE}px ${scene.font}`;
    context.font = font;
    if (font !== this.#font || this.#known.size > MOST) this.forget();
    this.#font = font;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    let written = 0;
    // Each color is set once: changing it takes as long as a text.
    for (const light of [1, 0]) {
      context.fillStyle = light ? '#10141a' : '#ffffff';
      for (let at = 0; at < labels.length; at += VALUES) {
        if (labels[at + 5] !== light) continue;
        const [top, height] = places[labels[at]];
        if (height < SIZE) continue;
        const left = labels[at + 1] / scene.scale;
        const room = labels[at + 2] / scene.scale - left - 2 * PAD;
        const known = this.#measured(context, labels[at + 3], labels[at + 4]);
        const {text, width} = known;
        const cut = width <= room ? text : shortened(text, room / width);
        if (!cut) continue;
        // A wide text stands where it is most visible; a cut one never exceeds its room.
        const middle = top + height / 2 + 0.5;
        context.fillText(cut, left + PAD, middle, room);
        written++;
        if (width + GAP + LEAST > room) continue;
        const length = (known.length ??= this.#measuredLength(context, labels[at + 3], labels[at + 4]));
        if (!length.text || width + GAP + length.width > room) continue;
        context.fillText(length.text, left + PAD + width + GAP, middle);
      }
    }
    return written;
  }

  /** @param {OffscreenCanvasRenderingContext2D} context @param {number} row @param {number} number */
  #measuredLength(context, row, number) {
    const text = this.#lengthOf(row, number);
    return {text, width: text ? context.measureText(text).width : 0};
  }

  /** @param {OffscreenCanvasRenderingContext2D} context @param {number} row @param {number} number */
  #measured(context, row, number) {
    const key = row * 2 ** 32 + number;
    let known = this.#known.get(key);
    if (!known) {
      const text = this.#textOf(row, number);
      // Nobody reads more on a slice, and measuring takes time.
      const head = text.length > LONGEST ? beginning(text, LONGEST) : text;
      known = {text: head, width: context.measureText(head).width};
      this.#known.set(key, known);
    }
    return known;
  }
}

/** The part of a text that there is room for; empty if it would be too short. @param {string} text @param {number} share of its width */
function shortened(text, share) {
  const letters = Math.floor(text.length * share) - 1;
  return letters >= 2 ? beginning(text, letters) : '';
}

/** A text's beginning, marked as such; no letter of two code units is cut in half. @param {string} text @param {number} letters */
function beginning(text, letters) {
  const whole = /[\uD800-\uDBFF]/.test(text[letters - 1]) ? letters - 1 : letters;
  return `${text.slice(0, whole)}…`;
}
