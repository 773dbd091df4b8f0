// Keys that belong to the control with the focus, rather than to the page.

/** Inputs that hold no text. */
const TEXTLESS = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Keys that choose in lists, radio buttons and sliders. */
const CHOOSING = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'Enter', ' ']);

/** Whether an element holds text that is typed. @param {HTMLElement} element */
export function isTextField(element) {
  const {localName} = element;
  if (localName === 'input') return !TEXTLESS.has(/** @type {HTMLInputElement} */ (element).type);
  return localName === 'textarea' || element.isContentEditable === true;
}

/** Whether a control uses a key itself; a list also goes to the option that begins with a letter. @param {HTMLElement} element @param {string} key as `KeyboardEvent.key` has it */
export function usesKey(element, key) {
  if (isTextField(element)) return true;
  const {localName} = element;
  if (localName === 'select') return key.length === 1 || CHOOSING.has(key);
  const {type} = /** @type {HTMLInputElement} */ (element);
  if (localName !== 'input') return false;
  return type === 'radio' || type === 'range' ? CHOOSING.has(key) : key === ' ';
}

/** Calls back after a choice from a list by pointer: the keys are the page's again then. @param {HTMLElement} body @param {(list: HTMLSelectElement) => void} chosen */
export function afterChoice(body, chosen) {
  /** The list that the pointer opened. @type {EventTarget | null} */
  let opened = null;
  body.addEventListener('pointerdown', ({target}) => (opened = target));
  body.addEventListener('keydown', () => (opened = null));
  body.addEventListener('change', ({target}) => {
    const list = /** @type {HTMLSelectElement} */ (target);
    if (list.localName === 'select' && list === opened) chosen(list);
  });
}
