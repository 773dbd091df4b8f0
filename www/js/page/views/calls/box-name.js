// Shortened names for boxes that are too narrow for the whole name. Nothing here touches the page.

/** Prefix by which the profiler marks modules among Python functions. */
export const MODULE = 'nn.Module: ';

/** The folders of a function's file; its line comes after it. */
const FOLDERS = /^(?:[^()/\\]*[/\\])+(?=[^()/\\]+\(\d+\): )/;

/** The scopes of an operator, as JAX and MindSpore have them: no spaces, which types of C++ have. A number says nothing without what it counts, as in the thread `tf_Compute/7`. */
const SCOPES = /^(?:[^\s/]*\/)+(?=[^\s/]*[^\s/\d-][^\s/]*$)/;

/** The names that say less and less: without the mark of a module, or without the first folders that most names share. @param {string} name @returns {Iterable<string>} */
function* shorter(name) {
  yield name;
  if (name.startsWith(MODULE)) yield name.slice(MODULE.length);
  const [folders] = FOLDERS.exec(name) ?? SCOPES.exec(name) ?? [''];
  for (const {index} of folders.matchAll(/[/\\]/g)) yield name.slice(index + 1);
}

/** The number at the end of a name: of equal parts of a model it is all that differs. */
const NUMBER = /[_.#-]?\d+$/;

/** The first of these that fits, else as much of the last as fits, and its number. @param {string} name @param {(text: string) => boolean} fits @returns {string} */
export function boxName(name, fits) {
  let last = name;
  for (last of shorter(name)) if (fits(last)) return last;
  const [number] = NUMBER.exec(last) ?? [''];
  const cut = (/** @type {string} */ end) => {
    const most = last.length - end.length;
    let [low, high] = [0, most];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(`${last.slice(0, middle)}…${end}`)) low = middle;
      else high = middle - 1;
    }
    return `${last.slice(0, low)}…${end}`;
  };
  const short = cut(number);
  return fits(short) ? short : cut('');
}
