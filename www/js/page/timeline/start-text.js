// Times at which something begins or ends, with as many digits as its length has. Nothing here touches the page.

import {timeText} from '../../shared/axis.js';

/** So many digits follow a number's first one, as in all durations. */
const DIGITS = 3;

/** What the last of these digits is worth. @param {number} time in ns */
const lastDigit = (time) => 10 ** Math.max(0, Math.floor(Math.log10(time)) - DIGITS);

/**
 * A start or an end, so that those of short things differ: 228.3 ms is both of what takes 40 µs.
 * @param {number} at in ns @param {number} length in ns; of something without a length, as `duration` has it @param {{duration: (nanos: number) => string}} wasm
 */
export function startText(at, length, {duration}) {
  if (length <= 0 || at === 0 || lastDigit(length) >= lastDigit(Math.abs(at))) return duration(at);
  return timeText(at, lastDigit(length));
}
