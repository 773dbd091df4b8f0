// Distances between colors, for people with all kinds of cones and without one kind; crate/present/src/colors.rs has the same.

/** Red, green and blue light without one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1. @type {Record<string, number[][]>} */
export const VISIONS = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE L*a*b* of a color as it is seen. @param {number[]} rgb @param {number[][]} vision */
export function seen(rgb, vision) {
  const linear = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  const [red, green, blue] = vision.map((row) => Math.min(1, Math.max(0, row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2])));
  const curve = (/** @type {number} */ part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116);
  const x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The distance of two colors; about 2.3 is just noticed. @param {number[]} a @param {number[]} b @param {number[][]} vision */
export function distance(a, b, vision) {
  const [one, other] = [seen(a, vision), seen(b, vision)];
  return Math.hypot(...one.map((part, index) => part - other[index]));
}
