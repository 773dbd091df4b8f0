// The page's style sheets for an element: rules on the page apply to the stage in the element's shadow root, and lengths
// relative to the window are relative to the element.

/**
 * Blocks inherited text styles of the page around; the sheets set all styles anew, also on the stage, so that this has a lower
 * specificity than any of them. The page around decides whether the element is visible and clickable.
 */
const RESET = `
:where(.stage) { all: initial; direction: ltr; user-select: text; visibility: inherit; pointer-events: inherit; }
:where(.stage:lang(en)) { -webkit-locale: 'en'; }
:where(.stage:lang(zh)) { -webkit-locale: 'zh-Hans'; }
`;

/** Size of `rem` on the analyzer's own page, in pixels; other pages may have another one. */
const REM = 14;

/** Style of the element toward the page around. */
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
