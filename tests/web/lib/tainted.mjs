// Traces in which every string that a person might be shown holds markup.

/** What would be an element, a script or an attribute, wherever a text is taken for HTML. */
export const MARKUP = '</script></style></textarea><img src=x onerror="window.taken=1"><script>window.taken=1</script><b class="taken">"\' onmouseover=window.taken=1 &lt;i&gt;';

/** What tells readers what a text is about; another one would be of nothing. */
const TELLING = ['ph', 's', 'bp', 'Addr', 'Device Type', 'id', 'Group size', 'dtype', 'Collective name'];

/**
 * A trace of which every text but what tells readers what it is about goes on with markup, and every set of arguments has a
 * further one whose name is markup, too.
 * @param {any} value @param {string} [key] @returns {any}
 */
export function tainted(value, key = '') {
  if (Array.isArray(value)) return value.map((one) => tainted(one, key));
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, inner]) => [name, name === 'name' && isReserved(value) ? inner : tainted(inner, name)]);
    if (key === 'args' && entries.length) entries.push([MARKUP, MARKUP]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string' || TELLING.includes(key) || key === 'cat' || /^\d*$/.test(value)) return value;
  return value + MARKUP;
}

/** Whose name is a word of the format. @param {any} event */
function isReserved(event) {
  return event.ph === 'M' || /^\[.*\]$/.test(event.name ?? '');
}
