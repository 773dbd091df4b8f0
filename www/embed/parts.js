// Built-in parts, in place of `js/page/environment/parts.js`.

/** The brand stands on the page of its own alone. @type {string | undefined} */
export const ICON = undefined;

/** @type {URL | undefined} */
export const DEMO = undefined;

/** @type {URL | undefined} */
export const DEMO_JOB = undefined;

/** The messages of a language. @param {string} language @returns {Promise<Record<string, string>>} */
export async function messagesOf(language) {
  return STEPSCOPE.messages?.[language] ?? {};
}

/** Messages that only reports have, in a language. @param {string} language @returns {Promise<Record<string, string>>} */
export async function reportMessagesOf(language) {
  return STEPSCOPE.reportMessages?.[language] ?? {};
}

/** The analyzer as a piece of HTML, for a report that carries it. @returns {Promise<string>} */
export async function analyzer() {
  if (!STEPSCOPE.analyzer) throw new Error('there is no analyzer to put into a report');
  return STEPSCOPE.analyzer();
}
