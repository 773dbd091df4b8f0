// Messages in the person's language: one JSON file each.

/** @typedef {'en' | 'zh'} Language */

/** @type {Record<string, string>} */
let messages = {};
/** @type {Record<string, string>} */
let english = {};

/** What the browser prefers, unless the person chose. @returns {Language} */
export function preferredLanguage() {
  const chosen = remembered('language');
  if (chosen === 'en' || chosen === 'zh') return chosen;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('zh')) && !navigator.language.startsWith('en')
    ? 'zh'
    : 'en';
}

/** @param {Language} language */
export async function loadLanguage(language) {
  const read = async (/** @type {string} */ name) =>
    (await fetch(new URL(`../i18n/${name}.json`, import.meta.url))).json();
  english = Object.keys(english).length ? english : await read('en');
  messages = language === 'en' ? english : await read(language);
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
}

/**
 * The message of a key, with `{name}` replaced.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const message = messages[key] ?? english[key] ?? key;
  return message.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? `{${name}}`));
}

/** Whether there is a message of that key. @param {string} key */
export function has(key) {
  return key in english;
}

/** What was chosen earlier; storage may be forbidden. @param {string} key */
export function remembered(key) {
  try {
    return localStorage.getItem(`stepscope.${key}`);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(`stepscope.${key}`, value);
  } catch {
    // Then it is forgotten with the tab.
  }
}
