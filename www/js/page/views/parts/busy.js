// The mark of an element whose content is still to come.

/** The number of works that each busy element waits for. @type {WeakMap<Element, number>} */
const works = new WeakMap();

/** Marks an element as busy until some work is done, and all that it waited for before. @param {Element} element @param {Promise<unknown>} work */
export async function busyWhile(element, work) {
  works.set(element, (works.get(element) ?? 0) + 1);
  element.setAttribute('aria-busy', 'true');
  try {
    await work;
  } finally {
    const left = (works.get(element) ?? 1) - 1;
    works.set(element, left);
    if (!left) element.removeAttribute('aria-busy');
  }
}
