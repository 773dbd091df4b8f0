// Times at which something begins or ends, with as many digits as its length has. Nothing here touches the page.

import {timeText} from '../../shared/axis.js';

/** So many digits follow a number's first one, as in all durations. */
const DIGITS = 3;

/** Value of one unit of the last of these digits. @param {number} time in ns */
const lastDigit = (time) => 10 ** Math.max(0, Math.floor(Math.log10(time)) - DIGITS);

/**
 * A start or an end, with enough digits that those of a short event differ: 228.3 ms is both for an event of 40 µs.
 * @param {number} at in ns @param {number} length in ns; without a length, `duration` is used @param {{duration: (nanos: number) => string}} wasm
 */
export function startText(at, length, {duration}) {
  if (length <= 0 || at === 0 || lastDigit(length) >= lastDigit(Math.abs(at))) return duration(at);
  return timeText(at, lastDigit(length));
}
