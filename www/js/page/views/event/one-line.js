// Values of a pretty-printed file on one line. Nothing here touches the page.

/** A string, which may be cut at its end, or white space with the brackets beside it. It has no way to run for long on any text. */
const STRING_OR_SPACE = /"[^"\\]*(?:\\(?:.|$)[^"\\]*)*(?:"|$)|([[{]?)(\s+)([\]}]?)/gs;

/** A JSON value without the line breaks between its parts: a list of shapes would take a line for each number. @param {string} value */
export function oneLine(value) {
  return value.replace(STRING_OR_SPACE, (found, /** @type {string} */ open, /** @type {string | undefined} */ space, /** @type {string} */ close) =>
    space?.includes('\n') ? `${open}${open || close ? '' : ' '}${close}` : found,
  );
}
