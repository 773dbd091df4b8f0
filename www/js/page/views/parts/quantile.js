// Quantiles of lengths. Nothing here touches the page.

/** @param {number[]} lengths in order @param {number} share */
export function quantile(lengths, share) {
  const at = (lengths.length - 1) * share;
  const below = Math.floor(at);
  const above = Math.min(below + 1, lengths.length - 1);
  return lengths[below] + (lengths[above] - lengths[below]) * (at - below);
}
