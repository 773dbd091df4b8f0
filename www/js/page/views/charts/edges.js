// Edges around the parts of charts that the analyzer draws, for people who ask for more contrast.

import {edgeColor} from '../../environment/theme.js';

/** Draws an edge around each region of a canvas, where the system asks for more contrast. @param {HTMLCanvasElement} canvas @param {readonly import('../../../protocol/wasm.js').Region[]} regions @param {number} scale device pixels per CSS pixel */
export function drawEdges(canvas, regions, scale) {
  const context = withEdges(canvas, scale);
  if (!context) return;
  const half = context.lineWidth / 2;
  for (const {left, top, right, bottom} of regions) {
    // A narrower part would be nothing but edge.
    if (right - left > 3 * context.lineWidth && bottom > top) context.strokeRect(left + half, top + half, right - left - 2 * half, bottom - top - 2 * half);
  }
}

/** Draws a circle around a pie that is as large as its canvas, where the system asks for more contrast. @param {HTMLCanvasElement} canvas @param {number} scale device pixels per CSS pixel */
export function drawCircle(canvas, scale) {
  const context = withEdges(canvas, scale);
  const [x, y] = [canvas.width / 2, canvas.height / 2];
  context?.beginPath();
  context?.arc(x, y, Math.max(1, Math.min(x, y) - context.lineWidth), 0, 2 * Math.PI);
  context?.stroke();
}

/** Drawing context for edges; null unless more contrast is wanted. @param {HTMLCanvasElement} canvas @param {number} scale */
function withEdges(canvas, scale) {
  const color = edgeColor(getComputedStyle(canvas));
  const context = color ? canvas.getContext('2d') : null;
  if (context) Object.assign(context, {strokeStyle: color, lineWidth: Math.max(1, Math.round(scale))});
  return context;
}
