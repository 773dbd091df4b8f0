// The page's style sheets for an element: what is said of the page is said of the stage in the element's shadow root, and what
// is measured by the window by the element.

/**
 * Nothing that the page around says of its text comes in; the sheets say all anew, also of the stage, so that this weighs less
 * than any of them. Whether the element is seen and can be clicked at is the page's matter.
 */
const RESET = `
:where(.stage) { all: initial; direction: ltr; user-select: text; visibility: inherit; pointer-events: inherit; }
:where(.stage:lang(en)) { -webkit-locale: 'en'; }
:where(.stage:lang(zh)) { -webkit-locale: 'zh-Hans'; }
`;

/** What `rem` is on the page of its own; on another one it is as large as that says. */
const REM = 14;

/** What the element is for the page around. */
const HOST = `
:host { display: block; height: 40rem; container-type: size; }
:host([hidden]) { display: none; }
.stage { height: 100%; overflow: auto; outline: none; }
`;

/** @param {string} css */
export function embeddedCss(css) {
  const text = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:root\b/g, '.stage')
    .replace(/^(html|body)\b/gm, '.stage')
    .replace(/@media (\((?:min|max)-width:)/g, '@container $1')
    .replace(/(\d)d?v([hw])\b/g, '$1cq$2')
    .replace(/(\d*\.?\d+)rem\b/g, (_, count) => `${Number((count * REM).toFixed(3))}px`);
  const left = /(?:^|[\s,}])(?:html|body|:root)\b|@media[^{]*width|\d[ds]?v[hw]\b/.exec(text);
  if (left) throw new Error(`a style sheet says something of the page that an element is not: ${left[0]}`);
  return RESET + text + HOST;
}
