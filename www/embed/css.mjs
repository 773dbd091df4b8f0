// The page's style sheets for an element: what is said of the page is said of the stage in the element's shadow root, and what
// is measured by the window by the element.

/** What the element is for the page around. */
const HOST = `
:host { display: block; height: 40rem; container-type: size; }
:host([hidden]) { display: none; }
.stage { height: 100%; overflow: auto; outline: none; text-align: start; }
`;

/** @param {string} css */
export function embeddedCss(css) {
  const text = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:root\b/g, '.stage')
    .replace(/^(html|body)\b/gm, '.stage')
    .replace(/@media (\((?:min|max)-width:)/g, '@container $1')
    .replace(/(\d)d?v([hw])\b/g, '$1cq$2');
  const left = /(?:^|[\s,}])(?:html|body|:root)\b|@media[^{]*width|\d[ds]?v[hw]\b/.exec(text);
  if (left) throw new Error(`a style sheet says something of the page that an element is not: ${left[0]}`);
  return text + HOST;
}
