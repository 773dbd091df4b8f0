// Messages in the person's language: one JSON file each.

import {messagesOf, reportMessagesOf} from './parts.js';
import {environment} from './environment.js';

/** @typedef {'en' | 'zh'} Language */

/** @type {Record<string, string>} */
let messages = {};
/** @type {Record<string, string>} */
let english = {};
/** @type {Language} */
let current = 'en';

/** The person's choice, else the language that the browser prefers. @returns {Language} */
export function preferredLanguage() {
  const chosen = environment().remembered('language');
  if (chosen === 'en' || chosen === 'zh') return chosen;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('zh')) && !navigator.language.startsWith('en') ? 'zh' : 'en';
}

/** @param {Language} language */
export async function loadLanguage(language) {
  english = Object.keys(english).length ? english : await messagesOf('en');
  messages = language === 'en' ? english : await messagesOf(language);
  current = language;
  environment().holder.lang = language === 'zh' ? 'zh-Hans' : 'en';
}

/** The language that is shown. @returns {Language} */
export const shownLanguage = () => current;

/** The messages for a report: those of the page, and those of reports alone. @returns {Promise<import('../../protocol/requests.js').ReportTexts>} */
export async function reportTexts() {
  return {language: current, messages: JSON.stringify({...messages, ...(await reportMessagesOf(current))})};
}

/** The forms of English nouns; Chinese ones have none. */
const FORMS = new Intl.PluralRules('en');

/**
 * The message of a key, with `{name}` replaced, and `{name|one|several}` by the form of the noun that fits the number.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const message = messages[key] ?? english[key] ?? missing(key);
  const form = (/** @type {string} */ name, /** @type {string} */ one, /** @type {string} */ several) =>
    FORMS.select(Number(String(values[name]).replace(/\s/g, ''))) === 'one' ? one : several;
  return message.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, several) =>
    several === undefined ? String(values[name] ?? `{${name}}`) : form(name, one, several),
  );
}

/** Keys without a message that were complained of. @type {Set<string>} */
const lacking = new Set();

/** The key itself, which the console names: tests fail where the page warns. @param {string} key */
function missing(key) {
  // eslint-disable-next-line no-console -- for tests and those who write the page; it names a key of ours, never a text of a trace
  if (!lacking.has(key)) console.warn(`no message has the key ${key}`);
  lacking.add(key);
  return key;
}

/** Whether there is a message of that key. @param {string} key */
export function has(key) {
  return key in english;
}
