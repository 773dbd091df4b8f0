// Traces in which every string that may be shown has markup.

/** Markup that becomes an element, a script or an attribute, wherever a text is taken for HTML. */
export const MARKUP =
  '</script></style></textarea><img src=x onerror="window.taken=1"><script>window.taken=1</script><b class="taken">"\' onmouseover=window.taken=1 &lt;i&gt;';

/** Keys whose texts readers interpret: other values would change the trace's meaning. */
const TELLING = ['ph', 's', 'bp', 'Addr', 'Device Type', 'id', 'Group size', 'dtype', 'Collective name'];

/** Process names by which MindSpore's readers recognize the content. */
const PROCESSES = ['MindSpore', 'CANN', 'Ascend Hardware', 'HCCL', 'AI Core Freq', 'Overlap Analysis'];

/** Pattern of a number, with or without a unit, or of a version. */
const NUMBER = /^-?\d[\d.e+-]*( ?[µ%\w/]{1,4})?$/;

/** A text with markup, before the suffix that readers look for. @param {string} text */
export function marked(text) {
  const [end] = /\s*(\(\d+\)|\[\d[^\]]*\])$/.exec(text) ?? [''];
  return text.slice(0, text.length - end.length) + MARKUP + end;
}

/** Whether readers take a text for a number or a list of numbers. @param {string} text */
export const isNumber = (text) => NUMBER.test(text) || /^[\d\s.,;:()[\]{}<>/*+-]*$/.test(text);

/**
 * A trace with markup after every text, except those that readers interpret. Every set of arguments has a further one whose
 * name is markup, too.
 * @param {any} value @param {string} [key] @param {string[]} [telling] keys of further texts that stay @returns {any}
 */
export function tainted(value, key = '', telling = []) {
  if (Array.isArray(value)) return value.map((one) => tainted(one, key, telling));
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, inner]) => [name, name === 'name' && isReserved(value) ? inner : tainted(inner, name, telling)]);
    if (key === 'args' && entries.length) entries.push([MARKUP, MARKUP]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string' || TELLING.includes(key) || telling.includes(key) || key === 'cat' || PROCESSES.includes(value) || isNumber(value))
    return value;
  return marked(value);
}

/** Whether an event's name is a word of the format. @param {any} event */
function isReserved(event) {
  return event.ph === 'M' || /^\[.*\]$/.test(event.name ?? '');
}
